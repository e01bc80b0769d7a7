import type { Caller } from "../core/caller.ts";
import { SYSTEM } from "../core/caller.ts";
import { forbidden } from "../core/errors.ts";
import { mayManage, type Role } from "./roles.ts";

/** A caller who changes members or invitations. `role` null: an operator on the command line, without bounds. */
export interface Manager extends Caller {
  role: Role | null;
}

const NO_SCOPES: ReadonlySet<string> = new Set();

/** The operator, on the command line. */
export const operatorOf = (workspaceId: number): Manager => ({
  ...SYSTEM,
  actor: { ...SYSTEM.actor, name: "parley command" },
  workspaceId,
  scopes: NO_SCOPES,
  role: null,
});

export function requireMayManage({ role }: Manager, subject: Role): void {
  if (role !== null && !mayManage(role, subject)) throw forbidden("Only an owner may do this to an owner.");
}
