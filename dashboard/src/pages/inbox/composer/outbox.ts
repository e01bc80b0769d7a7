import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { ApiError, outlivesPage, reasonOf } from "../../../api/client.ts";
import { patchInLists, resolveConversation } from "../../../api/conversations.ts";
import { type DraftFile, sendDraft } from "../../../api/drafts.ts";
import { type CreateMessageBody, lastMessageOf, type Message, putMessage, sendMessage } from "../../../api/messages.ts";
import { messageKeys } from "../../../api/query-keys.ts";
import { toast } from "../../../components/toast.tsx";
import { registerOwnWork } from "../../../lib/own-work.ts";
import { workspaceInUrl } from "../../../lib/workspace.ts";
import type { SentDraft } from "./draft-store.ts";

/**
 * Messages on their way out, by conversation. `held`: it can still be undone; `sending`: the request is in progress;
 * `waiting`: there is no connection, or a message before it has not been sent yet; `failed`: the server refused it.
 */
export interface OutgoingMessage extends Required<Pick<CreateMessageBody, "body" | "private">> {
  files: readonly DraftFile[];
  /** It is this suggestion of a bot, as it is: the server has its text. */
  suggestion?: number;
  /** Made here; the Idempotency-Key of every attempt. */
  key: string;
  /** Where it was written: it is sent there, whatever page is open by then. */
  workspace: number | null;
  conversation: number;
  createdAt: string;
  state: "held" | "sending" | "waiting" | "failed";
  error: string | null;
}

interface SendOptions {
  client: QueryClient;
  /** The conversation is resolved once the server has the message. */
  resolve: boolean;
  draft: SentDraft;
  /** Of a suggestion: the server would still send the text that was shown. */
  isCurrent?: () => boolean;
}

const UNDO_MS = 5_000;
const RETRY_MS = 3_000;

interface Entry {
  message: OutgoingMessage;
  options: SendOptions;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The server may have it, even if no response said so. */
  isTried: boolean;
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
export type ComposedMessage = Pick<OutgoingMessage, "body" | "private" | "files" | "suggestion">;

/** Shows the message at once and sends it when the time to take it back is over. Returns its key. */
export function queueMessage(conversation: number, message: ComposedMessage, options: SendOptions): string {
  const key = crypto.randomUUID();
  const createdAt = new Date().toISOString();
  const workspace = workspaceInUrl();
  const outgoing: OutgoingMessage = { ...message, key, workspace, conversation, createdAt, state: "held", error: null };
  set([
    ...entries,
    { message: outgoing, options, timer: setTimeout(() => void attempt(key), UNDO_MS), isTried: false },
  ]);
  return key;
}

/** Takes a message out. Returns it, or null when it is too late: its request is in progress. */
function takeOut(key: string): Entry | null {
  const entry = find(key);
  if (!entry || entry.message.state === "sending") return null;
  clearTimeout(entry.timer);
  set(entries.filter((one) => one !== entry));
  sendNext(entry.message);
  return entry;
}

/** Deletes a message that is not being sent. A suggestion is offered again. */
export function cancelMessage(key: string): void {
  const entry = takeOut(key);
  if (entry?.message.suggestion === undefined) void entry?.options.draft.discard();
}

/** By conversation: the last message that was undone, until its composer has it again. */
const takenBack = new Map<number, Entry>();

/**
 * The message is not sent and goes back to the composer of its conversation, at the latest when that is opened. A
 * suggestion is offered again.
 */
export function takeBackMessage(key: string): OutgoingMessage | null {
  const entry = takeOut(key);
  if (!entry) return null;
  if (entry.message.suggestion === undefined) takenBack.set(entry.message.conversation, entry);
  for (const listener of listeners) listener();
  return entry.message;
}

/** Calls `restore` with a message of this conversation that was undone, once. */
export function useTakenBack(conversation: number, restore: (message: OutgoingMessage) => void): void {
  const entry = useSyncExternalStore(subscribe, () => takenBack.get(conversation));
  const putBack = useEffectEvent(restore);
  useEffect(() => {
    if (!entry || !takenBack.delete(conversation)) return;
    putBack(entry.message);
    entry.options.draft.keep();
  }, [entry, conversation]);
}

export function retryMessage(key: string): void {
  clearTimeout(find(key)?.timer);
  void attempt(key);
}

const isOfSameConversation = (a: OutgoingMessage, b: OutgoingMessage): boolean =>
  a.conversation === b.conversation && a.workspace === b.workspace;

/** Messages of one conversation are sent in the order in which they were written; one that was refused holds nothing up. */
function isBehindAnother({ message }: Entry): boolean {
  const first = shown.find((other) => isOfSameConversation(other, message) && other.state !== "failed");
  return message.state !== "failed" && first !== undefined && first.key !== message.key;
}

/** After a message has left the queue: the one behind it in the same conversation. */
function sendNext(left: OutgoingMessage): void {
  const next = shown.find((other) => isOfSameConversation(other, left) && other.state !== "failed");
  if (next?.state === "waiting") retryMessage(next.key);
}

/** By key: attempts that have not ended yet. */
const attempts = new Map<string, Promise<void>>();

function attempt(key: string, options: { leaving?: boolean } = {}): Promise<void> {
  const running = attempts.get(key) ?? attemptOnce(key, options).finally(() => attempts.delete(key));
  attempts.set(key, running);
  return running;
}

async function attemptOnce(key: string, { leaving = false }: { leaving?: boolean }): Promise<void> {
  const entry = find(key);
  if (!entry || entry.message.state === "sending") return;
  if (isBehindAnother(entry) && !leaving) {
    change(key, { state: "waiting", error: null });
    return;
  }
  if (entry.options.isCurrent?.() === false) {
    takeOut(key);
    toast("Not sent. The suggestion has been changed meanwhile.", { failed: true });
    return;
  }
  const { workspace, suggestion } = entry.message;
  change(key, { state: "sending", error: null });
  set(entries.map((one) => (one.message.key === key ? { ...one, isTried: true } : one)));
  try {
    const sending = request(entry.message);
    // A page that is left does not see the response: what follows it is sent together with the message.
    if (leaving) void followUp(entry, { leaving });
    const message = await sending;
    // Its writer has signed out meanwhile, or its event came first.
    if (!find(key)) return;
    if (workspace === workspaceInUrl()) arrived(entry.options.client, message);
    await accepted(entry, { leaving });
  } catch (error) {
    if (suggestion !== undefined && error instanceof ApiError && error.status === 404) {
      toast("Someone else has used this suggestion", { failed: true });
      return accepted(entry, { leaving });
    }
    const isTemporary =
      error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502);
    change(key, { state: isTemporary ? "waiting" : "failed", error: isTemporary ? null : whyNotSent(error) });
    if (isTemporary) scheduleRetry(key);
    else sendNext(entry.message);
  }
}

/** It continues even if the page is left now. */
function request({
  conversation,
  suggestion,
  body,
  files,
  key,
  workspace,
  ...rest
}: OutgoingMessage): Promise<Message> {
  const options = { key, workspace, keepalive: true };
  if (suggestion !== undefined) return sendDraft(conversation, suggestion, options);
  const attachments = files.map(({ id }) => ({ file_id: id }));
  return sendMessage(conversation, { body, attachments, private: rest.private }, options);
}

const whyNotSent = (error: unknown): string =>
  error instanceof ApiError ? reasonOf(error) : "The message could not be sent.";

async function accepted({ message, ...rest }: Entry, { leaving }: { leaving: boolean }): Promise<void> {
  set(entries.filter((one) => one.message.key !== message.key));
  sendNext(message);
  if (!leaving) await followUp({ message, ...rest }, { leaving });
}

/**
 * The event of a message may come before the response, or in place of one that was lost. It does not name the key, so
 * the oldest message with the same content that the server may have is taken for it.
 */
export function acceptByEvent(event: Message): void {
  const entry = entries.find(
    ({ message, isTried }) =>
      isTried &&
      (message.state === "sending" || message.state === "waiting") &&
      isHere(message) &&
      message.conversation === event.conversation_id &&
      message.body === event.body &&
      message.private === event.private &&
      String(message.files.map(({ id }) => id)) === String(event.attachments.map(({ file_id }) => file_id)),
  );
  if (!entry) return;
  clearTimeout(entry.timer);
  void accepted(entry, { leaving: false });
}

/** What is done once the server has the message. */
const followUp = async (entry: Entry, { leaving }: { leaving: boolean }): Promise<void> => {
  const { draft, resolve } = entry.options;
  await Promise.all([draft.discard({ leaving }), resolve ? resolveAfter(entry, { leaving }) : undefined]);
};

/** By then another conversation or another page is open, so what went wrong is said in a toast. */
async function resolveAfter({ message, options }: Entry, { leaving }: { leaving: boolean }): Promise<void> {
  const { conversation, workspace } = message;
  try {
    await resolveConversation(options.client, conversation, { workspace, keepalive: leaving });
    toast("Sent and resolved");
  } catch (error) {
    toast(`The message was sent, but the conversation is not resolved. ${whyNotSent(error)}`, { failed: true });
  }
}

function scheduleRetry(key: string): void {
  const timer = setTimeout(() => void attempt(key), RETRY_MS);
  set(entries.map((entry) => (entry.message.key === key ? { ...entry, timer } : entry)));
}

function arrived(client: QueryClient, message: Message): void {
  if (!putMessage(client, message))
    void client.invalidateQueries({ queryKey: messageKeys.all(message.conversation_id) });
  patchInLists(client, message.conversation_id, (before) => ({ ...before, ...lastMessageOf(message) }));
}

/** Sends held messages now: the page is about to close, so they can no longer be undone. */
function sendHeld(): void {
  for (const { message, timer } of entries)
    if (message.state === "held") {
      clearTimeout(timer);
      void attempt(message.key, { leaving: true });
    }
}

/** One after the other, so that those of one conversation stay in their order. */
async function sendEverything(): Promise<void> {
  for (const { message } of entries) {
    if (message.state === "failed") continue;
    clearTimeout(find(message.key)?.timer);
    await attempt(message.key);
  }
}

function forgetEverything(): void {
  for (const { timer } of entries) clearTimeout(timer);
  takenBack.clear();
  set([]);
}

registerOwnWork({ finish: sendEverything, left: () => entries.length, forget: forgetEverything });
window.addEventListener("pagehide", sendHeld);
// What cannot be sent while the page closes would be lost.
window.addEventListener("beforeunload", (event) => {
  const isLost = ({ state }: OutgoingMessage) => state === "waiting" || state === "failed" || !navigator.onLine;
  if (shown.some(isLost) || !outlivesPage(JSON.stringify(shown))) event.preventDefault();
});
window.addEventListener("online", () => {
  for (const { message } of entries) if (message.state === "waiting") retryMessage(message.key);
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const isHere = ({ workspace }: OutgoingMessage): boolean => workspace === workspaceInUrl();

/** Of one conversation, in the order of writing. */
export function useOutgoing(conversation: number): OutgoingMessage[] {
  const all = useSyncExternalStore(subscribe, () => shown);
  return all.filter((message) => message.conversation === conversation && isHere(message));
}

/** Of every conversation of this workspace, in the order of writing. */
export const useAllOutgoing = (): OutgoingMessage[] => useSyncExternalStore(subscribe, () => shown).filter(isHere);

/** The newest message that can still be undone, of any conversation. */
export const lastHeld = (): OutgoingMessage | undefined =>
  shown.findLast((message) => message.state === "held" && isHere(message));
