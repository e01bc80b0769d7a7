import { type Queryable, sql } from "../db/database.ts";
import { BREAKER_THRESHOLD } from "./lane-policy.ts";

/** The queue as a whole, over all workspaces. */
interface QueueTotals {
  /** Deliveries that are not finished, counted up to PENDING_MAX. */
  pending: number;
  breakersOpen: number;
  breakersHalfOpen: number;
  /** Webhooks whose attempts have done nothing but fail since some time. */
  webhooksFailing: number;
}

const PENDING_MAX = 100_000;

const readStatement = sql(
  "queue_totals",
  `select
      (
        select count(*)::int
        from (
          select
          from deliveries
          limit ${PENDING_MAX}
        ) counted
      ) as "pending",
      count(*) filter (where breaker_open_until > now())::int as "breakersOpen",
      count(*) filter (
        where unanswered_failures >= ${BREAKER_THRESHOLD}
          and (breaker_open_until is null or breaker_open_until <= now())
      )::int as "breakersHalfOpen",
      count(failing_since)::int as "webhooksFailing"
    from delivery_lanes`,
);

export async function readQueueTotals(db: Queryable): Promise<QueueTotals> {
  const [totals] = await db.query<QueueTotals>(readStatement);
  return totals as QueueTotals;
}
