import { sql, type Tx } from "../db/database.ts";
import { requireQuota } from "../db/quota.ts";

const countWebhooks = sql(
  "webhook_quota",
  `select count(*) as used
   from (select from webhooks where workspace_id = $1 limit $2) counted`,
);

/** Refuses a webhook past the quota of its workspace. */
export const requireWebhookQuota = (tx: Tx, workspaceId: number, max: number): Promise<void> =>
  requireQuota(tx, { workspaceId, collection: "webhooks", max, count: countWebhooks });
