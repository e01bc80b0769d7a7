import { useState } from "react";
import { type ReplyDefaults, useReplyDefaults } from "../../../api/mail.ts";
import { Button } from "../../../components/button.tsx";
import { Field, Input } from "../../../components/field.tsx";
import { rich } from "../../../lib/rich.ts";
import { t } from "../../../lib/texts.ts";
import css from "./composer.module.css";
import { addressesOf, type EditedRecipients, suggestedBy } from "./recipients-state.ts";

interface RecipientsProps {
  conversation: number;
  /** Null: as the server suggests. */
  value: EditedRecipients | null;
  onChange: (value: EditedRecipients | null) => void;
}

/** From where and to whom a reply goes, before it is sent. */
export function Recipients({ conversation, value, onChange }: RecipientsProps) {
  const { data: defaults, error } = useReplyDefaults(conversation, { enabled: true });
  const [isOpen, setOpen] = useState(false);
  if (error)
    return (
      <p className={css.recipients}>
        {t("To whom this goes could not be read. {message}", { message: error.message })}
      </p>
    );
  if (!defaults) return null;
  const { mailbox } = defaults;
  const shown = value ?? suggestedBy(defaults);
  return (
    <div className={css.recipients}>
      <p>
        {rich("From {sender} to {people}", {
          sender: <span title={mailbox.address}>{mailbox.from_name ?? mailbox.name}</span>,
          people: <strong>{listed(shown.to) || t("nobody")}</strong>,
        })}
        {shown.cc && `, ${t("Cc")} ${listed(shown.cc)}`}
        {shown.bcc && `, ${t("Bcc")} ${listed(shown.bcc)}`}
      </p>
      <Button size="small" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t("Close") : t("Edit")}
        <span className="visually-hidden"> {t("recipients")}</span>
      </Button>
      {isOpen && <Fields defaults={defaults} shown={shown} onChange={onChange} />}
    </div>
  );
}

const listed = (text: string): string =>
  addressesOf(text)
    .map(({ name, address }) => name || address)
    .join(", ");

const FIELDS = [
  { name: "to", label: t("Recipients") },
  { name: "cc", label: t("Cc") },
  { name: "bcc", label: t("Bcc") },
  { name: "subject", label: t("Subject") },
] as const;

interface FieldsProps {
  defaults: ReplyDefaults;
  shown: EditedRecipients;
  onChange: (value: EditedRecipients | null) => void;
}

function Fields({ defaults, shown, onChange }: FieldsProps) {
  const { to, everyone } = defaults;
  const { subject, bcc } = shown;
  return (
    <div className={css.recipientFields}>
      {FIELDS.map(({ name, label }) => (
        <Field key={name} label={label}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={name === "subject" ? 500 : 10_000}
              value={shown[name]}
              onChange={({ target }) => onChange({ ...shown, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      <div className={css.recipientButtons}>
        <Button size="small" onClick={() => onChange({ ...suggestedBy({ to, cc: [], subject }), bcc })}>
          {t("Only the sender")}
        </Button>
        <Button size="small" onClick={() => onChange({ ...suggestedBy({ ...everyone, subject }), bcc })}>
          {t("Reply to all")}
        </Button>
        <Button size="small" variant="ghost" onClick={() => onChange(null)}>
          {t("As suggested")}
        </Button>
      </div>
    </div>
  );
}
