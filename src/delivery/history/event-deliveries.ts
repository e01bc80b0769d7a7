import { type Queryable, sql } from "../../db/database.ts";
import { timestampSql } from "../../db/timestamp-sql.ts";

export const EVENT_DELIVERY_STATES = ["pending", "delivered", "failed", "canceled"] as const;

/** How an event fared with one webhook. */
export interface EventDelivery {
  webhook_id: number;
  /** Null: the webhook has been deleted. */
  webhook_name: string | null;
  status: (typeof EVENT_DELIVERY_STATES)[number];
  attempts: number;
  last_attempt_at: string | null;
  last_response_code: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  log: EventAttempt[];
}

/** One attempt; its `id` is that of the delivery log. */
interface EventAttempt {
  id: number;
  attempt: number;
  status: "success" | "failed";
  response_code: number;
  response_time_ms: number;
  error_message: string | null;
  created_at: string;
}

/** Attempts shown per webhook, newest first: more come only from redelivering over and over. */
const ATTEMPTS_MAX = 50;

// What ended with an attempt to come, a first one or a retry, was canceled: its webhook was disabled or deleted.
// An event is no older than its attempts, so older partitions are not looked at. Unfinished deliveries are found through
// the webhooks: their table has no index by event, which every delivery would have to pay for.
const readStatement = sql(
  "event_deliveries",
  `with logged as materialized (
     select a.id,
       a.webhook_id,
       a.attempt,
       a.delivered,
       a.response_code,
       a.response_time_ms,
       a.error_message,
       a.created_at,
       a.next_attempt_at,
       row_number() over (partition by a.webhook_id order by a.id desc) as newest
     from delivery_attempts a
     where a.workspace_id = $1
       and a.event_id = $2
       and a.created_at >= $3::timestamptz
   ),

   attempted as (
     select a.webhook_id,
       count(*)::int as attempts,
       bool_or(a.delivered) as delivered,
       max(a.created_at) as last_attempt_at,
       (array_agg(a.response_code order by a.id desc))[1] as last_response_code,
       (array_agg(a.error_message order by a.id desc))[1] as last_error,
       (array_agg(a.next_attempt_at order by a.id desc))[1] is not null as retry_was_due,
       json_agg(
         json_build_object(
           'id', a.id,
           'attempt', a.attempt,
           'status', case when a.delivered then 'success' else 'failed' end,
           'response_code', a.response_code,
           'response_time_ms', a.response_time_ms,
           'error_message', a.error_message,
           'created_at', ${timestampSql("a.created_at")}
         )
         order by a.id desc
       ) filter (where a.newest <= ${ATTEMPTS_MAX}) as log
     from logged a
     group by a.webhook_id
   ),

   waiting as (
     select d.webhook_id, nullif(d.next_attempt_at, 'infinity') as next_attempt_at
     from deliveries d
     where d.workspace_id = $1
       and d.webhook_id = any(array(select id from webhooks where workspace_id = $1))
       and d.event_id = $2
   ),

   ended as (
     select webhook_id
     from dead_letters
     where workspace_id = $1
       and event_id = $2
   )

   select concerned.webhook_id,
     w.name as webhook_name,
     case
       when attempted.delivered then 'delivered'
       when waiting.webhook_id is not null then 'pending'
       when coalesce(attempted.retry_was_due, true) then 'canceled'
       else 'failed'
     end as status,
     coalesce(attempted.attempts, 0) as attempts,
     attempted.last_attempt_at,
     attempted.last_response_code,
     attempted.last_error,
     case when not coalesce(attempted.delivered, false) then waiting.next_attempt_at end as next_attempt_at,
     coalesce(attempted.log, '[]') as log
   from (
     select webhook_id from attempted
     union
     select webhook_id from waiting
     union
     select webhook_id from ended) concerned
   left join attempted on attempted.webhook_id = concerned.webhook_id
   left join waiting on waiting.webhook_id = concerned.webhook_id
   left join webhooks w on w.workspace_id = $1 and w.id = concerned.webhook_id
   order by concerned.webhook_id`,
);

export const readEventDeliveries = (
  db: Queryable,
  workspaceId: number,
  event: { id: number; created_at: string },
): Promise<EventDelivery[]> => db.query<EventDelivery>(readStatement, [workspaceId, event.id, event.created_at]);
