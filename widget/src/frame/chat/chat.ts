import type { ToPage } from "../../shared/protocol.ts";
import * as outbox from "../logic/outbox.ts";
import { createApi, type RequestError, type VisitorApi } from "../net/api.ts";
import { playSound } from "../sound.ts";
import { openStorage, type Storage } from "../storage.ts";
import { fill } from "../texts/catalogue.ts";
import type { Conversation, Message } from "../types.ts";
import { Identity } from "./identity.ts";
import { noticeNew } from "./notice-new.ts";
import { createReading } from "./reading.ts";
import { Sender } from "./sender.ts";
import { Sessions } from "./session.ts";
import { emptyChat, newConversation, type Store, totalUnread } from "./state.ts";
import { entryIdOf, loadOutbox } from "./stored-outbox.ts";
import { Sync } from "./sync.ts";

type Contact = { name?: string; email?: string };

const FILES_MAX = 10;

/** What a visitor can do. The parts: sessions (who), sender (outbox), sync (what is read), reading (typing and read marks). */
export class Chat {
  readonly #store: Store;
  readonly #api: VisitorApi;
  readonly #storage: Storage;
  readonly #sessions: Sessions;
  readonly #sender: Sender;
  readonly #sync: Sync;
  readonly #identity: Identity;
  readonly #reading: ReturnType<typeof createReading>;

  constructor(store: Store, post: (message: ToPage) => void) {
    const { public_id } = store.get().settings;
    const api = createApi(public_id);
    const storage = openStorage(public_id);
    const sessions = new Sessions(api, storage);
    const onSessionError = (error: RequestError) => this.#identity.onError(error);
    const onSent = (...sent: [Message, Conversation, outbox.Entry]) => this.#onSent(...sent);
    const sender = new Sender({ store, api, sessions, storage, onSent, onSessionError });
    const sync = new Sync({
      ...{ store, api, sessions, onSessionError },
      onNew: (messages) => noticeNew(store, messages, post),
      onConfirmed: (id, conversation) => sender.change((entries) => confirmKnown(entries, id, conversation)),
      onLive: () => sender.kick(),
    });
    this.#store = store;
    this.#api = api;
    this.#storage = storage;
    this.#sessions = sessions;
    this.#sender = sender;
    this.#sync = sync;
    const showStored = () => this.#showStored();
    this.#identity = new Identity({ store, sessions, sync, sender, post, showStored });
    this.#reading = createReading({ store, api, sessions, sync });
    storage.onChange((name, value) => this.#onOtherTab(name, value));
    reportUnread(store, post);
  }

  /** The chat is shown for the first time on this page: from here on there may be requests for this visitor. */
  begin(token: string | null): void {
    if (token) this.identify(token);
    if (!this.#sessions.isAside()) this.#showStored();
    if (token) return;
    const { settings, hasSession } = this.#store.get();
    if (settings.require_identity && !hasSession) this.#store.set({ obstacle: { kind: "identity-required" } });
    this.#sync.start();
    this.#sender.kick();
  }

  #showStored(): void {
    const stored = loadOutbox(this.#storage);
    this.#store.set({
      ...{ outbox: stored, hasSession: this.#sessions.current() !== null },
      ...{ sound: this.#storage.read("sound") === "on", hasAsked: this.#storage.read("asked") === "yes" },
      ...(stored[0] ? { current: stored[0].conversation } : {}),
    });
  }

  send(): void {
    const { current, drafts, files, preview, obstacle } = this.#store.get();
    if (preview || obstacle?.kind === "blocked" || obstacle?.kind === "identity-required") return;
    if (!(drafts[current] ?? "").trim() && files.length === 0) return;
    if (wantsRequired(this.#store)) this.#store.set({ asking: "required" });
    else this.#enqueue({});
  }

  /** Name and e-mail address, as asked; null: the visitor would rather not. */
  fillIn(contact: Contact | null): void {
    const { asking, visitor } = this.#store.get();
    this.#store.set({ asking: null, hasAsked: true, visitor: { ...visitor, ...contact } });
    if (asking === "required") this.#enqueue(contact ?? {});
    this.#storage.write("asked", "yes");
    const session = this.#sessions.current();
    if (asking === "required" || !contact || !session) return;
    this.#api
      .request("visitor", { method: "PATCH", session: session.token, body: contact })
      // It is asked for once more, if they are still here.
      .catch(() => {
        if (this.#sessions.current()?.token === session.token) this.#store.set({ asking: "optional", visitor });
      });
  }

  retry(id: string): void {
    this.#beginAgain();
    this.#sender.change((entries) => outbox.retry(entries, id));
    const entry = this.#store.get().outbox.find((one) => one.id === id);
    if (entry) this.#store.set({ current: entry.conversation });
    this.#sender.kick();
  }

  discard(id: string): void {
    this.#sender.change((entries) => outbox.remove(entries, id));
  }

  setDraft(text: string): void {
    const { drafts, current } = this.#store.get();
    this.#store.set({ drafts: { ...drafts, [current]: text } });
    if (text) this.#reading.typing();
  }

  addFiles(files: readonly File[]): void {
    this.#store.set({ files: [...this.#store.get().files, ...files].slice(0, FILES_MAX) });
  }

  removeFile(index: number): void {
    this.#store.set({ files: this.#store.get().files.filter((_, other) => other !== index) });
  }

  setAtEnd(isAtEnd: boolean): void {
    if (isAtEnd !== this.#store.get().isAtEnd) this.#store.set({ isAtEnd });
  }

  showList(): void {
    this.#store.set({ view: "list" });
  }

  showNew(): void {
    this.#store.set({ view: "thread", current: newConversation() });
  }

  openConversation(id: string): void {
    void this.#sync.openConversation(id);
  }

  loadEarlier(): void {
    this.#sync.loadEarlier(this.#store.get().current).catch(() => this.#sync.drop());
  }

  saveTranscript(): Promise<void> {
    return this.#reading.saveTranscript();
  }

  setSound(sound: boolean): void {
    this.#store.set({ sound });
    if (sound) playSound();
    if (this.#sessions.current()) this.#storage.write("sound", sound ? "on" : "off");
  }

  identify(token: string): void {
    this.#identity.identify(token);
  }

  logout(): void {
    void this.#identity.logout();
  }

  /** The page is visible again, or the network is back. */
  wake(): void {
    this.#sync.wake();
    this.#sender.kick();
  }

  goOffline(): void {
    this.#sync.drop();
  }

  #enqueue(contact: Contact): void {
    const { current, drafts, files, page } = this.#store.get();
    const entry: outbox.Entry = {
      ...{ id: crypto.randomUUID(), conversation: current, page, createdAt: Date.now(), problem: null },
      body: (drafts[current] ?? "").trim(),
      files: files.map(({ name, size }) => ({ name, size })),
      ...contact,
    };
    // From here on there is something to come back to: the session and this message are stored.
    this.#sessions.forSending();
    this.#store.set({ drafts: { ...drafts, [current]: "" }, files: [], hasSession: true });
    this.#beginAgain();
    this.#sender.add(entry, files);
  }

  /** After the end of a session, if it has ended. */
  #beginAgain(): void {
    if (this.#store.get().obstacle?.kind !== "ended") return;
    this.#store.set({ obstacle: null });
    this.#identity.identifyAgain();
  }

  #onSent(message: Message, conversation: Conversation, entry: outbox.Entry): void {
    const { current } = this.#store.get();
    this.#sync.upsert(conversation);
    this.#sync.receive(message);
    if (current === entry.conversation) this.#store.set({ current: message.conversation });
    if (wantsOptional(this.#store)) this.#store.set({ asking: "optional" });
    this.#sync.start();
  }

  /** Another tab of this browser has sent something, started the session or ended it. */
  #onOtherTab(name: string, value: string | null): void {
    const removed = value === null ? entryIdOf(name) : null;
    if (removed) this.#store.set({ outbox: outbox.remove(this.#store.get().outbox, removed) });
    if (name !== "session" && name !== "") return;
    const before = this.#sessions.current();
    this.#sessions.adopt(value);
    const after = this.#sessions.current();
    if (before && before.token !== after?.token) {
      this.#sync.stop();
      this.#store.set(emptyChat());
    }
    this.#store.set({ hasSession: after !== null });
    this.#sync.start();
  }
}

const confirmKnown = (entries: outbox.Outbox, id: string, conversation: string): outbox.Outbox =>
  entries.some((entry) => entry.id === id) ? outbox.confirm(entries, id, conversation) : entries;

function reportUnread(store: Store, post: (message: ToPage) => void): void {
  let unread = 0;
  store.subscribe((state) => {
    const count = totalUnread(state);
    if (count !== unread) post({ kind: "unread", count, text: fill(state.texts.unread, { n: count }) });
    unread = count;
  });
}

/** Asked before the first message is sent. */
function wantsRequired(store: Store): boolean {
  const { settings, visitor, hasAsked, hasSession } = store.get();
  if (hasAsked || hasSession || visitor.identified) return false;
  return settings.ask_name === "required" || settings.ask_email === "required";
}

/** Asked once, after the first message was sent. */
function wantsOptional(store: Store): boolean {
  const { settings, visitor, hasAsked } = store.get();
  if (hasAsked || visitor.identified) return false;
  return (settings.ask_name === "optional" && !visitor.name) || (settings.ask_email === "optional" && !visitor.email);
}
