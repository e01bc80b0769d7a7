import type { Contact, Conversation, CreateConversationBody } from "@parley/client";
import { type ReactNode, useRef, useState } from "react";
import { useLocation } from "wouter";
import { beyondFields } from "../../../api/client.ts";
import type { SendingAddress } from "../../../api/dashboard-schema.ts";
import { useSendingAddresses, useStartConversation } from "../../../api/new-conversation.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, SubmitFooter } from "../../../components/dialog.tsx";
import { Field, Input, Select, Textarea } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { randomId } from "../../../lib/random-id.ts";
import { t } from "../../../lib/texts.ts";
import { stopAsking, useDialogGuard } from "../../../lib/unsaved-guard.tsx";
import { ContactPicker, type Person, personOf } from "./contact-picker.tsx";
import css from "./start.module.css";

interface NewConversationDialogProps {
  contact: Contact | null;
  onClose: () => void;
}

/** With whom, through what, and the first message. */
export function NewConversationDialog({ contact, onClose }: NewConversationDialogProps) {
  const [person, setPerson] = useState<Person | null>(contact && personOf(contact));
  const [mailbox, setMailbox] = useState("");
  const [subject, setSubject] = useState("");
  const [body, setBody] = useState("");
  const [problem, setProblem] = useState<{ contact?: string; message?: string }>({});
  // The same until the dialog is closed: pressed twice, it begins one conversation.
  const [key] = useState(randomId);
  const addresses = useSendingAddresses().data;
  const mailboxes = addresses ?? [];
  const [, navigate] = useLocation();
  const start = useStartConversation();
  const { leave, cancel } = useDialogGuard(body.trim() !== "" || subject.trim() !== "", onClose);
  const form = useRef<HTMLDivElement>(null);
  const choose = (next: Person | null) => {
    setPerson(next);
    // A contact who is known by their address alone is reached by mail alone.
    if (next && "email" in next && mailboxes[0] && mailbox === "") setMailbox(String(mailboxes[0].id));
    // What was pressed is gone: on to the next field, or to the one that finds another contact.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("select, input, textarea")?.focus());
  };
  const submit = () => {
    const missing = {
      ...(person ? {} : { contact: t("Choose a contact, or type an e-mail address.") }),
      ...(body.trim() === "" ? { message: t("Write the first message.") } : {}),
    };
    setProblem(missing);
    if (!person || body.trim() === "") return;
    const onSuccess = ({ id }: Conversation) => {
      stopAsking();
      onClose();
      navigate(`/inbox/${id}`);
    };
    start.mutate({ body: bodyOf({ person, mailbox, subject, body }), key }, { onSuccess });
  };
  const { error } = start;
  const details = error?.details ?? {};
  const ofContact = problem.contact ?? (details.contact_id ?? details["contact.email"])?.join(" ");
  const general = error && beyondFields(error, ["contact_id", "contact.email", "subject", "message.body"]);
  return (
    <Dialog
      open
      onClose={cancel}
      title={t("New conversation")}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={cancel} busy={start.isPending}>
          {mailbox ? t("Send") : t("Start")}
        </SubmitFooter>
      }
    >
      <div ref={form} className={css.form}>
        {leave}
        <Recipient person={person} error={ofContact} onChange={choose} />
        {mailboxes.length > 0 && <Channel mailboxes={mailboxes} value={mailbox} onChange={setMailbox} />}
        {addresses?.length === 0 && (
          <p className={css.hint}>
            {t("No mailbox is connected, so no e-mail is sent: the message is kept here, and your apps can read it.")}
          </p>
        )}
        <Field label={t("Subject")} optional error={details.subject}>
          {(control) => (
            <Input {...control} value={subject} maxLength={255} onChange={(event) => setSubject(event.target.value)} />
          )}
        </Field>
        <Field label={t("Message")} error={problem.message ? [problem.message] : details["message.body"]}>
          {(control) => (
            <Textarea {...control} rows={5} dir="auto" value={body} onChange={(event) => setBody(event.target.value)} />
          )}
        </Field>
        {general && <Notice tone="danger">{general}</Notice>}
      </div>
    </Dialog>
  );
}

interface Given {
  person: Person;
  mailbox: string;
  subject: string;
  body: string;
}

const bodyOf = ({ person, mailbox, subject, body }: Given): CreateConversationBody => ({
  ...("id" in person ? { contact_id: person.id } : { contact: { email: person.email } }),
  ...(mailbox ? { mailbox_id: Number(mailbox) } : {}),
  ...(subject.trim() ? { subject: subject.trim() } : {}),
  message: { body: body.trim() },
});

interface RecipientProps {
  person: Person | null;
  error: string | undefined;
  onChange: (person: Person | null) => void;
}

function Recipient({ person, error, onChange }: RecipientProps): ReactNode {
  if (!person) return <ContactPicker error={error} onPick={onChange} />;
  return (
    <div>
      <span className={css.label}>{t("Contact")}</span>
      <div className={css.person}>
        <span>
          {person.title} {person.detail && <small>{person.detail}</small>}
        </span>
        <Button size="small" variant="ghost" onClick={() => onChange(null)}>
          {t("Change")}
        </Button>
      </div>
      {error && <Notice tone="danger">{error}</Notice>}
    </div>
  );
}

interface ChannelProps {
  mailboxes: readonly SendingAddress[];
  value: string;
  onChange: (id: string) => void;
}

const Channel = ({ mailboxes, value, onChange }: ChannelProps) => (
  <Field label={t("Channel")}>
    {(control) => (
      <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t("Only here and in your apps")}</option>
        {mailboxes.map(({ id, name, address }) => (
          <option key={id} value={id}>
            {name === address
              ? t("E-mail from {address}", { address })
              : t("E-mail from {name} ({address})", { name, address })}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
