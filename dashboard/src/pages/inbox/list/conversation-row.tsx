import { CircleCheck, Clock, Pencil, Send } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import type { Conversation } from "../../../api/conversations.ts";
import { useSession } from "../../../api/session.ts";
import { cx } from "../../../lib/cx.ts";
import { plural, t } from "../../../lib/texts.ts";
import { formatExact } from "../../../lib/time.ts";
import { Avatar } from "../avatar.tsx";
import { ChannelIcon } from "../channel-icon.tsx";
import type { OutgoingMessage } from "../composer/outbox.ts";
import { contactName, excerptOf, shortTime, wakeTime } from "../names.ts";
import { PriorityIcon } from "../priority.tsx";
import { conversationHref } from "../views.ts";
import css from "./list.module.css";

interface RowProps {
  conversation: Conversation;
  query: string;
  isOpen: boolean;
  isCurrent: boolean;
  isSelected: boolean;
  hasDraft: boolean;
  /** The state of a message of this conversation that is still on its way; null: none. */
  sending: OutgoingMessage["state"] | null;
  onToggle: (id: number) => void;
}

const LABELS_SHOWN = 2;

const SENDING: Record<OutgoingMessage["state"], string> = {
  held: t("Sending"),
  sending: t("Sending"),
  waiting: t("Waiting for a connection"),
  asking: t("Not sent yet"),
  failed: t("Not sent"),
};

export const ConversationRow = memo(function ConversationRow(props: RowProps) {
  const { conversation, query, isOpen, isCurrent, isSelected, hasDraft, sending, onToggle } = props;
  const { labels, assignee, status, priority, unread_count: unread = 0 } = conversation;
  const name = contactName(conversation);
  const at = conversation.last_message_at ?? conversation.created_at;
  const { user } = useSession();
  const excerpt = excerptOf(conversation, user.id);
  return (
    <div
      className={cx(css.row, isOpen && css.open, isCurrent && css.current, unread > 0 && css.unread)}
      data-conversation={conversation.id}
    >
      <label className={css.check}>
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={t("Select conversation with {name}", { name })}
          onChange={() => onToggle(conversation.id)}
        />
        <Avatar name={name} />
      </label>
      <Link
        href={conversationHref(conversation.id, query)}
        replace={isOpen}
        className={css.link}
        aria-current={isOpen || undefined}
      >
        <span className={css.line}>
          <span className={css.name}>{name}</span>
          {unread > 0 && <span className={css.dot} title={plural(unread, "{n} unread", "{n} unread")} />}
          {unread > 0 && <span className="visually-hidden">{plural(unread, "{n} unread", "{n} unread")}</span>}
          <time className={css.time} dateTime={at} title={formatExact(new Date(at))}>
            {shortTime(at)}
          </time>
        </span>
        <span className={css.subject}>
          {priority && <PriorityIcon priority={priority} />}
          {conversation.subject || excerpt}
        </span>
        <span className={css.line}>
          {sending !== null ? (
            <span className={css.draft} data-state={sending}>
              <Send size={11} aria-hidden /> {SENDING[sending]}
            </span>
          ) : hasDraft ? (
            <span className={css.draft}>
              <Pencil size={11} aria-hidden /> {t("Draft")}
            </span>
          ) : (
            <span className={css.excerpt} dir="auto">
              {/* Without a subject it stands there. */}
              {conversation.subject && excerpt}
            </span>
          )}
          <span className={css.marks}>
            <ChannelIcon channel={conversation.channel} />
            {status === "snoozed" && <Snoozed until={conversation.snoozed_until} />}
            {status === "resolved" && <CircleCheck size={12} aria-label={t("Resolved")} />}
            {labels.slice(0, LABELS_SHOWN).map((label) => (
              <span key={label} className={css.label}>
                {label}
              </span>
            ))}
            {labels.length > LABELS_SHOWN && <span className={css.more}>+{labels.length - LABELS_SHOWN}</span>}
            {assignee && <Avatar name={assignee.name} size="small" />}
          </span>
        </span>
      </Link>
    </div>
  );
});

const Snoozed = ({ until }: { until: string | null }) => (
  <span
    className={css.snoozed}
    title={until ? t("Snoozed until {formatExact}", { formatExact: formatExact(new Date(until)) }) : t("Snoozed")}
  >
    <Clock size={12} aria-label={t("Snoozed")} />
    {until && wakeTime(until)}
  </span>
);
