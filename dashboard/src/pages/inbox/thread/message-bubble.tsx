import { FileText, type LucideIcon, RotateCw, Send, Trash2, Undo2 } from "lucide-react";
import { memo, type ReactNode, type RefObject } from "react";
import { type Conversation, useAssignable } from "../../../api/conversations.ts";
import { type Attachment, isImage, linkOf, type Message } from "../../../api/messages.ts";
import { useSession } from "../../../api/session.ts";
import { Button } from "../../../components/button.tsx";
import { cx } from "../../../lib/cx.ts";
import { t } from "../../../lib/texts.ts";
import { formatExact } from "../../../lib/time.ts";
import { Avatar } from "../avatar.tsx";
import { mentionPattern } from "../composer/insertion.ts";
import {
  cancelMessage,
  type OutgoingMessage,
  retryMessage,
  sendAnyway,
  takeBackMessage,
  useOutbox,
} from "../composer/outbox.ts";
import { waitsForAnother } from "../composer/outbox-state.ts";
import { MailMessage } from "../lazy-parts.tsx";
import { clockTime, formatBytes, senderName } from "../names.ts";
import { MessageMenu } from "./message-menu.tsx";
import { PlainText, RichText } from "./message-text.tsx";
import { Pictures } from "./pictures.tsx";
import css from "./thread.module.css";
import type { ThreadHandle } from "./thread-handle.ts";

interface BubbleProps {
  message: Message;
  /** Of the conversation. */
  contact: Conversation["contact"];
  isFirst: boolean;
  /** The visitor of a widget has read it. */
  isSeen: boolean;
  /** The address of the page names it. */
  isLinked: boolean;
  thread: RefObject<ThreadHandle | null>;
}

export const MessageBubble = memo(function MessageBubble(props: BubbleProps) {
  const { message, contact, isFirst, isSeen, isLinked, thread } = props;
  const name = senderName(message, contact);
  const author = message.draft?.author;
  return (
    <article
      className={cx(
        css.message,
        css[message.private ? "note" : message.direction],
        isFirst && css.first,
        message.email?.has_html && message.direction === "in" && css.mail,
      )}
      data-seq={message.seq}
      data-linked={isLinked || undefined}
    >
      {message.direction === "in" && isFirst && <Avatar name={name} />}
      <div className={css.bubble}>
        {isFirst && (
          <p className={css.byline}>
            <strong>{name}</strong>
            {message.private && t(" · note")}
            {author && t(" · suggested by {name}", { name: author.name ?? author.type })}
          </p>
        )}
        {message.email ? <MailMessage message={message} text={textOfBody(message)} /> : textOfBody(message)}
        <Attachments conversation={message.conversation_id} attachments={message.attachments} />
        <time className={css.at} dateTime={message.created_at} title={formatExact(new Date(message.created_at))}>
          {clockTime(message.created_at)}
          {isSeen && t(" · Seen")}
        </time>
        <MessageMenu message={message} thread={thread} />
      </div>
    </article>
  );
});

const textOfBody = (message: Message): ReactNode => message.body && <Body message={message} />;

const STATES: Record<OutgoingMessage["state"], string> = {
  held: t("Sending in a moment"),
  sending: t("Sending"),
  waiting: t("Waiting for a connection"),
  asking: t("Not sent yet"),
  failed: t("Not sent"),
};

/** A message that the server does not have yet. */
export function OutgoingBubble({ message }: { message: OutgoingMessage }) {
  const { key, state, body, files } = message;
  const outbox = useOutbox();
  const isBehind = waitsForAnother(outbox.read(), message);
  return (
    <article className={cx(css.message, css[message.private ? "note" : "out"], css.first)} data-state={state}>
      <div className={css.bubble}>
        {body && <RichText text={body} />}
        {files.length > 0 && (
          <ul className={css.attachments}>
            {files.map(({ id, name, size_bytes }) => (
              <li key={id} className={css.file}>
                <FileText size={14} aria-hidden />
                <span>{name}</span>
                <small>{formatBytes(size_bytes)}</small>
              </li>
            ))}
          </ul>
        )}
        <p className={css.outgoing} role="status">
          {isBehind ? t("Waiting for the message before it") : textOf(message)}
          {state === "held" && <Action icon={Undo2} title={t("Undo")} onClick={() => takeBackMessage(outbox, key)} />}
          {state !== "held" && state !== "sending" && (
            <>
              {state === "asking" ? (
                <Action icon={Send} title={t("Send anyway")} onClick={() => sendAnyway(outbox, key)} />
              ) : (
                !isBehind && <Action icon={RotateCw} title={t("Retry")} onClick={() => retryMessage(outbox, key)} />
              )}
              {/* Not of one that waits: the server may have it, and would get it twice. */}
              {state !== "waiting" && (
                <Action icon={Undo2} title={t("Edit")} onClick={() => takeBackMessage(outbox, key)} />
              )}
              <Action icon={Trash2} title={t("Delete")} onClick={() => cancelMessage(outbox, key)} />
            </>
          )}
        </p>
      </div>
    </article>
  );
}

function textOf({ state, error }: OutgoingMessage): string {
  if (state === "asking")
    return t("{state}. {name} has replied since you wrote this.", {
      state: STATES[state],
      name: error ?? t("Someone"),
    });
  return error ? `${STATES[state]}. ${error}` : STATES[state];
}

const Action = ({ icon: Icon, title, onClick }: { icon: LucideIcon; title: string; onClick: () => void }) => (
  <Button size="small" variant="ghost" icon={<Icon size={12} aria-hidden />} onClick={onClick}>
    {title}
  </Button>
);

function Body({ message: { body, direction, private: isNote } }: Pick<BubbleProps, "message">) {
  if (direction === "in") return <PlainText text={body} />;
  return isNote ? <NoteBody text={body} /> : <RichText text={body} />;
}

/** Colleagues who are mentioned stand out; to those it is for, more than to others. */
function NoteBody({ text }: { text: string }) {
  const { user } = useSession();
  const people = useAssignable().data;
  const pattern = mentionPattern(people?.map(({ name }) => name) ?? []);
  const show = (mention: string) => (
    <strong className={cx(css.mention, mention === `@${user.name}` && css.mine)}>{mention}</strong>
  );
  return <RichText text={text} marks={pattern ? { pattern, show } : undefined} />;
}

interface AttachmentsProps {
  conversation: number;
  attachments: readonly Attachment[];
}

function Attachments({ conversation, attachments }: AttachmentsProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className={css.attachments}>
      <Pictures conversation={conversation} pictures={attachments.filter(isImage)} />
      {attachments
        .filter((attachment) => !isImage(attachment))
        .map((attachment) => (
          <li key={attachment.file_id ?? attachment.url}>
            <a href={linkOf(attachment)} target="_blank" rel="noopener noreferrer" className={css.file}>
              <FileText size={14} aria-hidden />
              <span>{attachment.name ?? attachment.url}</span>
              {typeof attachment.size_bytes === "number" && <small>{formatBytes(attachment.size_bytes)}</small>}
            </a>
          </li>
        ))}
    </ul>
  );
}
