import { useMutation, useQuery } from "@tanstack/react-query";
import { type ApiError, dashboardApi } from "./client.ts";
import type { Session, SignInOptions, SsoStart } from "./dashboard-schema.ts";
import { signInKeys } from "./query-keys.ts";

/** Kept in this tab alone: a link from elsewhere cannot complete a sign-in that it did not begin. */
const TOKEN = "parley.sso";

export const useSignInOptions = () =>
  useQuery<SignInOptions, ApiError>({
    queryKey: signInKeys.options,
    queryFn: () => dashboardApi("GET", "/sign-in-options"),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Leaves for the identity provider. */
export const useStartSso = () =>
  useMutation<void, ApiError, string>({
    mutationFn: async (next) => {
      const { url, token } = await dashboardApi<SsoStart>("POST", "/sso/start");
      sessionStorage.setItem(TOKEN, JSON.stringify({ token, next }));
      window.location.assign(url);
    },
  });

export const useFinishSso = () =>
  useMutation<{ session: Session; next: string }, ApiError, string>({
    mutationFn: async (search) => {
      const { token, next } = JSON.parse(sessionStorage.getItem(TOKEN) ?? '{"token":"-","next":"/"}');
      sessionStorage.removeItem(TOKEN);
      const session = await dashboardApi<Session>("POST", "/sso/finish", { body: { token, search } });
      return { session, next };
    },
  });
