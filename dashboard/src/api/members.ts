import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, dashboardApi } from "./client.ts";
import { type Role, SESSION_KEY } from "./session.ts";

export interface Member {
  id: number;
  uuid: string;
  name: string;
  email: string;
  role: Role;
  created_at: string;
  last_seen_at: string | null;
}

export interface Invitation {
  id: number;
  uuid: string;
  email: string;
  role: Role;
  invited_by: { id: number; name: string } | null;
  created_at: string;
  expires_at: string;
  expired: boolean;
}

export const ROLES: Record<Role, { title: string; sentence: string }> = {
  owner: { title: "Owner", sentence: "Everything, owners and workspaces included." },
  admin: { title: "Admin", sentence: "Settings, keys, webhooks and members; not owners." },
  agent: { title: "Agent", sentence: "Conversations only. No settings." },
};

export const useMembers = () =>
  useQuery<Member[], ApiError>({
    queryKey: ["members"],
    queryFn: ({ signal }) => dashboardApi("GET", "/members", { signal }),
  });

export const useInvitations = () =>
  useQuery<Invitation[], ApiError>({
    queryKey: ["invitations"],
    queryFn: ({ signal }) => dashboardApi("GET", "/invitations", { signal }),
  });

function usePeopleMutation<Result, Input>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: run,
    onSuccess: () =>
      Promise.all(
        [["members"], ["invitations"], SESSION_KEY].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

export const useInvite = () =>
  usePeopleMutation((body: { email: string; role: Role }) =>
    dashboardApi<Invitation & { url: string }>("POST", "/invitations", { body }),
  );

export const useWithdrawInvitation = () =>
  usePeopleMutation((id: number) => dashboardApi<Invitation>("DELETE", `/invitations/${id}`));

export const useChangeRole = () =>
  usePeopleMutation(({ id, role }: { id: number; role: Role }) =>
    dashboardApi<Member>("PATCH", `/members/${id}`, { body: { role } }),
  );

export const useRemoveMember = () =>
  usePeopleMutation((id: number) => dashboardApi<Member>("DELETE", `/members/${id}`));
