import { found } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import { timestampSql } from "../db/timestamp-sql.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";

export const ACTIVE = "(not k.paused and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))";

// Only a key that was rotated can have an old secret: the others cost no lookup.
const OLD_SECRET_EXPIRES_AT = `
  case when k.rotated_at is not null then (
    select max(d.valid_until)
    from api_key_digests d
    where d.workspace_id = k.workspace_id and d.api_key_id = k.id and d.valid_until > now()
  ) end`;

/** The fields of a key's record, in the order of its schema. */
export const KEY_COLUMNS = `
  k.id, k.uuid, k.name, k.description, k.type, k.abilities, k.rate_limit_tier,
  ${ACTIVE} as is_active,
  ${timestampSql("u.last_used_at")} as last_used_at,
  ${timestampSql("k.created_at")} as created_at,
  ${timestampSql("k.rotated_at")} as rotated_at,
  ${timestampSql("k.expires_at")} as expires_at,
  coalesce(k.allowed_ips, '{}') as allowed_ips,
  ${timestampSql("k.revoked_at")} as revoked_at,
  k.secret_prefix, k.last_four,
  ${timestampSql(OLD_SECRET_EXPIRES_AT)} as old_secret_expires_at,
  case when k.creator_type is not null then
    json_build_object('type', k.creator_type, 'id', k.creator_id, 'name', k.creator_name)
  end as created_by`;

/** What a record has in addition to the row of the key. */
export const KEY_JOINS = "left join api_key_last_used u on u.workspace_id = k.workspace_id and u.api_key_id = k.id";

const findStatement = sql(
  "key_find",
  `select ${KEY_COLUMNS}
   from api_keys k
   ${KEY_JOINS}
   where k.workspace_id = $1 and (k.id = $2 or k.uuid = $3)`,
);

export async function findKey(db: Queryable, workspaceId: number, ref: Ref): Promise<ApiKeyRecord> {
  return found("API key", await db.query<ApiKeyRecord>(findStatement, [workspaceId, ...refValues(ref)]));
}
