import { type Queryable, sql } from "../../db/database.ts";

/** How many webhooks an event goes to, and at how many of them it has arrived. */
interface EventOutcome {
  uuid: string;
  webhooks: number;
  delivered: number;
  pending: number;
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
     select event_id, webhook_id, bool_or(delivered) as delivered
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
     select event_id, webhook_id, delivered, false as pending from attempted
     union all
     select event_id, webhook_id, false, true from waiting
     union all
     select event_id, webhook_id, false, false from ended
   ),

   by_webhook as (
     select event_id, bool_or(delivered) as delivered, bool_or(pending) as pending
     from concerned
     group by event_id, webhook_id
   )

   select named.uuid,
     count(*)::int as webhooks,
     (count(*) filter (where by_webhook.delivered))::int as delivered,
     (count(*) filter (where by_webhook.pending and not by_webhook.delivered))::int as pending
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
