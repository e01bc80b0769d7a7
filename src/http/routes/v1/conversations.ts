import { Type } from "typebox";
import { findConversation, viewerOf } from "../../../conversations/conversation-find.ts";
import { conversationReader } from "../../../conversations/conversation-list.ts";
import {
  type ConversationFields,
  deleteConversation,
  lockConversation,
  type NewConversation,
  patchConversation,
} from "../../../conversations/conversations.ts";
import { type NamedResources, namedProblems } from "../../../conversations/named-resources.ts";
import { type FieldErrors, forbidden } from "../../../core/errors.ts";
import type { Database } from "../../../db/database.ts";
import { ConversationRecord, OpenedConversation } from "../../../resources/conversations.ts";
import { readPage } from "../../pipeline/paging.ts";
import { API_BASE, type Context } from "../../pipeline/route.ts";
import { requireMatch, withEtag } from "../../pipeline/versions.ts";
import {
  ConversationQuery,
  CreateBody,
  createProblems,
  fieldProblems,
  PatchBody,
  queryProblems,
} from "./conversation-fields.ts";
import { conversationFilterOf, viewIn } from "./conversation-filter.ts";
import { route } from "./services.ts";
import { queryOf } from "./view-filters.ts";
import { conversationResponse, visibleConversation, withFreshLinks } from "./visible-fields.ts";

/** What changes with messages, contacts and time, and not by a PATCH of the conversation. */
const VOLATILE = ["contact", "waiting_since", "last_message_at", "last_message", "unread_count", "updated_at"];

export const conversationRoutes = [
  route({
    method: "GET",
    path: "/conversations",
    summary: "List conversations",
    description:
      "Newest first. `search` matches a part of the subject; `text` matches words in whatever a conversation shows or contains, as far as the caller may read it, among the newest 500 matches of each kind.",
    access: "conversations:read",
    query: ConversationQuery,
    success: { status: 200, data: Type.Array(ConversationRecord), paged: "always" },
    check: ({ caller, query }) => queryProblems(query, viewerOf(caller)),
    handler: async ({ caller, query }, { db }) => {
      const view = await viewIn(db, caller, query.view);
      const given = view ? [query, queryOf(view.filters)] : [query];
      const filters = await Promise.all(given.map((part) => conversationFilterOf(db, caller, part)));
      const options = { filters, sort: query.sort ?? view?.sort, viewerId: viewerOf(caller) };
      const reader = conversationReader(db, caller.workspaceId, options);
      const { data, ...page } = await readPage(reader, query, `${API_BASE}/conversations`);
      return { data: data.map((conversation) => visibleConversation(caller, conversation)), ...page };
    },
  }),
  route({
    method: "POST",
    path: "/conversations",
    summary: "Open a conversation",
    description:
      "With an existing contact (`contact_id`), a new one (`contact`) or an anonymous one; optionally with its first `message`, which the response then holds as `message`.",
    access: "conversations:write",
    body: CreateBody,
    success: { status: 201, data: OpenedConversation },
    visible: conversationResponse,
    check: (context, { db }) => {
      const { caller, request } = context;
      const { message } = request.body as { message?: unknown };
      if (message !== undefined && message !== null && !caller.scopes.has("messages:write"))
        throw forbidden("A first message needs the scope messages:write, which this API key lacks.");
      return withNamed(db, context, createProblems(context.body as Partial<NewConversation>));
    },
    handler: ({ caller, body, links, write }, { outbox, replyMailer, writers }) =>
      write(async (tx) => {
        const context = { tx, outbox, caller, links, replyMailer };
        const { message, ...opened } = await writers.conversations.create(context, body as NewConversation);
        const fresh = message ? { message: withFreshLinks(links, message) } : {};
        return conversationResponse(caller, { ...opened, ...fresh }, body);
      }),
  }),
  route({
    method: "GET",
    path: "/conversations/{conversation}",
    summary: "Get a conversation",
    access: "conversations:read",
    success: { status: 200, data: ConversationRecord },
    handler: async ({ caller, params, reply }, { db }) => {
      const { workspaceId } = caller;
      const conversation = await findConversation(db, workspaceId, params.conversation, viewerOf(caller));
      return { data: visibleConversation(caller, withEtag(reply, conversation, VOLATILE)) };
    },
  }),
  route({
    method: "PATCH",
    path: "/conversations/{conversation}",
    summary: "Change, assign, snooze or resolve a conversation",
    description:
      "Only the given fields are changed; an empty subject or priority clears it, `assignee_id` 0 removes the assignee. With `If-Match` and the `ETag` of a read, a conversation whose own fields have changed since that read is not updated (412); messages do not count as a change.",
    access: "conversations:write",
    body: PatchBody,
    errors: ["PRECONDITION_FAILED"],
    success: { status: 200, data: ConversationRecord },
    exists: ({ caller, params }, { db }) => findConversation(db, caller.workspaceId, params.conversation),
    check: (context, { db }) => withNamed(db, context, fieldProblems(context.body as ConversationFields)),
    handler: ({ caller, params, body, request, reply, write }, { outbox }) =>
      write(async (tx) => {
        const readLocked = () => lockConversation(tx, caller.workspaceId, params.conversation);
        await requireMatch(request, readLocked, VOLATILE);
        const patched = await patchConversation(
          { tx, outbox, caller },
          params.conversation,
          body as ConversationFields,
        );
        return conversationResponse(caller, withEtag(reply, patched, VOLATILE), body);
      }),
  }),
  route({
    method: "DELETE",
    path: "/conversations/{conversation}",
    summary: "Delete a conversation with its messages",
    description: "Permanently. This causes one event, `conversation.deleted`, and none per message.",
    access: "conversations:write",
    success: { status: 200, data: ConversationRecord },
    handler: ({ caller, params, write }, { outbox }) =>
      write(async (tx) =>
        conversationResponse(caller, await deleteConversation({ tx, outbox, caller }, params.conversation), {}),
      ),
  }),
];

/**
 * Whether contact and assignee exist is decided in the transaction, so that a repeat under an `Idempotency-Key` succeeds
 * even if they have been deleted since. Only a request that is refused anyway is checked here, so that it gets all problems at once.
 */
async function withNamed(
  db: Database,
  { caller, request, body }: Pick<Context<string, unknown, object>, "caller" | "request" | "body">,
  found: FieldErrors,
): Promise<FieldErrors> {
  if (!request.validationError && Object.keys(found).length === 0) return found;
  return { ...(await namedProblems(db, caller.workspaceId, body as NamedResources)), ...found };
}
