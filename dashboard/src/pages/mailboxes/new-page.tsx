import { type FormEvent, useRef, useState } from "react";
import { useLocation } from "wouter";
import { beyondFields } from "../../api/client.ts";
import { mailboxHref, useCreateMailbox } from "../../api/mailboxes.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { rich } from "../../lib/rich.ts";
import { t } from "../../lib/texts.ts";
import { bodyOf, EMPTY_VALUES, FORM_FIELDS, type FormValues } from "./form-values.ts";
import { MailboxFields } from "./mailbox-fields.tsx";
import css from "./mailboxes.module.css";

export function NewPage() {
  const form = useRef<HTMLFormElement>(null);
  const [, navigate] = useLocation();
  const create = useCreateMailbox();
  const [values, setValues] = useState(EMPTY_VALUES);
  const { error } = create;
  const change = (part: Partial<FormValues>) => setValues((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(bodyOf(values), {
      onSuccess: ({ id }) => {
        toast(t("Mailbox connected. Check it now."));
        navigate(mailboxHref(id));
      },
      onError: () => focusFirstError(form.current),
    });
  };
  const elsewhere = error && beyondFields(error, FORM_FIELDS);
  return (
    <Page
      title={t("Connect mailbox")}
      narrow
      back={{ href: "/settings/mailboxes", title: t("Mailboxes") }}
      description={rich("The address and the password are enough for most providers. {link} has the others.", {
        link: (
          <a href="/docs/guides/mailbox" target="_blank" rel="noreferrer">
            {t("The guide")}
          </a>
        ),
      })}
    >
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        <MailboxFields values={values} problems={error?.details ?? {}} isNew onChange={change} />
        {elsewhere && <Notice tone="danger">{elsewhere}</Notice>}
        <div className={css.row}>
          <Button type="submit" variant="primary" busy={create.isPending}>
            {t("Connect mailbox")}
          </Button>
          <LinkButton href="/settings/mailboxes" variant="ghost">
            {t("Cancel")}
          </LinkButton>
        </div>
      </form>
    </Page>
  );
}
