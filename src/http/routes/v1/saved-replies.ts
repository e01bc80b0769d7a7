import { Type } from "typebox";
import {
  createSavedReply,
  deleteSavedReply,
  findSavedReply,
  listSavedReplies,
  lockSavedReply,
  patchSavedReply,
  variableProblems,
} from "../../../conversations/saved-replies.ts";
import { NAME_PATTERN } from "../../../core/control-characters.ts";
import { problems } from "../../../core/errors.ts";
import { optionalString } from "../../../resources/common.ts";
import { SavedReplyRecord } from "../../../resources/conversations.ts";
import { BoundedListQuery, partOf } from "../../pipeline/bounded-list.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { IF_MATCH, requireMatch, withEtag } from "../../pipeline/versions.ts";
import { route } from "./services.ts";
import { savedReplyResponse } from "./visible-fields.ts";

const ITEM = "/saved-replies/{saved_reply}";

const FIELDS = {
  name: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 255,
    pattern: NAME_PATTERN,
    description: "The name that people search for.",
    examples: ["Shipping time"],
  }),
  shortcut: Type.Optional(
    Type.String({
      trim: true,
      maxLength: 64,
      format: "no-blanks",
      pattern: NAME_PATTERN,
      description: "What people type to insert it, without spaces; unique in the workspace. Empty: none.",
      examples: ["shipping"],
    }),
  ),
  body: Type.String({
    minLength: 1,
    maxLength: 65_536,
    description:
      "The text. `{{contact.name}}`, `{{contact.email}}`, `{{agent.name}}` and `{{conversation.id}}` are replaced when it is inserted.",
    examples: ["Hello {{contact.name}}, it takes three days."],
  }),
};

export const savedReplyRoutes = [
  route({
    method: "GET",
    path: "/saved-replies",
    summary: "List saved replies",
    description:
      "By name; all of them, at most 1,000, unless a part is requested. `search` matches the name, shortcut and body.",
    access: "messages:read",
    query: Type.Object({
      search: optionalString(255, "Part of the text."),
      ...BoundedListQuery,
    }),
    success: { status: 200, data: Type.Array(SavedReplyRecord), paged: "optional" },
    handler: async ({ caller: { workspaceId }, query }, { db }) => {
      const items = await listSavedReplies(db, workspaceId, query.search);
      const path = `${API_BASE}/saved-replies`;
      return partOf({ name: "saved-replies", workspaceId, path, items, identityOf: ({ id }) => id }, query);
    },
  }),
  route({
    method: "POST",
    path: "/saved-replies",
    summary: "Create a saved reply",
    description: "An unknown variable is a 422. A `shortcut` that another saved reply has is a 409.",
    access: "messages:write",
    body: Type.Object(FIELDS),
    success: { status: 201, data: SavedReplyRecord },
    visible: savedReplyResponse,
    check: ({ body }) => problems({ body: variableProblems(body.body) }),
    handler: ({ caller, body, write }) =>
      write(async (tx) => savedReplyResponse(caller, await createSavedReply(tx, caller.workspaceId, body), body)),
  }),
  route({
    method: "GET",
    path: ITEM,
    summary: "Get a saved reply",
    access: "messages:read",
    success: { status: 200, data: SavedReplyRecord },
    handler: async ({ caller, params, reply }, { db }) => ({
      data: withEtag(reply, await findSavedReply(db, caller.workspaceId, params.saved_reply)),
    }),
  }),
  route({
    method: "PATCH",
    path: ITEM,
    summary: "Change a saved reply",
    description: `Only the given fields are changed; an empty shortcut clears it. ${IF_MATCH}`,
    access: "messages:write",
    body: Type.Partial(Type.Object(FIELDS)),
    errors: ["CONFLICT", "PRECONDITION_FAILED"],
    success: { status: 200, data: SavedReplyRecord },
    exists: ({ caller, params }, { db }) => findSavedReply(db, caller.workspaceId, params.saved_reply),
    check: ({ body }) => problems({ body: variableProblems(body.body) }),
    handler: ({ caller, params, body, request, reply, write }) =>
      write(async (tx) => {
        await requireMatch(request, () => lockSavedReply(tx, caller.workspaceId, params.saved_reply));
        const patched = await patchSavedReply(tx, caller.workspaceId, params.saved_reply, body);
        return savedReplyResponse(caller, withEtag(reply, patched), body);
      }),
  }),
  route({
    method: "DELETE",
    path: ITEM,
    summary: "Delete a saved reply",
    access: "messages:write",
    success: { status: 200, data: SavedReplyRecord },
    handler: ({ caller, params, write }) =>
      write(async (tx) =>
        savedReplyResponse(caller, await deleteSavedReply(tx, caller.workspaceId, params.saved_reply)),
      ),
  }),
];
