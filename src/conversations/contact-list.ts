import { type Queryable, sql } from "../db/database.ts";
import type { ContactRecord } from "../resources/conversations.ts";
import { CONTACT_COLUMNS } from "./contacts.ts";

export interface ContactFilter {
  external_id?: string | undefined;
  email?: string | undefined;
  search?: string | undefined;
  updated_since?: Date | undefined;
}

// `position` instead of `like`: the search text has no wildcards, `%` and `_` are plain characters.
const MATCHES = `k.workspace_id = $1
  and ($2::text is null or k.external_id = $2)
  and ($3::text is null or lower(k.email) = lower($3))
  and ($4::text is null or position(lower($4) in lower(concat_ws(E'\\n', k.name, k.email, k.phone, k.external_id))) > 0)
  and ($5::timestamptz is null or k.updated_at >= $5)
  and ($6::bigint is null or k.id <= $6)`;

const listStatement = sql(
  "contact_list",
  `select ${CONTACT_COLUMNS} from contacts k where ${MATCHES} order by k.id desc limit $7 offset $8`,
);
const countStatement = sql("contact_count", `select count(*) as total from contacts k where ${MATCHES}`);

/** Newest first. */
export function contactReader(db: Queryable, workspaceId: number, filter: ContactFilter) {
  const values = [
    workspaceId,
    filter.external_id ?? null,
    filter.email ?? null,
    filter.search ?? null,
    filter.updated_since ?? null,
  ];
  return {
    count: async (upToId: number | null) =>
      (await db.query<{ total: number }>(countStatement, [...values, upToId]))[0]?.total ?? 0,
    rows: (limit: number, offset: number, upToId: number | null) =>
      db.query<ContactRecord>(listStatement, [...values, upToId, limit, offset]),
  };
}
