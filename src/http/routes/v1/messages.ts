import { Type } from "typebox";
import { findConversationId } from "../../../conversations/conversations.ts";
import { messageReader } from "../../../conversations/message-list.ts";
import {
  BODY_OR_ATTACHMENT,
  createMessage,
  deleteMessage,
  findMessage,
  type NewMessage,
  PRIVATE_IS_OUT,
  patchMessage,
} from "../../../conversations/messages.ts";
import { problems } from "../../../core/errors.ts";
import type { Database } from "../../../db/database.ts";
import type { Outbox } from "../../../events/outbox.ts";
import { NullableInteger, NullableString, oneOf } from "../../../resources/common.ts";
import { DIRECTIONS, MessageRecord } from "../../../resources/conversations.ts";
import { readPage } from "../../pipeline/paging.ts";
import { API_BASE, type RouteSpec, route } from "../../pipeline/route.ts";
import { ListQuery } from "./contacts.ts";

const TAG = "Messages";

const AttachmentInput = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048, description: "Where the file is; http or https." }),
  name: Type.Optional(Type.Unsafe<string | null>({ ...NullableString, maxLength: 255 })),
  content_type: Type.Optional(Type.Unsafe<string | null>({ ...NullableString, maxLength: 255 })),
  size_bytes: Type.Optional(
    Type.Unsafe<number | null>({ ...NullableInteger, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ),
});

const CHANGEABLE = {
  body: Type.Optional(
    Type.String({ maxLength: 65_536, description: "The text. It may be empty only beside attachments." }),
  ),
  private: Type.Optional(
    Type.Boolean({ description: "A note among colleagues, false by default; its direction is `out`." }),
  ),
  attachments: Type.Optional(
    Type.Array(AttachmentInput, { maxItems: 20, description: "What is stored is where the files are." }),
  ),
};

export const MESSAGE_FIELDS = {
  ...CHANGEABLE,
  direction: Type.Optional(oneOf(DIRECTIONS, { description: "`in`: from the contact; `out`, the default: to it." })),
};

/** `prefix` is the place inside the field: empty, or `message.`. Only fields that are of the right type are looked at. */
export function messageProblems(input: NewMessage, isNew: boolean, prefix = "") {
  const { body, direction, attachments } = input;
  const empty = isNew ? !body && !attachments?.length : body === "" && attachments?.length === 0;
  return {
    body: empty ? [prefix + BODY_OR_ATTACHMENT] : [],
    private: input.private && direction === "in" ? [prefix + PRIVATE_IS_OUT] : [],
    attachments: (attachments ?? []).flatMap(({ url }, index) =>
      isWebUrl(url) ? [] : [`${prefix}attachments[${index}].url must be an http or https URL.`],
    ),
  };
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export function messageRoutes(db: Database, outbox: Outbox): RouteSpec[] {
  const list = "/conversations/{conversation}/messages";
  const item = `${list}/{message}`;
  return [
    route({
      method: "GET",
      path: list,
      params: ["conversation"],
      tag: TAG,
      summary: "List the messages of a conversation",
      description: "Newest first. `search` looks in the body.",
      access: "messages:read",
      query: Type.Object({
        direction: Type.Optional(oneOf(DIRECTIONS)),
        private: Type.Optional(Type.Boolean({ description: "`true`, `false`, `1` or `0`." })),
        ...ListQuery,
      }),
      success: { status: 200, data: Type.Array(MessageRecord), paged: "always" },
      exists: ({ principal, params }) => findConversationId(db, principal.workspaceId, params.conversation),
      handler: async ({ principal, params, query }) => {
        const id = await findConversationId(db, principal.workspaceId, params.conversation);
        const path = `${API_BASE}/conversations/${id}/messages`;
        return readPage(messageReader(db, principal.workspaceId, id, query), query, path);
      },
    }),
    route({
      method: "POST",
      path: list,
      params: ["conversation"],
      tag: TAG,
      summary: "Write a message",
      description:
        "A message of direction `in` is sent by the conversation's contact, one of direction `out` by the key. The conversation keeps its status.",
      access: "messages:write",
      body: Type.Object(MESSAGE_FIELDS),
      success: { status: 201, data: MessageRecord },
      exists: ({ principal, params }) => findConversationId(db, principal.workspaceId, params.conversation),
      check: ({ body, request }) => {
        const found = messageProblems(body, true);
        // Attachments that were given and are wrong are told of as such; the body may well be right to be empty.
        const { attachments } = request.body as { attachments?: unknown };
        return problems(attachments === body.attachments ? found : { ...found, body: [] });
      },
      handler: ({ principal, origin, params, body, writeSingle }) =>
        writeSingle(async (tx) => ({
          data: await createMessage(tx, outbox, origin, principal.workspaceId, params.conversation, body),
        })),
    }),
    route({
      method: "GET",
      path: item,
      params: ["conversation", "message"],
      tag: TAG,
      summary: "Get a message",
      access: "messages:read",
      success: { status: 200, data: MessageRecord },
      handler: async ({ principal, params }) => ({ data: await findMessage(db, principal.workspaceId, params) }),
    }),
    route({
      method: "PATCH",
      path: item,
      params: ["conversation", "message"],
      tag: TAG,
      summary: "Change a message",
      description: "Only the fields given are changed.",
      access: "messages:write",
      body: Type.Object(CHANGEABLE),
      success: { status: 200, data: MessageRecord },
      exists: ({ principal, params }) => findMessage(db, principal.workspaceId, params),
      check: ({ body }) => problems(messageProblems(body, false)),
      handler: ({ principal, origin, params, body, write }) =>
        write(async (tx) => ({ data: await patchMessage(tx, outbox, origin, principal.workspaceId, params, body) })),
    }),
    route({
      method: "DELETE",
      path: item,
      params: ["conversation", "message"],
      tag: TAG,
      summary: "Delete a message for good",
      description: "Its `seq` is not given again.",
      access: "messages:write",
      success: { status: 200, data: MessageRecord },
      handler: ({ principal, origin, params, write }) =>
        write(async (tx) => ({ data: await deleteMessage(tx, outbox, origin, principal.workspaceId, params) })),
    }),
  ];
}
