import { useMutation, useQuery } from "@tanstack/react-query";
import { type ApiError, dashboardApi } from "./client.ts";
import type { AcceptInvitationBody, InvitationPreview, Session, SetupBody, SetupState } from "./dashboard-schema.ts";
import { invitationPreviewKeys, setupKeys } from "./query-keys.ts";

export type { InvitationPreview } from "./dashboard-schema.ts";

/** Whether the first owner still has to be created. */
export const useSetupNeeded = ({ enabled = true } = {}) =>
  useQuery<SetupState, ApiError>({
    queryKey: setupKeys.all,
    queryFn: () => dashboardApi("GET", "/setup"),
    enabled,
  });

/** Fails with a 404 where the link is not valid. */
export const useSetupLink = (token: string) =>
  useQuery<unknown, ApiError>({
    queryKey: setupKeys.link(token),
    queryFn: () => dashboardApi("POST", "/setup-check", { body: { token } }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const useSetup = () =>
  useMutation<Session, ApiError, SetupBody>({ mutationFn: (body) => dashboardApi("POST", "/setup", { body }) });

export const useInvitationPreview = (token: string) =>
  useQuery<InvitationPreview, ApiError>({
    queryKey: invitationPreviewKeys.of(token),
    queryFn: () => dashboardApi("POST", "/invitation-preview", { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const useAcceptInvitation = () =>
  useMutation<Session, ApiError, AcceptInvitationBody>({
    mutationFn: (body) => dashboardApi("POST", "/accept-invitation", { body }),
  });
