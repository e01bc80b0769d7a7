import * as outbox from "../logic/outbox.ts";
import { RequestError, UNREACHABLE, type VisitorApi } from "../net/api.ts";
import type { Storage } from "../storage.ts";
import type { Conversation, Message } from "../types.ts";
import type { Sessions } from "./session.ts";
import type { Store } from "./state.ts";
import { saveOutbox } from "./stored-outbox.ts";

interface SenderOptions {
  store: Store;
  api: VisitorApi;
  sessions: Sessions;
  storage: Storage;
  onSent: (message: Message, conversation: Conversation, entry: outbox.Entry) => void;
  /** What concerns the session and not this message. Returns whether it was that. */
  onSessionError: (error: RequestError) => boolean;
}

/** A response to an upload that another try would get again. */
const FILE_REFUSED = /VALIDATION|TOO_LARGE|UNSUPPORTED|HTTP_4/;

/**
 * Sends the outbox, one message after the other. A message leaves it when the server has confirmed it and not before; every
 * attempt carries the same id, so that a response that was lost causes no second message.
 */
export class Sender {
  readonly #parts: SenderOptions;
  readonly #blobs = new Map<string, readonly File[]>();
  #isRunning = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SenderOptions) {
    this.#parts = parts;
  }

  add(entry: outbox.Entry, files: readonly File[]): void {
    if (files.length > 0) this.#blobs.set(entry.id, files);
    this.change((entries) => outbox.add(entries, entry));
    this.kick();
  }

  change(act: (entries: outbox.Outbox) => outbox.Outbox): void {
    const { store, storage, sessions } = this.#parts;
    const before = store.get().outbox;
    const after = act(before);
    if (after === before) return;
    if (sessions.ownsStorage()) saveOutbox(storage, before, after);
    for (const id of this.#blobs.keys()) if (!after.some((entry) => entry.id === id)) this.#blobs.delete(id);
    store.set({ outbox: after });
  }

  /** Storage was cleared for another visitor: what they have written since is stored again. */
  storeAgain(): void {
    saveOutbox(this.#parts.storage, [], this.#parts.store.get().outbox);
  }

  /** Sends what waits; ends a pause between attempts. */
  kick(): void {
    void this.#run();
  }

  async #run(): Promise<void> {
    const { store, sessions } = this.#parts;
    clearTimeout(this.#timer);
    if (this.#isRunning) return;
    this.#isRunning = true;
    let entry: outbox.Entry | undefined;
    try {
      while (this.#mayRun()) {
        entry = outbox.nextToSend(store.get().outbox);
        if (!entry) return;
        const { token } = sessions.forSending();
        const isCurrent = () => sessions.current()?.token === token;
        await this.#deliver(entry, token).catch((error: unknown) => {
          if (isCurrent()) throw error;
        });
        if (!isCurrent()) {
          sessions.endIfLeft(token);
          continue;
        }
        this.#failures = 0;
        const { obstacle, sendingFails } = store.get();
        if (sendingFails || obstacle?.kind === "limit") store.set({ obstacle: null, sendingFails: false });
      }
    } catch (error) {
      if (entry) this.#afterFailure(entry, error);
    } finally {
      this.#isRunning = false;
    }
  }

  #mayRun(): boolean {
    const { obstacle, isIdentifying } = this.#parts.store.get();
    // Whose message it is must be known first.
    if (isIdentifying) return false;
    return obstacle === null || (obstacle.kind === "limit" && obstacle.until <= Date.now());
  }

  #runAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.kick(), ms);
  }

  #afterFailure({ id }: outbox.Entry, thrown: unknown): void {
    const { store, onSessionError } = this.#parts;
    const error = thrown instanceof RequestError ? thrown : new RequestError(UNREACHABLE, String(thrown));
    if (error.code === UNREACHABLE) {
      this.#failures += 1;
      store.set({ sendingFails: true });
      this.#runAfter(outbox.retryDelayMs(this.#failures));
    } else if (error.code === "RATE_LIMIT_EXCEEDED") {
      const ms = error.retryAfterSeconds * 1_000;
      store.set({ obstacle: { kind: "limit", until: Date.now() + ms } });
      this.#runAfter(ms);
    } else if (!onSessionError(error)) {
      this.change((entries) => outbox.fail(entries, id, "refused"));
      this.#runAfter(0);
    }
  }

  async #deliver(entry: outbox.Entry, token: string): Promise<void> {
    const { store, api, sessions, onSent } = this.#parts;
    const files = await this.#upload(entry, token);
    if (!files) return;
    const { conversation, message } = await api.request<{ conversation: Conversation; message: Message }>("messages", {
      method: "POST",
      session: token,
      body: {
        id: entry.id,
        conversation: outbox.isLocal(entry.conversation) ? null : entry.conversation,
        body: entry.body,
        ...(files.length > 0 ? { files } : {}),
        ...(entry.page ? { page: { url: entry.page } } : {}),
        ...(entry.name ? { name: entry.name } : {}),
        ...(entry.email ? { email: entry.email } : {}),
        language: store.get().language.tag,
      },
    });
    // The session has ended here meanwhile, in this tab or another: then the message belongs to nobody here.
    if (sessions.current()?.token !== token) return;
    sessions.confirmed();
    onSent(message, conversation, entry);
    this.change((entries) => outbox.confirm(entries, entry.id, message.conversation));
  }

  /** The uuids of the files of an entry; null: one of them cannot be sent, and the entry waits for the visitor. */
  async #upload(entry: outbox.Entry, session: string): Promise<string[] | null> {
    const { api, sessions } = this.#parts;
    const ids: string[] = [];
    for (const [index, file] of entry.files.entries()) {
      const content = this.#blobs.get(entry.id)?.[index];
      if (file.id) ids.push(file.id);
      else if (!content) return this.#failFile(entry, "file-lost");
      else {
        await sessions.start();
        const path = `files?name=${encodeURIComponent(file.name)}`;
        try {
          const { id } = await api.request<{ id: string }>(path, { method: "POST", session, file: content });
          ids.push(id);
          this.change((entries) => outbox.uploaded(entries, entry.id, { index, id }));
        } catch (error) {
          if (!(error instanceof RequestError) || !FILE_REFUSED.test(error.code)) throw error;
          return this.#failFile(entry, "file-refused");
        }
      }
    }
    return ids;
  }

  #failFile({ id }: outbox.Entry, problem: outbox.Problem): null {
    this.change((entries) => outbox.fail(entries, id, problem));
    return null;
  }
}
