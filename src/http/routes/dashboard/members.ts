import { Type } from "typebox";
import { changeRole, findMember, listMembers, removeMember } from "../../../accounts/members.ts";
import { MANAGERS } from "../../../accounts/roles.ts";
import { createOwnWorkspace, renameWorkspace } from "../../../accounts/workspaces.ts";
import type { Database } from "../../../db/database.ts";
import { type RouteSpec, route } from "../../pipeline/route.ts";
import { MemberRecord, Name, RoleName, WorkspaceWithRole } from "./records.ts";
import { managerOf, sessionOf } from "./signing-in.ts";

const TAG = "Members";
const roles = MANAGERS;

/** Who belongs to the workspace, and the workspace itself. */
export function memberRoutes(db: Database): RouteSpec[] {
  return [
    route({
      method: "GET",
      path: "/members",
      tag: TAG,
      summary: "List the people of the workspace",
      access: "any",
      roles,
      success: { status: 200, data: Type.Array(MemberRecord) },
      handler: async ({ caller }) => ({ data: await listMembers(db, caller.workspaceId) }),
    }),
    route({
      method: "PATCH",
      path: "/members/{member}",
      params: ["member"],
      tag: TAG,
      summary: "Change somebody's role",
      access: "any",
      roles,
      body: Type.Object({ role: RoleName }),
      success: { status: 200, data: MemberRecord },
      exists: ({ caller, params }) => findMember(db, caller.workspaceId, params.member),
      handler: (context) =>
        context.write(async (tx) => ({
          data: await changeRole(tx, managerOf(context), context.params.member, context.body.role),
        })),
    }),
    route({
      method: "DELETE",
      path: "/members/{member}",
      params: ["member"],
      tag: TAG,
      summary: "Remove somebody from the workspace",
      access: "any",
      roles,
      success: { status: 200, data: MemberRecord },
      handler: (context) =>
        context.write(async (tx) => ({ data: await removeMember(tx, managerOf(context), context.params.member) })),
    }),
    route({
      method: "POST",
      path: "/workspaces",
      tag: TAG,
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
      tag: TAG,
      summary: "Rename the workspace",
      access: "any",
      roles,
      body: Type.Object({ name: Name }),
      success: { status: 200, data: WorkspaceWithRole },
      handler: ({ caller, request, body, write }) =>
        write(async (tx) => {
          const { role } = sessionOf(request).workspace;
          return { data: { ...(await renameWorkspace(tx, caller, body.name)), role } };
        }),
    }),
  ];
}
