import type { FanOut } from "../events/outbox.ts";

/** Which lanes have new work: told after the commit. */
export type OnQueued = (workspaceId: number, webhookIds: number[]) => void;

/** A part of the outbox's statement: an event and its deliveries exist together or not at all. */
export const createFanOut = (onQueued: OnQueued): FanOut => ({
  sql: ({ event, subscriptions, aboutKeys, apiKeyId }) => `
    insert into deliveries (workspace_id, webhook_id, event_id)
    select w.workspace_id, w.id, ${event}.id from ${event} join webhooks w on w.workspace_id = ${event}.workspace_id
    where w.is_active and w.events && ${subscriptions}::text[]
      and (w.hears_api_keys or not ${aboutKeys}::boolean)
      and not (w.skip_own_events and w.created_by_api_key_id = ${apiKeyId}::bigint and ${apiKeyId}::bigint is not null)
    returning workspace_id, webhook_id`,
  onQueued,
});
