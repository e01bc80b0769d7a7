import { type Ref, refValues } from "../core/ids.ts";
import { sql, type Tx } from "../db/database.ts";

const lockRow = sql(
  "webhook_lock_row",
  `select id
   from webhooks
   where workspace_id = $1 and (id = $2 or uuid = $3)
   for update`,
);

/** Holds the webhook until the transaction ends, so that what is read of it now is still true when it is changed. */
export async function lockWebhookRow(tx: Tx, workspaceId: number, ref: Ref): Promise<void> {
  await tx.query(lockRow, [workspaceId, ...refValues(ref)]);
}
