import type { FetchMessageObject, ImapFlow } from "imapflow";
import type { Tx } from "../../db/database.ts";
import { type InboundOptions, ingestMail } from "../inbound/ingest.ts";
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

export interface SyncOptions {
  inbound: InboundOptions;
  mailBytesMax: number;
  /** Bounds how many mails are in memory at once. */
  inTurn: <T>(workspaceId: number, work: () => Promise<T>) => Promise<T>;
}

/** Mails of an import between two looks for new mail. */
const IMPORT_STEP = 20;
/**
 * Mails that are read before what comes after them, in their order, although an import looks at what is older: a reply that
 * arrives right after a change of UIDVALIDITY must find the mail that it replies to.
 */
const RECENT = 2_000;
/** The same at the first connection: with more, an import looks at all of them. */
const RECENT_AT_FIRST = 100;
const DAY_MS = 86_400_000;

/** Reads one folder that is open. Everything it stores is stored together with how far it has read. */
export class FolderSync {
  readonly #options: SyncOptions;
  readonly #client: ImapFlow;
  readonly #lease: Lease;
  readonly #mailbox: ReadMailbox;
  readonly #uidvalidity: number;
  #uid: number;
  #import: Import | null;
  /** Numbers that the import still has to look at, once they have been listed. */
  #older: number[] | null = null;
  /** What could not be done on the server after a mail was stored. */
  #leftUndone: string | null = null;

  private constructor(options: SyncOptions, client: ImapFlow, lease: Lease, mailbox: ReadMailbox) {
    this.#options = options;
    this.#client = client;
    this.#lease = lease;
    this.#mailbox = mailbox;
    this.#uidvalidity = uidvalidityOf(client);
    this.#uid = mailbox.uid ?? 0;
    this.#import = mailbox.import;
  }

  /** A folder that is new, or whose numbers have changed their meaning, is looked at from its beginning. */
  static async open(options: SyncOptions, client: ImapFlow, lease: Lease, mailbox: ReadMailbox): Promise<FolderSync> {
    const sync = new FolderSync(options, client, lease, mailbox);
    if (mailbox.uidvalidity !== sync.#uidvalidity) await sync.#begin();
    return sync;
  }

  get isImporting(): boolean {
    return this.#import !== null;
  }

  /** What failed after mails had been stored; null: nothing. */
  get leftUndone(): string | null {
    return this.#leftUndone;
  }

  /** The mails that have come since, and those of the window that the server has shown late. */
  async readNew(): Promise<void> {
    const from = Math.max(1, this.#uid - WINDOW + 1);
    // A server returns the last number even where it is below the range.
    const listed = (await this.#search({ uid: `${from}:*` })).filter((uid) => uid >= from);
    const unread = await unreadOf(this.#options.inbound.db, this.#lease, {
      uidvalidity: this.#uidvalidity,
      uids: listed,
    });
    for (const uid of unread) {
      await this.#take(uid, (tx) => markRead(tx, this.#lease, { uidvalidity: this.#uidvalidity, uid }));
      this.#uid = Math.max(this.#uid, uid);
    }
    if (unread.length > 0) {
      const before = { uidvalidity: this.#uidvalidity, uid: this.#uid - 2 * WINDOW };
      await forgetBefore(this.#options.inbound.db, this.#lease, before);
    }
  }

  /** The next few of the older mails. */
  async importSome(): Promise<void> {
    const current = this.#import;
    if (current === null) return;
    const { next_uid, last_uid, since } = current;
    this.#older ??= await this.#search({ uid: `${next_uid}:${last_uid}`, since: dayBefore(since) });
    const step = this.#older.splice(0, IMPORT_STEP);
    if (step.length === 0) {
      await this.#options.inbound.db.transaction((tx) => markImported(tx, this.#lease, null));
      this.#import = null;
      return;
    }
    const wanted = new Set(await this.#since(step, since));
    for (const uid of step) {
      const next = { ...(this.#import as Import), next_uid: uid + 1, done: (this.#import as Import).done + 1 };
      const also = (tx: Tx) => markImported(tx, this.#lease, next);
      if (wanted.has(uid)) await this.#take(uid, also);
      this.#import = next;
    }
    await this.#options.inbound.db.transaction((tx) => markImported(tx, this.#lease, this.#import));
  }

  async #begin(): Promise<void> {
    const { uidNext, exists } = this.#client.mailbox as { uidNext: number; exists: number };
    const last = uidNext - 1;
    const since = this.#mailbox.inbound.since ?? this.#mailbox.started_at;
    const found = exists > 0 ? await this.#search({ uid: `1:${last}`, since: dayBefore(since) }) : [];
    const isNew = this.#mailbox.uidvalidity === null;
    const recent = isNew && found.length > RECENT_AT_FIRST ? [] : found.slice(-RECENT);
    const wanted = await this.#since(recent, since);
    const uid = Math.min(last, ...wanted.map((first) => first - 1));
    const listed = exists > 0 ? await this.#search({ uid: `${Math.max(1, uid - WINDOW + 1)}:${last}` }) : [];
    const older = found.length - recent.length;
    const started: Import | null =
      older === 0 ? null : { next_uid: 1, last_uid: (recent[0] ?? last + 1) - 1, since, total: older, done: 0 };
    const uids = listed.filter((number) => !wanted.includes(number));
    await beginFolder(this.#options.inbound.db, this.#lease, {
      uidvalidity: this.#uidvalidity,
      uid,
      uids,
      import: started,
    });
    this.#uid = uid;
    this.#import = started;
  }

  /** Those of the numbers whose mail is not older. */
  async #since(uids: readonly number[], since: string): Promise<number[]> {
    if (uids.length === 0) return [];
    const dates = await this.#client.fetchAll(uids.join(","), { uid: true, internalDate: true }, { uid: true });
    const wanted = new Set(dates.filter((mail) => isSince(mail, since)).map(({ uid }) => uid));
    return uids.filter((uid) => wanted.has(uid));
  }

  async #search(query: { uid: string; since?: Date }): Promise<number[]> {
    const found = await this.#client.search(query, { uid: true });
    if (!Array.isArray(found)) throw new Error("The server does not list the folder.");
    return found.sort((one, other) => one - other);
  }

  /** A mail that has disappeared since it was listed is passed over. */
  async #take(uid: number, also: (tx: Tx) => Promise<void>): Promise<void> {
    const { inTurn, mailBytesMax, inbound } = this.#options;
    const isStored = await inTurn(this.#lease.workspaceId, async () => {
      const source = { start: 0, maxLength: mailBytesMax };
      const mail = await this.#client.fetchOne(String(uid), { uid: true, size: true, source }, { uid: true });
      const { source: raw, size = 0 } = mail || {};
      if (!raw) {
        await inbound.db.transaction(also);
        return false;
      }
      const { authserv_id: authservId, own_lists: ownLists } = this.#mailbox;
      const mailbox = { workspaceId: this.#lease.workspaceId, id: this.#lease.mailboxId, authservId, ownLists };
      const isCut = size > raw.length && raw.length >= mailBytesMax;
      await ingestMail(inbound, mailbox, { raw, isCut }, also);
      return true;
    });
    if (isStored) await this.#finishOnServer(uid);
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
