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
import type { ReplyMailer } from "../../../conversations/reply-mail.ts";
import type { Caller } from "../../../core/caller.ts";
import { problems } from "../../../core/errors.ts";
import type { Database } from "../../../db/database.ts";
import type { Outbox } from "../../../events/outbox.ts";
import { DraftRecord, MessageRecord } from "../../../resources/conversations.ts";
import { BoundedListQuery, partOf } from "../../pipeline/bounded-list.ts";
import { API_BASE, type RouteSpec, route } from "../../pipeline/route.ts";
import { isFailed } from "../../pipeline/validation.ts";
import { IF_MATCH, requireMatch, requireNone, withEtag } from "../../pipeline/versions.ts";
import { CHANGEABLE, SAYS_SOMETHING } from "./messages.ts";
import { named } from "./named-fields.ts";
import { type ReportOwnChange, reportOwnChange } from "./own-change.ts";
import { draftResponse, messageResponse, versionedFields, withFreshLinks } from "./visible-fields.ts";

const LIST = "/conversations/{conversation}/drafts";
const ITEM = `${LIST}/{draft}` as const;

export function draftRoutes(options: DraftOptions): RouteSpec[] {
  return [
    listRoute(options.db),
    saveRoute(options),
    getRoute(options.db),
    updateRoute(options),
    discardRoute(options),
    sendRoute(options),
  ];
}

interface DraftOptions {
  db: Database;
  outbox: Outbox;
  ownChanged: ReportOwnChange;
  replyMailer: ReplyMailer;
}

const saveRoute = ({ db, outbox, ownChanged }: DraftOptions): RouteSpec =>
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
    exists: ({ caller, params }) => findConversationId(db, caller.workspaceId, params.conversation),
    check: ({ caller, body, request }) =>
      problems({ body: isFailed(request, "body", "attachments") ? [] : contentProblems(caller, body) }),
    handler: ({ caller, params, body, links, request, reply, write }) =>
      write(async (tx) => {
        const { draft, replaced } = await saveDraft({ tx, outbox, caller, links }, params.conversation, body);
        if (replaced) requireNone(request);
        withEtag(reply, versionedFields(draft));
        tx.afterCommit(() => reportOwnChange(ownChanged, { caller, request }, draft.conversation_id));
        const response = draftResponse(caller, withFreshLinks(links, draft), body);
        return { ...response, ...(replaced ? { status: 200 } : {}) };
      }),
  });

const getRoute = (db: Database): RouteSpec =>
  route({
    method: "GET",
    path: ITEM,
    summary: "Get a draft",
    access: "drafts:read",
    success: { status: 200, data: DraftRecord },
    handler: async ({ caller, params, links, reply }) => {
      const draft = await findDraft(db, caller.workspaceId, params, viewerOf(caller));
      withEtag(reply, versionedFields(draft));
      return { data: withFreshLinks(links, draft) };
    },
  });

const updateRoute = ({ db, outbox, ownChanged }: DraftOptions): RouteSpec =>
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
    exists: ({ caller, params }) => findDraft(db, caller.workspaceId, params, viewerOf(caller)),
    handler: ({ caller, params, body, links, request, reply, write }) =>
      write(async (tx) => {
        const context = { tx, outbox, caller, links };
        await requireMatch(request, async () => versionedFields((await lockDraft(context, params)).draft));
        const draft = await patchDraft(context, params, body);
        tx.afterCommit(() => reportOwnChange(ownChanged, { caller, request }, draft.conversation_id));
        withEtag(reply, versionedFields(draft));
        return draftResponse(caller, withFreshLinks(links, draft), body);
      }),
  });

const discardRoute = ({ outbox, ownChanged }: DraftOptions): RouteSpec =>
  route({
    method: "DELETE",
    path: ITEM,
    summary: "Discard a draft",
    access: "drafts:write",
    success: { status: 200, data: DraftRecord },
    handler: ({ caller, params, request, write }) =>
      write(async (tx) => {
        const draft = await deleteDraft({ tx, outbox, caller }, params);
        tx.afterCommit(() => reportOwnChange(ownChanged, { caller, request }, draft.conversation_id));
        return draftResponse(caller, draft);
      }),
  });

const listRoute = (db: Database): RouteSpec =>
  route({
    method: "GET",
    path: LIST,
    summary: "List the drafts of a conversation",
    description:
      "Newest first: the suggestions of API keys, and the signed-in user's own draft; all of them, at most 101, unless a part is requested.",
    access: "drafts:read",
    query: Type.Object(BoundedListQuery),
    success: { status: 200, data: Type.Array(DraftRecord), paged: "optional" },
    exists: ({ caller, params }) => findConversationId(db, caller.workspaceId, params.conversation),
    handler: async ({ caller, params, query, links }) => {
      const { workspaceId } = caller;
      const id = await findConversationId(db, workspaceId, params.conversation);
      const drafts = await listDrafts(db, workspaceId, id, viewerOf(caller));
      const items = drafts.map((draft) => withFreshLinks(links, draft));
      const path = `${API_BASE}/conversations/${id}/drafts`;
      return partOf({ name: `drafts:${id}`, workspaceId, path, items, identityOf: (draft) => draft.id }, query);
    },
  });

const sendRoute = ({ outbox, replyMailer }: DraftOptions): RouteSpec =>
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
    handler: ({ caller, params, links, write }) =>
      write(async (tx) => {
        const message = await sendDraft({ tx, outbox, caller, links, replyMailer }, params);
        return messageResponse(caller, withFreshLinks(links, message));
      }),
  });

/** A person may have deleted all that was typed; a suggestion says something. */
const contentProblems = ({ actor }: Caller, { body, attachments }: DraftInput): string[] =>
  actor.type !== "user" && !body?.trim() && !attachments?.length ? [BODY_OR_ATTACHMENT] : [];
