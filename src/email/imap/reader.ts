import { setTimeout as sleep } from "node:timers/promises";
import type { ImapFlow, ImapFlowError } from "imapflow";
import type { Logger } from "../../core/logger.ts";
import { SMALL_BYTES_MAX } from "../parse/parser.ts";
import { type ConnectOptions, connectImap } from "./connect.ts";
import { explainFailure } from "./failure.ts";
import { type Lease, LeaseLost, releaseLease } from "./lease.ts";
import { createPrecedence, type Precedence } from "./precedence.ts";
import { type ReadMailbox, readMailbox, recordFailure, recordSynced } from "./state.ts";
import { FolderSync, type SyncOptions } from "./sync.ts";

type ReaderOptions = SyncOptions & { connect: ConnectOptions; logger: Logger };

/** A look at the folder although the server has said nothing. */
const POLL_MS = 50_000;
/** The same while large or older mail is read. */
const BUSY_POLL_MS = 1_000;
/** Before the next connection, after the first failures in a row; the last one is repeated. */
const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000];
/** The same where a person has to change something. */
const LASTING_MS = 120_000;

export interface Reader {
  readonly lease: Lease;
  /** Resolves when it has ended: it was stopped, or another one owns the mailbox. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** Reads one mailbox for as long as its lease is valid: connects, imports, waits for new mail, connects again. */
export function startReader(options: ReaderOptions, lease: Lease): Reader {
  const stopping = new AbortController();
  return { lease, ended: run(options, lease, stopping.signal), stop: () => stopping.abort() };
}

async function run(options: ReaderOptions, lease: Lease, signal: AbortSignal): Promise<void> {
  const { db } = options.inbound;
  let failures = 0;
  let sendsWhole = false;
  while (!signal.aborted) {
    let mailbox: ReadMailbox | null = null;
    try {
      mailbox = await readMailbox(db, lease);
      // A server that closes each connection after a while is read over many of them.
      const onProgress = () => {
        failures = 0;
      };
      await readConnected({ ...options, onProgress }, lease, { mailbox, signal, sendsWhole });
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) break;
      sendsWhole ||= (error as ImapFlowError).code === "LiteralTooLarge";
      const pauseMs = await noteFailure(options, lease, { error, mailbox, failures });
      failures++;
      await pause(pauseMs, signal);
    }
  }
  await releaseLease(db, lease).catch(() => {});
}

async function noteFailure(
  { logger, inbound }: ReaderOptions,
  lease: Lease,
  { error, mailbox, failures }: { error: unknown; mailbox: ReadMailbox | null; failures: number },
): Promise<number> {
  const { host = "the server", port = 0, folder = "" } = mailbox?.inbound ?? {};
  const { sentence, isLasting } = explainFailure(error, { host, port, folder });
  logger.debug({ mailbox: lease.mailboxId, err: sentence }, "reading a mailbox failed, retrying");
  // Without the database the lease expires, and nobody reads the status.
  await recordFailure(inbound.db, lease, sentence).catch(() => {});
  return isLasting ? LASTING_MS : (RETRY_MS[failures] ?? 60_000);
}

interface Run {
  mailbox: ReadMailbox;
  signal: AbortSignal;
  /** The server has sent more of a mail than the part that it was asked for. */
  sendsWhole: boolean;
}

async function readConnected(
  options: ReaderOptions,
  lease: Lease,
  { mailbox, signal, sendsWhole }: Run,
): Promise<void> {
  const { inbound } = mailbox;
  const literalBytesMax = sendsWhole ? options.mailBytesMax + SMALL_BYTES_MAX : SMALL_BYTES_MAX;
  const client = await connectImap({ ...options.connect, literalBytesMax }, { ...lease, ...mailbox });
  const close = () => client.close();
  signal.addEventListener("abort", close, { once: true });
  let lost: Error | null = null;
  client.on("error", (error) => {
    lost = error;
  });
  try {
    await client.mailboxOpen(inbound.folder ?? "INBOX", { readOnly: inbound.after_import === null });
    const newMail = createPrecedence();
    const sync = await FolderSync.open(options, { client, sendsWhole, newMail }, lease, mailbox);
    await followFolder(options, lease, { client, sync, newMail, signal }).finally(() => {
      client.close();
      return sync.background;
    });
  } catch (error) {
    // A command that was in progress fails without the reason.
    throw lost ?? error;
  } finally {
    signal.removeEventListener("abort", close);
    client.close();
  }
}

interface Following {
  client: ImapFlow;
  sync: FolderSync;
  newMail: Precedence;
  signal: AbortSignal;
}

/** Reads new mail, waits for more, and so on, until the connection is lost. */
async function followFolder(
  options: ReaderOptions,
  lease: Lease,
  { client, sync, newMail, signal }: Following,
): Promise<void> {
  const changes = watchChanges(client);
  const readNew = async () => {
    await client.noop();
    changes.reset();
    await sync.readNew();
    await reportSynced(options, lease, client, sync);
  };
  while (!signal.aborted) {
    await newMail.first(readNew);
    options.onProgress?.();
    await waitForChange(client, changes, sync, signal);
    if (!client.usable) throw Object.assign(new Error("The connection was closed."), { code: "NoConnection" });
  }
}

/** The folder may have been replaced behind the connection: then its numbers mean something else. */
async function reportSynced(
  { inbound }: ReaderOptions,
  lease: Lease,
  client: ImapFlow,
  sync: FolderSync,
): Promise<void> {
  const status = await client.status(client.mailbox ? client.mailbox.path : "INBOX", {
    unseen: true,
    uidValidity: true,
  });
  const opened = client.mailbox ? client.mailbox.uidValidity : undefined;
  const { uidValidity = opened, unseen = 0 } = status || {};
  if (uidValidity !== opened)
    throw Object.assign(new Error("The numbers of the folder have changed."), { code: "NoConnection" });
  await recordSynced(inbound.db, lease, unseen);
  if (sync.leftUndone !== null) await recordFailure(inbound.db, lease, sync.leftUndone);
}

interface Changes {
  reset(): void;
  /** Resolves at the next sign of new mail, at once if there was one since the last reset. */
  next(): Promise<void>;
}

function watchChanges(client: ImapFlow): Changes {
  let pending = false;
  let wake = () => {};
  const notice = () => {
    pending = true;
    wake();
  };
  client.on("exists", notice);
  client.on("close", notice);
  return {
    reset() {
      pending = false;
    },
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (pending) resolve();
      }),
  };
}

/**
 * IDLE: the server says when there is new mail. The next command ends it, so there is none while large or older mail is read
 * over the same connection.
 */
async function waitForChange(client: ImapFlow, changes: Changes, sync: FolderSync, signal: AbortSignal): Promise<void> {
  const { background } = sync;
  if (!background) client.idle().catch(() => {});
  const waited = new AbortController();
  const ended = AbortSignal.any([signal, waited.signal]);
  const signs = [changes.next(), pause(background ? BUSY_POLL_MS : POLL_MS, ended)];
  await Promise.race(background ? [...signs, background] : signs);
  waited.abort();
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});
