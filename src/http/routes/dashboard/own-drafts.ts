import { Type } from "typebox";
import { ROLES } from "../../../accounts/roles.ts";
import { conversationsWithDraftOf } from "../../../conversations/drafts.ts";
import { Id } from "../../../resources/common.ts";
import { route } from "./services.ts";
import { sessionOf } from "./signing-in.ts";

/** For the mark in the rows of the inbox: lists of conversations do not say where their reader has a draft. */
export const ownDraftRoutes = [
  route({
    method: "GET",
    path: "/own-drafts",
    summary: "List the conversations in which you have a draft",
    access: "any",
    roles: ROLES,
    success: { status: 200, data: Type.Array(Id) },
    handler: async ({ caller, request }, { db }) => ({
      data: await conversationsWithDraftOf(db, caller.workspaceId, sessionOf(request).user.id),
    }),
  }),
];
