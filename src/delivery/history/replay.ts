import type { Caller } from "../../core/caller.ts";
import { conflict, forbidden, notFound } from "../../core/errors.ts";
import type { Ref } from "../../core/ids.ts";
import { sql, type Tx } from "../../db/database.ts";
import { isApiKeyEvent } from "../../events/catalogue.ts";
import { countMissed, enqueueMissed, enqueueOne } from "../../queue/enqueue.ts";
import { mayReadApiKeyEvents, subscribedTypes } from "../../webhooks/subscriptions.ts";
import { logIdOf } from "./log-uuid.ts";
import { NO_EVENT } from "./test-send.ts";

const findAttempt = sql(
  "redeliver_find",
  `select attempt.event_id, attempt.event_type, event.id is not null as kept
    from delivery_attempts attempt
    left join events event
      on event.workspace_id = attempt.workspace_id
      and event.id = attempt.event_id
    where attempt.workspace_id = $1
      and attempt.webhook_id = $2
      and attempt.id = $3`,
);

interface FoundAttempt {
  event_id: number;
  event_type: string;
  kept: boolean;
}

/** Sends the event of a logged attempt again, with its retries. Returns the delivery's id. */
export async function redeliver(
  tx: Tx,
  caller: Caller,
  { webhookId, log }: { webhookId: number; log: Ref },
): Promise<number> {
  const { workspaceId } = caller;
  const logId = log.id ?? logIdOf(log.uuid);
  const [found] = logId === null ? [] : await tx.query<FoundAttempt>(findAttempt, [workspaceId, webhookId, logId]);
  if (!found) throw notFound("delivery log");
  if (isApiKeyEvent(found.event_type) && !mayReadApiKeyEvents(caller))
    throw forbidden("Sending api_key events again also requires the scope api-keys:manage.");
  if (found.event_id === NO_EVENT) throw conflict("A test with example data cannot be sent again; send another test.");
  const deliveryId = found.kept ? await enqueueOne(tx, { workspaceId, webhookId, eventId: found.event_id }) : null;
  if (deliveryId !== null) return deliveryId;
  const [webhook] = await tx.query(readSubscription, [workspaceId, webhookId]);
  if (!webhook) throw notFound("webhook");
  throw conflict("The event is past its retention and can no longer be sent.");
}

const readSubscription = sql(
  "recover_subscription",
  `select events, includes_api_key_events as "includesApiKeyEvents"
    from webhooks
    where workspace_id = $1
      and id = $2`,
);

interface Recovery {
  webhookId: number;
  since: Date;
  /** Only count them. */
  dryRun: boolean;
}

/** Queues every event that the webhook missed since then. Returns how many. */
export async function recover(tx: Tx, caller: Caller, { webhookId, since, dryRun }: Recovery): Promise<number> {
  const { workspaceId } = caller;
  const [webhook] = await tx.query<{ events: string[]; includesApiKeyEvents: boolean }>(readSubscription, [
    workspaceId,
    webhookId,
  ]);
  if (!webhook) throw notFound("webhook");
  const types = subscribedTypes(webhook.events, webhook);
  const missed = { workspaceId, webhookId, since, types, includeApiKeyEvents: mayReadApiKeyEvents(caller) };
  return dryRun ? countMissed(tx, missed) : enqueueMissed(tx, missed);
}
