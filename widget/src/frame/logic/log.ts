import type { Message } from "../types.ts";

/** Adds messages to a log, or updates them in it: each is there once, in the order of the conversation. */
export function mergeMessages(known: readonly Message[], incoming: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of incoming) {
    const old = byId.get(message.id);
    // What was read may be older than what the stream has brought since.
    if (!old || message.updated_at >= old.updated_at) byId.set(message.id, { ...old, ...message });
  }
  return [...byId.values()].sort((one, other) => one.seq - other.seq);
}

/**
 * The newest page of a conversation joins the log. Where more was written meanwhile than the page holds, nothing that is known
 * is in it: then the page replaces the log, because a log with a hole would look complete.
 */
export function mergeNewest(known: readonly Message[], page: readonly Message[], hasMore: boolean): Message[] {
  const ids = new Set(known.map(({ id }) => id));
  const joins = !hasMore || page.some(({ id }) => ids.has(id));
  return mergeMessages(joins ? known : [], page);
}

export const newestSeq = (messages: readonly Message[], direction: Message["direction"]): number =>
  messages.reduce((seq, message) => (message.direction === direction ? Math.max(seq, message.seq) : seq), 0);
