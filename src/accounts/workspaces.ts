import { recordAudit } from "../audit/audit.ts";
import { createWorkspace } from "../auth/workspaces.ts";
import type { Origin } from "../core/actor.ts";
import { sql, type Tx } from "../db/database.ts";
import { addMember } from "./members.ts";
import type { WorkspaceRole } from "./sessions.ts";

const rename = sql("workspace_rename", "update workspaces set name = $2 where id = $1 returning id, uuid, name");

/** A workspace of its own maker. */
export async function createOwnWorkspace(
  tx: Tx,
  origin: Origin,
  ownerId: number,
  name: string,
): Promise<WorkspaceRole> {
  const { id, uuid } = await createWorkspace(tx, name);
  await recordAudit(tx, origin, {
    workspaceId: id,
    action: "workspace.created",
    resource: { type: "workspace", id },
    changes: { name },
  });
  await addMember(tx, origin, id, ownerId, "owner");
  return { id, uuid, name, role: "owner" };
}

export async function renameWorkspace(
  tx: Tx,
  origin: Origin,
  workspaceId: number,
  name: string,
): Promise<Omit<WorkspaceRole, "role">> {
  const [row] = await tx.query<Omit<WorkspaceRole, "role">>(rename, [workspaceId, name]);
  if (!row) throw new Error("A member of a workspace that does not exist.");
  await recordAudit(tx, origin, {
    workspaceId,
    action: "workspace.renamed",
    resource: { type: "workspace", id: workspaceId },
    changes: { name },
  });
  return row;
}
