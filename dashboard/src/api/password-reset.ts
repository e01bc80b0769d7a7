import { useMutation, useQuery } from "@tanstack/react-query";
import { type ApiError, dashboardApi } from "./client.ts";
import type { PasswordResetBody } from "./dashboard-schema.ts";
import { passwordResetKeys } from "./query-keys.ts";

export const useRequestPasswordReset = () =>
  useMutation<unknown, ApiError, string>({
    mutationFn: (email) => dashboardApi("POST", "/password-reset-request", { body: { email } }),
  });

/** Fails with a 404 where the link was used or has expired. */
export const usePasswordResetLink = (token: string) =>
  useQuery<unknown, ApiError>({
    queryKey: passwordResetKeys.link(token),
    queryFn: () => dashboardApi("POST", "/password-reset-check", { body: { token } }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const useResetPassword = () =>
  useMutation<unknown, ApiError, PasswordResetBody>({
    mutationFn: (body) => dashboardApi("POST", "/password-reset", { body }),
  });
