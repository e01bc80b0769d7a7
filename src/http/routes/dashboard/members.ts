import { Type } from "typebox";
import { revokeKeysOf } from "../../../accounts/member-keys.ts";
import { changeRole, findMember, listMembers, removeMember, requireMayRemove } from "../../../accounts/members.ts";
import { MANAGERS } from "../../../accounts/roles.ts";
import { createOwnWorkspace, updateWorkspace } from "../../../accounts/workspaces.ts";
import { unassignAll, unassignInBatches } from "../../../conversations/unassign.ts";
import { conflict } from "../../../core/errors.ts";
import { optionalBoolean, optionalString } from "../../../resources/common.ts";
import { PageQuery, PER_PAGE_DEFAULT } from "../../pipeline/paging.ts";
import { DASHBOARD_API_BASE } from "../../pipeline/route.ts";
import { MemberRecord, Name, RoleName, WorkspaceWithRole } from "./records.ts";
import { route } from "./services.ts";
import { managerOf, sessionOf } from "./signing-in.ts";

const roles = MANAGERS;

/** Who belongs to the workspace, and the workspace itself. */
export const memberRoutes = [
  route({
    method: "GET",
    path: "/members",
    summary: "List the members of the workspace",
    access: "any",
    roles,
    query: Type.Object({
      page: PageQuery.page,
      per_page: PageQuery.per_page,
      search: optionalString(255, "Part of a name or an e-mail address."),
    }),
    success: { status: 200, data: Type.Array(MemberRecord), paged: "always" },
    handler: async ({ caller, query }, { db }) => {
      const { page = 1, per_page: perPage = PER_PAGE_DEFAULT, search = "" } = query;
      const asked = { search, limit: perPage, offset: (page - 1) * perPage };
      const { members, total } = await listMembers(db, caller.workspaceId, asked);
      const counts = { total, totalIsLowerBound: false, rows: members.length, hasNext: page * perPage < total };
      const path = `${DASHBOARD_API_BASE}/members`;
      return { data: members, page: { ...counts, page, perPage, upToId: null, path } };
    },
  }),
  route({
    method: "PATCH",
    path: "/members/{member}",
    summary: "Change the role of a member",
    access: "any",
    roles,
    body: Type.Object({ role: RoleName }),
    success: { status: 200, data: MemberRecord },
    exists: ({ caller, params }, { db }) => findMember(db, caller.workspaceId, params.member),
    handler: (context) =>
      context.write(async (tx) => ({
        data: await changeRole(tx, managerOf(context), context.params.member, context.body.role),
      })),
  }),
  route({
    method: "DELETE",
    path: "/members/{member}",
    summary: "Remove a member from the workspace, and unassign their conversations",
    access: "any",
    roles,
    query: Type.Object({
      revoke_keys: optionalBoolean("Also revokes the API keys that they created."),
    }),
    success: { status: 200, data: MemberRecord },
    handler: async (context, { db, keys }) => {
      const manager = managerOf(context);
      const { outbox } = keys;
      const { id } = await db.transaction((tx) => requireMayRemove(tx, manager, context.params.member));
      await unassignInBatches({ db, outbox }, manager, id);
      return context.write(async (tx) => {
        const member = await removeMember(tx, manager, { id });
        await unassignAll({ tx, outbox, caller: manager }, id);
        if (context.query.revoke_keys) await revokeKeysOf(tx, keys, manager, id);
        return { data: member };
      });
    },
  }),
  route({
    method: "POST",
    path: "/workspaces",
    summary: "Create another workspace and own it",
    access: "any",
    roles: ["owner"],
    body: Type.Object({ name: Name }),
    success: { status: 201, data: WorkspaceWithRole },
    handler: ({ caller, request, body, write }) =>
      write(async (tx) => ({ data: await createOwnWorkspace(tx, caller, sessionOf(request).user.id, body.name) })),
  }),
  route({
    method: "PATCH",
    path: "/workspace",
    summary: "Change the workspace's name, or whether two-factor sign-in is required",
    access: "any",
    roles,
    body: Type.Object({ name: Type.Optional(Name), require_two_factor: Type.Optional(Type.Boolean()) }),
    success: { status: 200, data: WorkspaceWithRole },
    handler: ({ caller, request, body, write }) =>
      write(async (tx) => {
        const { workspace, second_factor: hasSecondFactor } = sessionOf(request);
        const { role } = workspace;
        if (body.require_two_factor && !hasSecondFactor)
          throw conflict("Set up your own second factor first: otherwise you would lock yourself out.");
        return { data: { ...(await updateWorkspace(tx, caller, body)), role } };
      }),
  }),
];
