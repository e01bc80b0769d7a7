import { type Queryable, sql } from "../db/database.ts";
import { createListReader, type JsonRecord, type ListReader, recordsAsJson } from "../db/list.ts";
import type { Condition, ListSource } from "../db/list-sql.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";
import { ACTIVE, KEY_COLUMNS, KEY_JOINS } from "./key-record.ts";
import type { KeyType } from "./scopes.ts";

interface KeyFilter {
  type?: KeyType | undefined;
  is_active?: boolean | undefined;
  search?: string | undefined;
}

const KEYS: ListSource<ApiKeyRecord, ApiKeyRecord> = {
  name: "keys",
  table: "api_keys k",
  order: [{ column: "k.id", type: "bigint" }],
  picks: "rows",
  columns: KEY_COLUMNS,
  joins: KEY_JOINS,
  toRecord: (row) => row,
};

const KEYS_AS_JSON = recordsAsJson(KEYS);

// A workspace has 10,000 keys at most: counting them is cheap enough.
const countStatement = sql("key_count", "select count(*) as total from api_keys where workspace_id = $1");

/** Newest first. */
export const keyReader = (db: Queryable, workspaceId: number, filter: KeyFilter): ListReader<ApiKeyRecord> =>
  createListReader(db, KEYS, optionsOf(db, workspaceId, filter));

/** The same list for a response. */
export const keyJsonReader = (db: Queryable, workspaceId: number, filter: KeyFilter): ListReader<JsonRecord> =>
  createListReader(db, KEYS_AS_JSON, optionsOf(db, workspaceId, filter));

function optionsOf(db: Queryable, workspaceId: number, filter: KeyFilter) {
  const filters = conditionsOf(filter);
  const total = async () => (await db.query<{ total: number }>(countStatement, [workspaceId]))[0]?.total ?? 0;
  return {
    workspaceId,
    base: [{ name: "", sql: "k.workspace_id = ?", values: [workspaceId] }],
    filters,
    total: filters.length > 0 ? null : total,
  };
}

function conditionsOf({ type, is_active, search }: KeyFilter): Condition[] {
  const conditions: Condition[] = [];
  if (type !== undefined) conditions.push({ name: "type", sql: "k.type = ?", values: [type] });
  if (is_active !== undefined) conditions.push({ name: "active", sql: `${ACTIVE} = ?`, values: [is_active] });
  // `position` instead of `like`: the search text has no wildcards, `%` and `_` are plain characters.
  if (search !== undefined)
    conditions.push({ name: "search", sql: "position(lower(?) in lower(k.name)) > 0", values: [search] });
  return conditions;
}
