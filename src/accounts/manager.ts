import { operatorCaller } from "../auth/operator.ts";
import type { Caller } from "../core/caller.ts";
import { forbidden } from "../core/errors.ts";
import { mayManage, type Role } from "./roles.ts";

/** A caller who changes members or invitations. `role` null: an operator on the command line, without bounds. */
export interface Manager extends Caller {
  role: Role | null;
}

/** The operator, on the command line. */
export const operatorOf = (workspaceId: number): Manager => ({
  ...operatorCaller(workspaceId, "parley command"),
  role: null,
});

export function requireMayManage({ role }: Manager, subject: Role): void {
  if (role !== null && !mayManage(role, subject)) throw forbidden("Only an owner may do this to an owner.");
}
