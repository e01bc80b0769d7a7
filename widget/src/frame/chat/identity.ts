import type { ToPage } from "../../shared/protocol.ts";
import * as outbox from "../logic/outbox.ts";
import { RequestError, UNREACHABLE } from "../net/api.ts";
import type { Sender } from "./sender.ts";
import type { Sessions } from "./session.ts";
import { emptyChat, type Obstacle, type Store } from "./state.ts";
import type { Sync } from "./sync.ts";

interface IdentityOptions {
  store: Store;
  sessions: Sessions;
  sync: Sync;
  sender: Sender;
  post: (message: ToPage) => void;
  /** Shows what this browser has kept of the current session. */
  showStored: () => void;
}

const RETRY_MS = 3_000;

/** The one place that decides which visitor this frame shows. */
export class Identity {
  readonly #parts: IdentityOptions;
  /** The token that counts. */
  #latest: string | null = null;
  #queue = Promise.resolve();

  constructor(parts: IdentityOptions) {
    this.#parts = parts;
  }

  /** One after the other: two at once would bind one session to two people. */
  identify(token: string): void {
    this.#latest = token;
    this.#hideOther(token);
    this.#parts.store.set({ isIdentifying: true });
    this.#queue = this.#queue.then(() => (this.#latest === token ? this.#attempt(token) : undefined));
  }

  /** After the end of a session: the next one is that of the same person, as far as the page has said who that is. */
  identifyAgain(): void {
    if (this.#latest !== null) this.identify(this.#latest);
  }

  /** Returns whether the error concerns the session: then it has been dealt with. */
  onError({ code }: RequestError): boolean {
    const { store, sessions, sync, post } = this.#parts;
    const obstacle = OBSTACLES[code];
    if (!obstacle) return false;
    if (code === "SESSION_ENDED") {
      const entries = outbox.endAll(store.get().outbox);
      const { drafts, current } = store.get();
      sync.stop();
      sessions.forget();
      // What was typed stays, for a new conversation if the visitor wants one.
      const empty = emptyChat();
      const kept = entries.map((entry) => ({ ...entry, conversation: empty.current }));
      store.set({ ...empty, drafts: { [empty.current]: drafts[current] ?? "" }, outbox: kept });
    }
    if (code === "IDENTITY_EXPIRED" && store.get().obstacle?.kind !== "identity-expired")
      post({ kind: "identity-expired" });
    store.set({ obstacle });
    return true;
  }

  logout(): Promise<void> {
    const { store, sessions, sync } = this.#parts;
    this.#latest = null;
    sync.stop();
    store.set({ ...emptyChat(), files: [] });
    if (store.get().settings.require_identity) store.set({ obstacle: { kind: "identity-required" } });
    return sessions.logout();
  }

  #hideOther(token: string): void {
    const { store, sessions, sync } = this.#parts;
    if (!sessions.setAside(token)) return;
    sync.stop();
    store.set({ ...emptyChat(), files: [] });
  }

  async #attempt(token: string): Promise<void> {
    const { store, sessions, sync, sender, showStored } = this.#parts;
    // The session may have been bound to someone else while this token waited.
    this.#hideOther(token);
    store.set({ isIdentifying: true });
    try {
      const identified = await sessions.identify(token);
      if (this.#latest !== token || !identified) return;
      if (identified.isAnother) sender.storeAgain();
      if (identified.isBack) showStored();
      const { visitor } = identified;
      store.set({ visitor, hasSession: true, obstacle: null, isIdentifying: false, sendingFails: false });
      sync.start();
      sender.kick();
    } catch (error) {
      if (this.#latest === token) this.#afterRefusal(token, error);
    }
  }

  #afterRefusal(token: string, error: unknown): void {
    const { store, sessions, sync, sender, post } = this.#parts;
    if (!(error instanceof RequestError)) throw error;
    if (error.code === UNREACHABLE || error.code === "RATE_LIMIT_EXCEEDED") {
      const ms = Math.max(RETRY_MS, error.retryAfterSeconds * 1_000);
      setTimeout(() => {
        if (this.#latest === token) this.identify(token);
      }, ms);
      store.set({ sendingFails: error.code === UNREACHABLE });
      return;
    }
    // The visitor stays what they were. Another person's session stays aside: the page has named someone else.
    store.set({ isIdentifying: false });
    if (error.code === "IDENTITY_EXPIRED") post({ kind: "identity-expired" });
    else post({ kind: "identity-refused", reason: error.message });
    const needsIdentity = store.get().settings.require_identity && !sessions.current();
    if (error.code === "BLOCKED") this.onError(error);
    else if (needsIdentity) store.set({ obstacle: { kind: "identity-required" } });
    sync.start();
    sender.kick();
  }
}

const OBSTACLES: Record<string, Obstacle> = {
  SESSION_ENDED: { kind: "ended" },
  BLOCKED: { kind: "blocked" },
  WIDGET_INACTIVE: { kind: "inactive" },
  WRONG_ORIGIN: { kind: "inactive" },
  IDENTITY_REQUIRED: { kind: "identity-required" },
  IDENTITY_EXPIRED: { kind: "identity-expired" },
};
