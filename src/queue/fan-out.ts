import type { FanOut } from "../events/outbox.ts";
import { orderKeySql } from "./order-key.ts";

/** Which lanes have new work; called after the commit. */
type OnQueued = (workspaceId: number, webhookIds: number[]) => void;

/**
 * A part of the outbox's statement: an event and its deliveries exist together or not at all. The webhooks are found
 * through `webhook_subscriptions`, so ten thousand that subscribe to other events cost nothing.
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
        join webhooks webhook
          on webhook.workspace_id = ${event}.workspace_id
          and webhook.id = subscribed.webhook_id
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
