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
 * Ends the open invitations that their author would no longer be allowed to create: all of a member who left (`roleNow` null) or became an
 * agent, and those of future owners when an owner became an admin. Returns their addresses.
 */
export async function endInvitationsOf(
  db: Queryable,
  workspaceId: number,
  { invitedBy, roleNow }: { invitedBy: number; roleNow: Role | null },
): Promise<string[]> {
  const rows = await db.query<{ email: string }>(endStatement, [workspaceId, invitedBy, roleNow]);
  return rows.map(({ email }) => email);
}
