import { type Queryable, sql } from "../../db/database.ts";
import { timestampSql } from "../../db/timestamp-sql.ts";
import { bothTables } from "../../stats/delivery-stats.ts";

interface Outcomes {
  attempts: number;
  successes: number;
  /** Events that arrived, and events that will not be retried; each counts once, however many attempts it took. */
  delivered: number;
  failed: number;
}

interface WebhookDay extends Outcomes {
  webhook_id: number;
  uuid: string;
  name: string;
  is_active: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
  /** Events that have failed so far and will be tried again, at most RETRYING_MAX. */
  retrying: number;
  /** One per hour (UTC), oldest first; the last one is the current hour. */
  points: ({ at: string } & Outcomes)[];
  last_failure: { log_id: number; at: string; response_code: number; error_message: string | null } | null;
}

const HOURS = 24;
const WEBHOOKS_MAX = 1_000;
const RETRYING_MAX = 1_000;
const OUTCOMES = ["attempts", "successes", "delivered", "failed"];
const FIRST_HOUR = `date_trunc('hour', now(), 'UTC') - make_interval(hours => ${HOURS - 1})`;
const COUNTED = "webhook_id, hour, delivered, attempts, ended";
const IN_THE_DAY = `workspace_id = $1 and ($2::bigint is null or webhook_id = $2) and hour >= ${FIRST_HOUR}`;

// From the rollup: a busy day has millions of attempts. The last failure is found in the index of failures, and retries
// are the last in the order of the queue, after what was not tried yet.
const readStatement = sql(
  "webhook_health",
  `with step as (
     select generate_series(${FIRST_HOUR}, date_trunc('hour', now(), 'UTC'), make_interval(hours => 1)) as hour
   ),

   counted as (
     select webhook_id,
       hour,
       sum(attempts) as attempts,
       coalesce(sum(attempts) filter (where delivered), 0) as successes,
       coalesce(sum(ended) filter (where delivered), 0) as delivered,
       coalesce(sum(ended) filter (where not delivered), 0) as failed
     from (${bothTables(COUNTED, IN_THE_DAY)}) both_tables
     group by webhook_id, hour
   ),

   health as (
     select w.id,
       ${OUTCOMES.map((name) => `sum(coalesce(counted.${name}, 0))::bigint as ${name}`).join(",\n       ")},
       json_agg(
         json_build_object(
           'at', ${timestampSql("step.hour")},
           ${OUTCOMES.map((name) => `'${name}', coalesce(counted.${name}, 0)`).join(",\n           ")}
         )
         order by step.hour
       ) as points
     from webhooks w
     cross join step
     left join counted
       on counted.webhook_id = w.id
       and counted.hour = step.hour
     where w.workspace_id = $1
       and ($2::bigint is null or w.id = $2)
     group by w.id
   )

   select w.id as webhook_id,
     w.uuid,
     w.name,
     w.is_active,
     w.disabled_reason,
     lane.failing_since,
     ${OUTCOMES.map((name) => `health.${name}`).join(",\n     ")},
     health.points,
     (
       select count(*) filter (where waiting.attempts_made > 0)
       from (
         select delivery.attempts_made
         from deliveries delivery
         where delivery.webhook_id = w.id
           and delivery.next_attempt_at < 'infinity'
         order by delivery.next_attempt_at desc
         limit ${RETRYING_MAX}
       ) waiting
     ) as retrying,
     (
       select json_build_object(
         'log_id', attempt.id,
         'at', ${timestampSql("attempt.created_at")},
         'response_code', attempt.response_code,
         'error_message', attempt.error_message
       )
       from delivery_attempts attempt
       where attempt.workspace_id = $1
         and attempt.webhook_id = w.id
         and not attempt.delivered
         and attempt.created_at >= ${FIRST_HOUR}
         and health.attempts > health.successes
       order by attempt.id desc
       limit 1
     ) as last_failure
   from health
   join webhooks w
     on w.workspace_id = $1
     and w.id = health.id
   left join delivery_lanes lane
     on lane.workspace_id = w.workspace_id
     and lane.webhook_id = w.id
   order by w.id desc
   limit ${WEBHOOKS_MAX}`,
);

/** How the deliveries of each webhook went in the last 24 hours; of one webhook where one is named. */
export const readWebhookHealth = (
  db: Queryable,
  workspaceId: number,
  webhookId: number | null,
): Promise<WebhookDay[]> => db.query<WebhookDay>(readStatement, [workspaceId, webhookId]);
