import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, dashboardApi } from "./client.ts";
import type {
  PasskeyChallenge,
  RecoveryCodes,
  SecondSignInFactorBody,
  Session,
  SessionEntry,
  TotpEnrolment,
  TwoFactor,
} from "./dashboard-schema.ts";
import { accountKeys, sessionKeys } from "./query-keys.ts";

export type { SessionEntry, TwoFactor, TwoFactorChallenge } from "./dashboard-schema.ts";

/** Where you are signed in. */
export const useSessions = () =>
  useQuery<SessionEntry[], ApiError>({
    queryKey: accountKeys.sessions,
    queryFn: ({ signal }) => dashboardApi("GET", "/sessions", { signal }),
  });

export const useTwoFactor = () =>
  useQuery<TwoFactor, ApiError>({
    queryKey: accountKeys.twoFactor,
    queryFn: ({ signal }) => dashboardApi("GET", "/two-factor", { signal }),
  });

/**
 * For changes that return recovery codes: nothing is read again until the page has shown them, because a page that
 * renders again would lose what is shown only once. The page calls `useRefreshAccount` afterwards.
 */
const useCodesMutation = <Input>(run: (input: Input) => Promise<RecoveryCodes>) =>
  useMutation<RecoveryCodes, ApiError, Input>({ mutationFn: run });

export function useRefreshAccount(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [accountKeys.all, sessionKeys.all]) void client.invalidateQueries({ queryKey });
  };
}

/** A factor may open the workspace: the session is read again too. */
function useAccountMutation<Result, Input>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: run,
    onSuccess: () =>
      Promise.all([accountKeys.all, sessionKeys.all].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export const useEndSession = () =>
  useAccountMutation((id: number) => dashboardApi<SessionEntry>("DELETE", `/sessions/${id}`));

export const useConfirmPassword = () =>
  useAccountMutation((password: string) => dashboardApi("POST", "/confirm-password", { body: { password } }));

export const useStartTotp = () =>
  useMutation<TotpEnrolment, ApiError, void>({ mutationFn: () => dashboardApi("POST", "/two-factor/totp") });

export const useConfirmTotp = () =>
  useCodesMutation((code: string) =>
    dashboardApi<RecoveryCodes>("POST", "/two-factor/totp/confirm", { body: { code } }),
  );

export const useRemoveTotp = () =>
  useAccountMutation((_: undefined) => dashboardApi<TwoFactor>("DELETE", "/two-factor/totp"));

export const useDismissWrongCodes = () =>
  useAccountMutation((_: undefined) => dashboardApi<TwoFactor>("DELETE", "/two-factor/wrong-codes"));

export const useReplaceRecoveryCodes = () =>
  useCodesMutation((_: undefined) => dashboardApi<RecoveryCodes>("POST", "/two-factor/recovery-codes"));

/** The library that talks to authenticators is loaded where it is needed: signing in with a password does not. */
const webauthn = () => import("@simplewebauthn/browser");

export const useAddPasskey = () =>
  useCodesMutation(async (name: string) => {
    const { token, options } = await dashboardApi<PasskeyChallenge>("POST", "/passkeys/options");
    const { startRegistration } = await webauthn();
    const response = await startRegistration({ optionsJSON: options as never });
    return dashboardApi<RecoveryCodes>("POST", "/passkeys", { body: { token, name, response } });
  });

export const useRemovePasskey = () =>
  useAccountMutation((id: number) => dashboardApi<TwoFactor>("DELETE", `/passkeys/${id}`));

export const useSignInWithPasskey = () =>
  useMutation<Session, ApiError | Error, void>({
    mutationFn: async () => {
      const { token, options } = await dashboardApi<PasskeyChallenge>("POST", "/sign-in/passkey-options");
      const passkey = await assertionOf(options);
      return dashboardApi("POST", "/sign-in/passkey", { body: { token, passkey } });
    },
  });

interface SecondFactorInput extends Omit<SecondSignInFactorBody, "passkey"> {
  passkey_options?: Record<string, unknown>;
}

export const useSecondFactor = () =>
  useMutation<Session, ApiError | Error, SecondFactorInput>({
    mutationFn: async ({ passkey_options: options, ...body }) => {
      const passkey = options ? await assertionOf(options) : undefined;
      return dashboardApi("POST", "/sign-in/second-factor", { body: { ...body, ...(passkey ? { passkey } : {}) } });
    },
  });

async function assertionOf(options: Record<string, unknown>) {
  const { startAuthentication } = await webauthn();
  return startAuthentication({ optionsJSON: options as never });
}
