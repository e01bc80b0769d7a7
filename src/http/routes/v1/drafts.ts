import { Type } from "typebox";
import { findConversationId, viewerOf } from "../../../conversations/conversation-find.ts";
import {
  type DraftInput,
  deleteDraft,
  findDraft,
  listDrafts,
  lockDraft,
  patchDraft,
  saveDraft,
  sendDraft,
} from "../../../conversations/drafts.ts";
import { BODY_OR_ATTACHMENT } from "../../../conversations/messages.ts";
import type { Caller } from "../../../core/caller.ts";
import { problems } from "../../../core/errors.ts";
import { DraftRecord, MessageRecord } from "../../../resources/conversations.ts";
import { BoundedListQuery, partOf } from "../../pipeline/bounded-list.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { isFailed } from "../../pipeline/validation.ts";
import { IF_MATCH, requireMatch, requireNone, withEtag } from "../../pipeline/versions.ts";
import { CHANGEABLE, SAYS_SOMETHING } from "./messages.ts";
import { named } from "./named-fields.ts";
import { reportOwnChange } from "./own-change.ts";
import { route } from "./services.ts";
import { draftResponse, messageResponse, versionedFields, withFreshLinks } from "./visible-fields.ts";

const LIST = "/conversations/{conversation}/drafts";
const ITEM = `${LIST}/{draft}` as const;

export const draftRoutes = [
  route({
    method: "GET",
    path: LIST,
    summary: "List the drafts of a conversation",
    description:
      "Newest first: the suggestions of API keys, and the signed-in user's own draft; all of them, at most 101, unless a part is requested.",
    access: "drafts:read",
    query: Type.Object(BoundedListQuery),
    success: { status: 200, data: Type.Array(DraftRecord), paged: "optional" },
    exists: ({ caller, params }, { db }) => findConversationId(db, caller.workspaceId, params.conversation),
    handler: async ({ caller, params, query, links }, { db }) => {
      const { workspaceId } = caller;
      const id = await findConversationId(db, workspaceId, params.conversation);
      const drafts = await listDrafts(db, workspaceId, id, viewerOf(caller));
      const items = drafts.map((draft) => withFreshLinks(links, draft));
      const path = `${API_BASE}/conversations/${id}/drafts`;
      return partOf({ name: `drafts:${id}`, workspaceId, path, items, identityOf: (draft) => draft.id }, query);
    },
  }),
  route({
    method: "POST",
    path: LIST,
    summary: "Save a draft or suggest a reply",
    description:
      "The draft of an API key is a suggestion, visible to everyone, and causes an event. A user has one draft per conversation, visible only to that user; the next one replaces it (200), unless the request has `If-None-Match: *` (412).",
    access: "drafts:write",
    body: Type.Object(CHANGEABLE, SAYS_SOMETHING),
    errors: ["PRECONDITION_FAILED"],
    success: { status: 201, data: DraftRecord, replaces: true },
    visible: draftResponse,
    exists: ({ caller, params }, { db }) => findConversationId(db, caller.workspaceId, params.conversation),
    check: ({ caller, body, request }) =>
      problems({ body: isFailed(request, "body", "attachments") ? [] : contentProblems(caller, body) }),
    handler: ({ caller, params, body, links, request, reply, write }, { outbox, ownChanged }) =>
      write(async (tx) => {
        const { draft, replaced } = await saveDraft({ tx, outbox, caller, links }, params.conversation, body);
        if (replaced) requireNone(request);
        withEtag(reply, versionedFields(draft));
        tx.afterCommit(() => reportOwnChange(ownChanged, { caller, request }, draft.conversation_id));
        const response = draftResponse(caller, withFreshLinks(links, draft), body);
        return { ...response, ...(replaced ? { status: 200 } : {}) };
      }),
  }),
  route({
    method: "GET",
    path: ITEM,
    summary: "Get a draft",
    access: "drafts:read",
    success: { status: 200, data: DraftRecord },
    handler: async ({ caller, params, links, reply }, { db }) => {
      const draft = await findDraft(db, caller.workspaceId, params, viewerOf(caller));
      withEtag(reply, versionedFields(draft));
      return { data: withFreshLinks(links, draft) };
    },
  }),
  route({
    method: "PATCH",
    path: ITEM,
    summary: "Change a draft",
    description: `Only the given fields are changed. \`conversation_id\` cannot be changed. ${IF_MATCH}`,
    access: "drafts:write",
    body: Type.Object({
      ...CHANGEABLE,
      conversation_id: Type.Optional(named("Must be the current conversation.")),
    }),
    errors: ["PRECONDITION_FAILED"],
    success: { status: 200, data: DraftRecord },
    exists: ({ caller, params }, { db }) => findDraft(db, caller.workspaceId, params, viewerOf(caller)),
    handler: ({ caller, params, body, links, request, reply, write }, { outbox, ownChanged }) =>
      write(async (tx) => {
        const context = { tx, outbox, caller, links };
        await requireMatch(request, async () => versionedFields((await lockDraft(context, params)).draft));
        const draft = await patchDraft(context, params, body);
        tx.afterCommit(() => reportOwnChange(ownChanged, { caller, request }, draft.conversation_id));
        withEtag(reply, versionedFields(draft));
        return draftResponse(caller, withFreshLinks(links, draft), body);
      }),
  }),
  route({
    method: "DELETE",
    path: ITEM,
    summary: "Discard a draft",
    access: "drafts:write",
    success: { status: 200, data: DraftRecord },
    handler: ({ caller, params, request, write }, { outbox, ownChanged }) =>
      write(async (tx) => {
        const draft = await deleteDraft({ tx, outbox, caller }, params);
        tx.afterCommit(() => reportOwnChange(ownChanged, { caller, request }, draft.conversation_id));
        return draftResponse(caller, draft);
      }),
  }),
  route({
    method: "POST",
    path: `${ITEM}/send`,
    summary: "Send a draft",
    description:
      "The draft becomes a message of the caller, with `draft` naming the draft and its author. Sending it a second time is a 404. A draft without body and attachments is a 422.",
    access: "messages:write",
    errors: ["VALIDATION_ERROR"],
    success: { status: 201, data: MessageRecord },
    visible: (viewer, stored) => messageResponse(viewer, stored),
    handler: ({ caller, params, links, write }, { outbox, replyMailer }) =>
      write(async (tx) => {
        const message = await sendDraft({ tx, outbox, caller, links, replyMailer }, params);
        return messageResponse(caller, withFreshLinks(links, message));
      }),
  }),
];

/** A person may have deleted all that was typed; a suggestion says something. */
const contentProblems = ({ actor }: Caller, { body, attachments }: DraftInput): string[] =>
  actor.type !== "user" && !body?.trim() && !attachments?.length ? [BODY_OR_ATTACHMENT] : [];
