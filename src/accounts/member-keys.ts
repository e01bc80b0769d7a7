import { type KeyOptions, revokeKey } from "../auth/keys.ts";
import { sql, type Tx } from "../db/database.ts";
import type { Manager } from "./manager.ts";

const keysStatement = sql(
  "member_keys",
  `select id
   from api_keys
   where workspace_id = $1
     and creator_type = 'user'
     and creator_id = $2
     and revoked_at is null
   order by id`,
);

/** Revokes the keys that a member created: a member who leaves may have kept their secrets. Returns their ids. */
export async function revokeKeysOf(tx: Tx, options: KeyOptions, manager: Manager, userId: number): Promise<number[]> {
  const keys = await tx.query<{ id: number }>(keysStatement, [manager.workspaceId, userId]);
  for (const key of keys) await revokeKey(tx, options, manager, key);
  return keys.map(({ id }) => id);
}
