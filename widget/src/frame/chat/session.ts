import { subjectOf } from "../logic/identity.ts";
import type { VisitorApi } from "../net/api.ts";
import type { Storage } from "../storage.ts";
import type { Visitor } from "../types.ts";

/** Which visitor this is: a random token, which the server knows once a message was stored or an identity given. */
interface Session {
  token: string;
  /** Whose identity it is bound to; null: anonymous. */
  subject: string | null;
  /** The server has confirmed it. Before that there is nothing to read. */
  isKnown: boolean;
}

export interface Sessions {
  current(): Session | null;
  /** The session of the first message, written to storage: from here on there is something to come back to. */
  forSending(): Session;
  confirmed(): void;
  /** Binds the session to an identity. Throws what the server says; then everything stays as it was. */
  identify(token: string): Promise<{ visitor: Visitor; isAnother: boolean }>;
  /** Starts the session on the server, where files come before the first message. */
  start(): Promise<void>;
  /** Ends it on the server, and forgets it here. */
  logout(): Promise<void>;
  forget(): void;
  /** Another tab has started, bound or ended the session. */
  adopt(stored: string | null): void;
}

export function createSessions(api: VisitorApi, storage: Storage): Sessions {
  let session = parse(storage.read("session"));
  let isStored = session !== null;
  const save = (next: Session, store = isStored) => {
    session = next;
    isStored = store;
    if (store) storage.write("session", JSON.stringify(next));
  };
  const end = (token: string) =>
    api.request("session", { method: "DELETE", session: token, keepalive: true }).catch(() => {});
  return {
    current: () => session,
    forSending() {
      const used = session ?? parse(storage.read("session")) ?? { token: newToken(), subject: null, isKnown: false };
      save(used, true);
      return used;
    },
    confirmed() {
      if (session && !session.isKnown) save({ ...session, isKnown: true });
    },
    async identify(identity) {
      const subject = subjectOf(identity);
      const before = session;
      // Never the session of another person: they get one of their own, and see nothing of what was here.
      const isAnother = before !== null && before.subject !== null && before.subject !== subject;
      const token = before && !isAnother ? before.token : newToken();
      const { visitor } = await api.request<{ visitor: Visitor }>("session", {
        method: "POST",
        session: token,
        body: { identity },
      });
      if (isAnother) {
        void end(before.token);
        storage.clear();
      }
      save({ token, subject, isKnown: true }, isStored && !isAnother);
      return { visitor, isAnother };
    },
    async start() {
      if (!session || session.isKnown) return;
      await api.request("session", { method: "POST", session: session.token, body: {} });
      save({ ...session, isKnown: true });
    },
    async logout() {
      const ended = session;
      this.forget();
      if (ended?.isKnown) await end(ended.token);
    },
    forget() {
      session = null;
      isStored = false;
      storage.clear();
    },
    adopt(stored) {
      session = parse(stored);
      isStored = session !== null;
    },
  };
}

/** 32 random bytes: nobody can guess them, and a repeated first message is the same session. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return `pvs_${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

function parse(stored: string | null): Session | null {
  try {
    const value = JSON.parse(stored ?? "null") as Session | null;
    return typeof value?.token === "string" ? value : null;
  } catch {
    return null;
  }
}
