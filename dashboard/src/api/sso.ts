import { useMutation, useQuery } from "@tanstack/react-query";
import { t } from "../lib/texts.ts";
import { ApiError, dashboardApi } from "./client.ts";
import type { FinishSsoBody, Session, SignInOptions, SsoStart } from "./dashboard-schema.ts";
import { signInKeys } from "./query-keys.ts";

/** Kept in this tab alone: a link from elsewhere cannot complete a sign-in that it did not begin. */
const PENDING = "parley.sso";

/** What follows the sign-in: a page to open, and what the link that led to it is for. */
export interface SsoPurpose extends Pick<FinishSsoBody, "invitation_token" | "setup_token" | "workspace_name"> {
  next: string;
}

interface Pending extends SsoPurpose {
  token: string;
}

export const useSignInOptions = () =>
  useQuery<SignInOptions, ApiError>({
    queryKey: signInKeys.options,
    queryFn: () => dashboardApi("GET", "/sign-in-options"),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Leaves for the identity provider. */
export const useStartSso = () =>
  useMutation<void, ApiError, SsoPurpose>({
    mutationFn: async (purpose) => {
      const { url, token } = await dashboardApi<SsoStart>("POST", "/sso/start");
      sessionStorage.setItem(PENDING, JSON.stringify({ ...purpose, token } satisfies Pending));
      window.location.assign(url);
    },
  });

export const useFinishSso = () =>
  useMutation<{ session: Session; next: string }, ApiError, string>({
    mutationFn: async (search) => {
      const stored = sessionStorage.getItem(PENDING);
      sessionStorage.removeItem(PENDING);
      if (stored === null)
        throw new ApiError({
          status: 0,
          code: "NOT_STARTED",
          message: t("This sign-in was started in another tab or is already complete."),
        });
      const { next, ...pending } = JSON.parse(stored) as Pending;
      const session = await dashboardApi<Session>("POST", "/sso/finish", { body: { ...pending, search } });
      return { session, next };
    },
  });
