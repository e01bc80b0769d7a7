import type { FetchMessageObject, ImapFlow, MailboxObject } from "imapflow";
import type { Tx } from "../../db/database.ts";
import { type InboundOptions, ingestMail } from "../inbound/ingest.ts";
import { relationOf } from "../inbound/relation.ts";
import { MailsAside } from "./aside.ts";
import { type Fetched, fetchStart, fetchWhole, type Source } from "./fetch.ts";
import type { Lease } from "./lease.ts";
import {
  beginFolder,
  forgetBefore,
  type Import,
  markImported,
  markRead,
  type ReadMailbox,
  unreadOf,
  WINDOW,
} from "./state.ts";
import type { InTurn } from "./turns.ts";

export interface SyncOptions {
  inbound: InboundOptions;
  mailBytesMax: number;
  /** Bounds how many mails are in memory at once. */
  inTurn: InTurn;
  /** The same for large mails. */
  inLargeTurn: InTurn;
  /** After each step that will not be repeated, whatever happens to the connection. */
  onProgress?: () => void;
}

interface Wanted {
  from: number;
  /** Up to the end of the folder by default. */
  to?: number;
  since?: Date;
}

/** What is stored together with a mail: how far the folder has been read. */
type Also = (tx: Tx) => Promise<void>;

/**
 * Mails that are read before what comes after them, in their order, although an import looks at what is older: a reply that
 * arrives right after a change of UIDVALIDITY must find the mail that it replies to.
 */
const RECENT = 2_000;
/** The same at the first connection: with more, an import looks at all of them. */
const RECENT_AT_FIRST = 100;
/** Numbers of one response: they have up to ten digits. */
const LISTED_AT_ONCE = 2_000;
/** Numbers that are kept at once; what comes after them is listed when they have been looked at. */
const LISTED_MAX = 50_000;
const FOLDER_MAILS_MAX = 5_000_000;
const DAY_MS = 86_400_000;
const NOT_LISTED = "The server does not list the folder.";

/** Mails of an import whose dates are asked for together. */
const IMPORT_STEP = 20;

/**
 * Reads one folder that is open. Everything it stores is stored together with how far it has read. Large mails and older
 * ones are read next to new mail, which does not wait for them.
 */
export class FolderSync {
  readonly #options: SyncOptions;
  readonly #client: ImapFlow;
  readonly #source: Source;
  readonly #lease: Lease;
  readonly #mailbox: ReadMailbox;
  readonly #uidvalidity: number;
  #uid: number;
  #import: Import | null;
  /** The next numbers that the import has to look at. */
  #older: number[] = [];
  /** Those of them whose dates are known. */
  #step: { uid: number; isWanted: boolean }[] = [];
  readonly #aside = new MailsAside();
  /** The reading of large and of older mail; null: there is none. */
  #background: Promise<void> | null = null;
  #failure: Error | null = null;
  /** What could not be done on the server after a mail was stored. */
  #leftUndone: string | null = null;

  private constructor(options: SyncOptions, source: Source, lease: Lease, mailbox: ReadMailbox) {
    const { client } = source;
    this.#options = options;
    this.#client = client;
    this.#source = source;
    this.#lease = lease;
    this.#mailbox = mailbox;
    this.#uidvalidity = uidvalidityOf(client);
    this.#uid = mailbox.uid ?? 0;
    this.#import = mailbox.import;
  }

  /** A folder that is new, or whose numbers have changed their meaning, is looked at from its beginning. */
  static async open(options: SyncOptions, source: Source, lease: Lease, mailbox: ReadMailbox): Promise<FolderSync> {
    const sync = new FolderSync(options, source, lease, mailbox);
    if (mailbox.uidvalidity !== sync.#uidvalidity) await sync.#begin();
    return sync;
  }

  /** Resolves when no large and no older mail is being read, or when that has failed; null: this is so already. */
  get background(): Promise<void> | null {
    return this.#background;
  }

  /** What failed after mails had been stored; null: nothing. */
  get leftUndone(): string | null {
    return this.#leftUndone;
  }

  /** The mails that have come since, and those of the window that the server has shown late. */
  async readNew(): Promise<void> {
    if (this.#failure) throw this.#failure;
    // Before it is asked what has been read: one that is stored in between is not read a second time.
    const aside = this.#aside.numbers();
    const from = Math.max(1, this.#uid - WINDOW + 1);
    const listed = await this.#list({ from });
    const unread = await unreadOf(this.#options.inbound.db, this.#lease, {
      uidvalidity: this.#uidvalidity,
      uids: listed,
    });
    for (const uid of unread) {
      if (aside.has(uid)) continue;
      await this.#readNext(uid);
      this.#uid = Math.max(this.#uid, uid);
      this.#readBackground();
    }
    this.#uid = Math.max(this.#uid, listed.at(-1) ?? 0);
    if (unread.length > 0) {
      const before = { uidvalidity: this.#uidvalidity, uid: Math.min(this.#uid, this.#aside.lowest(0)) - 2 * WINDOW };
      await forgetBefore(this.#options.inbound.db, this.#lease, before);
    }
    this.#readBackground();
  }

  async #readNext(uid: number): Promise<void> {
    const isStored = await this.#options.inTurn(this.#lease.workspaceId, async (turn) => {
      const start = await fetchStart(this.#source, uid, turn);
      if (start && (await this.#putAside(uid, start))) return false;
      return this.#store(start, this.#read(uid));
    });
    if (isStored) await this.#finishOnServer(uid);
  }

  async #putAside(uid: number, { raw, isWhole }: Fetched): Promise<boolean> {
    if (isWhole && this.#aside.isEmpty) return false;
    const relation = await relationOf(this.#options.inbound, this.#receiving, raw);
    if (isWhole && !this.#aside.precedes(relation)) return false;
    this.#aside.add(uid, relation);
    return true;
  }

  #readBackground(): void {
    if (this.#background || this.#failure || (this.#aside.isEmpty && !this.#import)) return;
    this.#background = this.#readAside()
      .catch((error: Error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#background = null;
      });
  }

  async #readAside(): Promise<void> {
    for (;;) {
      await this.#source.newMail.passed();
      const uid = this.#aside.next();
      if (uid !== undefined) {
        await this.#take(uid, this.#read(uid));
        this.#aside.delete(uid);
      } else if (this.#import) await this.#importNext(this.#import);
      else return;
    }
  }

  /** The next one of the older mails. */
  async #importNext(current: Import): Promise<void> {
    const { next_uid: from, last_uid: to, since } = current;
    if (this.#step.length === 0) {
      if (this.#older.length === 0) this.#older = await this.#list({ from, to, since: dayBefore(since) });
      const step = this.#older.splice(0, IMPORT_STEP);
      const wanted = new Set(await this.#since(step, since));
      this.#step = step.map((uid) => ({ uid, isWanted: wanted.has(uid) }));
    }
    const next = this.#step.shift();
    const following = next ? { ...current, next_uid: next.uid + 1, done: current.done + 1 } : null;
    const also = (tx: Tx) => markImported(tx, this.#lease, following);
    if (next?.isWanted) await this.#take(next.uid, also);
    else if (!next || this.#step.length === 0) await this.#options.inbound.db.transaction(also);
    this.#import = following;
  }

  get #receiving() {
    const { authserv_id: authservId, own_lists: ownLists } = this.#mailbox;
    return { workspaceId: this.#lease.workspaceId, id: this.#lease.mailboxId, authservId, ownLists };
  }

  async #begin(): Promise<void> {
    const last = await this.#lastNumber();
    const since = this.#mailbox.inbound.since ?? this.#mailbox.started_at;
    let total = 0;
    let latest: number[] = [];
    for await (const part of this.#parts({ from: 1, to: last, since: dayBefore(since) })) {
      total += part.length;
      if (latest.length < RECENT) latest = [...part, ...latest];
    }
    const isNew = this.#mailbox.uidvalidity === null;
    const recent = isNew && total > RECENT_AT_FIRST ? [] : latest.slice(-RECENT);
    const wanted = await this.#since(recent, since);
    const uid = Math.min(last, ...wanted.map((first) => first - 1));
    const listed = (await this.#list({ from: Math.max(1, uid - WINDOW + 1) })).filter((number) => number <= last);
    const older = total - recent.length;
    const started: Import | null =
      older === 0 ? null : { next_uid: 1, last_uid: (recent[0] ?? last + 1) - 1, since, total: older, done: 0 };
    const isWanted = new Set(wanted);
    const uids = listed.filter((number) => !isWanted.has(number));
    await beginFolder(this.#options.inbound.db, this.#lease, {
      uidvalidity: this.#uidvalidity,
      uid,
      uids,
      import: started,
    });
    this.#uid = uid;
    this.#import = started;
  }

  /** Not every server says which number comes next. */
  async #lastNumber(): Promise<number> {
    const { uidNext, exists } = this.#client.mailbox as MailboxObject;
    if (uidNext !== undefined) return uidNext - 1;
    if (exists === 0) return 0;
    const newest = await this.#client.fetchOne("*", { uid: true });
    if (!newest) throw new Error(NOT_LISTED);
    return newest.uid;
  }

  /** Those of the numbers whose mail is not older. */
  async #since(uids: readonly number[], since: string): Promise<number[]> {
    if (uids.length === 0) return [];
    const dates = await this.#client.fetchAll(uids.join(","), { uid: true, internalDate: true }, { uid: true });
    const wanted = new Set(dates.filter((mail) => isSince(mail, since)).map(({ uid }) => uid));
    return uids.filter((uid) => wanted.has(uid));
  }

  /** The first ones of the numbers that match, in their order. */
  async #list(wanted: Wanted): Promise<number[]> {
    let found: number[] = [];
    for await (const part of this.#parts(wanted)) found = [...part, ...found].slice(0, LISTED_MAX);
    return found;
  }

  /**
   * The numbers that match, each part in its order: a part of the folder at a time, because a response is parsed at once.
   * From its end, so that what is removed meanwhile moves nothing into a part that was listed already.
   */
  async *#parts({ from, to, since }: Wanted): AsyncGenerator<number[]> {
    const exists = this.#client.mailbox ? this.#client.mailbox.exists : 0;
    if (exists > FOLDER_MAILS_MAX) throw new Error(`The folder has more than ${FOLDER_MAILS_MAX} mails.`);
    let before = to === undefined ? Number.POSITIVE_INFINITY : to + 1;
    for (let last = exists; last > 0 && from < before; last -= LISTED_AT_ONCE) {
      const seq = `${Math.max(1, last - LISTED_AT_ONCE + 1)}:${last === exists ? "*" : last}`;
      const listed = await this.#client.search({ uid: `${from}:${to ?? "*"}`, since, seq }, { uid: true });
      if (!Array.isArray(listed)) throw new Error(NOT_LISTED);
      // A server returns the last number even where it is below the range.
      const part = listed.filter((uid) => uid >= from && uid < before).sort((one, other) => one - other);
      before = part[0] ?? before;
      yield part;
      // Before mails that are older than all that are wanted, there are only older ones.
      if (to === undefined && listed.length < LISTED_AT_ONCE) return;
    }
  }

  /** A mail whose turn has come, whatever its size. */
  async #take(uid: number, also: Also): Promise<void> {
    const { inTurn, inLargeTurn, mailBytesMax } = this.#options;
    const { workspaceId } = this.#lease;
    const isSmall = await inTurn(workspaceId, async (turn) => {
      const start = await fetchStart(this.#source, uid, turn);
      return start?.isWhole === false ? null : this.#store(start, also);
    });
    const isStored =
      isSmall ??
      (await inLargeTurn(workspaceId, async (turn) =>
        this.#store(await fetchWhole(this.#source, uid, turn, mailBytesMax), also),
      ));
    if (isStored) await this.#finishOnServer(uid);
  }

  /** A mail that has disappeared since it was listed is passed over. */
  async #store(mail: Fetched | null, also: Also): Promise<boolean> {
    const { inbound } = this.#options;
    if (mail) await ingestMail(inbound, this.#receiving, { raw: mail.raw, isCut: !mail.isWhole }, also);
    else await inbound.db.transaction(also);
    this.#options.onProgress?.();
    return mail !== null;
  }

  /** How far the folder has been read once this mail is stored: what waits aside has not been read. */
  #read(uid: number): Also {
    return (tx) => {
      const readUpTo = Math.min(this.#aside.lowest(uid) - 1, Math.max(this.#uid, uid));
      return markRead(tx, this.#lease, { uidvalidity: this.#uidvalidity, uid, readUpTo });
    };
  }

  /** Only where the settings say so; otherwise nothing changes on the server. */
  async #finishOnServer(uid: number): Promise<void> {
    const { after_import: after } = this.#mailbox.inbound;
    if (!after) return;
    if (after === "seen") {
      await this.#client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
      return;
    }
    const move = () => this.#client.messageMove(String(uid), after.move_to, { uid: true }).catch(() => false);
    this.#leftUndone = null;
    if (await move()) return;
    await this.#client.mailboxCreate(after.move_to).catch(() => {});
    if (!(await move())) this.#leftUndone = `Mails are stored, and cannot be moved to the folder ${after.move_to}.`;
  }
}

const uidvalidityOf = (client: ImapFlow): number => (client.mailbox ? Number(client.mailbox.uidValidity) : 0);

/** IMAP compares days, in the time zone of the server. */
const dayBefore = (since: string): Date => new Date(Date.parse(since) - DAY_MS);

const isSince = ({ internalDate }: FetchMessageObject, since: string): boolean =>
  internalDate === undefined || new Date(internalDate).getTime() >= Date.parse(since);
