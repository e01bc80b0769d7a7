import type { Ref } from "../core/ids.ts";
import { refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";

const findStatement = sql(
  "member_find",
  `select u.id from memberships m join users u on u.id = m.user_id
   where m.workspace_id = $1 and (u.id = $2 or u.uuid = $3)`,
);

/** Who a conversation may be assigned to: a user who belongs to the workspace. Null: there is none such. */
export async function findMemberId(db: Queryable, workspaceId: number, ref: Ref): Promise<number | null> {
  const [member] = await db.query<{ id: number }>(findStatement, [workspaceId, ...refValues(ref)]);
  return member?.id ?? null;
}
