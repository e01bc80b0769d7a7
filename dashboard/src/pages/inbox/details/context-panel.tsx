import { Pencil, Tag, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { type Conversation, useConversation, useConversations } from "../../../api/conversations.ts";
import { useIsManager } from "../../../api/session.ts";
import { Badge } from "../../../components/badge.tsx";
import { Button, IconButton } from "../../../components/button.tsx";
import { Skeleton } from "../../../components/states.tsx";
import { statusName } from "../../../components/status-badge.tsx";
import { Time } from "../../../components/time.tsx";
import { t } from "../../../lib/texts.ts";
import { Avatar } from "../avatar.tsx";
import { channelName } from "../channel-icon.tsx";
import { ContactAttributes, ConversationEvents } from "../lazy-parts.tsx";
import { contactName, gistOf } from "../names.ts";
import type { InboxActions } from "../use-inbox-actions.ts";
import { queryOf } from "../views.ts";
import css from "./context.module.css";
import { LocalTime } from "./local-time.tsx";
import { timeZoneOf } from "./time-zone.ts";

interface ContextPanelProps {
  id: number;
  query: string;
  actions: InboxActions;
  onClose: () => void;
}

/** Who the contact is, and what else there is about this conversation. */
export function ContextPanel({ id, query, actions, onClose }: ContextPanelProps) {
  const { data: conversation, error } = useConversation(id);
  if (!conversation && error) return null;
  return (
    <aside className={css.context} aria-label={t("Contact and details")}>
      <header className={css.head}>
        <h2>{t("Details")}</h2>
        <IconButton size="small" label={t("Close details")} icon={<X size={14} aria-hidden />} onClick={onClose} />
      </header>
      {conversation ? (
        <Details conversation={conversation} query={query} onLabels={() => actions.editLabels(id)} />
      ) : (
        <Skeleton height={120} />
      )}
    </aside>
  );
}

interface DetailsProps extends Pick<ContextPanelProps, "query"> {
  conversation: Conversation;
  onLabels: () => void;
}

function Details({ conversation, query, onLabels }: DetailsProps) {
  const { contact, labels, attributes, created_at, channel, page, waiting_since, snoozed_until } = conversation;
  const name = contactName(conversation);
  const isManager = useIsManager();
  return (
    <>
      <div className={css.person}>
        <Avatar name={name} size="large" />
        <div>
          <Link href={`/contacts/${contact.id}`} className={css.name}>
            {name}
          </Link>
          {contact.blocked && <Badge tone="danger">{t("Blocked")}</Badge>}
          {contact.email && contact.email !== name && <p className={css.muted}>{contact.email}</p>}
          <Link href={`/contacts/${contact.id}`} className={css.muted}>
            {t("Edit contact")}
          </Link>
        </div>
      </div>
      <ContactFacts key={contact.id} contact={contact} />
      <Facts
        title={t("Conversation")}
        facts={[
          [t("Number"), `#${conversation.id}`],
          [t("Channel"), channelName(channel)],
          [t("Page"), page && <PageLink key="page" url={page.url} />],
          [t("Browser"), page?.browser && browserOf(page.browser)],
          [t("Opened"), <Time key="opened" at={created_at} />],
          [t("Waiting since"), waiting_since && <Time key="waiting" at={waiting_since} form="point" />],
          [t("Snoozed until"), snoozed_until && <Time key="snoozed" at={snoozed_until} form="point" />],
          ...factsOf(attributes),
        ]}
      />
      <Labels labels={labels} onEdit={onLabels} />
      <OtherConversations conversation={conversation} query={query} />
      {isManager && <ConversationEvents id={conversation.id} />}
    </>
  );
}

function ContactFacts({ contact }: Pick<Conversation, "contact">) {
  const [isEditing, setEditing] = useState(false);
  const attributes = factsOf(contact.attributes);
  const timeZone = timeZoneOf(contact.attributes);
  return (
    <Facts
      title={t("Contact")}
      facts={[
        [t("Phone"), contact.phone],
        [t("Local time"), timeZone && <LocalTime key="local" timeZone={timeZone} />],
        [t("External id"), contact.external_id],
        [t("E-mail typed in the chat"), contact.unverified_email],
        ...(isEditing ? [] : attributes),
      ]}
    >
      {isEditing ? (
        <ContactAttributes id={contact.id} onDone={() => setEditing(false)} />
      ) : (
        <Button size="small" variant="ghost" icon={<Pencil size={13} aria-hidden />} onClick={() => setEditing(true)}>
          {attributes.length === 0 ? t("Add attributes") : t("Edit attributes")}
        </Button>
      )}
    </Facts>
  );
}

/** Where the visitor was when they wrote first. */
const PageLink = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
    {url.replace(/^https?:\/\//, "")}
  </a>
);

/** It is stored in English: "Firefox 140 on Linux". */
function browserOf(stored: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(stored) ?? [];
  return browser && system ? t("{browser} on {system}", { browser, system }) : stored;
}

const factsOf = (attributes: Record<string, unknown> = {}): [string, ReactNode][] =>
  Object.entries(attributes).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]);

/** `children`: what can be done about them. */
function Facts({ title, facts, children }: { title: string; facts: [string, ReactNode][]; children?: ReactNode }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return (
    <section className={css.section}>
      <h3>{title}</h3>
      <dl className={css.facts}>
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  );
}

function Labels({ labels, onEdit }: { labels: readonly string[]; onEdit: () => void }) {
  return (
    <section className={css.section}>
      <h3>{t("Labels")}</h3>
      <div className={css.labels}>
        {labels.map((name) => (
          <Link key={name} href={`/inbox${queryOf({ view: "open", label: name })}`} className={css.label}>
            {name}
          </Link>
        ))}
        <Button size="small" variant="ghost" icon={<Tag size={13} aria-hidden />} onClick={onEdit}>
          {labels.length === 0 ? t("Add labels") : t("Edit")}
        </Button>
      </div>
    </section>
  );
}

function OtherConversations({ conversation, query }: { conversation: Conversation; query: string }) {
  const others = useConversations({ contact_id: conversation.contact.id });
  const rows = others.data?.pages[0]?.data.filter(({ id }) => id !== conversation.id).slice(0, 8) ?? [];
  if (rows.length === 0) return null;
  return (
    <section className={css.section}>
      <h3>{t("Other conversations")}</h3>
      <ul className={css.others}>
        {rows.map((row) => (
          <li key={row.id}>
            <Link href={`/inbox/${row.id}${query}`}>
              <span>{gistOf(row)}</span>
              <small className={css.status}>{statusName(row.status)}</small>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
