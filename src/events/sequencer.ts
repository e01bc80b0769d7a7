import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../core/logger.ts";
import { type Database, sql } from "../db/database.ts";

/**
 * Gives events their place in the public order, after their commit. An event whose transaction commits late gets a late
 * position instead of one that readers are already past; one sequencer at a time works in the whole installation, so
 * positions also become visible in their order.
 */
export interface Sequencer {
  /** Every event committed before the call has its position when it resolves. Readers ask before they read. */
  catchUp(): Promise<void>;
  /** A hint that events were appended; returns at once. */
  wake(): void;
  /** Calls back after positions were given by this process. */
  onPlaced(listener: () => void): void;
  close(): Promise<void>;
}

interface SequencerOptions {
  db: Database;
  logger: Logger;
  /** The safety net, for events of a process that died before it could wake anybody. */
  pollMs?: number;
}

const BATCH = 1_000;
// Between two runs in the background: with thousands of writers a run then moves dozens of events, not one.
const COALESCE_MS = 20;
const LOCK_TRIES = 50;
const LOCK_WAIT_MS = 5;

// The snapshot of a statement is older than the lock it takes: rows that the last holder moved meanwhile may still be
// seen here. The delete does not get them a second time, and only what it deleted is placed. They count as `seen`, so
// that a full batch is followed by another look. By ctid, because this table is empty one moment and full the next: a
// join would be planned for the one and run on the other.
const place = sql(
  "event_place",
  `with held as materialized (select pg_try_advisory_xact_lock(hashtext('parley.sequencer')) as mine),
   batch as materialized (
     select ctid from events_unsequenced where (select mine from held) order by event_id limit ${BATCH}),
   taken as (
     delete from events_unsequenced where ctid = any(array(select ctid from batch)) 
     returning workspace_id, event_id, type, conversation_id),
   placed as (
     insert into event_positions (workspace_id, position, event_id, type, conversation_id)
     select workspace_id, nextval('event_position_seq'), event_id, type, conversation_id
     from (select * from taken order by event_id) ordered
     returning 1)
   select (select mine from held) as mine, (select count(*) from batch) as seen, (select count(*) from placed) as placed`,
);

export function createSequencer({ db, logger, pollMs = 500 }: SequencerOptions): Sequencer {
  const listeners: (() => void)[] = [];
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let closed = false;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;

  async function placeAll(): Promise<void> {
    let triesLeft = LOCK_TRIES;
    for (;;) {
      const [row] = await db.query<{ mine: boolean; seen: number; placed: number }>(place);
      const { mine, seen, placed } = row as { mine: boolean; seen: number; placed: number };
      if (placed > 0) for (const listener of listeners) listener();
      if (mine && seen < BATCH) return;
      if (mine) continue;
      // Another process is at it, perhaps since before our event was committed: only a turn of our own tells.
      if (--triesLeft === 0) return;
      await sleep(LOCK_WAIT_MS);
    }
  }

  function start(): Promise<void> {
    running = placeAll().finally(() => {
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

  function schedule(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (closed || (timer && dueAt <= at)) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => void background(), delayMs).unref();
  }

  async function background(): Promise<void> {
    timer = undefined;
    try {
      await catchUp();
      failing = false;
    } catch (error) {
      if (!failing) logger.warn({ err: (error as Error).message }, "cannot put events in order; trying again");
      failing = true;
    }
    schedule(pollMs);
  }

  schedule(pollMs);
  return {
    catchUp,
    wake: () => schedule(COALESCE_MS),
    onPlaced: (listener) => listeners.push(listener),
    async close() {
      closed = true;
      clearTimeout(timer);
      await (next ?? running)?.catch(() => {});
    },
  };
}
