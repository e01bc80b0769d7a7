import type { Conversation, Event, Message } from "@parley/client";

/** A message of an event, as far as it may call a person. */
export interface Arrived {
  conversation_id: number;
  seq: number;
  from_contact: boolean;
}

type Listener = (messages: Arrived[]) => void;

/** Messages that arrive within this time are looked at together. */
const GATHER_MS = 300;
/** What was missed for longer, because there was no connection, calls nobody any more. */
const AGE_MS_MAX = 5 * 60_000;
const MESSAGES_MAX = 100;
/** An older mail was only now fetched from a mailbox. */
const MAIL_MS_MAX = 24 * 3_600_000;

let listener: Listener | null = null;
let waiting: Arrived[] = [];

/** In the tab that reads the stream. What the person wrote is no news to them. */
export function receiveForNotices(userId: number, event: Event): void {
  const message = arrivedIn(event, userId);
  if (!message || !listener) return;
  if (waiting.length === 0) setTimeout(tellListener, GATHER_MS);
  waiting = [...waiting, message].slice(-MESSAGES_MAX);
}

function tellListener(): void {
  const messages = waiting;
  waiting = [];
  if (messages.length > 0) listener?.(messages);
}

/** A colleague has taken the conversation: nobody is called any more because nobody has it. */
export function isTakenByAnother(userId: number, { type, data }: Event): boolean {
  const { assignee } = data as unknown as Conversation;
  return type === "conversation.assigned" && assignee !== null && assignee.id !== userId;
}

export function onArrivals(next: Listener): () => void {
  listener = next;
  return () => {
    listener = null;
    waiting = [];
  };
}

function arrivedIn(event: Event, userId: number): Arrived | null {
  if (event.type !== "message.created" || Date.now() - Date.parse(event.timestamp) > AGE_MS_MAX) return null;
  const { conversation_id, seq, direction, sender, email } = event.data as unknown as Message;
  if (sender.type === "user" && sender.id === userId) return null;
  if (email?.automatic || (email?.date && Date.now() - Date.parse(email.date) > MAIL_MS_MAX)) return null;
  return { conversation_id, seq, from_contact: direction === "in" };
}
