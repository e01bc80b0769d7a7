import { createFairQueue } from "../../core/fair-queue.ts";
import type { Logger } from "../../core/logger.ts";
import { startLoop } from "../../core/loop.ts";
import type { InboundOptions } from "../inbound/ingest.ts";
import type { ConnectOptions } from "./connect.ts";
import { claimMailboxes, renewLeases } from "./lease.ts";
import { type Reader, startReader } from "./reader.ts";

interface ReadersOptions {
  inbound: InboundOptions;
  connect: ConnectOptions;
  mailBytesMax: number;
  logger: Logger;
  /** False: this node is too old for the database. */
  mayWrite: () => boolean;
}

interface Readers {
  /** Mailboxes that this process reads. */
  count(): number;
  close(): Promise<void>;
}

/** Of one process: each has a connection of its own. */
const READERS_MAX = 1_000;
const CLAIM_MS = 2_000;
const HEARTBEAT_MS = 3_000;
/** Mails that are fetched and stored at once: each is in memory as a whole. */
const MAILS_AT_ONCE = 4;
const MAILS_PER_WORKSPACE = 2;
/** Large ones take turns of their own: small ones do not wait for them. */
const LARGE_AT_ONCE = 2;
const LARGE_PER_WORKSPACE = 1;

/** Reads the mailboxes that no other process reads. Over all nodes each mailbox has one reader, by its lease. */
export function startReaders({ inbound, connect, mailBytesMax, logger, mayWrite }: ReadersOptions): Readers {
  const { db } = inbound;
  const readers = new Map<string, Reader>();
  const turns = turnsOf(MAILS_AT_ONCE, MAILS_PER_WORKSPACE);
  const largeTurns = turnsOf(LARGE_AT_ONCE, LARGE_PER_WORKSPACE);
  const options = { inbound, connect, mailBytesMax, logger, inTurn: turns.run, inLargeTurn: largeTurns.run };

  function start(lease: Reader["lease"]): void {
    const reader = startReader(options, lease);
    readers.set(lease.token, reader);
    void reader.ended.finally(() => readers.delete(lease.token));
  }

  const claims = startLoop({
    work: async () => {
      if (!mayWrite()) {
        for (const reader of readers.values()) reader.stop();
        return;
      }
      for (const lease of await claimMailboxes(db, READERS_MAX - readers.size)) start(lease);
    },
    pauseMs: CLAIM_MS,
    onError: (error) => logger.warn({ err: error.message }, "looking for mailboxes to read failed, retrying"),
  });
  const heartbeat = startLoop({
    work: async () => {
      const tokens = [...readers.keys()];
      const valid = await renewLeases(db, tokens);
      for (const token of tokens) if (!valid.has(token)) readers.get(token)?.stop();
    },
    pauseMs: HEARTBEAT_MS,
    onError: (error) => logger.warn({ err: error.message }, "renewing the leases of mailboxes failed, retrying"),
  });
  return {
    count: () => readers.size,
    async close() {
      await Promise.all([claims.close(), heartbeat.close()]);
      const open = [...readers.values()];
      for (const reader of open) reader.stop();
      await Promise.all(open.map(({ ended }) => ended));
    },
  };
}

const turnsOf = (concurrency: number, perKey: number) =>
  createFairQueue({
    concurrency,
    perKey,
    // Each reader waits for one mail at its front and for one behind it.
    waitingPerKeyMax: 2 * READERS_MAX,
    onFull: () => new Error("Too many mailboxes of this workspace wait for their turn."),
  });
