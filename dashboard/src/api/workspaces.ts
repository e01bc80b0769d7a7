import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ApiError, dashboardApi } from "./client.ts";
import type { WorkspaceName, WorkspaceWithRole } from "./dashboard-schema.ts";
import { sessionKeys } from "./query-keys.ts";

/**
 * The switcher lists what the session lists: it is read again after either change. Not `useChange`: with it here, the bundler
 * splits the first load into one more chunk, which is 1 kB larger.
 */
function useWorkspaceMutation<Result>(run: (name: string) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, string>({
    mutationFn: run,
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKeys.all }),
  });
}

export const useCreateWorkspace = () =>
  useWorkspaceMutation((name) => dashboardApi<WorkspaceWithRole>("POST", "/workspaces", { body: { name } }));

export const useRenameWorkspace = () =>
  useWorkspaceMutation((name) => dashboardApi<WorkspaceName>("PATCH", "/workspace", { body: { name } }));

export function useRequireTwoFactor() {
  const client = useQueryClient();
  return useMutation<WorkspaceWithRole, ApiError, boolean>({
    mutationFn: (required) => dashboardApi("PATCH", "/workspace", { body: { require_two_factor: required } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKeys.all }),
  });
}
