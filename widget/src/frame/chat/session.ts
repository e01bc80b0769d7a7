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

interface Held {
  session: Session;
  isStored: boolean;
}

/** The session of this browser, in memory and, from the first message on, in storage. */
export class Sessions {
  readonly #api: VisitorApi;
  readonly #storage: Storage;
  #held: Held | null;
  /** Of another person, while the server decides about an identity. */
  #aside: Held | null = null;
  #logouts = 0;

  constructor(api: VisitorApi, storage: Storage) {
    this.#api = api;
    this.#storage = storage;
    this.#held = heldOf(storage.read("session"));
  }

  current(): Session | null {
    return this.#held?.session ?? null;
  }

  /** The session of the first message, written to storage: from here on there is something to come back to. */
  forSending(): Session {
    const stored = this.#aside ? null : heldOf(this.#storage.read("session"));
    const { session } = this.#held ?? stored ?? { session: { token: newToken(), subject: null, isKnown: false } };
    this.#hold(session, this.#aside === null);
    return session;
  }

  confirmed(): void {
    if (this.#held && !this.#held.session.isKnown) this.#hold({ ...this.#held.session, isKnown: true });
  }

  /**
   * Puts the session aside where this identity token is another person's: until the server has decided, nothing of it may be
   * shown, and nothing may be sent with it. Returns whether it did.
   */
  setAside(identity: string): boolean {
    const session = this.current();
    if (!session || session.subject === null || session.subject === subjectOf(identity)) return false;
    // What was bound while another one waits for the decision belongs to nobody here.
    if (this.#aside) void this.#end(session.token);
    else this.#aside = this.#held;
    this.#held = null;
    return true;
  }

  isAside(): boolean {
    return this.#aside !== null;
  }

  /** The identity was refused: who was put aside is here again. Returns whether there was anyone. */
  putBack(): boolean {
    if (!this.#aside) return false;
    this.#hold(this.#aside.session, this.#aside.isStored);
    this.#aside = null;
    return true;
  }

  /** Binds the session to an identity. Throws what the server says. Null: the visitor has logged out meanwhile. */
  async identify(identity: string): Promise<{ visitor: Visitor; isAnother: boolean } | null> {
    const logouts = this.#logouts;
    const token = this.current()?.token ?? newToken();
    const { visitor } = await this.#api.request<{ visitor: Visitor }>("session", {
      method: "POST",
      session: token,
      body: { identity },
    });
    if (logouts !== this.#logouts) {
      void this.#end(token);
      return null;
    }
    const isAnother = this.#aside !== null;
    if (this.#aside) {
      void this.#end(this.#aside.session.token);
      this.#aside = null;
      this.#storage.clear();
    }
    const isStored = this.#held?.isStored ?? false;
    this.#hold({ token, subject: subjectOf(identity), isKnown: true }, isStored && !isAnother);
    return { visitor, isAnother };
  }

  /** Starts the session on the server, where files come before the first message. */
  async start(): Promise<void> {
    const session = this.current();
    if (!session || session.isKnown) return;
    await this.#api.request("session", { method: "POST", session: session.token, body: {} });
    this.confirmed();
  }

  /** Ends it on the server, and forgets it here. */
  async logout(): Promise<void> {
    const ended = [this.#held, this.#aside];
    this.forget();
    await Promise.all(ended.map((held) => held?.session.isKnown && this.#end(held.session.token)));
  }

  forget(): void {
    this.#logouts += 1;
    this.#held = null;
    this.#aside = null;
    this.#storage.clear();
  }

  /** Another tab has started, bound or ended the session. */
  adopt(stored: string | null): void {
    this.#held = heldOf(stored);
    this.#aside = null;
  }

  #hold(session: Session, isStored = this.#held?.isStored ?? false): void {
    this.#held = { session, isStored };
    if (isStored) this.#storage.write("session", JSON.stringify(session));
  }

  async #end(token: string): Promise<void> {
    await this.#api.request("session", { method: "DELETE", session: token, keepalive: true }).catch(() => {});
  }
}

/** 32 random bytes: nobody can guess them, and a repeated first message is the same session. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return `pvs_${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

function heldOf(stored: string | null): Held | null {
  try {
    const session = JSON.parse(stored ?? "null") as Session | null;
    return typeof session?.token === "string" ? { session, isStored: true } : null;
  } catch {
    return null;
  }
}
