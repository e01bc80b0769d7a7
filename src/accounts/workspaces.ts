import { recordAudit } from "../audit/audit.ts";
import { createWorkspace } from "../auth/workspaces.ts";
import type { Caller } from "../core/caller.ts";
import { sql, type Tx } from "../db/database.ts";
import { addMember } from "./members.ts";
import type { WorkspaceRole } from "./sessions.ts";

const lockStatement = sql(
  "workspace_lock",
  "select id, uuid, name, require_two_factor, is_demo from workspaces where id = $1 for update",
);
const updateStatement = sql(
  "workspace_update",
  "update workspaces set name = $2, require_two_factor = $3 where id = $1",
);

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
  return { id, uuid, name, role: "owner", require_two_factor: false, is_demo: false };
}

export async function updateWorkspace(
  tx: Tx,
  caller: Caller,
  patch: { name?: string | undefined; require_two_factor?: boolean | undefined },
): Promise<WorkspaceRow> {
  const { workspaceId } = caller;
  const [before] = await tx.query<WorkspaceRow>(lockStatement, [workspaceId]);
  if (!before) throw new Error("A member of a workspace that does not exist.");
  const name = patch.name ?? before.name;
  const required = patch.require_two_factor ?? before.require_two_factor;
  await tx.query(updateStatement, [workspaceId, name, required]);
  const resource = { type: "workspace", id: workspaceId } as const;
  if (before.name !== name)
    await recordAudit(tx, caller, {
      action: "workspace.renamed",
      resource,
      changes: { name: { from: before.name, to: name } },
    });
  if (before.require_two_factor !== required)
    await recordAudit(tx, caller, {
      action: "workspace.updated",
      resource,
      changes: { require_two_factor: { from: before.require_two_factor, to: required } },
    });
  return { ...before, name, require_two_factor: required };
}

type WorkspaceRow = Omit<WorkspaceRole, "role">;
