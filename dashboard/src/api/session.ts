import { type QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { chooseWorkspace, chosenWorkspace } from "../lib/workspace.ts";
import { ApiError, dashboardApi } from "./client.ts";

export type Role = "owner" | "admin" | "agent";

export interface Session {
  user: { id: number; uuid: string; name: string; email: string };
  role: Role;
  workspace: { id: number; uuid: string; name: string };
  workspaces: { id: number; uuid: string; name: string; role: Role }[];
  scopes: string[];
  expires_at: string;
}

export const SESSION_KEY = ["session"] as const;

/** The session; null when nobody is signed in. */
export const useSessionQuery = (): UseQueryResult<Session | null, ApiError> =>
  useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000, retry: false });

async function readSession(): Promise<Session | null> {
  try {
    return await dashboardApi<Session>("GET", "/session");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) return null;
    // The workspace this browser remembers is gone, or no longer ours.
    if (error.status === 404 && chosenWorkspace() !== null) {
      chooseWorkspace(null);
      return readSession();
    }
    throw error;
  }
}

/** Inside the signed-in part of the app only. */
export function useSession(): Session {
  const { data } = useSessionQuery();
  if (!data) throw new Error("There is no session here.");
  return data;
}

export const useCan = (scope: string): boolean => useSession().scopes.includes(scope);

/** Takes a session the server just answered (sign-in, set-up, invitation) as the current one. */
export function useEnter(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => {
    forget(client);
    chooseWorkspace(session.workspace.uuid);
    client.setQueryData(SESSION_KEY, session);
  };
}

/** Everything but the session itself, which pages are watching: `clear()` would leave them with a query nobody tells anything. */
const forget = (client: QueryClient): void =>
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });

export function useSignOut(everywhere = false) {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, void>({
    mutationFn: () => dashboardApi("POST", everywhere ? "/sign-out-everywhere" : "/sign-out"),
    onSuccess: () => {
      forget(client);
      client.setQueryData(SESSION_KEY, null);
    },
  });
}

/** Another workspace is another world: nothing cached may be seen in it. */
export function useSwitchWorkspace(): (uuid: string) => Promise<void> {
  const client = useQueryClient();
  return async (uuid) => {
    chooseWorkspace(uuid);
    const session = await readSession();
    forget(client);
    client.setQueryData(SESSION_KEY, session);
  };
}
