import { type QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect } from "react";
import { forgetOwnWork } from "../lib/own-work.ts";
import { announceSignOut, lastSignOut } from "../lib/sign-outs.ts";
import { t } from "../lib/texts.ts";
import { lastWorkspace, rememberWorkspace, workspaceInUrl } from "../lib/workspace.ts";
import { forgetBrowser } from "../notify/later.ts";
import { ApiError, dashboardApi, reportSessionEnd } from "./client.ts";
import type { Role, Session, SignInBody, SignInResult, UpdateProfileBody } from "./dashboard-schema.ts";
import { sessionKeys, signInKeys } from "./query-keys.ts";

export type { Role, Session } from "./dashboard-schema.ts";

/** The roles that see and change a workspace's settings. */
export const MANAGERS: readonly Role[] = ["owner", "admin"];

/** Of this page. A response that left the server before one of them must not bring the session back. */
let signOuts = 0;

/** The session in the workspace of the address; null when nobody is signed in. */
export function useSessionQuery(): UseQueryResult<Session | null, ApiError> {
  const client = useQueryClient();
  const workspace = workspaceInUrl();
  return useQuery({
    queryKey: sessionKeys.in(workspace),
    queryFn: async () => {
      const signOutsBefore = signOuts;
      const session = await readSession(workspace);
      if (signOuts > signOutsBefore) return null;
      // A page that is open keeps what was typed or shown once; signing out by hand sets null itself.
      if (!session && client.getQueryData(sessionKeys.in(workspace))) {
        reportSessionEnd();
        throw new ApiError({ status: 401, code: "UNAUTHORIZED", message: t("The session has ended. Sign in again.") });
      }
      // The address is about to name this workspace: its session need not be asked for twice.
      if (session) client.setQueryData(sessionKeys.in(session.workspace.id), session);
      return session;
    },
    staleTime: 60_000,
    retry: false,
  });
}

async function readSession(workspace: number | null): Promise<Session | null> {
  const remembered = lastWorkspace();
  try {
    return await dashboardApi<Session>("GET", "/session", { workspace: workspace ?? remembered });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) return null;
    // The workspace this browser remembers was deleted, or its user was removed from it.
    if (error.status === 404 && workspace === null && remembered !== null) {
      rememberWorkspace(null);
      return readSession(null);
    }
    throw error;
  }
}

const CHECK_MS = 3_000;

/** While nobody is signed in on this page: the session that another tab has begun. */
export const useSessionElsewhere = () =>
  useQuery<Session, ApiError>({
    queryKey: signInKeys.elsewhere,
    queryFn: ({ signal }) => dashboardApi("GET", "/session", { signal }),
    refetchInterval: CHECK_MS,
    refetchOnWindowFocus: "always",
    retry: false,
    gcTime: 0,
  });

/**
 * The session that the signed-in part of the app was rendered with. Its pages do not read the query themselves: after a
 * sign-out one of them could be rendered again, without a session, before the part as a whole has gone.
 */
export const CurrentSession = createContext<Session | null>(null);

/** Inside the signed-in part of the app only. */
export function useSession(): Session {
  const session = useContext(CurrentSession);
  if (!session) throw new Error("There is no session here.");
  return session;
}

export const useIsManager = (): boolean => MANAGERS.includes(useSession().role);

/** Makes a session that the server just returned (sign-in, set-up, invitation) the current one. */
export function useEnter(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => {
    forgetAllButSessions(client);
    rememberWorkspace(session.workspace.id);
    client.setQueryData(sessionKeys.in(null), session);
    client.setQueryData(sessionKeys.in(session.workspace.id), session);
  };
}

/** Not the sessions, which pages observe: `clear()` would leave them with a query that is never updated. */
const forgetAllButSessions = (client: QueryClient): void =>
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKeys.all[0] });

export function useSignOut({ everywhere = false } = {}) {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, void>({
    mutationFn: async () => {
      if (everywhere) return dashboardApi("POST", "/sign-out-everywhere");
      return dashboardApi("POST", "/sign-out").catch((error: ApiError) => {
        // The session had already ended.
        if (error.status !== 401) throw error;
      });
    },
    onSuccess: async () => {
      announceSignOut();
      await endHere(client);
    },
  });
}

/** Nothing that was shown or written stays in this tab. */
async function endHere(client: QueryClient): Promise<void> {
  signOuts++;
  forgetOwnWork();
  forgetBrowser();
  forgetAllButSessions(client);
  await client.cancelQueries({ queryKey: sessionKeys.all });
  client.setQueriesData({ queryKey: sessionKeys.all }, null);
}

/** A tab that sleeps gets no event; it looks when it is shown again. */
export function useSignedOutElsewhere(): void {
  const client = useQueryClient();
  useEffect(() => {
    const since = Date.now();
    const look = () => {
      if (lastSignOut() > since) void endHere(client);
    };
    window.addEventListener("storage", look);
    window.addEventListener("pageshow", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("storage", look);
      window.removeEventListener("pageshow", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [client]);
}

export const useSignIn = () =>
  useMutation<SignInResult, ApiError, SignInBody>({
    mutationFn: (body) => dashboardApi("POST", "/sign-in", { body }),
  });

export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation<Session, ApiError, UpdateProfileBody>({
    mutationFn: (body) => dashboardApi("PATCH", "/profile", { body }),
    onSuccess: (session) => client.setQueryData(sessionKeys.in(session.workspace.id), session),
  });
}
