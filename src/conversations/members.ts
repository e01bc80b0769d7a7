import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import { MEMBERS_MAX } from "../db/quota.ts";

export interface WorkspaceMember {
  id: number;
  uuid: string;
  name: string;
  role: string;
  email: string;
}

const findStatement = sql(
  "member_find",
  `select u.id
   from memberships m
   join users u on u.id = m.user_id
   where m.workspace_id = $1
     and (u.id = $2 or u.uuid = $3)
   for key share of m`,
);
const listStatement = sql(
  "workspace_member_list",
  `select u.id, u.uuid, u.name, m.role, u.email
   from memberships m
   join users u on u.id = m.user_id
   where m.workspace_id = $1
   order by lower(u.name), u.id
   limit ${MEMBERS_MAX}`,
);

/** The people a conversation may be assigned to, by name. */
export const listWorkspaceMembers = (db: Queryable, workspaceId: number): Promise<WorkspaceMember[]> =>
  db.query<WorkspaceMember>(listStatement, [workspaceId]);

/** The id of a user who belongs to the workspace, and stays in it until the transaction ends; null: there is none. */
export async function findMemberId(db: Queryable, workspaceId: number, ref: Ref): Promise<number | null> {
  const [member] = await db.query<{ id: number }>(findStatement, [workspaceId, ...refValues(ref)]);
  return member?.id ?? null;
}
