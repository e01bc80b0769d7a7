import type { Logger } from "../../core/logger.ts";
import { startLoop } from "../../core/loop.ts";
import type { InboundOptions } from "../inbound/ingest.ts";
import type { ConnectOptions } from "./connect.ts";
import { claimMailboxes, renewLeases } from "./lease.ts";
import { type Reader, startReader } from "./reader.ts";
import { createFetchTurns } from "./turns.ts";

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
/** Each reader waits for one mail at its front and for one behind it. */
const waitingPerWorkspaceMax = 2 * READERS_MAX;
const MAILS = { atOnce: 4, perWorkspace: 2, slowMs: 250, slowAtOnce: 64, allPerWorkspace: 16, waitingPerWorkspaceMax };
/** Large ones take turns of their own: small ones do not wait for them. */
const LARGE_MAILS = { ...MAILS, atOnce: 2, perWorkspace: 1, slowMs: 2_000, slowAtOnce: 4, allPerWorkspace: 1 };

/** Reads the mailboxes that no other process reads. Over all nodes each mailbox has one reader, by its lease. */
export function startReaders({ inbound, connect, mailBytesMax, logger, mayWrite }: ReadersOptions): Readers {
  const { db } = inbound;
  const readers = new Map<string, Reader>();
  const [inTurn, inLargeTurn] = [createFetchTurns(MAILS), createFetchTurns(LARGE_MAILS)];
  const options = { inbound, connect, mailBytesMax, logger, inTurn, inLargeTurn };

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
