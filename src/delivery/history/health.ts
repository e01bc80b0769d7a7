import { type Queryable, sql } from "../../db/database.ts";
import { timestampSql } from "../../db/timestamp-sql.ts";

interface WebhookHealth {
  webhook_id: number;
  uuid: string;
  name: string;
  is_active: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
  attempts: number;
  successes: number;
  /** One an hour (UTC), oldest first; the last one is the current hour. */
  points: { at: string; attempts: number; successes: number }[];
  last_failure: { log_id: number; at: string; response_code: number; error_message: string | null } | null;
}

const HOURS = 24;
const WEBHOOKS_MAX = 1_000;

// One pass over the workspace's attempts of the last day, which lie in at most two partitions. The last failure comes
// out of the same pass: looking for it by itself would read all of a healthy webhook's log.
const readStatement = sql(
  "webhook_health",
  `with step as (
     select generate_series(date_trunc('hour', now(), 'UTC') - make_interval(hours => ${HOURS - 1}),
                            date_trunc('hour', now(), 'UTC'), make_interval(hours => 1)) as hour),
   count as (
     select webhook_id, date_trunc('hour', created_at, 'UTC') as hour, count(*) as attempts,
            count(*) filter (where delivered) as successes, max(id) filter (where not delivered) as last_failure
     from delivery_attempts
     where workspace_id = $1 and ($2::bigint is null or webhook_id = $2)
       and created_at >= date_trunc('hour', now(), 'UTC') - make_interval(hours => ${HOURS - 1})
     group by 1, 2),
   health as (
     select w.id, sum(coalesce(count.attempts, 0))::bigint as attempts, sum(coalesce(count.successes, 0))::bigint as successes,
            max(count.last_failure) as last_failure,
            json_agg(json_build_object('at', ${timestampSql("step.hour")}, 'attempts', coalesce(count.attempts, 0),
                                       'successes', coalesce(count.successes, 0)) order by step.hour) as points
     from webhooks w cross join step left join count on count.webhook_id = w.id and count.hour = step.hour
     where w.workspace_id = $1 and ($2::bigint is null or w.id = $2)
     group by w.id)
   select w.id as webhook_id, w.uuid, w.name, w.is_active, w.disabled_reason, l.failing_since,
          h.attempts, h.successes, h.points,
          (select json_build_object('log_id', a.id, 'at', ${timestampSql("a.created_at")}, 'response_code', a.response_code,
                                    'error_message', a.error_message)
           from delivery_attempts a where a.workspace_id = $1 and a.webhook_id = w.id and a.id = h.last_failure) as last_failure
   from health h
   join webhooks w on w.workspace_id = $1 and w.id = h.id
   left join delivery_lanes l on l.workspace_id = w.workspace_id and l.webhook_id = w.id
   order by w.id desc limit ${WEBHOOKS_MAX}`,
);

/** How the deliveries of each webhook went in the last 24 hours; of one webhook where one is named. */
export const readWebhookHealth = (
  db: Queryable,
  workspaceId: number,
  webhookId: number | null,
): Promise<WebhookHealth[]> => db.query<WebhookHealth>(readStatement, [workspaceId, webhookId]);
