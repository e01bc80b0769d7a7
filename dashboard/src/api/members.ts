import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { t } from "../lib/texts.ts";
import { type ApiError, dashboardApi, dashboardPage, type Page } from "./client.ts";
import type { CreateInvitationBody, Invitation, InvitationWithUrl, Member, Role } from "./dashboard-schema.ts";
import { invitationKeys, memberKeys, sessionKeys } from "./query-keys.ts";

export type { Invitation, Member } from "./dashboard-schema.ts";

export const ROLES: Record<Role, { title: string; sentence: string }> = {
  owner: { title: t("Owner"), sentence: t("Everything, including owners and further workspaces.") },
  admin: { title: t("Admin"), sentence: t("Settings, keys, webhooks and members, but not owners.") },
  agent: { title: t("Agent"), sentence: t("Conversations and contacts. No settings.") },
};

interface MemberFilter {
  search: string;
  page: number;
}

export const MEMBERS_PER_PAGE = 50;
const EVERYBODY: MemberFilter = { search: "", page: 1 };

export const useMembers = ({ search, page }: MemberFilter = EVERYBODY) =>
  useQuery<Page<Member>, ApiError>({
    queryKey: memberKeys.list({ search, page }),
    queryFn: ({ signal }) => dashboardPage("/members", { query: { search, page, per_page: MEMBERS_PER_PAGE }, signal }),
    placeholderData: (before) => before,
    // Events are not about members, and a colleague may have joined.
    refetchInterval: 60_000,
  });

export const useInvitations = () =>
  useQuery<Invitation[], ApiError>({
    queryKey: invitationKeys.list(),
    queryFn: ({ signal }) => dashboardApi("GET", "/invitations", { signal }),
    refetchInterval: 60_000,
  });

/** Your own role may be among what changed, so the session is read again too. */
function useMemberMutation<Result, Input>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: run,
    onSuccess: () =>
      Promise.all(
        [memberKeys.all(), invitationKeys.all(), sessionKeys.all].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

export const useInvite = () =>
  useMemberMutation((body: CreateInvitationBody) => dashboardApi<InvitationWithUrl>("POST", "/invitations", { body }));

export const useRevokeInvitation = () =>
  useMemberMutation((id: number) => dashboardApi<Invitation>("DELETE", `/invitations/${id}`));

export const useChangeRole = () =>
  useMemberMutation(({ id, role }: { id: number; role: Role }) =>
    dashboardApi<Member>("PATCH", `/members/${id}`, { body: { role } }),
  );

export const useRemoveMember = () =>
  useMemberMutation(({ id, revokeKeys }: { id: number; revokeKeys: boolean }) =>
    dashboardApi<Member>("DELETE", `/members/${id}`, { query: { revoke_keys: revokeKeys || null } }),
  );
