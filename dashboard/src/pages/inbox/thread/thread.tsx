import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { type Conversation, setReadState, useConversation, useConversationCounts } from "../../../api/conversations.ts";
import { type Draft, filesOf, useDiscardDraft } from "../../../api/drafts.ts";
import { useConversationChanges } from "../../../api/events.ts";
import { type Message, messagesOf, useMessages } from "../../../api/messages.ts";
import { conversationKeys } from "../../../api/query-keys.ts";
import { useSession } from "../../../api/session.ts";
import { ErrorState } from "../../../components/states.tsx";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";
import { usePageTitle } from "../../../lib/use-page-title.ts";
import { onPresenceChange } from "../../../live/presence-changes.ts";
import { Composer, type ComposerProps } from "../composer/composer.tsx";
import { contentOf, unsentTextOf } from "../composer/draft-store.ts";
import { queueMessage, takeBackMessage, useOutbox } from "../composer/outbox.ts";
import { replyOfOthers } from "../composer/replies-of-others.ts";
import { type DraftState, useDraft } from "../composer/use-draft.ts";
import { GoneConversation, Suggestions } from "../lazy-parts.tsx";
import { titleOf } from "../names.ts";
import { ThreadSkeleton } from "../skeletons.tsx";
import type { InboxActions } from "../use-inbox-actions.ts";
import { MessageList } from "./message-list.tsx";
import css from "./thread.module.css";
import { ThreadHeader } from "./thread-header.tsx";
import { useSuggestion, useSuggestions } from "./use-suggestion.ts";
import { Viewers } from "./viewers.tsx";

interface ThreadProps {
  id: number;
  back: string;
  actions: InboxActions;
}

export function Thread({ id, ...rest }: ThreadProps) {
  const client = useQueryClient();
  const query = useConversation(id);
  // Requested together with the conversation, not after it: both are there after one round trip.
  useMessages(id);
  useConversationChanges(id);
  if (query.data === undefined)
    return (
      <section className={css.thread} aria-label={t("Conversation")}>
        {query.error?.status === 404 ? (
          <div className={css.state}>
            <GoneConversation text={unsentTextOf(client, id)} back={rest.back} />
          </div>
        ) : query.error ? (
          <div className={css.state}>
            <ErrorState error={query.error} onRetry={() => query.refetch()} />
          </div>
        ) : (
          <ThreadSkeleton />
        )}
      </section>
    );
  return <OpenThread conversation={query.data} isCurrent={!query.isPlaceholderData && !query.isFetching} {...rest} />;
}

interface OpenThreadProps extends Omit<ThreadProps, "id"> {
  conversation: Conversation;
  /** Not a row of a list, nor what an earlier visit left while it is read again: both may lack the newest message. */
  isCurrent: boolean;
}

function OpenThread({ conversation, isCurrent, back, actions }: OpenThreadProps) {
  const { id } = conversation;
  const outbox = useOutbox();
  const lastSeq = messagesOf(useMessages(id).data).at(-1)?.seq ?? conversation.last_message?.seq ?? 0;
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(id);
  const { suggestions, isSending } = useSuggestions(id);
  const use = useSuggestion(id);
  const discard = useDiscardDraft(id);
  const { readUpTo, pauseReading } = useReading(conversation, isCurrent);
  const replied = useRepliedMeanwhile(conversation, draft.text);
  useReadByContact(conversation);
  usePageTitle(titleOf(conversation));
  useImperativeHandle(actions.thread, () => ({
    compose: (kind) => {
      draft.setNote(kind === "note");
      field.current?.focus();
    },
    insert: (text) => {
      draft.setText([draft.text.trimEnd(), text].filter(Boolean).join("\n\n"));
      field.current?.focus();
    },
    sendSuggestion: () => {
      if (suggestions[0] && !isSending) use(suggestions[0]);
    },
    pauseReading,
  }));
  const { user } = useSession();
  const send: ComposerProps["onSend"] = (message, { resolve, draft }) => {
    const composed = { ...message, conversation: id, author: user.id, seenSeq: lastSeq };
    const key = queueMessage(outbox, composed, { resolve, draft });
    if (!resolve) return;
    // As with e: a user who works through a queue continues with the next. Here the message can still be undone.
    toast(message.private ? t("Adding and resolving") : t("Sending and resolving"), {
      action: { label: t("Undo"), run: () => takeBackMessage(outbox, key) && actions.open(id) },
    });
    actions.done(id);
  };
  const edit = useEdit(id, draft);

  return (
    <section className={css.thread} aria-label={t("Conversation")}>
      <ThreadHeader conversation={conversation} back={back} actions={actions} />
      <MessageList
        conversation={id}
        contact={conversation.contact}
        readUpTo={readUpTo}
        contactReadSeq={conversation.contact_read_seq}
        thread={actions.thread}
      />
      <Viewers conversation={conversation} />
      {suggestions.length > 0 && (
        <Suggestions
          suggestions={suggestions}
          onUse={use}
          onEdit={(suggestion) => void edit(suggestion).then((isEdited) => isEdited && field.current?.focus())}
          onDiscard={(suggestion) => discard.mutate(suggestion.id)}
        />
      )}
      <Composer conversation={conversation} draft={draft} field={field} repliedMeanwhile={replied} onSend={send} />
    </section>
  );
}

/** Puts a suggestion into the composer. Resolves to whether that was possible. */
function useEdit(conversation: number, draft: DraftState): (suggestion: Draft) => Promise<boolean> {
  const discard = useDiscardDraft(conversation);
  return async (suggestion) => {
    try {
      // Of a suggestion and a draft only one can hold a file.
      if (filesOf(suggestion).length > 0) await discard.mutateAsync(suggestion.id);
    } catch (error) {
      toast(error instanceof Error ? error.message : t("The suggestion could not be edited."), { failed: true });
      return false;
    }
    draft.add(contentOf(suggestion));
    return true;
  };
}

/** Marks as read what is on the screen, and remembers where the unread part began when the conversation was opened. */
function useReading(conversation: Conversation, isCurrent: boolean) {
  const { id } = conversation;
  const client = useQueryClient();
  const messages = messagesOf(useMessages(id).data);
  const lastSeq = messages.at(-1)?.seq ?? 0;
  const { user } = useSession();
  // A note that mentions this user is read like a message of the contact.
  const hasMentions = (useConversationCounts().data?.mentioned ?? 0) > 0;
  const isMentioned = hasMentions && messages.some(({ mentions }) => mentions.includes(user.id));
  const unread = conversation.unread_count ?? 0;
  const knownSeq = conversation.last_message?.seq ?? 0;
  // Only the moment of opening counts: each conversation has a thread of its own.
  const [readUpTo] = useState(unread > 0 ? knownSeq - unread : null);
  const markedSeq = useRef<number | null>(null);
  const [isPaused, setPaused] = useState(false);

  useEffect(() => {
    const mark = () => {
      if (document.visibilityState !== "visible" || isPaused || lastSeq === 0) return;
      if (unread === 0 && markedSeq.current === null) {
        if (!isCurrent) return;
        if (!isMentioned) markedSeq.current = knownSeq;
      }
      if (markedSeq.current !== null && markedSeq.current >= lastSeq) return;
      markedSeq.current = lastSeq;
      // The next message, or the next visit, tries again.
      setReadState(client, { id, read: { seq: lastSeq } }).catch(() => {});
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [client, id, lastSeq, knownSeq, unread, isMentioned, isCurrent, isPaused]);

  return { readUpTo, pauseReading: useCallback(() => setPaused(true), []) };
}

/** What a visitor reads causes no event: the stream only says that something about who is here has changed. */
function useReadByContact({ id, channel }: Conversation): void {
  const client = useQueryClient();
  useEffect(() => {
    if (channel !== "widget") return;
    return onPresenceChange(
      (changed) => void (changed.includes(id) && client.invalidateQueries({ queryKey: conversationKeys.detail(id) })),
    );
  }, [client, id, channel]);
}

/** The newest public reply of someone else since the current text was begun. */
function useRepliedMeanwhile(conversation: Conversation, text: string): Message | undefined {
  const { user } = useSession();
  const messages = useMessages(conversation.id);
  const all = useMemo(() => messagesOf(messages.data), [messages.data]);
  const lastSeq = all.at(-1)?.seq ?? 0;
  const [begunAt, setBegunAt] = useState<number | null>(null);
  const begun = text.trim() === "" || lastSeq === 0 ? null : (begunAt ?? lastSeq);
  if (begun !== begunAt) setBegunAt(begun);
  return begun === null ? undefined : replyOfOthers(all, user.id, ({ seq }) => seq > begun);
}
