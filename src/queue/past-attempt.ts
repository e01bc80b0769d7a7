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

// Even a sequence that was never used has a last value.
const lastAttempt = sql(
  "past_attempt_last",
  "select case when is_called then last_value else 0 end as last_value from delivery_attempt_seq",
);

// The rollup of the log follows from the times of its rows: both are moved to the hour of the attempt.
const stampAttempts = sql(
  "past_attempt_stamp",
  `update delivery_attempts
    set
      created_at = $4,
      next_attempt_at = next_attempt_at - (now() - $4::timestamptz)
    where workspace_id = $1
      and webhook_id = $2
      and id > $3`,
);
const stampStats = sql(
  "past_attempt_stamp_stats",
  `update delivery_stat_deltas
    set hour = date_trunc('hour', $3::timestamptz, 'UTC')
    where workspace_id = $1
      and webhook_id = $2
      and xmin = pg_current_xact_id()::xid`,
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
  const { workspaceId, webhookId, deliveryId, eventId, leaseToken } = settlement;
  const [last] = await tx.query<{ last_value: number }>(lastAttempt);
  await tx.query(claimStatement, [workspaceId, deliveryId, webhookId, eventId, leaseToken]);
  await settle(tx, [settlement], { repeated: false });
  await tx.query(dropStatement, [workspaceId, deliveryId]);
  await tx.query(stampAttempts, [workspaceId, webhookId, last?.last_value ?? 0, at]);
  await tx.query(stampStats, [workspaceId, webhookId, at]);
  await tx.query(stampLane, [workspaceId, webhookId, at]);
}
