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
}

interface Identity {
  identify(token: string): Promise<void>;
  logout(): Promise<void>;
  /** Returns whether the error concerns the session: then it has been dealt with. */
  onError(error: RequestError): boolean;
}

const RETRY_MS = 3_000;

/** The one place that decides which visitor this frame shows. */
export function createIdentity({ store, sessions, sync, sender, post }: IdentityOptions): Identity {
  let latest: string | null = null;

  async function identify(token: string): Promise<void> {
    latest = token;
    store.set({ isIdentifying: true });
    try {
      const { visitor, isAnother } = await sessions.identify(token);
      if (latest !== token) return;
      if (isAnother) {
        sync.stop();
        store.set(emptyChat());
      }
      store.set({ visitor, hasSession: true, obstacle: null, isIdentifying: false, sendingFails: false });
      sync.start();
      sender.kick();
    } catch (error) {
      if (latest === token) afterRefusal(token, error);
    }
  }

  function afterRefusal(token: string, error: unknown): void {
    if (!(error instanceof RequestError)) throw error;
    if (error.code === UNREACHABLE || error.code === "RATE_LIMIT_EXCEEDED") {
      const ms = Math.max(RETRY_MS, error.retryAfterSeconds * 1_000);
      setTimeout(() => {
        if (latest === token) void identify(token);
      }, ms);
      store.set({ sendingFails: error.code === UNREACHABLE });
      return;
    }
    // The visitor stays what they were.
    store.set({ isIdentifying: false });
    if (error.code === "IDENTITY_EXPIRED") post({ kind: "identity-expired" });
    else post({ kind: "identity-refused", reason: error.message });
    const needsIdentity = store.get().settings.require_identity && !sessions.current();
    if (needsIdentity) store.set({ obstacle: { kind: "identity-required" } });
    sync.start();
    sender.kick();
  }

  function onError({ code }: RequestError): boolean {
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

  return {
    identify,
    onError,
    logout() {
      latest = null;
      sync.stop();
      store.set({ ...emptyChat(), files: [] });
      if (store.get().settings.require_identity) store.set({ obstacle: { kind: "identity-required" } });
      return sessions.logout();
    },
  };
}

const OBSTACLES: Record<string, Obstacle> = {
  SESSION_ENDED: { kind: "ended" },
  BLOCKED: { kind: "blocked" },
  WIDGET_INACTIVE: { kind: "inactive" },
  WRONG_ORIGIN: { kind: "inactive" },
  IDENTITY_REQUIRED: { kind: "identity-required" },
  IDENTITY_EXPIRED: { kind: "identity-expired" },
};
