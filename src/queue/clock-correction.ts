import { type Database, sql } from "../db/database.ts";
import { BREAKER_PAUSE_SECONDS_MAX } from "./lane-policy.ts";

const BATCH = 5_000;

// No delivery waits longer than the schedule says, so one that is due later than that was written by a clock that was ahead.
// A longer wait that a destination asked for by Retry-After is cut short with the rest. Locked rows are skipped.
const correctDeliveries = sql(
  "clock_deliveries",
  `with late as (
      select delivery.workspace_id, delivery.id, wait.until
      from deliveries delivery
      cross join lateral (
        select now() + interval '1 second' * (
          ($1::float8[])[1 + least(delivery.attempts_made, cardinality($1::float8[]) - 1)]
        ) as until
      ) wait
      where delivery.next_attempt_at > wait.until
        and delivery.next_attempt_at < 'infinity'
      limit ${BATCH}
      for update of delivery skip locked
    )

    update deliveries delivery
    set next_attempt_at = late.until
    from late
    where delivery.workspace_id = late.workspace_id
      and delivery.id = late.id
    returning 1`,
);

const correctLanes = sql(
  "clock_lanes",
  `with late as (
      select workspace_id, webhook_id
      from delivery_lanes
      where breaker_open_until > now() + interval '${BREAKER_PAUSE_SECONDS_MAX} seconds'
      order by workspace_id, webhook_id
      for update
    )

    update delivery_lanes lane
    set breaker_open_until = now() + interval '${BREAKER_PAUSE_SECONDS_MAX} seconds'
    from late
    where lane.workspace_id = late.workspace_id
      and lane.webhook_id = late.webhook_id`,
);

// The lease of a worker that crashed before the clock was set back would not expire until it has caught up.
const correctWorkers = sql(
  "clock_workers",
  `update workers
    set heartbeat_at = now()
    where heartbeat_at > now()`,
);

/**
 * After the database's clock was set back: moves deliveries that are too far in the future back within the schedule.
 * `waits` are the longest waits in seconds, by the number of attempts made. Doing it twice is harmless.
 */
export async function correctTimes(db: Database, waits: readonly number[]): Promise<void> {
  await db.query(correctWorkers);
  await db.query(correctLanes);
  while ((await db.query(correctDeliveries, [waits])).length === BATCH);
}
