import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import { type Database, queryOne, sql } from "../db/database.ts";

/**
 * Assigns events their positions in the public order, after their commit. An event whose transaction commits late gets a
 * late position instead of one that readers are already past; one sequencer at a time works in the whole installation, so
 * positions also become visible in their order.
 */
export interface Sequencer {
  /**
   * Every event committed before the call has its position when it resolves; readers call it before they read. If other
   * processes hold the lock for all of LOCK_TRIES, it resolves without: those events then follow with the next run.
   */
  catchUp(): Promise<void>;
  /** Events were appended: runs soon, and returns at once. */
  wake(): void;
  /** Calls back after this process has assigned positions. */
  onSequenced(listener: () => void): void;
  close(): Promise<void>;
}

interface SequencerOptions {
  db: Database;
  logger: Logger;
  /** For events of a process that crashed before it could wake a sequencer. */
  pollMs?: number;
}

const BATCH = 1_000;
// Between two runs in the background: with thousands of writers a run then moves dozens of events, not one.
const COALESCE_MS = 20;
const LOCK_TRIES = 50;
const LOCK_WAIT_MS = 5;

// The snapshot of a statement is older than the lock it takes: rows that the last holder moved meanwhile may still be
// seen here. The delete does not get them a second time, and only what it deleted gets a position. They count as `seen`, so
// that a full batch is followed by another look. By ctid, because this table is empty one moment and full the next: a
// join would be planned for the one and run on the other.
const sequenceStatement = sql(
  "event_sequence",
  `with lock as materialized (
     select pg_try_advisory_xact_lock(hashtext('parley.sequencer')) as held
   ),

   batch as materialized (
     select ctid
     from events_unsequenced
     where (select held from lock)
     order by event_id
     limit ${BATCH}
   ),

   taken as (
     delete from events_unsequenced
     where ctid = any(array(select ctid from batch))
     returning workspace_id, event_id, type, conversation_id
   ),

   sequenced as (
     insert into event_positions (workspace_id, position, event_id, type, conversation_id)
     select workspace_id, nextval('event_position_seq'), event_id, type, conversation_id
     from (select * from taken order by event_id) ordered
     returning 1
   )

   select
     (select held from lock) as held,
     (select count(*) from batch) as seen,
     (select count(*) from sequenced) as sequenced`,
);

const ANY_WAITING = "exists (select from events_unsequenced)";

interface RunRow {
  /** Whether this run had the lock. */
  held: boolean;
  seen: number;
  sequenced: number;
}

export function createSequencer({ db, logger, pollMs = 500 }: SequencerOptions): Sequencer {
  const listeners: (() => void)[] = [];
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let coalescing: NodeJS.Timeout | undefined;
  let isWoken = false;

  async function sequenceAll(): Promise<void> {
    let triesLeft = LOCK_TRIES;
    for (;;) {
      const { held, seen, sequenced } = await queryOne<RunRow>(db, sequenceStatement);
      if (sequenced > 0) for (const listener of listeners) listener();
      if (held && seen < BATCH) return;
      if (held) continue;
      // Another process has the lock, perhaps since before our event was committed: only a run of our own is certain.
      if (--triesLeft === 0) return;
      await sleep(LOCK_WAIT_MS);
    }
  }

  function start(): Promise<void> {
    running = sequenceAll().finally(() => {
      running = null;
    });
    return running;
  }

  /** A run in progress may have looked before the caller's event was there; all who come during it share the next one. */
  function catchUp(): Promise<void> {
    if (!running) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return start();
      });
    return next;
  }

  const loop = startLoop({
    async work() {
      const mustRun = isWoken;
      isWoken = false;
      if (mustRun || (await db.isDue(ANY_WAITING))) await catchUp();
    },
    pauseMs: pollMs,
    onError: (error) => logger.warn({ err: error.message }, "assigning positions to events failed, retrying"),
  });

  return {
    catchUp,
    wake() {
      isWoken = true;
      coalescing ??= setTimeout(() => {
        coalescing = undefined;
        loop.now();
      }, COALESCE_MS).unref();
    },
    onSequenced: (listener) => listeners.push(listener),
    async close() {
      clearTimeout(coalescing);
      await loop.close();
      await (next ?? running)?.catch(() => {});
    },
  };
}
