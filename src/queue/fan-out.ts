import type { FanOut } from "../events/outbox.ts";
import { orderKeySql } from "./order-key.ts";

/** Which lanes have new work; called after the commit. */
type OnQueued = (workspaceId: number, webhookIds: number[]) => void;

/**
 * A part of the outbox's statement: an event and its deliveries exist together or not at all. The webhooks are found
 * through `webhook_subscriptions`, so ten thousand that subscribe to other events cost nothing. `offset 0` leaves the
 * planner no other way than to look each of them up: in a table without statistics it read all webhooks for each.
 */
export const createFanOut = (onQueued: OnQueued): FanOut => ({
  sql: ({ event, subscriptions, isApiKeyEvent, apiKeyId }) => `
        insert into deliveries (workspace_id, webhook_id, event_id, order_key)
        select
          webhook.workspace_id,
          webhook.id,
          ${event}.id,
          ${orderKeySql("webhook", event)}
        from ${event}
        cross join lateral (
          select distinct subscription.webhook_id
          from webhook_subscriptions subscription
          where subscription.workspace_id = ${event}.workspace_id
            and subscription.event_name = any(${subscriptions}::text[])
        ) subscribed
        cross join lateral (
          select webhook.*
          from webhooks webhook
          where webhook.workspace_id = ${event}.workspace_id
            and webhook.id = subscribed.webhook_id
          offset 0
        ) webhook
        where webhook.is_active
          and (webhook.includes_api_key_events or not ${isApiKeyEvent}::boolean)
          and not (
            webhook.skip_own_events
            and ${apiKeyId}::bigint is not null
            and webhook.created_by_api_key_id = ${apiKeyId}::bigint
          )
        returning workspace_id, webhook_id`,
  onQueued,
});
