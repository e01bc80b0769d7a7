import { notFound } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";

export const ACTIVE = "(not k.paused and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))";

export const KEY_COLUMNS = `
  k.id, k.uuid, k.name, k.description, k.type, k.abilities, k.rate_limit_tier,
  ${ACTIVE} as is_active,
  u.last_used_at, k.created_at, k.rotated_at, k.expires_at,
  coalesce(k.allowed_ips, '{}') as allowed_ips,
  k.revoked_at, k.secret_prefix, k.last_four,
  (
    select max(d.valid_until)
    from api_key_digests d
    where d.workspace_id = k.workspace_id and d.api_key_id = k.id and d.valid_until > now()
  ) as old_secret_expires_at,
  case when k.creator_type is not null then
    json_build_object('type', k.creator_type, 'id', k.creator_id, 'name', k.creator_name)
  end as created_by`;

export const KEY_FROM = `api_keys k
  left join api_key_last_used u on u.workspace_id = k.workspace_id and u.api_key_id = k.id`;

const findStatement = sql(
  "key_find",
  `select ${KEY_COLUMNS}
   from ${KEY_FROM}
   where k.workspace_id = $1 and (k.id = $2 or k.uuid = $3)`,
);

export async function findKey(db: Queryable, workspaceId: number, ref: Ref): Promise<ApiKeyRecord> {
  const [key] = await db.query<ApiKeyRecord>(findStatement, [workspaceId, ...refValues(ref)]);
  if (!key) throw notFound("API key");
  return key;
}
