import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { WebhookRecord } from "../resources/webhook.ts";
import { toRecord, WEBHOOK_COLUMNS, type WebhookRow } from "./webhooks.ts";

export interface WebhookFilter {
  is_active?: boolean | undefined;
  search?: string | undefined;
}

const MATCHES = `w.workspace_id = $1
  and ($2::boolean is null or w.is_active = $2)
  and ($3::text is null or position(lower($3) in lower(w.name)) > 0 or position(lower($3) in lower(w.url)) > 0)
  and ($4::bigint is null or w.id <= $4)`;

const countStatement = sql("webhook_count", `select count(*) as total from webhooks w where ${MATCHES}`);
const listStatement = sql(
  "webhook_list",
  `select ${WEBHOOK_COLUMNS} from webhooks w where ${MATCHES} order by w.id desc limit $5 offset $6`,
);

/** Newest first. */
export function webhookReader(db: Queryable, box: SecretBox, workspaceId: number, filter: WebhookFilter) {
  const values = [workspaceId, filter.is_active ?? null, filter.search ?? null];
  return {
    count: async (upToId: number | null) =>
      (await db.query<{ total: number }>(countStatement, [...values, upToId]))[0]?.total ?? 0,
    rows: async (limit: number, offset: number, upToId: number | null): Promise<WebhookRecord[]> =>
      (await db.query<WebhookRow>(listStatement, [...values, upToId, limit, offset])).map((row) => toRecord(row, box)),
  };
}
