import { type Queryable, queryOne, sql } from "../db/database.ts";
import { breakerStateSql } from "./lane-policy.ts";

/** The queue as a whole, over all workspaces. */
interface QueueTotals {
  /** Deliveries that are not finished, counted up to PENDING_MAX. */
  pending: number;
  /** Age of the oldest event with an unfinished delivery. */
  oldestPendingSeconds: number;
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
      coalesce(
        (
          select extract(epoch from now() - event.created_at)::float8
          from (
            select workspace_id, oldest.event_id
            from delivery_lanes
            cross join lateral (
              select event_id
              from deliveries
              where webhook_id = delivery_lanes.webhook_id
              order by event_id
              limit 1
            ) oldest
            order by oldest.event_id
            limit 1
          ) first
          join events event
            on event.workspace_id = first.workspace_id
            and event.id = first.event_id
        ),
        0
      ) as "oldestPendingSeconds",
      count(*) filter (where ${breakerStateSql("lane")} = 'open')::int as "breakersOpen",
      count(*) filter (where ${breakerStateSql("lane")} = 'half_open')::int as "breakersHalfOpen",
      count(lane.failing_since)::int as "webhooksFailing"
    from delivery_lanes lane`,
);

export const readQueueTotals = (db: Queryable): Promise<QueueTotals> => queryOne(db, readStatement);
