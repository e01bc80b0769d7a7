import { type Queryable, queryOne, sql, type Tx } from "../db/database.ts";
import { isApiKeyEventSql } from "../events/catalogue.ts";
import { matchesSql } from "../events/payload-filter.ts";
import { orderKeySql } from "./order-key.ts";

// A delivery that is still waiting is brought forward instead of duplicated; one in flight stays as it is.
const enqueueAgain = sql(
  "delivery_enqueue_again",
  `insert into deliveries as delivery (workspace_id, webhook_id, event_id, order_key)
    select
      webhook.workspace_id,
      webhook.id,
      event.id,
      ${orderKeySql("webhook", "event")}
    from webhooks webhook
    join events event
      on event.workspace_id = webhook.workspace_id
      and event.id = $3
    where webhook.workspace_id = $1
      and webhook.id = $2
    on conflict (webhook_id, event_id) do update
      set next_attempt_at = case
        when delivery.worker_id is null then now()
        else delivery.next_attempt_at
      end
    returning id`,
);

/** Sends an event to a webhook again. Returns the delivery's id; null: one of them has been deleted meanwhile. */
export async function enqueueOne(
  tx: Tx,
  { workspaceId, webhookId, eventId }: { workspaceId: number; webhookId: number; eventId: number },
): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(enqueueAgain, [workspaceId, webhookId, eventId]);
  return row?.id ?? null;
}

// Missed: an event since then that this webhook is subscribed to (or was once, and failed), that was never delivered to
// it and is not waiting to be. Events from before the webhook existed, and those that
// its filter leaves out, are not meant for it. What was delivered is in
// the log, no earlier than the event itself.
const MISSED = `
    from events event
    join webhooks webhook
      on webhook.workspace_id = event.workspace_id
      and webhook.id = $2
    where event.workspace_id = $1
      and event.created_at >= greatest($3::timestamptz, webhook.created_at)
      and event.type <> 'webhook.test'
      and ($5::boolean or not ${isApiKeyEventSql("event.type")})
      and (
        (
          event.type = any($4::text[])
          and not (
            webhook.skip_own_events
            and event.api_key_id is not null
            and event.api_key_id = webhook.created_by_api_key_id
          )
        )
        or exists (
          select
          from dead_letters letter
          where letter.workspace_id = event.workspace_id
            and letter.webhook_id = webhook.id
            and letter.event_id = event.id
        )
      )
      and not exists (
        select
        from delivery_attempts attempt
        where attempt.workspace_id = $1
          and attempt.webhook_id = $2
          and attempt.event_id = event.id
          and attempt.delivered
          and attempt.created_at >= $3::timestamptz
      )
      and not exists (
        select
        from deliveries delivery
        where delivery.workspace_id = $1
          and delivery.webhook_id = $2
          and delivery.event_id = event.id
      )
      and (webhook.filter_path is null or ${matchesSql("event.payload", "webhook.filter_path")})`;

// The log's only index by event is coarse (BRIN): reading the log once and hashing it is faster than a lookup per event.
const planWithoutLoops = sql("missed_plan", "select set_config('enable_nestloop', 'off', true)");

const countStatement = sql("missed_count", `select count(*) as events ${MISSED}`);

const enqueueMissedStatement = sql(
  "missed_enqueue",
  `with queued as (
      insert into deliveries (workspace_id, webhook_id, event_id, order_key)
      select
        event.workspace_id,
        webhook.id,
        event.id,
        ${orderKeySql("webhook", "event")}
      ${MISSED}
      order by event.id
      on conflict do nothing
      returning 1
    )

    select count(*) as events
    from queued`,
);

interface Missed {
  workspaceId: number;
  webhookId: number;
  since: Date;
  /** The event types that the webhook is subscribed to. */
  types: readonly string[];
  includeApiKeyEvents: boolean;
}

/** How many events the webhook missed since then. */
export const countMissed = (tx: Tx, missed: Missed): Promise<number> => runMissed(tx, countStatement, missed);

/** Queues every event that the webhook missed since then. Returns how many. */
export const enqueueMissed = (tx: Tx, missed: Missed): Promise<number> => runMissed(tx, enqueueMissedStatement, missed);

async function runMissed(db: Queryable, statement: typeof countStatement, missed: Missed): Promise<number> {
  await db.query(planWithoutLoops);
  const { workspaceId, webhookId, since, types, includeApiKeyEvents } = missed;
  const values = [workspaceId, webhookId, since, types, includeApiKeyEvents];
  return (await queryOne<{ events: number }>(db, statement, values)).events;
}
