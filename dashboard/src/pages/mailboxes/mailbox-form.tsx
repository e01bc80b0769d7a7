import { type FormEvent, useRef, useState } from "react";
import { beyondFields, type Versioned } from "../../api/client.ts";
import { type Mailbox, useUpdateMailbox } from "../../api/mailboxes.ts";
import { Button } from "../../components/button.tsx";
import { Conflict } from "../../components/conflict.tsx";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.tsx";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { t } from "../../lib/texts.ts";
import { useUnsavedGuard } from "../../lib/unsaved-guard.tsx";
import { changesBetween, FORM_FIELDS, type FormValues, valuesOf } from "./form-values.ts";
import { MailboxFields } from "./mailbox-fields.tsx";
import css from "./mailboxes.module.css";

interface MailboxFormProps {
  /** The version that is sent back belongs to the values the form began with. */
  loaded: Versioned<Mailbox>;
  onReload: () => void;
}

export function MailboxForm({ loaded, onReload }: MailboxFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // The page reads the mailbox again for its state: what was typed keeps the version it began with.
  const [{ record: mailbox, etag }] = useState(loaded);
  const [initial] = useState(() => valuesOf(mailbox));
  const [values, setValues] = useState(initial);
  const save = useUpdateMailbox(mailbox.id);
  const changes = changesBetween(initial, values);
  const isChanged = Object.keys(changes).length > 0;
  const leave = useUnsavedGuard(isChanged && !save.isSuccess);
  const { error } = save;
  const change = (part: Partial<FormValues>) => setValues((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = () => {
      toast(t("Mailbox saved."));
      onReload();
    };
    save.mutate({ body: changes, etag }, { onSuccess: done, onError: () => focusFirstError(form.current) });
  };
  const elsewhere = error && beyondFields(error, FORM_FIELDS);
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      {leave}
      <MailboxFields values={values} problems={error?.details ?? {}} isNew={false} onChange={change} />
      {error?.status === 412 ? (
        <Conflict what={t("mailbox")} onReload={onReload} />
      ) : (
        elsewhere && <Notice tone="danger">{elsewhere}</Notice>
      )}
      <div className={css.row}>
        <Button type="submit" variant="primary" busy={save.isPending} disabled={!isChanged}>
          {t("Save changes")}
        </Button>
      </div>
    </form>
  );
}
