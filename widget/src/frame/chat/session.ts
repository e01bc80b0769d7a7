import { sleep } from "@parley/client";
import { subjectOf } from "../logic/identity.ts";
import { retryDelayMs } from "../logic/outbox.ts";
import { type RequestError, UNREACHABLE, type VisitorApi } from "../net/api.ts";
import type { Storage } from "../storage.ts";
import type { Visitor } from "../types.ts";

/** Which visitor this is: a random token, which the server knows once a message was stored or an identity given. */
interface Session {
  token: string;
  /** Whose it is, as far as the page has named anyone, be it with a token that was refused; null: anonymous. */
  subject: string | null;
  /** The server has confirmed it. Before that there is nothing to read. */
  isKnown: boolean;
}

interface Held {
  session: Session;
  isStored: boolean;
}

interface Identified {
  visitor: Visitor;
  isAnother: boolean;
  isBack: boolean;
}

/** The session of this browser, in memory and, from the first message on, in storage. */
export class Sessions {
  readonly #api: VisitorApi;
  readonly #storage: Storage;
  #held: Held | null;
  /** Of another person than the page has named last: nothing of it is shown until the page names them again. */
  #aside: Held | null = null;
  /** Whom the page has named last. */
  #named: string | null = null;
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
    const stored = heldOf(this.#storage.read("session"));
    const isOurs = !this.#aside && (!stored || this.#isNamed(stored));
    const { session } = this.#held ??
      (isOurs ? stored : null) ?? { session: { token: newToken(), subject: this.#named, isKnown: false } };
    this.#hold(session, isOurs);
    return session;
  }

  /** What storage has is this visitor's, or nobody's. */
  ownsStorage(): boolean {
    return !this.#aside && (this.#held?.isStored ?? true);
  }

  confirmed(): void {
    if (this.#held && !this.#held.session.isKnown) this.#hold({ ...this.#held.session, isKnown: true });
  }

  /**
   * Puts the session aside where this identity token is not that person's: nothing of it may be shown, and nothing may be sent
   * with it, also when the token is refused. Returns whether it did.
   */
  setAside(identity: string): boolean {
    const session = this.current();
    const owner = session ? session.subject : this.#named;
    this.#named = subjectOf(identity);
    if (owner === null || owner === this.#named) {
      // From here on what is written is theirs, whether or not the token is accepted.
      if (session && owner !== this.#named) this.#hold({ ...session, subject: this.#named });
      return false;
    }
    // What was begun while another one is aside belongs to nobody here.
    if (this.#aside && session) void this.#end(session.token);
    else this.#aside ??= this.#held;
    this.#held = null;
    return true;
  }

  isAside(): boolean {
    return this.#aside !== null;
  }

  /**
   * Binds the session to an identity. Throws what the server says. Null: the visitor has logged out meanwhile. `isBack`: they
   * are who was put aside, and what this browser has kept of them is theirs again.
   */
  async identify(identity: string): Promise<Identified | null> {
    const logouts = this.#logouts;
    const subject = subjectOf(identity);
    const isBack = this.#aside !== null && this.#aside.session.subject === subject;
    const token = (isBack ? this.#aside : this.#held)?.session.token ?? newToken();
    const { visitor } = await this.#api.request<{ visitor: Visitor }>("session", {
      method: "POST",
      session: token,
      body: { identity },
    });
    if (logouts !== this.#logouts) {
      void this.#end(token);
      return null;
    }
    const isAnother = this.#aside !== null && !isBack;
    const left = isBack ? this.#held : this.#aside;
    if (left) void this.#end(left.session.token);
    const isStored = (isBack ? this.#aside : this.#held)?.isStored ?? false;
    this.#aside = null;
    if (isAnother) this.#storage.clear();
    this.#hold({ token, subject, isKnown: true }, isStored && !isAnother);
    return { visitor, isAnother, isBack };
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
    this.#aside = null;
    this.#named = null;
    this.forget();
    // A stored session may be known to the server without its response having come here.
    await Promise.all(
      ended.map((held) => held && (held.isStored || held.session.isKnown) && this.#end(held.session.token)),
    );
  }

  /** What was put aside, and storage with it, is another person's. */
  forget(): void {
    this.#logouts += 1;
    this.#held = null;
    if (!this.#aside) this.#storage.clear();
  }

  /** A request with this session has ended. Where the session was left meanwhile, the request may have started it. */
  endIfLeft(token: string): void {
    if (![this.#held, this.#aside].some((held) => held?.session.token === token)) void this.#end(token);
  }

  /** Another tab has started, bound or ended the session. A page that has named someone shows nobody else's. */
  adopt(stored: string | null): void {
    const other = heldOf(stored);
    if (this.#aside && other?.session.subject !== this.#named) this.#aside = other;
    else if (other ? this.#isNamed(other) : this.#named === null || this.#held?.isStored) {
      this.#held = other;
      this.#aside = null;
    }
  }

  #isNamed({ session }: Held): boolean {
    return this.#named === null || session.subject === this.#named;
  }

  #hold(session: Session, isStored = this.#held?.isStored ?? false): void {
    this.#held = { session, isStored };
    if (isStored) this.#storage.write("session", JSON.stringify(session));
  }

  /** Until the server has done it, as long as this page lives: one may log out without a network too. */
  async #end(token: string): Promise<void> {
    for (let failures = 1; ; failures += 1)
      try {
        await this.#api.request("session", { method: "DELETE", session: token, keepalive: true });
        return;
      } catch (error) {
        const { code, retryAfterSeconds } = error as RequestError;
        if (code !== UNREACHABLE && code !== "RATE_LIMIT_EXCEEDED") return;
        await sleep(Math.max(retryDelayMs(failures), retryAfterSeconds * 1_000));
      }
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
