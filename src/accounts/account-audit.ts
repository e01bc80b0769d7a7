import { type AuditAction, recordAudit } from "../audit/audit.ts";
import { userActor } from "../core/actor.ts";
import type { Origin } from "../core/caller.ts";
import { sql, type Tx } from "../db/database.ts";
import type { User } from "./users.ts";

const workspacesOf = sql("audit_workspaces_of", "select workspace_id from memberships where user_id = $1");

export interface AccountChange {
  user: Pick<User, "id" | "name">;
  /** Who did it; by default the user themselves. */
  origin: Omit<Origin, "actor"> & Partial<Pick<Origin, "actor">>;
  action: AuditAction;
  changes?: Record<string, unknown>;
}

/** A change of an account concerns every workspace that its user belongs to: each gets an entry. */
export async function recordAccountChange(tx: Tx, { user, origin, action, changes }: AccountChange): Promise<void> {
  const by = { actor: userActor(user), ...origin };
  for (const { workspace_id: workspaceId } of await tx.query<{ workspace_id: number }>(workspacesOf, [user.id]))
    await recordAudit(tx, by, {
      workspaceId,
      action,
      resource: { type: "user", id: user.id },
      ...(changes ? { changes } : {}),
    });
}
