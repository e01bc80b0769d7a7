import type { Logger } from "../../core/logger.ts";
import { type Loop, startLoop } from "../../core/loop.ts";
import { type Database, queryOne, sql } from "../../db/database.ts";
import { correctTimes } from "../../queue/clock-correction.ts";
import { JITTER } from "../attempts/retry-policy.ts";

const WATCH_MS = 2_000;
/** What the two clocks may drift apart within one turn without anybody having set one of them. */
const TOLERANCE_MS = 1_000;
/** What is done by the day is not done by the timers of this process when the database's clock skips days. */
const AHEAD_MS = 60_000;
/** A transaction that began before the step commits times from before it: no transaction lasts longer than this. */
const CORRECT_FOR_MS = 60_000;

const readClock = sql("clock_read", "select extract(epoch from clock_timestamp())::float8 * 1000 as ms");

interface ClockWatchOptions {
  db: Database;
  logger: Logger;
  /** Seconds before each retry. */
  schedule: readonly number[];
  /** The database's clock was set ahead, or the machine was suspended. */
  onAhead?: () => void;
}

/**
 * Every time in the queue is the database's. When its clock is set back by an hour, deliveries that were due would stall
 * for an hour. So each process compares the database's clock with its own monotonic one, and after a step back moves
 * deliveries that are too far in the future back within the schedule. Doing that twice is harmless.
 */
export function watchClock({ db, logger, schedule, onAhead }: ClockWatchOptions): Loop {
  // By the number of attempts made: before the first there is nothing to wait for.
  const waits = [0, ...schedule.map((seconds) => seconds * (1 + JITTER))];
  let last: { databaseMs: number; askedAt: number; gotAt: number } | null = null;
  let correctUntil = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const askedAt = performance.now();
    const { ms: databaseMs } = await queryOne<{ ms: number }>(db, readClock);
    // A slow response makes the time between the two readings longer than this, never shorter.
    const backMs = last ? askedAt - last.gotAt - (databaseMs - last.databaseMs) : 0;
    const gotAt = performance.now();
    const aheadMs = last ? databaseMs - last.databaseMs - (gotAt - last.askedAt) : 0;
    last = { databaseMs, askedAt, gotAt };
    if (aheadMs > AHEAD_MS) {
      logger.warn({ ahead_ms: Math.round(aheadMs) }, "the database's clock was set ahead; housekeeping runs now");
      onAhead?.();
    }
    if (backMs > TOLERANCE_MS) {
      logger.warn({ back_ms: Math.round(backMs) }, "the database's clock was set back; bringing deliveries forward");
      correctUntil = performance.now() + CORRECT_FOR_MS;
    }
    if (performance.now() < correctUntil) await correctTimes(db, waits);
  }

  return startLoop({
    work: look,
    pauseMs: WATCH_MS,
    onError: ({ message }) => logger.warn({ err: message }, "reading the database's clock failed, retrying"),
  });
}
