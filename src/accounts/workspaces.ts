import { recordAudit } from "../audit/audit.ts";
import { createWorkspace } from "../auth/workspaces.ts";
import type { Caller } from "../core/caller.ts";
import { sql, type Tx } from "../db/database.ts";
import { addMember } from "./members.ts";
import type { WorkspaceRole } from "./sessions.ts";

const readName = sql("workspace_name_lock", "select name from workspaces where id = $1 for update");
const rename = sql("workspace_rename", "update workspaces set name = $2 where id = $1 returning id, uuid, name");

/** A workspace that its creator owns. */
export async function createOwnWorkspace(
  tx: Tx,
  caller: Caller,
  ownerId: number,
  name: string,
): Promise<WorkspaceRole> {
  const { id, uuid } = await createWorkspace(tx, name);
  const inside = { ...caller, workspaceId: id };
  await recordAudit(tx, inside, {
    action: "workspace.created",
    resource: { type: "workspace", id },
    changes: { name: { from: null, to: name } },
  });
  await addMember(tx, inside, ownerId, "owner");
  return { id, uuid, name, role: "owner" };
}

export async function renameWorkspace(tx: Tx, caller: Caller, name: string): Promise<Omit<WorkspaceRole, "role">> {
  const { workspaceId } = caller;
  const [before] = await tx.query<{ name: string }>(readName, [workspaceId]);
  const [row] = await tx.query<Omit<WorkspaceRole, "role">>(rename, [workspaceId, name]);
  if (!before || !row) throw new Error("A member of a workspace that does not exist.");
  if (before.name !== name)
    await recordAudit(tx, caller, {
      action: "workspace.renamed",
      resource: { type: "workspace", id: workspaceId },
      changes: { name: { from: before.name, to: name } },
    });
  return row;
}
