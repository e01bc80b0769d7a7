import { conflict, forbidden, notFound } from "../core/errors.ts";
import type { Ref } from "../core/ids.ts";
import { sql, type Tx } from "../db/database.ts";
import { heardTypes } from "../webhooks/subscriptions.ts";
import { logIdOf } from "./log-uuid.ts";

const findAttempt = sql(
  "redeliver_find",
  `select a.event_id, a.event_type, e.id is not null as kept
   from delivery_attempts a left join events e on e.workspace_id = a.workspace_id and e.id = a.event_id
   where a.workspace_id = $1 and a.webhook_id = $2 and a.id = $3`,
);
// A delivery that is still waiting is brought forward instead of doubled; one under way stays as it is.
const queueAgain = sql(
  "redeliver_queue",
  `insert into deliveries as d (workspace_id, webhook_id, event_id) values ($1, $2, $3)
   on conflict (webhook_id, event_id) do update
     set next_attempt_at = case when d.worker_id is null then now() else d.next_attempt_at end
   returning id`,
);

/** Sends the event of a logged attempt once more, with its retries. Returns the delivery's id. */
export async function redeliver(
  tx: Tx,
  workspaceId: number,
  webhookId: number,
  log: Ref,
  mayHearApiKeys: boolean,
): Promise<number> {
  const logId = log.id ?? logIdOf(log.uuid);
  const [row] =
    logId === null
      ? []
      : await tx.query<{ event_id: number; event_type: string; kept: boolean }>(findAttempt, [
          workspaceId,
          webhookId,
          logId,
        ]);
  if (!row) throw notFound("delivery log");
  if (row.event_type.startsWith("api_key.") && !mayHearApiKeys)
    throw forbidden("Sending api_key events again also asks for the scope api-keys:manage.");
  if (!row.kept) throw conflict("The event is past its retention and can no longer be sent.");
  const [queued] = await tx.query<{ id: number }>(queueAgain, [workspaceId, webhookId, row.event_id]);
  return (queued as { id: number }).id;
}

// Missed: an event since then that this webhook hears (or heard once, and failed), that was never delivered to it and is
// not waiting to be. Events from before the webhook existed were never meant for it. What was delivered is in the log, no
// earlier than the event itself.
const MISSED = `from events e join webhooks w on w.workspace_id = e.workspace_id and w.id = $2
  where e.workspace_id = $1 and e.created_at >= greatest($3::timestamptz, w.created_at)
    and ((e.type = any($4::text[]) and not (w.skip_own_events and e.api_key_id is not null and e.api_key_id = w.created_by_api_key_id))
      or exists (select from deliveries_given_up g
        where g.workspace_id = e.workspace_id and g.webhook_id = w.id and g.event_id = e.id))
    and e.type <> 'webhook.test' and ($5::boolean or not starts_with(e.type, 'api_key.'))
    and not exists (select from delivery_attempts a
      where a.workspace_id = $1 and a.webhook_id = $2 and a.event_id = e.id and a.delivered
        and a.created_at >= $3::timestamptz)
    and not exists (select from deliveries d
      where d.workspace_id = $1 and d.webhook_id = $2 and d.event_id = e.id)`;

// The log has no index by event: read once and hashed it costs one pass, read again for each event it would never end.
const planWithoutLoops = sql("recover_plan", "select set_config('enable_nestloop', 'off', true)");

const readSubscription = sql(
  "recover_subscription",
  "select events, hears_api_keys from webhooks where workspace_id = $1 and id = $2",
);
const countMissed = sql("recover_count", `select count(*) as missed ${MISSED}`);
const queueMissed = sql(
  "recover_queue",
  `with queued as (
     insert into deliveries (workspace_id, webhook_id, event_id) select e.workspace_id, w.id, e.id ${MISSED}
     order by e.id on conflict do nothing returning 1)
   select count(*) as missed from queued`,
);

/** Queues every event that the webhook missed since then; a dry run only counts them. */
export async function recover(
  tx: Tx,
  workspaceId: number,
  webhookId: number,
  since: Date,
  dryRun: boolean,
  mayHearApiKeys: boolean,
): Promise<number> {
  const [webhook] = await tx.query<{ events: string[]; hears_api_keys: boolean }>(readSubscription, [
    workspaceId,
    webhookId,
  ]);
  if (!webhook) throw notFound("webhook");
  await tx.query(planWithoutLoops);
  const types = heardTypes(webhook.events, webhook.hears_api_keys);
  const [row] = await tx.query<{ missed: number }>(dryRun ? countMissed : queueMissed, [
    workspaceId,
    webhookId,
    since,
    types,
    mayHearApiKeys,
  ]);
  return row?.missed ?? 0;
}
