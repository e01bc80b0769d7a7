import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { beyondFields } from "../../api/client.ts";
import { contactHref, useCreateContact } from "../../api/contacts.ts";
import { Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { t } from "../../lib/texts.ts";
import { stopAsking, useDialogGuard } from "../../lib/unsaved-guard.tsx";
import { CONTACT_FIELDS, type ContactValues } from "./contact-fields.ts";
import css from "./contacts.module.css";

/** A new contact; nothing of it is required. */
export function ContactDialog({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState<Partial<ContactValues>>({});
  const form = useRef<HTMLDivElement>(null);
  const create = useCreateContact();
  const [, navigate] = useLocation();
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
  const { leave, cancel } = useDialogGuard(Object.keys(given).length > 0, onClose);
  const submit = () =>
    create.mutate(given, {
      onSuccess: ({ id }) => {
        stopAsking();
        onClose();
        navigate(contactHref(id));
      },
      onError: () => focusFirstError(form.current),
    });
  const names = CONTACT_FIELDS.map(({ name }) => name);
  const general = create.error && beyondFields(create.error, names);
  return (
    <Dialog
      open
      onClose={cancel}
      title={t("New contact")}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={cancel} busy={create.isPending}>
          {t("Create contact")}
        </SubmitFooter>
      }
    >
      <div className={css.form} ref={form}>
        {leave}
        {CONTACT_FIELDS.map(({ name, label, type }) => (
          <Field key={name} label={label} error={create.error?.details[name]}>
            {(control) => (
              <Input
                {...control}
                type={type}
                name={name}
                autoComplete="off"
                value={values[name] ?? ""}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        {general && <Notice tone="danger">{general}</Notice>}
      </div>
    </Dialog>
  );
}
