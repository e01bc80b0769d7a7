import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Conversation, useConversation, useReadState } from "../../../api/conversations.ts";
import { type Draft, filesOf, useDiscardDraft } from "../../../api/drafts.ts";
import { useConversationChanges } from "../../../api/events.ts";
import { type Message, messagesOf, useMessages } from "../../../api/messages.ts";
import { useSession } from "../../../api/session.ts";
import { ErrorState } from "../../../components/states.tsx";
import { toast } from "../../../components/toast.tsx";
import { usePageTitle } from "../../../lib/use-page-title.ts";
import { Composer } from "../composer/composer.tsx";
import { contentOf, type SentDraft, unsentTextOf } from "../composer/draft-store.ts";
import { type ComposedMessage, queueMessage, takeBackMessage } from "../composer/outbox.ts";
import { replyOfOthers } from "../composer/replies-of-others.ts";
import { type DraftState, useDraft } from "../composer/use-draft.ts";
import { GoneConversation, Suggestions } from "../lazy-parts.tsx";
import { titleOf } from "../names.ts";
import { ThreadSkeleton } from "../skeletons.tsx";
import { useChangeWithUndo } from "../use-change-with-undo.ts";
import { MessageList } from "./message-list.tsx";
import css from "./thread.module.css";
import { ThreadHeader } from "./thread-header.tsx";
import { useSuggestion, useSuggestions } from "./use-suggestion.ts";
import { Viewers } from "./viewers.tsx";

interface ThreadProps {
  id: number;
  back: string;
  onContext: () => void;
  onLabels: () => void;
  /** The conversation is done: the next one of the list is opened. */
  onDone: () => void;
  onReturn: (id: number) => void;
}

export function Thread({ id, ...rest }: ThreadProps) {
  const client = useQueryClient();
  const query = useConversation(id);
  // Requested together with the conversation, not after it: both are there after one round trip.
  useMessages(id);
  useConversationChanges(id);
  if (query.data === undefined)
    return (
      <section className={css.thread} aria-label="Conversation">
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

function OpenThread({ conversation, isCurrent, back, onContext, onLabels, onDone, onReturn }: OpenThreadProps) {
  const { id } = conversation;
  const client = useQueryClient();
  const change = useChangeWithUndo();
  const draft = useDraft(id);
  const { suggestions, isSending } = useSuggestions(id);
  const use = useSuggestion(id);
  const discard = useDiscardDraft(id);
  const { readUpTo, markUnread } = useReading(conversation, isCurrent);
  const replied = useRepliedMeanwhile(conversation, draft.text);
  usePageTitle(titleOf(conversation));
  const send = (message: ComposedMessage, { resolve, draft }: { resolve: boolean; draft: SentDraft }) => {
    const key = queueMessage(id, message, { client, resolve, draft });
    if (!resolve) return;
    // As with e: a user who works through a queue continues with the next. Here the message can still be undone.
    toast(message.private ? "Adding and resolving" : "Sending and resolving", {
      action: { label: "Undo", run: () => takeBackMessage(key) && onReturn(id) },
    });
    onDone();
  };
  const edit = useEdit(id, draft);

  return (
    <section className={css.thread} aria-label="Conversation">
      <ThreadHeader
        conversation={conversation}
        back={back}
        onChange={(patch, done) => change(id, patch, done)}
        onUnread={markUnread}
        onLabels={onLabels}
        onContext={onContext}
      />
      <MessageList conversation={id} readUpTo={readUpTo} />
      <Viewers conversation={id} />
      {suggestions.length > 0 && (
        <Suggestions
          suggestions={suggestions}
          isSending={isSending}
          onUse={use}
          onEdit={edit}
          onDiscard={(suggestion) => discard.mutate(suggestion.id)}
        />
      )}
      <Composer conversation={conversation} draft={draft} repliedMeanwhile={replied} onSend={send} />
    </section>
  );
}

/** Puts a suggestion into the composer. */
function useEdit(conversation: number, draft: DraftState): (suggestion: Draft) => Promise<void> {
  const discard = useDiscardDraft(conversation);
  return async (suggestion) => {
    try {
      // Of a suggestion and a draft only one can hold a file.
      if (filesOf(suggestion).length > 0) await discard.mutateAsync(suggestion.id);
    } catch (error) {
      toast(error instanceof Error ? error.message : "The suggestion could not be edited.", { failed: true });
      return;
    }
    draft.add(contentOf(suggestion));
    focusComposer();
  };
}

export const focusComposer = (): void => document.getElementById("composer-field")?.focus();

/** Marks as read what is on the screen, and remembers where the unread part began when the conversation was opened. */
function useReading(conversation: Conversation, isCurrent: boolean) {
  const { id } = conversation;
  const readState = useReadState();
  const messages = useMessages(id);
  const lastSeq = messagesOf(messages.data).at(-1)?.seq ?? 0;
  const [readUpTo, setReadUpTo] = useState<number | null>(null);
  const marked = useRef({ id: 0, seq: 0 });
  const [isPaused, setPaused] = useState(false);
  const unread = conversation.unread_count ?? 0;
  const knownSeq = conversation.last_message?.seq ?? 0;
  const { mutate } = readState;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the moment of opening counts
  useEffect(() => {
    setPaused(false);
    setReadUpTo(unread > 0 ? knownSeq - unread : null);
  }, [id]);
  useEffect(() => {
    const mark = () => {
      if (document.visibilityState !== "visible" || isPaused || lastSeq === 0) return;
      if (unread === 0 && marked.current.id !== id) {
        if (!isCurrent) return;
        marked.current = { id, seq: knownSeq };
      }
      if (marked.current.id === id && marked.current.seq >= lastSeq) return;
      marked.current = { id, seq: lastSeq };
      mutate({ id, read: { seq: lastSeq } });
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [id, lastSeq, knownSeq, unread, isCurrent, isPaused, mutate]);

  const markUnread = useCallback(() => {
    setPaused(true);
    mutate({ id, read: null }, { onSuccess: () => toast("Marked as unread") });
  }, [id, mutate]);
  return { readUpTo, markUnread };
}

/** The newest public reply of someone else since the current text was begun. */
function useRepliedMeanwhile(conversation: Conversation, text: string): Message | undefined {
  const { user } = useSession();
  const messages = useMessages(conversation.id);
  const all = useMemo(() => messagesOf(messages.data), [messages.data]);
  const lastSeq = all.at(-1)?.seq ?? 0;
  const begunAt = useRef<{ id: number; seq: number } | null>(null);
  if (text.trim() === "" || lastSeq === 0) begunAt.current = null;
  else if (begunAt.current?.id !== conversation.id) begunAt.current = { id: conversation.id, seq: lastSeq };
  const from = begunAt.current?.seq;
  return from === undefined ? undefined : replyOfOthers(all, user.id, ({ seq }) => seq > from);
}
