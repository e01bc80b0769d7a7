import { dashboardApi } from "./client.ts";
import type { WorkspaceName, WorkspaceWithRole } from "./dashboard-schema.ts";
import { sessionKeys } from "./query-keys.ts";
import { useChange } from "./use-change.ts";

/** The switcher lists what the session lists: it is read again after every change. */
const useWorkspaceChange = <Result, Input>(run: (input: Input) => Promise<Result>) => useChange(run, sessionKeys.all);

export const useCreateWorkspace = () =>
  useWorkspaceChange((name: string) => dashboardApi<WorkspaceWithRole>("POST", "/workspaces", { body: { name } }));

export const useRenameWorkspace = () =>
  useWorkspaceChange((name: string) => dashboardApi<WorkspaceName>("PATCH", "/workspace", { body: { name } }));

export const useRequireTwoFactor = () =>
  useWorkspaceChange((required: boolean) =>
    dashboardApi<WorkspaceWithRole>("PATCH", "/workspace", { body: { require_two_factor: required } }),
  );
