import { type FormEvent, useRef, useState } from "react";
import { Link } from "wouter";
import { beyondFields } from "../../api/client.ts";
import {
  type Contact,
  contactName,
  useContact,
  useContactConversations,
  useReloadContact,
  useUpdateContact,
} from "../../api/contacts.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Conflict } from "../../components/conflict.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Loaded, StaleStrip } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { Facts, Page, Section } from "../../components/page.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { PageSkeleton } from "../../layout/page-skeleton.tsx";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { requestNewConversation } from "../../lib/new-conversation.ts";
import { t } from "../../lib/texts.ts";
import { useUnsavedGuard } from "../../lib/unsaved-guard.tsx";
import { AccessSection } from "./access-section.tsx";
import { AttributesSection } from "./attributes-section.tsx";
import { CONTACT_FIELDS, type ContactValues } from "./contact-fields.ts";
import css from "./contacts.module.css";
import { DeleteSection } from "./delete-section.tsx";
import { NotesSection } from "./notes-section.tsx";

const BACK = { href: "/contacts", title: t("Contacts") };

export function ContactPage({ id }: { id: string }) {
  const contact = useContact(id);
  if (!contact.data)
    return contact.error ? (
      <Page title={t("Contact")} back={BACK}>
        <ErrorState error={contact.error} onRetry={() => contact.refetch()} />
      </Page>
    ) : (
      <PageSkeleton />
    );
  return (
    <Page
      title={contactName(contact.data)}
      badge={contact.data.blocked && <Badge tone="danger">{t("Blocked")}</Badge>}
      back={BACK}
      narrow
    >
      <StaleStrip query={contact} />
      <Details contact={contact.data} />
      <AttributesSection contact={contact.data} />
      <NotesSection contactId={contact.data.id} />
      <AccessSection contact={contact.data} />
      <Conversations contact={contact.data} />
      <DeleteSection contact={contact.data} />
    </Page>
  );
}

const valuesOf = (contact: Contact): ContactValues => ({
  name: contact.name ?? "",
  email: contact.email ?? "",
  phone: contact.phone ?? "",
  external_id: contact.external_id ?? "",
});

function Details({ contact }: { contact: Contact }) {
  const [edited, setEdited] = useState<Partial<ContactValues>>({});
  const [base, setBase] = useState(contact);
  const reload = useReloadContact(contact.id);
  const form = useRef<HTMLFormElement>(null);
  const update = useUpdateContact(contact.id);
  const stored = valuesOf(contact);
  // Only what was changed is sent: a field that another user changed meanwhile is left as it is.
  const changes = Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => value !== stored[name as keyof ContactValues]),
  );
  const isChanged = Object.keys(changes).length > 0;
  const leave = useUnsavedGuard(isChanged);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate(
      { base, changes },
      {
        onSuccess: () => {
          setEdited({});
          toast(t("Contact saved."));
        },
        onError: () => focusFirstError(form.current),
      },
    );
  };
  const discard = () => {
    setEdited({});
    update.reset();
    void reload();
  };
  const general =
    update.error &&
    beyondFields(
      update.error,
      CONTACT_FIELDS.map(({ name }) => name),
    );
  return (
    <Section title={t("Details")}>
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        {leave}
        <div className={css.fields}>
          {CONTACT_FIELDS.map(({ name, label, type }) => (
            <Field key={name} label={label} error={update.error?.details[name]}>
              {(control) => (
                <Input
                  {...control}
                  type={type}
                  name={name}
                  autoComplete="off"
                  value={edited[name] ?? stored[name]}
                  onChange={(event) => {
                    if (!isChanged) setBase(contact);
                    setEdited({ ...edited, [name]: event.target.value });
                  }}
                />
              )}
            </Field>
          ))}
        </div>
        {update.error?.status === 412 ? (
          <Conflict what={t("contact")} onReload={discard} />
        ) : (
          general && <Notice tone="danger">{general}</Notice>
        )}
        <div className={css.end}>
          <Button type="submit" variant="primary" busy={update.isPending} disabled={!isChanged}>
            {t("Save")}
          </Button>
        </div>
      </form>
      <Facts
        facts={[
          ...(contact.unverified_email
            ? [{ name: t("E-mail typed in the chat"), value: contact.unverified_email }]
            : []),
          { name: t("Created"), value: <Time at={contact.created_at} form="day" /> },
          { name: t("Updated"), value: <Time at={contact.updated_at} /> },
          { name: t("Id"), value: <code>{contact.id}</code> },
        ]}
      />
    </Section>
  );
}

function Conversations({ contact }: { contact: Contact }) {
  const conversations = useContactConversations(contact.id);
  return (
    <Section
      title={t("Conversations")}
      actions={<Button onClick={() => requestNewConversation(contact)}>{t("New conversation")}</Button>}
    >
      <Loaded query={conversations} skeleton={<SkeletonRows rows={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={css.quiet}>{t("No conversations yet.")}</p>
          ) : (
            <ul className={css.list}>
              {data.map((conversation) => (
                <li key={conversation.id}>
                  <Link href={`/inbox/${conversation.id}`}>
                    {conversation.subject ?? t("Conversation {id}", { id: conversation.id })}
                  </Link>
                  <StatusBadge status={conversation.status} />
                  <span className={css.quiet}>
                    <Time at={conversation.last_message_at ?? conversation.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
