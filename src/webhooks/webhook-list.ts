import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql } from "../db/database.ts";
import { createListReader, type ListReader } from "../db/list.ts";
import type { Condition } from "../db/list-sql.ts";
import type { WebhookRecord } from "../resources/webhook.ts";
import { toRecord, WEBHOOK_COLUMNS, type WebhookRow } from "./webhooks.ts";

interface WebhookFilter {
  is_active?: boolean | undefined;
  search?: string | undefined;
}

// A workspace has 10,000 webhooks at most: counting them is cheap enough.
const countStatement = sql("webhook_count", "select count(*) as total from webhooks where workspace_id = $1");

/** Newest first. */
export function webhookReader(
  db: Queryable,
  box: SecretBox,
  workspaceId: number,
  filter: WebhookFilter,
): ListReader<WebhookRecord> {
  const source = {
    name: "webhooks",
    table: "webhooks w",
    order: [{ column: "w.id", type: "bigint" }] as const,
    columns: WEBHOOK_COLUMNS,
    joins: "join webhooks w on w.workspace_id = $1 and w.id = any(array[picked.key0])",
    toRecord: (row: WebhookRow) => toRecord(row, box),
  };
  const filters = conditionsOf(filter);
  return createListReader(db, source, {
    workspaceId,
    base: [{ name: "", sql: "w.workspace_id = ?", values: [workspaceId] }],
    filters,
    total:
      filters.length > 0
        ? null
        : async () => (await db.query<{ total: number }>(countStatement, [workspaceId]))[0]?.total ?? 0,
  });
}

function conditionsOf({ is_active, search }: WebhookFilter): Condition[] {
  const conditions: Condition[] = [];
  if (is_active !== undefined) conditions.push({ name: "active", sql: "w.is_active = ?", values: [is_active] });
  if (search !== undefined)
    conditions.push({
      name: "search",
      sql: "(position(lower(?) in lower(w.name)) > 0 or position(lower(?) in lower(w.url)) > 0)",
      values: [search, search],
    });
  return conditions;
}
