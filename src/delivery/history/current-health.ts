import { type Queryable, queryOne, sql } from "../../db/database.ts";
import { timestampSql } from "../../db/timestamp-sql.ts";
import type { Lane } from "../../queue/lane.ts";
import { breakerIsOpenSql, breakerStateSql } from "../../queue/lane-policy.ts";
import type { WebhookHealth } from "../../resources/webhook.ts";

/** Deliveries are counted up to here: a backlog beyond it is shown as this many. */
const PENDING_MAX = 10_000;

// Attempts are counted from the primary key alone, and failures have an index of their own: no log row is read but those
// of failures.
const readStatement = sql(
  "webhook_current_health",
  `select
      (
        select count(*)::int
        from (
          select
          from deliveries delivery
          where delivery.webhook_id = lane.webhook_id
          limit ${PENDING_MAX}
        ) pending
      ) as pending,
      (
        select ${timestampSql("event.created_at")}
        from deliveries delivery
        join events event
          on event.workspace_id = delivery.workspace_id
          and event.id = delivery.event_id
        where delivery.webhook_id = lane.webhook_id
        order by delivery.event_id
        limit 1
      ) as oldest_pending_at,
      ${breakerStateSql("lane")} as breaker,
      case
        when ${breakerIsOpenSql("lane")} then ${timestampSql("lane.breaker_open_until")}
      end as breaker_until,
      ${timestampSql("lane.failing_since")} as failing_since,
      logged.attempts as attempts_24h,
      logged.attempts - logged.failed as delivered_24h,
      logged.failed as failed_24h
    from delivery_lanes lane
    cross join lateral (
      select
        (
          select count(*)
          from delivery_attempts attempt
          where attempt.workspace_id = lane.workspace_id
            and attempt.webhook_id = lane.webhook_id
            and attempt.created_at > now() - interval '24 hours'
        ) as attempts,
        (
          select count(*)
          from delivery_attempts attempt
          where attempt.workspace_id = lane.workspace_id
            and attempt.webhook_id = lane.webhook_id
            and not attempt.delivered
            and attempt.created_at > now() - interval '24 hours'
        ) as failed
    ) logged
    where lane.workspace_id = $1
      and lane.webhook_id = $2`,
);

/** How a webhook is doing now, and how its attempts went in the last 24 hours. */
export const readCurrentHealth = (db: Queryable, { workspaceId, webhookId }: Lane): Promise<WebhookHealth> =>
  queryOne(db, readStatement, [workspaceId, webhookId]);
