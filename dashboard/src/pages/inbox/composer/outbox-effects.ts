import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { ApiError, apiCursorPage, type CursorPage, outlivesPage, reasonOf } from "../../../api/client.ts";
import { patchInLists, resolveUnlessWritten } from "../../../api/conversations.ts";
import { sendDraft } from "../../../api/drafts.ts";
import { lastMessageOf, type Message, messagesOf, putMessage, sendMessage } from "../../../api/messages.ts";
import { announcePresence } from "../../../api/presence.ts";
import { messageKeys } from "../../../api/query-keys.ts";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";
import { workspaceInUrl } from "../../../lib/workspace.ts";
import { liveStatus } from "../../../live/poll-interval.ts";
import { recoverDraft, unsavedDraftOf } from "./draft-store.ts";
import { keepCopyOf, takeOverCopies } from "./local-copy.ts";
import type { Outbox } from "./outbox.ts";
import { firstOf, isBehindAnother, type OutgoingMessage } from "./outbox-state.ts";
import { replyOfOthers } from "./replies-of-others.ts";

const UNDO_MS = 5_000;
const RETRY_MS = 3_000;

const find = ({ read }: Outbox, key: string): OutgoingMessage | undefined =>
  read().entries.find((message) => message.key === key);

export function holdThenSend(outbox: Outbox, message: OutgoingMessage): void {
  watchPage(outbox);
  announce(message, { sending: true });
  setTimeout(() => {
    if (find(outbox, message.key)?.state === "held") void attempt(outbox, message.key);
  }, UNDO_MS);
}

/** Of a message that was written before this code could be loaded. */
export function watchAndSend(outbox: Outbox, key: string): Promise<void> {
  watchPage(outbox);
  return attempt(outbox, key);
}

/** Colleagues see that a reply is about to be sent; its author may have opened another conversation. */
function announce({ conversation, workspace, ...message }: OutgoingMessage, state: { sending: boolean }): void {
  if (message.private || workspace !== workspaceInUrl()) return;
  const body = { conversation_id: conversation, ...(state.sending ? state : { gone: true }) };
  // Nothing depends on it.
  announcePresence(body, {}).catch(() => {});
}

export function restoreCopies(outbox: Outbox, author: number): void {
  watchPage(outbox);
  void takeOverCopies(author, ({ messages, drafts }) => {
    for (const { conversation, typed, base } of drafts)
      recoverDraft(unsavedDraftOf(outbox.client, conversation), typed, base);
    for (const message of messages) restore(outbox, message);
  });
}

function restore(outbox: Outbox, message: OutgoingMessage): void {
  if (find(outbox, message.key)) return;
  outbox.dispatch({ type: "queued", message: { ...message, state: "sending", isTried: true, error: null } });
  void offerUnlessStored(outbox, message);
}

/** The server may have it: a page that is closed sends what it can, and does not see the response. */
async function offerUnlessStored(outbox: Outbox, message: OutgoingMessage): Promise<void> {
  if (!find(outbox, message.key)) return;
  try {
    const stored = await messagesOnServer(message);
    if (!find(outbox, message.key)) return;
    if (stored.some((one) => isCopy(message, one))) await accepted(outbox, message, { leaving: false });
    else offerAgain(outbox, message);
  } catch (error) {
    if (isTemporary(error)) setTimeout(() => void offerUnlessStored(outbox, message), RETRY_MS);
    else offerAgain(outbox, message);
  }
}

function offerAgain(outbox: Outbox, message: OutgoingMessage): void {
  outbox.followUps.set(message.key, {});
  outbox.dispatch({ type: "refused", key: message.key, error: t("The browser was closed before it could be sent.") });
  afterLeaving(outbox, message);
}

/** After a message has left the queue: the one behind it in the same conversation is next. */
export function afterLeaving(outbox: Outbox, left: OutgoingMessage): void {
  announce(left, { sending: false });
  const next = firstOf(outbox.read(), left);
  if (next?.state === "waiting") void attempt(outbox, next.key);
}

export function sendAnyway(outbox: Outbox, key: string): Promise<void> {
  const message = find(outbox, key);
  if (message) outbox.dispatch({ type: "confirmed", key, seenSeq: newestSeq(outbox.client, message) });
  return attempt(outbox, key);
}

/** By key: attempts that have not ended yet. */
const attempts = new Map<string, Promise<void>>();

export function attempt(outbox: Outbox, key: string, options: { leaving?: boolean } = {}): Promise<void> {
  const running = attempts.get(key) ?? attemptOnce(outbox, key, options).finally(() => attempts.delete(key));
  attempts.set(key, running);
  return running;
}

async function attemptOnce(outbox: Outbox, key: string, { leaving = false }: { leaving?: boolean }): Promise<void> {
  const message = find(outbox, key);
  if (!message || message.state === "sending" || message.state === "asking") return;
  if (isBehindAnother(outbox.read(), message) && !leaving) return outbox.dispatch({ type: "waiting", key });
  if (outbox.followUps.get(key)?.isCurrent?.() === false) {
    outbox.dispatch({ type: "left", key });
    afterLeaving(outbox, message);
    toast(t("Not sent. The suggestion has been changed meanwhile."), { failed: true });
    return;
  }
  outbox.dispatch({ type: "sending", key });
  try {
    const since = leaving ? cachedMessages(outbox.client, message) : await messagesSince(outbox.client, message);
    const found = sinceWritten(message, since);
    // Its author has signed out meanwhile.
    if (!find(outbox, key)) return;
    if (found?.kind === "reply") return outbox.dispatch({ type: "asked", key, error: found.by });
    if (found?.kind === "copy") return await accepted(outbox, message, { leaving });
    await send(outbox, message, { leaving });
  } catch (error) {
    await notSent(outbox, message, error);
  }
}

async function send(outbox: Outbox, message: OutgoingMessage, { leaving }: { leaving: boolean }): Promise<void> {
  const { key } = message;
  outbox.dispatch({ type: "tried", key });
  const sending = request(message);
  // A page that is left does not see the response: what follows it is sent together with the message.
  if (leaving) void followUp(outbox, message, { leaving });
  const stored = await sending;
  // Its author has signed out meanwhile, or its event came first.
  if (!find(outbox, key)) return;
  if (message.workspace === workspaceInUrl()) arrived(outbox.client, stored);
  await accepted(outbox, message, { leaving });
}

async function notSent(outbox: Outbox, message: OutgoingMessage, error: unknown): Promise<void> {
  const { key } = message;
  if (message.suggestion !== undefined && error instanceof ApiError && error.status === 404) {
    toast(t("Someone else has used this suggestion"), { failed: true });
    return accepted(outbox, message, { leaving: false });
  }
  if (isTemporary(error)) {
    outbox.dispatch({ type: "waiting", key });
    setTimeout(() => {
      if (find(outbox, key)?.state === "waiting") void attempt(outbox, key);
    }, RETRY_MS);
    return;
  }
  outbox.dispatch({ type: "refused", key, error: whyNotSent(error) });
  afterLeaving(outbox, message);
}

const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502);

type Since = { kind: "reply"; by: string } | { kind: "copy" } | null;

/** What has come since a message was written that decides about it: a reply of someone else, or the message itself. */
function sinceWritten(message: OutgoingMessage, messages: readonly Message[]): Since {
  if (message.isTried && messages.some((one) => isCopy(message, one))) return { kind: "copy" };
  if (message.private) return null;
  const reply = replyOfOthers(messages, message.author, ({ seq }) => seq > message.seenSeq);
  return reply ? { kind: "reply", by: reply.sender.name ?? t("Someone") } : null;
}

const isCopy = (message: OutgoingMessage, stored: Message): boolean =>
  stored.seq > message.seenSeq &&
  stored.sender.type === "user" &&
  stored.sender.id === message.author &&
  hasSameContent(message, stored);

const hasSameContent = (message: OutgoingMessage, stored: Message): boolean =>
  message.body === stored.body &&
  message.private === stored.private &&
  String(message.files.map(({ id }) => id)) === String(stored.attachments.map(({ file_id }) => file_id));

type Pages = InfiniteData<CursorPage<Message>, string | null>;

const cachedMessages = (client: QueryClient, { conversation, workspace }: OutgoingMessage): Message[] =>
  workspace === workspaceInUrl() ? messagesOf(client.getQueryData<Pages>(messageKeys.list(conversation))) : [];

const newestSeq = (client: QueryClient, message: OutgoingMessage): number =>
  cachedMessages(client, message).at(-1)?.seq ?? message.seenSeq;

/** What is cached is current while the stream brings every message; a message that waited asks the server. */
async function messagesSince(client: QueryClient, message: OutgoingMessage): Promise<readonly Message[]> {
  const cached = cachedMessages(client, message);
  if (liveStatus.state.kind === "live" && message.state === "held" && cached.length > 0) return cached;
  return messagesOnServer(message);
}

async function messagesOnServer({ conversation, workspace }: OutgoingMessage): Promise<readonly Message[]> {
  const { data } = await apiCursorPage<Message>(`/conversations/${conversation}/messages`, {
    query: { limit: 50 },
    workspace,
  });
  return data.toReversed();
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
  const email = rest.email && !rest.private ? { email: rest.email } : {};
  return sendMessage(conversation, { body, attachments, private: rest.private, ...email }, options);
}

const whyNotSent = (error: unknown): string =>
  error instanceof ApiError ? reasonOf(error) : t("The message could not be sent.");

async function accepted(outbox: Outbox, message: OutgoingMessage, { leaving }: { leaving: boolean }): Promise<void> {
  outbox.dispatch({ type: "left", key: message.key });
  afterLeaving(outbox, message);
  if (!leaving) await followUp(outbox, message, { leaving });
}

/**
 * The event of a message may come before the response, or in place of one that was lost. It does not name the key, so
 * the oldest message with the same content that the server may have is taken for it.
 */
export function acceptByEvent(outbox: Outbox, event: Message): void {
  const message = outbox
    .read()
    .entries.find(
      (one) =>
        one.isTried &&
        (one.state === "sending" || one.state === "waiting") &&
        one.workspace === workspaceInUrl() &&
        one.conversation === event.conversation_id &&
        hasSameContent(one, event),
    );
  if (message) void accepted(outbox, message, { leaving: false });
}

/** What is done once the server has the message, or as the page closes: once. */
async function followUp(outbox: Outbox, message: OutgoingMessage, { leaving }: { leaving: boolean }): Promise<void> {
  const pending = outbox.followUps.get(message.key);
  if (!pending) return;
  outbox.followUps.delete(message.key);
  const run = (leaving: boolean) =>
    Promise.all([
      pending.draft?.discard({ leaving }),
      message.resolve ? resolveAfter(outbox, message, leaving) : undefined,
    ]);
  // A page that closes meanwhile requests at once what is left of it.
  const left = () => void run(true);
  if (!leaving) window.addEventListener("pagehide", left, { once: true });
  await run(leaving).finally(() => window.removeEventListener("pagehide", left));
}

/** By then another conversation or another page is open, so what happened is said in a toast. */
async function resolveAfter({ client }: Outbox, message: OutgoingMessage, leaving: boolean): Promise<void> {
  const { conversation, workspace, seenSeq } = message;
  const isKnown = cachedMessages(client, message).some(({ direction, seq }) => direction === "in" && seq > seenSeq);
  if (leaving && isKnown) return;
  try {
    const result = await resolveUnlessWritten(client, conversation, { since: seenSeq, workspace, keepalive: leaving });
    if (result === "resolved") toast(t("Sent and resolved"));
    else toast(t("Sent. The conversation stays open, because the contact has written since."));
  } catch (error) {
    toast(t("The message was sent, but the conversation is not resolved. {error}", { error: whyNotSent(error) }), {
      failed: true,
    });
  }
}

function arrived(client: QueryClient, message: Message): void {
  if (!putMessage(client, message))
    void client.invalidateQueries({ queryKey: messageKeys.all(message.conversation_id) });
  patchInLists(client, message.conversation_id, (before) => ({ ...before, ...lastMessageOf(message) }));
}

/** One after the other, so that those of one conversation stay in their order. */
export async function sendEverything(outbox: Outbox): Promise<void> {
  for (const { key, state } of outbox.read().entries) if (state !== "failed") await attempt(outbox, key);
}

const watched = new WeakSet<Outbox>();

/** Listens to the page as long as something is on its way, and keeps a copy of that for the case of a crash. */
function watchPage(outbox: Outbox): void {
  if (watched.has(outbox)) return;
  watched.add(outbox);
  let listening: AbortController | null = null;
  const follow = () => {
    const { entries } = outbox.read();
    keepCopyOf(entries);
    if (entries.length > 0) listening ??= listenToPage(outbox);
    else {
      listening?.abort();
      listening = null;
    }
  };
  outbox.subscribe(follow);
  follow();
}

function listenToPage(outbox: Outbox): AbortController {
  const stop = new AbortController();
  const { signal } = stop;
  const inState = (...states: OutgoingMessage["state"][]) =>
    outbox.read().entries.filter(({ state }) => states.includes(state));
  // The page is about to close, so held messages can no longer be undone, and it will see no response to the others.
  const finish = () => {
    for (const message of inState("sending")) if (message.isTried) void followUp(outbox, message, { leaving: true });
    for (const { key } of inState("held")) void attempt(outbox, key, { leaving: true });
  };
  window.addEventListener("pagehide", finish, { signal });
  // What cannot be sent while the page closes would be lost.
  const ask = (event: BeforeUnloadEvent) => {
    const isLost = inState("waiting", "failed", "asking").length > 0 || !navigator.onLine;
    if (isLost || !outlivesPage(JSON.stringify(outbox.read().entries))) event.preventDefault();
  };
  window.addEventListener("beforeunload", ask, { signal });
  const retry = () => {
    for (const { key } of inState("waiting")) void attempt(outbox, key);
  };
  window.addEventListener("online", retry, { signal });
  return stop;
}
