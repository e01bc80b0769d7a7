import { Type } from "typebox";
import { changeRole, findMember, listMembers, removeMember } from "../../../accounts/members.ts";
import { MANAGERS } from "../../../accounts/roles.ts";
import { createOwnWorkspace, renameWorkspace } from "../../../accounts/workspaces.ts";
import type { Database } from "../../../db/database.ts";
import { type RouteSpec, route } from "../../pipeline/route.ts";
import { MemberRecord, Name, RoleName, WorkspaceWithRole } from "./records.ts";
import { sessionOf } from "./signing-in.ts";

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
      handler: async ({ principal }) => ({ data: await listMembers(db, principal.workspaceId) }),
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
      exists: ({ principal, params }) => findMember(db, principal.workspaceId, params.member),
      handler: ({ principal, origin, request, params, body, write }) =>
        write(async (tx) => {
          const { role } = sessionOf(request).workspace;
          return { data: await changeRole(tx, origin, principal.workspaceId, role, params.member, body.role) };
        }),
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
      handler: ({ principal, origin, request, params, write }) =>
        write(async (tx) => {
          const { role } = sessionOf(request).workspace;
          return { data: await removeMember(tx, origin, principal.workspaceId, role, params.member) };
        }),
    }),
    route({
      method: "POST",
      path: "/workspaces",
      tag: TAG,
      summary: "Make another workspace and own it",
      access: "any",
      roles: ["owner"],
      body: Type.Object({ name: Name }),
      success: { status: 201, data: WorkspaceWithRole },
      handler: ({ origin, request, body, write }) =>
        write(async (tx) => ({ data: await createOwnWorkspace(tx, origin, sessionOf(request).user.id, body.name) })),
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
      handler: ({ principal, origin, request, body, write }) =>
        write(async (tx) => {
          const { role } = sessionOf(request).workspace;
          return { data: { ...(await renameWorkspace(tx, origin, principal.workspaceId, body.name)), role } };
        }),
    }),
  ];
}
