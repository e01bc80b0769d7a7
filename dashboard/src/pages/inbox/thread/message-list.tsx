import { ArrowDown } from "lucide-react";
import { type ReactNode, type RefObject, useMemo } from "react";
import { VList } from "virtua";
import type { Conversation } from "../../../api/conversations.ts";
import { useConversationChanges } from "../../../api/events.ts";
import { type Message, messagesOf, useMessages } from "../../../api/messages.ts";
import { StaleStrip } from "../../../components/loaded.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { t } from "../../../lib/texts.ts";
import { useOutgoing } from "../composer/outbox.ts";
import { clockTime, dayKey, dayTitle } from "../names.ts";
import { ThreadSkeleton } from "../skeletons.tsx";
import { type Activity, activitiesOf } from "./activity.ts";
import { MessageBubble, OutgoingBubble } from "./message-bubble.tsx";
import css from "./thread.module.css";
import { entriesOf, type ThreadEntry } from "./thread-entries.ts";
import type { ThreadHandle } from "./thread-handle.ts";
import { useLinkedSeq, useShowLinked } from "./use-linked-message.ts";
import { useThreadScroll } from "./use-thread-scroll.ts";

const GROUP_MS = 5 * 60_000;

interface MessageListProps {
  conversation: number;
  contact: Conversation["contact"];
  /** The last message that was read when the conversation was opened; null: not known yet. */
  readUpTo: number | null;
  /** The last message that the visitor of a widget has read; 0: none. */
  contactReadSeq: number;
  /** What a message can do with the composer. */
  thread: RefObject<ThreadHandle | null>;
}

/** Anchored at the bottom; older messages load at the top without a jump. */
export function MessageList({ conversation, contact, readUpTo, contactReadSeq, thread }: MessageListProps) {
  const query = useMessages(conversation);
  const messages = useMemo(() => messagesOf(query.data), [query.data]);
  const outgoing = useOutgoing(conversation);
  const events = useConversationChanges(conversation).data;
  const isWhole = !query.hasNextPage;
  const reply = messages.findLast((message) => message.direction === "out" && !message.private);
  const seen = reply && reply.seq <= contactReadSeq ? reply.seq : 0;
  const linked = useLinkedSeq();
  const items = useMemo(
    () =>
      itemsOf(entriesOf(messages, activitiesOf(events ?? []), { isWhole }), {
        contact,
        readUpTo,
        seen,
        linked,
        thread,
      }),
    [messages, events, isWhole, contact, readUpTo, seen, linked, thread],
  );
  const count = items.length + outgoing.length;

  const { box, list, isPrepending, isAway, onScroll, toEnd } = useThreadScroll({
    count,
    isLoaded: query.data !== undefined,
    oldest: messages[0]?.seq,
    newest: [conversation, messages.at(-1)?.seq, outgoing.length, events?.length],
    loadOlder: query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : null,
  });

  useShowLinked(linked, { items, list, query, oldest: messages[0]?.seq, newest: messages.at(-1)?.seq });

  if (query.data === undefined)
    return (
      <div className={css.messages}>
        {query.error ? <ErrorState error={query.error} onRetry={() => query.refetch()} /> : <ThreadSkeleton />}
      </div>
    );
  return (
    <div ref={box} className={css.messages}>
      <StaleStrip query={query} />
      {count === 0 ? (
        <p className={css.nothing}>{t("No messages yet. Write the first one below.")}</p>
      ) : (
        // A log for screen readers: what is added is read out.
        <VList
          ref={list}
          className={css.scroll}
          shift={isPrepending}
          onScroll={onScroll}
          role="log"
          aria-label={t("Messages")}
          tabIndex={0}
        >
          {items.map((item) => (
            <div key={item.key}>{item.element}</div>
          ))}
          {outgoing.map((message) => (
            <OutgoingBubble key={message.key} message={message} />
          ))}
        </VList>
      )}
      {isAway && (
        <button type="button" className={css.toBottom} onClick={toEnd}>
          <ArrowDown size={14} aria-hidden />
          {t("Newest")}
        </button>
      )}
    </div>
  );
}

interface Item {
  key: string;
  /** Of a message. */
  seq?: number;
  element: ReactNode;
}

interface Marks extends Pick<MessageListProps, "contact" | "thread"> {
  readUpTo: number | null;
  /** The newest reply, if the visitor has read it; 0: not yet. */
  seen: number;
  /** The message that the address names; 0: none. */
  linked: number;
}

function itemsOf(entries: readonly ThreadEntry[], { contact, readUpTo, seen, linked, thread }: Marks): Item[] {
  const items: Item[] = [];
  let unreadMarked = readUpTo === null;
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (!before || dayKey(before.at) !== dayKey(entry.at))
      items.push({ key: `day-${dayKey(entry.at)}`, element: <Divider>{dayTitle(entry.at)}</Divider> });
    if ("activity" in entry) {
      items.push({ key: entry.activity.id, element: <ActivityLine activity={entry.activity} /> });
      continue;
    }
    const { message } = entry;
    if (!unreadMarked && readUpTo !== null && message.seq > readUpTo && message.direction === "in") {
      unreadMarked = true;
      items.push({ key: "unread", element: <Divider isUnread>{t("New messages")}</Divider> });
    }
    const isFirst = !before || !("message" in before) || !isSameGroup(before.message, message);
    items.push({
      key: String(message.id),
      seq: message.seq,
      element: (
        <MessageBubble
          message={message}
          contact={contact}
          isFirst={isFirst}
          isSeen={message.seq === seen}
          isLinked={message.seq === linked}
          thread={thread}
        />
      ),
    });
  }
  return items;
}

const ActivityLine = ({ activity }: { activity: Activity }) => (
  <p className={css.activity}>
    {activity.text} · <time dateTime={activity.at}>{clockTime(activity.at)}</time>
  </p>
);

/** One sender, within a few minutes, and nothing but public messages or nothing but notes. */
function isSameGroup(before: Message, message: Message): boolean {
  return (
    before.sender.type === message.sender.type &&
    before.sender.id === message.sender.id &&
    before.private === message.private &&
    Date.parse(message.created_at) - Date.parse(before.created_at) < GROUP_MS &&
    dayKey(before.created_at) === dayKey(message.created_at)
  );
}

const Divider = ({ isUnread = false, children }: { isUnread?: boolean; children: ReactNode }) => (
  <p className={css.divider} data-unread={isUnread || undefined}>
    <span>{children}</span>
  </p>
);
