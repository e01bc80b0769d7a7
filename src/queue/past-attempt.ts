import { sql, type Tx } from "../db/database.ts";
import { type Settlement, settle } from "./settle.ts";

// A result counts for a delivery that a worker has claimed. The row is there within one transaction only, so that no worker
// ever sends it.
const claimStatement = sql(
  "past_attempt_claim",
  `insert into deliveries (workspace_id, id, webhook_id, event_id, worker_id, lease_token)
    overriding system value
    values ($1, $2, $3, $4, 0, $5)`,
);
const dropStatement = sql(
  "past_attempt_drop",
  `delete from deliveries
    where workspace_id = $1
      and id = $2`,
);

const stampLane = sql(
  "past_attempt_stamp_lane",
  `update delivery_lanes
    set failing_since = least(failing_since, $3::timestamptz)
    where workspace_id = $1
      and webhook_id = $2
      and failing_since is not null`,
);

/** Writes an attempt as if it had been made at that time. Nothing is sent, and nothing is left in the queue. */
export async function writePastAttempt(tx: Tx, settlement: Settlement, at: Date): Promise<void> {
  const { workspaceId, webhookId, deliveryId, eventId, claimToken } = settlement;
  await tx.query(claimStatement, [workspaceId, deliveryId, webhookId, eventId, claimToken]);
  await settle(tx, [settlement], { repeated: false, loggedAt: at });
  await tx.query(dropStatement, [workspaceId, deliveryId]);
  await tx.query(stampLane, [workspaceId, webhookId, at]);
}
