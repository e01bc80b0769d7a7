import { type KeyOptions, revokeKey } from "../auth/keys.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
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
  const ids = await keysOf(tx, manager.workspaceId, userId);
  for (const id of ids) await revokeKey(tx, options, manager, { id });
  return ids;
}

const keysOf = async (db: Queryable, workspaceId: number, userId: number): Promise<number[]> =>
  (await db.query<{ id: number }>(keysStatement, [workspaceId, userId])).map(({ id }) => id);
