import { sql, type Tx } from "../db/database.ts";
import { subscriptionsTo } from "../events/catalogue.ts";
import type { FanOut, StoredEvent } from "../events/outbox.ts";

/** Which lanes have new work: told after the commit. */
export type OnQueued = (workspaceId: number, webhookIds: number[]) => void;

// One statement in the transaction of the change: an event and its deliveries exist together or not at all.
const queueDeliveries = sql(
  "fan_out",
  `insert into deliveries (workspace_id, webhook_id, event_id)
   select w.workspace_id, w.id, $2 from webhooks w
   where w.workspace_id = $1 and w.is_active and w.events && $3::text[]
     and (w.hears_api_keys or not $4::boolean)
     and not (w.skip_own_events and w.created_by_key_id = $5::bigint and $5::bigint is not null)
   returning webhook_id`,
);

export function createFanOut(onQueued: OnQueued): FanOut {
  return async (tx: Tx, event: StoredEvent) => {
    const rows = await tx.query<{ webhook_id: number }>(queueDeliveries, [
      event.workspaceId,
      event.id,
      subscriptionsTo(event.type),
      event.type.startsWith("api_key."),
      event.apiKeyId,
    ]);
    if (rows.length > 0)
      tx.afterCommit(() =>
        onQueued(
          event.workspaceId,
          rows.map((row) => row.webhook_id),
        ),
      );
  };
}
