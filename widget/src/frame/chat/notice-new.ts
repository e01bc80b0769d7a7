import type { ToPage } from "../../shared/protocol.ts";
import { playSound } from "../sound.ts";
import type { Message } from "../types.ts";
import { isReading, logOf, type Store } from "./state.ts";

/** Messages that were not here before: the page is notified, replies are read aloud once, counted and, if wanted, audible. */
export function noticeNew(store: Store, messages: readonly Message[], post: (message: ToPage) => void): void {
  const { typing, sound } = store.get();
  for (const { id, conversation, direction } of messages)
    post({ kind: "message", message: { id, conversation, direction } });
  const replies = messages.filter(({ direction }) => direction === "out");
  const last = replies.at(-1);
  if (!last) return;
  store.set({
    typing: typing?.conversation === last.conversation ? null : typing,
    announced: last,
  });
  if (sound && !isReading(store.get(), last.conversation)) playSound();
  countUnread(store, replies);
}

/** Until the server's own count arrives. */
function countUnread(store: Store, replies: readonly Message[]): void {
  const state = store.get();
  const conversations = state.conversations.map((conversation) => {
    const hasReply = replies.some((reply) => reply.conversation === conversation.id);
    if (!hasReply || isReading(state, conversation.id)) return conversation;
    const count = logOf(state, conversation.id).messages.filter(
      ({ direction, seq }) => direction === "out" && seq > conversation.contact_read_seq,
    ).length;
    return { ...conversation, unread_count: Math.max(conversation.unread_count, count) };
  });
  store.set({ conversations });
}
