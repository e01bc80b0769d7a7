import { type Caller, SYSTEM } from "../core/caller.ts";
import { SCOPES } from "./scopes.ts";

/** The operator of the server: start-up and the command line. May do everything, in any workspace. */
export const operatorCaller = (workspaceId: number, name: string | null = null): Caller => ({
  ...SYSTEM,
  actor: { ...SYSTEM.actor, name },
  workspaceId,
  scopes: new Set(SCOPES),
});
