import { mergeMessages, mergeNewest } from "../logic/log.ts";
import * as outbox from "../logic/outbox.ts";
import { RequestError, type VisitorApi } from "../net/api.ts";
import { keepStream } from "../net/stream.ts";
import type { Conversation, Message } from "../types.ts";
import type { Sessions } from "./session.ts";
import { type Log, logOf, type Store } from "./state.ts";

interface SyncOptions {
  store: Store;
  api: VisitorApi;
  sessions: Sessions;
  /** Messages that were not here before, live. */
  onNew: (messages: readonly Message[]) => void;
  /** The server has this message of ours. */
  onConfirmed: (clientId: string, conversation: string) => void;
  onLive: () => void;
  onSessionError: (error: RequestError) => boolean;
}

interface Running {
  token: string;
  closing: AbortController;
  stream: ReturnType<typeof keepStream>;
}

const PAGE = 50;
const TYPING_MS = 6_000;

/** Keeps conversations and logs the same as on the server. Everything is merged by id, so that reading twice does no harm. */
export class Sync {
  readonly #parts: SyncOptions;
  readonly #deleted = new Set<string>();
  #running: Running | null = null;
  #typingTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SyncOptions) {
    this.#parts = parts;
  }

  /** Reads everything and follows the stream, for the current session. Harmless where it runs already. */
  start(): void {
    const { store, api, sessions, onLive, onSessionError } = this.#parts;
    const session = sessions.current();
    if (!session?.isKnown || session.token === this.#running?.token) return;
    this.stop();
    const closing = new AbortController();
    const { signal } = closing;
    store.set({ connection: "connecting" });
    const stream = keepStream({
      api,
      session: session.token,
      signal,
      onOpen: async () => {
        await this.#readAll(session.token);
        if (signal.aborted) return;
        store.set({ connection: "live" });
        onLive();
      },
      onEvent: (event, data) => {
        if (!signal.aborted) this.#onEvent(event, data);
      },
      onDown: (error) => {
        store.set({ connection: "offline" });
        if (error && onSessionError(error)) this.stop();
      },
    });
    this.#running = { token: session.token, closing, stream };
  }

  stop(): void {
    this.#running?.closing.abort();
    this.#running = null;
    this.#deleted.clear();
    this.#parts.store.set({ connection: "idle" });
  }

  wake(): void {
    this.#running?.stream.wake();
  }

  /** The network is gone. */
  drop(): void {
    this.#running?.stream.drop();
  }

  async openConversation(id: string): Promise<void> {
    const { store, sessions } = this.#parts;
    store.set({ view: "thread", current: id });
    const session = sessions.current();
    if (!session || outbox.isLocal(id) || logOf(store.get(), id).loaded) return;
    // If it fails, the connection is down: the next one reads the open conversation again.
    await this.#readNewest(id, session.token).catch(() => this.drop());
  }

  async loadEarlier(id: string): Promise<void> {
    const { store, api, sessions } = this.#parts;
    const session = sessions.current();
    const { earlier } = logOf(store.get(), id);
    if (!session || !earlier) return;
    const path = `conversations/${id}/messages?limit=${PAGE}&cursor=${encodeURIComponent(earlier)}`;
    const { items, nextCursor } = await api.page<Message>(path, { session: session.token });
    if (sessions.current()?.token !== session.token) return;
    const log = logOf(store.get(), id);
    this.#setLog(id, { ...log, messages: mergeMessages(log.messages, items), earlier: nextCursor });
  }

  /** A message of the stream or of a response. */
  receive(message: Message): void {
    const { store, onNew } = this.#parts;
    if (this.#deleted.has(message.id)) return;
    const log = logOf(store.get(), message.conversation);
    const isNew = !log.messages.some(({ id }) => id === message.id);
    this.#setLog(message.conversation, { ...log, messages: mergeMessages(log.messages, [message]) });
    this.#confirm([message]);
    const known = store.get().conversations.find(({ id }) => id === message.conversation);
    if (known && message.seq >= (known.last_message?.seq ?? 0))
      this.upsert({ ...known, last_message: message, last_activity_at: later(known.last_activity_at, message) });
    if (isNew) onNew([message]);
  }

  upsert(conversation: Conversation): void {
    const { store } = this.#parts;
    const { conversations } = store.get();
    const known = conversations.find(({ id }) => id === conversation.id);
    const others = conversations.filter(({ id }) => id !== conversation.id);
    store.set({ conversations: [{ ...known, ...conversation }, ...others].sort(byActivity) });
  }

  async #readAll(session: string): Promise<void> {
    const { store, api, sessions } = this.#parts;
    const { items } = await api.page<Conversation>(`conversations?limit=${PAGE}`, { session });
    if (sessions.current()?.token !== session) return;
    const { current, drafts, outbox: entries, conversations: before } = store.get();
    const conversations = [...items].sort(byActivity);
    const isUnused =
      outbox.isLocal(current) && !drafts[current] && !entries.some((one) => one.conversation === current);
    // A visitor who comes back sees their latest conversation, unless they have begun another one meanwhile.
    const open = before.length === 0 && isUnused ? (conversations[0]?.id ?? current) : current;
    store.set({ conversations, current: open });
    if (!outbox.isLocal(open)) await this.#readNewest(open, session);
  }

  async #readNewest(id: string, session: string): Promise<void> {
    const { store, api, sessions, onNew } = this.#parts;
    const path = `conversations/${id}/messages?limit=${PAGE}`;
    const { items, nextCursor } = await api.page<Message>(path, { session });
    if (sessions.current()?.token !== session) return;
    const page = items.filter((message) => !this.#deleted.has(message.id));
    const log = logOf(store.get(), id);
    const messages = mergeNewest(log.messages, page, nextCursor !== null);
    const fresh = page.filter((message) => !log.messages.some((known) => known.id === message.id));
    const keepsStart = log.loaded && messages[0]?.id === log.messages[0]?.id;
    this.#setLog(id, { messages, earlier: keepsStart ? log.earlier : nextCursor, loaded: true });
    this.#confirm(page);
    // In a log that was not loaded, only what follows the message that is known: a reply to the first one may be as quick.
    const first = log.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
    const unseen = fresh.filter(({ seq }) => log.loaded || seq > first);
    if (unseen.length > 0) onNew(unseen);
  }

  #confirm(messages: readonly Message[]): void {
    for (const { client_id, conversation } of messages) if (client_id) this.#parts.onConfirmed(client_id, conversation);
  }

  #setLog(id: string, log: Log): void {
    const { store } = this.#parts;
    store.set({ logs: { ...store.get().logs, [id]: log } });
  }

  #onEvent(event: string, data: unknown): void {
    const { store, onSessionError } = this.#parts;
    const record = data as { id: string; conversation: string; seq: number; name: string | null };
    if (event === "message") this.receive(data as Message);
    else if (event === "conversation") this.upsert(data as Conversation);
    else if (event === "seen") {
      const known = store.get().conversations.find(({ id }) => id === record.conversation);
      if (known) this.upsert({ ...known, agent_read_seq: Math.max(known.agent_read_seq ?? 0, record.seq) });
    } else if (event === "message_deleted") {
      this.#deleted.add(record.id);
      const log = logOf(store.get(), record.conversation);
      this.#setLog(record.conversation, { ...log, messages: log.messages.filter(({ id }) => id !== record.id) });
    } else if (event === "typing") {
      clearTimeout(this.#typingTimer);
      store.set({ typing: { conversation: record.conversation, name: record.name } });
      this.#typingTimer = setTimeout(() => store.set({ typing: null }), TYPING_MS);
    } else if (event === "session_ended") onSessionError(new RequestError("SESSION_ENDED", ""));
  }
}

const byActivity = (one: Conversation, other: Conversation): number =>
  other.last_activity_at.localeCompare(one.last_activity_at);

const later = (known: string, { created_at }: Message): string => (created_at > known ? created_at : known);
