import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import { type Database, sql } from "../db/database.ts";
import { JITTER } from "./retry-policy.ts";

const WATCH_MS = 2_000;
/** What the two clocks may drift apart within one turn without anybody having set one of them. */
const TOLERANCE_MS = 1_000;
/** A transaction that began before the step commits times from before it: no transaction lasts longer than this. */
const MEND_MS = 60_000;
const BATCH = 5_000;
/** The longest pause of an open breaker, in seconds (settle.ts). */
const BREAKER_SECONDS_MAX = 60;

const readClock = sql("clock_read", "select extract(epoch from clock_timestamp())::float8 * 1000 as ms");

// Nobody waits longer than the schedule says, so whatever is due later than that was written by a clock that was ahead.
// A longer wait that a destination asked for by Retry-After is cut short with the rest. It waits for no
// lock, so it cannot stand in anybody's way; lanes are locked in their order, as everywhere.
const mendDeliveries = sql(
  "clock_deliveries",
  `with late as (
     select d.workspace_id, d.id, wait.until
     from deliveries d cross join lateral (
       select now() + ($1::float8[])[1 + least(d.attempts_made, cardinality($1::float8[]) - 1)] * interval '1 second' as until) wait
     where d.next_attempt_at > wait.until
     limit ${BATCH} for update of d skip locked)
   update deliveries d set next_attempt_at = late.until
   from late where d.workspace_id = late.workspace_id and d.id = late.id returning 1`,
);
const mendLanes = sql(
  "clock_lanes",
  `with lane as (
     select workspace_id, webhook_id from delivery_lanes
     where open_until > now() + interval '${BREAKER_SECONDS_MAX} seconds'
     order by workspace_id, webhook_id for update)
   update delivery_lanes l set open_until = now() + interval '${BREAKER_SECONDS_MAX} seconds'
   from lane where l.workspace_id = lane.workspace_id and l.webhook_id = lane.webhook_id`,
);
// A worker that died before the step would seem to live until the clock has come there again.
const mendWorkers = sql("clock_workers", "update workers set heartbeat_at = now() where heartbeat_at > now()");

export interface ClockWatchOptions {
  db: Database;
  logger: Logger;
  /** Seconds before each retry. */
  schedule: readonly number[];
}

/**
 * Every time in the queue is the database's. When its clock is set back, what was due at once is due only when the clock
 * has come there again: an hour's stall for an hour's step. So each process compares the database's clock with its own
 * monotonic one, and after a step back brings what lies too far ahead within the schedule. Doing that twice is harmless.
 */
export function watchClock({ db, logger, schedule }: ClockWatchOptions): Loop {
  // By the number of attempts made: before the first there is nothing to wait for.
  const waits = [0, ...schedule.map((seconds) => seconds * (1 + JITTER))];
  let last: { databaseMs: number; gotAt: number } | null = null;
  let mendUntil = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const askedAt = performance.now();
    const [row] = await db.query<{ ms: number }>(readClock);
    const databaseMs = row?.ms ?? 0;
    // A slow answer makes the time between the two readings longer than this, never shorter.
    const backMs = last ? askedAt - last.gotAt - (databaseMs - last.databaseMs) : 0;
    last = { databaseMs, gotAt: performance.now() };
    if (backMs > TOLERANCE_MS) {
      logger.warn({ back_ms: Math.round(backMs) }, "the database's clock was set back; bringing deliveries forward");
      mendUntil = performance.now() + MEND_MS;
    }
    if (performance.now() < mendUntil) await mend();
  }

  async function mend(): Promise<void> {
    await db.query(mendWorkers);
    await db.query(mendLanes);
    while ((await db.query(mendDeliveries, [waits])).length === BATCH);
  }

  return startLoop({
    work: look,
    pauseMs: WATCH_MS,
    onError: ({ message }) => logger.warn({ err: message }, "reading the database's clock failed"),
  });
}
