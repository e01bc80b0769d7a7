import { Type } from "typebox";
import { findConversation, findConversationId, viewerOf } from "../../../conversations/conversation-find.ts";
import { countConversations } from "../../../conversations/counts.ts";
import { listLabels } from "../../../conversations/labels.ts";
import { listWorkspaceMembers } from "../../../conversations/members.ts";
import { markRead, markUnread, type Reader } from "../../../conversations/read-state.ts";
import type { Caller } from "../../../core/caller.ts";
import type { Database } from "../../../db/database.ts";
import { Id, Uuid } from "../../../resources/common.ts";
import { CONVERSATION_STATUSES, ConversationRecord } from "../../../resources/conversations.ts";
import { type RouteSpec, route } from "../../pipeline/route.ts";
import { visibleConversation } from "./visible-fields.ts";

const TAG = "Conversations";
const CONVERSATION = "/conversations/{conversation}";

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Counts = Type.Object(
  {
    by_status: Type.Object(
      Object.fromEntries(CONVERSATION_STATUSES.map((status) => [status, count(`All ${status}.`)])),
    ),
    mine: Type.Optional(count("Open and assigned to the signed-in person. People only.")),
    unassigned: count("Open and assigned to nobody."),
    waiting: count("Open, and the contact waits for a reply."),
    unread: Type.Optional(
      count("Open with messages that the signed-in person has not read, among the newest 1,000. People only."),
    ),
  },
  { title: "ConversationCounts" },
);

const Label = Type.Object({ name: Type.String(), count: count("Conversations that have it.") }, { title: "Label" });

const Member = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    role: Type.String(),
    email: Type.Optional(Type.String({ description: "For signed-in people only." })),
  },
  { title: "Member" },
);

/** What an inbox asks beside the conversations themselves. */
export function inboxRoutes(db: Database): RouteSpec[] {
  return [
    route({
      method: "GET",
      path: "/conversations/counts",
      tag: TAG,
      summary: "Count conversations",
      description: "By status, and the open ones by who has to act.",
      access: "conversations:read",
      success: { status: 200, data: Counts },
      handler: async ({ caller }) => ({ data: await countConversations(db, caller.workspaceId, viewerOf(caller)) }),
    }),
    route({
      method: "GET",
      path: "/labels",
      tag: TAG,
      summary: "List labels in use",
      description: "By name, at most 1,000, each with the number of its conversations.",
      access: "conversations:read",
      success: { status: 200, data: Type.Array(Label) },
      handler: async ({ caller }) => ({ data: await listLabels(db, caller.workspaceId) }),
    }),
    route({
      method: "GET",
      path: "/members",
      tag: TAG,
      summary: "List members of the workspace",
      description: "The people a conversation can be assigned to, by name.",
      access: "conversations:read",
      success: { status: 200, data: Type.Array(Member) },
      handler: async ({ caller }) => {
        const members = await listWorkspaceMembers(db, caller.workspaceId);
        const isPerson = viewerOf(caller) !== null;
        return { data: isPerson ? members : members.map(({ email: _email, ...member }) => member) };
      },
    }),
    route({
      method: "POST",
      path: `${CONVERSATION}/read`,
      params: ["conversation"],
      tag: TAG,
      summary: "Mark a conversation as read",
      description: "Up to the message with this `seq`, by default up to the last one. This causes no event.",
      access: "conversations:read",
      peopleOnly: true,
      body: Type.Object({ seq: Type.Optional(Type.Integer({ minimum: 0 })) }),
      success: { status: 200, data: ConversationRecord },
      exists: ({ caller, params }) => findConversationId(db, caller.workspaceId, params.conversation),
      handler: async ({ caller, params, body }) => {
        const id = await markRead(db, readerOf(caller), params.conversation, body.seq);
        return { data: await seenBy(caller, id) };
      },
    }),
    route({
      method: "POST",
      path: `${CONVERSATION}/unread`,
      params: ["conversation"],
      tag: TAG,
      summary: "Mark a conversation as unread",
      description: "The last message from the contact counts as unread again. This causes no event.",
      access: "conversations:read",
      peopleOnly: true,
      success: { status: 200, data: ConversationRecord },
      handler: async ({ caller, params }) => {
        const id = await markUnread(db, readerOf(caller), params.conversation);
        return { data: await seenBy(caller, id) };
      },
    }),
  ];

  async function seenBy(caller: Caller, id: number): Promise<ConversationRecord> {
    return visibleConversation(caller, await findConversation(db, caller.workspaceId, { id }, viewerOf(caller)));
  }
}

const readerOf = (caller: Caller): Reader => ({ workspaceId: caller.workspaceId, userId: viewerOf(caller) ?? 0 });
