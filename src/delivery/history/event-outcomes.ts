import { type Queryable, sql } from "../../db/database.ts";

/** How many webhooks an event goes to, and at how many of them it has arrived. */
interface EventOutcome {
  uuid: string;
  webhooks: number;
  delivered: number;
  pending: number;
  /** Of the others, those whose webhook was disabled or deleted while an attempt was to come. */
  canceled: number;
}

const readStatement = sql(
  "event_outcomes",
  `with named as materialized (
     select id, uuid, created_at
     from events
     where workspace_id = $1
       and uuid = any($2::uuid[])
   ),

   attempted as (
     select event_id,
       webhook_id,
       bool_or(delivered) as delivered,
       (array_agg(next_attempt_at order by id desc))[1] is null as ended
     from delivery_attempts
     where workspace_id = $1
       and event_id = any(array(select id from named))
       and created_at >= (select min(created_at) from named)
     group by event_id, webhook_id
   ),

   waiting as (
     select event_id, webhook_id
     from deliveries
     where workspace_id = $1
       and webhook_id = any(array(select id from webhooks where workspace_id = $1))
       and event_id = any(array(select id from named))
   ),

   ended as (
     select event_id, webhook_id
     from dead_letters
     where workspace_id = $1
       and event_id = any(array(select id from named))
   ),

   concerned as (
     select event_id, webhook_id, delivered, false as pending, ended from attempted
     union all
     select event_id, webhook_id, false, true, false from waiting
     union all
     select event_id, webhook_id, false, false, false from ended
   ),

   by_webhook as (
     select event_id,
       bool_or(delivered) as delivered,
       bool_or(pending) as pending,
       bool_or(ended) as ended
     from concerned
     group by event_id, webhook_id
   )

   select named.uuid,
     count(*)::int as webhooks,
     (count(*) filter (where by_webhook.delivered))::int as delivered,
     (count(*) filter (where by_webhook.pending and not by_webhook.delivered))::int as pending,
     (count(*) filter (
       where not by_webhook.delivered
         and not by_webhook.pending
         and not by_webhook.ended
     ))::int as canceled
   from named
   join by_webhook on by_webhook.event_id = named.id
   group by named.uuid`,
);

/** Of those events that any webhook subscribes to. */
export const readEventOutcomes = (
  db: Queryable,
  workspaceId: number,
  uuids: readonly string[],
): Promise<EventOutcome[]> => db.query<EventOutcome>(readStatement, [workspaceId, uuids]);
