import { type Queryable, sql } from "../db/database.ts";
import type { Role } from "./roles.ts";

const endStatement = sql(
  "invitation_end_of_inviter",
  `delete from invitations
   where workspace_id = $1
     and invited_by = $2
     and ($3::text is null or $3 = 'agent' or ($3 = 'admin' and role = 'owner'))
   returning email`,
);

/**
 * Ends the open invitations that a member may no longer create: all of them if the member left (`roleNow` null) or became
 * an agent, those of future owners if the member became an admin. Returns their addresses.
 */
export async function endInvitationsOf(
  db: Queryable,
  workspaceId: number,
  { invitedBy, roleNow }: { invitedBy: number; roleNow: Role | null },
): Promise<string[]> {
  const rows = await db.query<{ email: string }>(endStatement, [workspaceId, invitedBy, roleNow]);
  return rows.map(({ email }) => email);
}
