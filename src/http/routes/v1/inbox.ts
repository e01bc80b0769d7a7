import { type Static, Type } from "typebox";
import { findConversation, findConversationId, viewerOf } from "../../../conversations/conversation-find.ts";
import { countConversations } from "../../../conversations/counts.ts";
import { listLabels } from "../../../conversations/labels.ts";
import { listWorkspaceMembers } from "../../../conversations/members.ts";
import { markRead, markUnread, type Reader } from "../../../conversations/read-state.ts";
import type { Caller } from "../../../core/caller.ts";
import type { Database } from "../../../db/database.ts";
import { Id, NUMBER_MAX, Uuid } from "../../../resources/common.ts";
import { CONVERSATION_STATUSES, ConversationRecord } from "../../../resources/conversations.ts";
import { BoundedListQuery, partOf } from "../../pipeline/bounded-list.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { reportOwnChange } from "./own-change.ts";
import { route } from "./services.ts";
import { visibleConversation } from "./visible-fields.ts";

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
    mentioned: Type.Optional(
      count("With unread notes that mention the signed-in person, among the newest 100 such notes. People only."),
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

const nameOf = ({ name }: { name: string }): string => name;

/** What an inbox asks for in addition to the conversations themselves. */
export const inboxRoutes = [
  route({
    method: "GET",
    path: "/conversations/counts",
    summary: "Count conversations",
    description: "By status, and the open ones by who has to act.",
    access: "conversations:read",
    success: { status: 200, data: Counts },
    handler: async ({ caller }, { db }) => ({
      data: await countConversations(db, caller.workspaceId, viewerOf(caller)),
    }),
  }),
  route({
    method: "GET",
    path: "/labels",
    summary: "List labels in use",
    description:
      "By name, each with the number of its conversations; all of them, at most 1,000, unless a part is requested.",
    access: "conversations:read",
    query: Type.Object(BoundedListQuery),
    success: { status: 200, data: Type.Array(Label), paged: "optional" },
    handler: async ({ caller: { workspaceId }, query }, { db }) => {
      const items = await listLabels(db, workspaceId);
      return partOf({ name: "labels", workspaceId, path: `${API_BASE}/labels`, items, identityOf: nameOf }, query);
    },
  }),
  route({
    method: "GET",
    path: "/members",
    summary: "List members of the workspace",
    description:
      "The people a conversation can be assigned to, by name; all of them, unless a part is requested. With more than 1,000 the response has the first 1,000, `meta`, and links to the rest.",
    access: "conversations:read",
    query: Type.Object(BoundedListQuery),
    success: { status: 200, data: Type.Array(Member), paged: "optional" },
    handler: async ({ caller, query }, { db }) => {
      const { workspaceId } = caller;
      const members = await listWorkspaceMembers(db, workspaceId);
      const isPerson = viewerOf(caller) !== null;
      const items: Static<typeof Member>[] = isPerson ? members : members.map(({ email: _email, ...member }) => member);
      const path = `${API_BASE}/members`;
      return partOf({ name: "members", workspaceId, path, items, identityOf: ({ id }) => id }, query);
    },
  }),
  route({
    method: "POST",
    path: `${CONVERSATION}/read`,
    summary: "Mark a conversation as read",
    description: "Up to the message with this `seq`, by default up to the last one. This causes no event.",
    access: "conversations:read",
    peopleOnly: true,
    body: Type.Object({ seq: Type.Optional(Type.Integer({ minimum: 0, maximum: NUMBER_MAX })) }),
    success: { status: 200, data: ConversationRecord },
    exists: ({ caller, params }, { db }) => findConversationId(db, caller.workspaceId, params.conversation),
    handler: async ({ caller, params, body, request }, { db, ownChanged, visitors }) => {
      const { id, seq } = await markRead(db, readerOf(caller), params.conversation, body.seq);
      reportOwnChange(ownChanged, { caller, request }, id);
      visitors.readByAgent({ workspaceId: caller.workspaceId, conversationId: id, seq });
      return { data: await seenBy(db, caller, id) };
    },
  }),
  route({
    method: "POST",
    path: `${CONVERSATION}/unread`,
    summary: "Mark a conversation as unread",
    description: "The last message from the contact counts as unread again. This causes no event.",
    access: "conversations:read",
    peopleOnly: true,
    success: { status: 200, data: ConversationRecord },
    handler: async ({ caller, params, request }, { db, ownChanged }) => {
      const id = await markUnread(db, readerOf(caller), params.conversation);
      reportOwnChange(ownChanged, { caller, request }, id);
      return { data: await seenBy(db, caller, id) };
    },
  }),
];

const seenBy = async (db: Database, caller: Caller, id: number): Promise<ConversationRecord> =>
  visibleConversation(caller, await findConversation(db, caller.workspaceId, { id }, viewerOf(caller)));

const readerOf = (caller: Caller): Reader => ({ workspaceId: caller.workspaceId, userId: viewerOf(caller) ?? 0 });
