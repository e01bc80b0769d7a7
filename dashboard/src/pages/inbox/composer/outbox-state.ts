import type { CreateMessageBody } from "@parley/client";
import type { DraftContent } from "./draft-content.ts";

export type ReplyEmail = NonNullable<CreateMessageBody["email"]>;

/**
 * A message on its way out. `held`: it can still be undone; `sending`: the request is in progress; `waiting`: there is no
 * connection, or a message before it has not been sent yet; `asking`: someone else has replied since it was written;
 * `failed`: the server refused it.
 */
export interface OutgoingMessage {
  /** Made here; the Idempotency-Key of every attempt. */
  key: string;
  body: string;
  private: boolean;
  files: DraftContent["files"];
  /** To whom it goes by mail, where its author has changed that. */
  email?: ReplyEmail;
  /** It is this suggestion of a bot, as it is: the server has its text. */
  suggestion?: number;
  author: number;
  /** Where it was written: it is sent there, whatever page is open by then. */
  workspace: number | null;
  conversation: number;
  createdAt: string;
  /** The newest message that its author could see. It does not reply to what came later. */
  seenSeq: number;
  /** The conversation is resolved once the server has the message, unless the contact has written since. */
  resolve: boolean;
  state: "held" | "sending" | "waiting" | "asking" | "failed";
  /** The server may have it, even if no response said so. */
  isTried: boolean;
  /** Why it was refused, or who has replied. */
  error: string | null;
}

export interface OutboxState {
  /** In the order of writing. */
  entries: readonly OutgoingMessage[];
  /** Undone, and not yet back in the composer of their conversation. */
  takenBack: readonly OutgoingMessage[];
}

export const EMPTY_OUTBOX: OutboxState = { entries: [], takenBack: [] };

export type OutboxEvent =
  | { type: "queued"; message: OutgoingMessage }
  | { type: "sending" | "tried" | "waiting"; key: string }
  | { type: "asked" | "refused"; key: string; error: string }
  /** Its author has seen the reply, and sends it anyway. */
  | { type: "confirmed"; key: string; seenSeq: number }
  /** The server has it, or it was deleted. */
  | { type: "left"; key: string }
  | { type: "undone"; key: string }
  /** Its composer has it again. */
  | { type: "put-back"; key: string }
  | { type: "forgotten" };

export function outboxReducer(state: OutboxState, event: OutboxEvent): OutboxState {
  if (event.type === "forgotten") return EMPTY_OUTBOX;
  if (event.type === "queued") return { ...state, entries: [...state.entries, event.message] };
  const { key } = event;
  if (event.type === "put-back") return { ...state, takenBack: state.takenBack.filter((one) => one.key !== key) };
  const message = state.entries.find((one) => one.key === key);
  if (!message) return state;
  if (event.type === "left" || event.type === "undone") {
    const isPutBack = event.type === "undone" && message.suggestion === undefined;
    return {
      entries: state.entries.filter((one) => one !== message),
      takenBack: isPutBack ? [...state.takenBack, message] : state.takenBack,
    };
  }
  const next = { ...message, ...changeBy(event) };
  return { ...state, entries: state.entries.map((one) => (one === message ? next : one)) };
}

type Step = Extract<OutboxEvent, { type: "sending" | "tried" | "waiting" | "asked" | "refused" | "confirmed" }>;

function changeBy(event: Step): Partial<OutgoingMessage> {
  switch (event.type) {
    case "tried":
      return { isTried: true };
    case "confirmed":
      return { state: "waiting", error: null, seenSeq: event.seenSeq };
    case "asked":
      return { state: "asking", error: event.error };
    case "refused":
      return { state: "failed", error: event.error };
    default:
      return { state: event.type, error: null };
  }
}

type Entries = Pick<OutboxState, "entries">;

const isOfSameConversation = (a: OutgoingMessage, b: OutgoingMessage): boolean =>
  a.conversation === b.conversation && a.workspace === b.workspace;

/** Messages of one conversation are sent in the order in which they were written; one that was refused holds nothing up. */
export const firstOf = ({ entries }: Entries, message: OutgoingMessage): OutgoingMessage | undefined =>
  entries.find((other) => isOfSameConversation(other, message) && other.state !== "failed");

export function isBehindAnother(state: OutboxState, message: OutgoingMessage): boolean {
  const first = firstOf(state, message);
  return message.state !== "failed" && first !== undefined && first.key !== message.key;
}

/** What waits does so for a connection, or for a message before it, whose author may have to decide. */
export function waitsForAnother(state: Entries, message: OutgoingMessage): boolean {
  const first = firstOf(state, message);
  return message.state === "waiting" && first !== undefined && first.state !== "waiting";
}
