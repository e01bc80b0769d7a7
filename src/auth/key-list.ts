import { type Queryable, sql } from "../db/database.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";
import { ACTIVE, KEY_COLUMNS, KEY_FROM } from "./key-record.ts";
import type { KeyType } from "./scopes.ts";

export interface KeyFilter {
  type?: KeyType | undefined;
  is_active?: boolean | undefined;
  search?: string | undefined;
}

// `position` instead of `like`: the search text has no wildcards, `%` and `_` are plain characters.
const MATCHES = `k.workspace_id = $1
  and ($2::text is null or k.type = $2)
  and ($3::boolean is null or ${ACTIVE} = $3)
  and ($4::text is null or position(lower($4) in lower(k.name)) > 0)
  and ($5::bigint is null or k.id <= $5)`;

export const keyListStatement = sql(
  "key_list",
  `select ${KEY_COLUMNS}
   from ${KEY_FROM}
   where ${MATCHES}
   order by k.id desc
   limit $6
   offset $7`,
);
const countKeysStatement = sql("key_count", `select count(*) as total from api_keys k where ${MATCHES}`);

/** Newest first. */
export function keyReader(db: Queryable, workspaceId: number, filter: KeyFilter) {
  const values = [workspaceId, filter.type ?? null, filter.is_active ?? null, filter.search ?? null];
  return {
    count: async (upToId: number | null) =>
      (await db.query<{ total: number }>(countKeysStatement, [...values, upToId]))[0]?.total ?? 0,
    rows: (limit: number | null, offset: number, upToId: number | null) =>
      db.query<ApiKeyRecord>(keyListStatement, [...values, upToId, limit, offset]),
  };
}
