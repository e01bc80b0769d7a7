import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { ApiError } from "../../api/client.ts";
import { patchInLists } from "../../api/conversations.ts";
import type { UploadedFile } from "../../api/files.ts";
import { type Message, type NewMessage, putMessage, sendMessage } from "../../api/messages.ts";
import { messageKeys } from "../../api/query-keys.ts";

/**
 * Messages on their way out, by conversation. `held`: it can still be taken back; `sending`: the request is in progress;
 * `waiting`: there is no connection, it is sent when there is one; `failed`: the server refused it.
 */
export interface OutgoingMessage extends Omit<NewMessage, "attachments"> {
  files: readonly UploadedFile[];
  /** Made here; the Idempotency-Key of every attempt. */
  key: string;
  conversation: number;
  createdAt: string;
  state: "held" | "sending" | "waiting" | "failed";
  error: string | null;
}

export interface SendOptions {
  client: QueryClient;
  /** Runs once, when the server has created the message. */
  onSent?: (message: Message) => void;
}

export const UNDO_MS = 5_000;
const RETRY_MS = 3_000;

interface Entry {
  message: OutgoingMessage;
  options: SendOptions;
  timer: ReturnType<typeof setTimeout> | undefined;
}

let entries: readonly Entry[] = [];
let shown: readonly OutgoingMessage[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Entry[]): void {
  entries = next;
  shown = next.map(({ message }) => message);
  for (const listener of listeners) listener();
}

const change = (key: string, patch: Partial<OutgoingMessage>): void =>
  set(
    entries.map((entry) => (entry.message.key === key ? { ...entry, message: { ...entry.message, ...patch } } : entry)),
  );

const find = (key: string): Entry | undefined => entries.find(({ message }) => message.key === key);

/** What the composer hands over. */
export type ComposedMessage = Pick<OutgoingMessage, "body" | "private" | "files">;

/** Shows the message at once and sends it when the time to take it back is over. Returns its key. */
export function queueMessage(conversation: number, message: ComposedMessage, options: SendOptions): string {
  const key = crypto.randomUUID();
  const createdAt = new Date().toISOString();
  const outgoing: OutgoingMessage = { ...message, key, conversation, createdAt, state: "held", error: null };
  set([...entries, { message: outgoing, options, timer: setTimeout(() => void attempt(key), UNDO_MS) }]);
  return key;
}

/** Takes a message out. Returns it, or null when it is too late: its request is in progress. */
export function cancelMessage(key: string): OutgoingMessage | null {
  const entry = find(key);
  if (!entry || entry.message.state === "sending") return null;
  clearTimeout(entry.timer);
  set(entries.filter((one) => one !== entry));
  return entry.message;
}

/** By conversation: the last message that was taken back, until its composer has it again. */
const takenBack = new Map<number, OutgoingMessage>();

/** Like `cancelMessage`, and the message goes back to the composer of its conversation, at the latest when that is opened. */
export function takeBackMessage(key: string): OutgoingMessage | null {
  const message = cancelMessage(key);
  if (!message) return null;
  takenBack.set(message.conversation, message);
  for (const listener of listeners) listener();
  return message;
}

/** Calls `restore` with a message of this conversation that was taken back, once. */
export function useTakenBack(conversation: number, restore: (message: OutgoingMessage) => void): void {
  const message = useSyncExternalStore(subscribe, () => takenBack.get(conversation));
  const latest = useRef(restore);
  latest.current = restore;
  useEffect(() => {
    if (message && takenBack.delete(conversation)) latest.current(message);
  }, [message, conversation]);
}

export function retryMessage(key: string): void {
  clearTimeout(find(key)?.timer);
  void attempt(key);
}

async function attempt(key: string): Promise<void> {
  const entry = find(key);
  if (!entry || entry.message.state === "sending") return;
  const { conversation, body, files } = entry.message;
  const attachments = files.map(({ id }) => ({ file_id: id }));
  change(key, { state: "sending", error: null });
  try {
    const message = await sendMessage(conversation, { body, attachments, private: entry.message.private }, key);
    arrived(entry.options.client, message);
    set(entries.filter(({ message: one }) => one.key !== key));
    entry.options.onSent?.(message);
  } catch (error) {
    const isTemporary =
      error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502);
    change(key, {
      state: isTemporary ? "waiting" : "failed",
      error: error instanceof Error ? error.message : "The message could not be sent.",
    });
    if (isTemporary) scheduleRetry(key);
  }
}

function scheduleRetry(key: string): void {
  const timer = setTimeout(() => void attempt(key), RETRY_MS);
  set(entries.map((entry) => (entry.message.key === key ? { ...entry, timer } : entry)));
}

function arrived(client: QueryClient, message: Message): void {
  if (!putMessage(client, message))
    void client.invalidateQueries({ queryKey: messageKeys.all(message.conversation_id) });
  const { id, seq, direction, sender, body, created_at } = message;
  patchInLists(client, message.conversation_id, (before) => ({
    ...before,
    last_message: { id, seq, direction, private: message.private, sender, body: body.slice(0, 200), created_at },
    last_message_at: created_at,
  }));
}

/** What is held is sent now: the page is about to go, and with it the time to take it back. */
function sendHeld(): void {
  for (const { message, timer } of entries)
    if (message.state === "held") {
      clearTimeout(timer);
      void attempt(message.key);
    }
}

window.addEventListener("pagehide", sendHeld);
window.addEventListener("online", () => {
  for (const { message } of entries) if (message.state === "waiting") retryMessage(message.key);
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Of one conversation, in the order of writing. */
export function useOutgoing(conversation: number): OutgoingMessage[] {
  const all = useSyncExternalStore(subscribe, () => shown);
  return all.filter((message) => message.conversation === conversation);
}

export const useAllOutgoing = (): readonly OutgoingMessage[] => useSyncExternalStore(subscribe, () => shown);

/** The newest message that can still be taken back, of any conversation. */
export const lastHeld = (): OutgoingMessage | undefined => shown.findLast(({ state }) => state === "held");
