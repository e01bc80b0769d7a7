import { Type } from "typebox";
import { findConversationId } from "../../../conversations/conversation-find.ts";
import { MENTIONS_MAX } from "../../../conversations/mentions.ts";
import { messageReader } from "../../../conversations/message-list.ts";
import {
  BODY_OR_ATTACHMENT,
  deleteMessage,
  findMessage,
  lockMessage,
  PRIVATE_IS_OUT,
  patchMessage,
} from "../../../conversations/messages.ts";
import type { NewMessage, ReplyAddress } from "../../../conversations/new-message.ts";
import { problems } from "../../../core/errors.ts";
import { emailProblems, RECIPIENTS_MAX } from "../../../email/outbound/recipients.ts";
import { NullableInteger, NullableString, oneOf, optionalBoolean } from "../../../resources/common.ts";
import { DIRECTIONS, MessageRecord } from "../../../resources/conversations.ts";
import { readPage } from "../../pipeline/paging.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { isFailed } from "../../pipeline/validation.ts";
import { IF_MATCH, requireMatch, withEtag } from "../../pipeline/versions.ts";
import { ListQuery } from "./contacts.ts";
import { named } from "./named-fields.ts";
import { route } from "./services.ts";
import { messageResponse, versionedFields, withFreshLinks } from "./visible-fields.ts";

const LIST = "/conversations/{conversation}/messages";
const ITEM = `${LIST}/{message}` as const;

const AttachmentFields = Type.Object(
  {
    file_id: Type.Optional(
      Type.Unsafe<number | string | null>({
        ...named("Id or uuid of an uploaded file that no message holds yet. Excludes every other field."),
        type: ["integer", "string", "null"],
      }),
    ),
    url: Type.Optional(
      Type.Unsafe<string | null>({
        ...NullableString,
        maxLength: 2_048,
        format: "web-url",
        description: "Where the file is; http or https.",
      }),
    ),
    name: Type.Optional(Type.Unsafe<string | null>({ ...NullableString, maxLength: 255 })),
    content_type: Type.Optional(Type.Unsafe<string | null>({ ...NullableString, maxLength: 255 })),
    size_bytes: Type.Optional(
      Type.Unsafe<number | null>({ ...NullableInteger, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ),
  },
  { "x-either": ["file_id", "url"] },
);

/** For the typed client: the check of the route names the field. */
export const SAYS_SOMETHING = { "x-required-any": ["body", "attachments"] };

export const CHANGEABLE = {
  body: Type.Optional(
    Type.String({
      maxLength: 65_536,
      description: "The text. It may be empty only if the message has attachments.",
      examples: ["It arrives tomorrow."],
    }),
  ),
  private: optionalBoolean("An internal note, hidden from the contact. Defaults to false; requires direction `out`."),
  attachments: Type.Optional(
    Type.Array(AttachmentFields, { maxItems: 20, description: "Each has either `file_id` or `url`." }),
  ),
};

const MESSAGE_FIELDS = {
  ...CHANGEABLE,
  direction: Type.Optional(
    oneOf(DIRECTIONS, { description: "`in`: from the contact; `out` (the default): to the contact." }),
  ),
};

const Addresses = (description: string) =>
  Type.Optional(
    Type.Unsafe<ReplyAddress[] | null>({
      type: ["array", "null"],
      items: Type.Object({
        address: Type.String({ maxLength: 320, examples: ["ada@example.com"] }),
        name: Type.Optional(Type.Unsafe<string | null>({ ...NullableString, maxLength: 255 })),
      }),
      maxItems: RECIPIENTS_MAX,
      description,
    }),
  );

/** Of a message that is mail. */
const EMAIL_FIELD = {
  email: Type.Optional(
    Type.Object(
      {
        to: Addresses("By default the sender of the last mail, or the contact."),
        cc: Addresses("By default those who had a copy of that mail; nobody if `to` is given."),
        bcc: Addresses("Nobody by default."),
        subject: Type.Optional(
          Type.Unsafe<string | null>({
            ...NullableString,
            maxLength: 500,
            description: "By default that of the thread.",
          }),
        ),
      },
      {
        description:
          "For a public message of direction `out` in a conversation with a mailbox, which is sent by mail. Together at most 50 recipients; addresses of your own mailboxes are left out. An address that is new to the conversation requires `contacts:write`.",
      },
    ),
  ),
};

export const NEW_MESSAGE_FIELDS = { ...MESSAGE_FIELDS, ...EMAIL_FIELD };

const MENTIONS = Type.Optional(
  Type.Array(Type.Unsafe<number | string>({ type: ["integer", "string"], format: "uuid" }), {
    maxItems: MENTIONS_MAX,
    description:
      "Ids or uuids of the members whom a note mentions. A note that a person writes also mentions those whose name follows an `@` in its body.",
    examples: [[]],
  }),
);

/** `prefix` is the path of the message in the request body: empty, or `message.`. Fields of a wrong type are not looked at. */
export function messageProblems(input: NewMessage, { isNew, prefix = "" }: { isNew: boolean; prefix?: string }) {
  const { body, direction, attachments } = input;
  const empty = isNew ? !body?.trim() && !attachments?.length : body?.trim() === "" && attachments?.length === 0;
  return {
    body: empty ? [prefix + BODY_OR_ATTACHMENT] : [],
    private: input.private && direction === "in" ? [prefix + PRIVATE_IS_OUT] : [],
    email: isNew ? (emailProblems(input.email, prefix).email ?? []) : [],
  };
}

export const messageRoutes = [
  route({
    method: "GET",
    path: LIST,
    summary: "List the messages of a conversation",
    description: "Newest first. `search` matches text in the body.",
    access: "messages:read",
    query: Type.Object({
      direction: Type.Optional(oneOf(DIRECTIONS)),
      private: optionalBoolean("`true`, `false`, `1` or `0`."),
      ...ListQuery,
    }),
    success: { status: 200, data: Type.Array(MessageRecord), paged: "always" },
    exists: ({ caller, params }, { db }) => findConversationId(db, caller.workspaceId, params.conversation),
    handler: async ({ caller, params, query, links }, { db }) => {
      const id = await findConversationId(db, caller.workspaceId, params.conversation);
      const path = `${API_BASE}/conversations/${id}/messages`;
      const page = await readPage(messageReader(db, caller.workspaceId, id, query), query, path);
      return { ...page, data: page.data.map((message) => withFreshLinks(links, message)) };
    },
  }),
  route({
    method: "POST",
    path: LIST,
    summary: "Write a message",
    description:
      "The sender of a message with direction `in` is the conversation's contact; with direction `out` it is the API key or the user who makes the request. An inbound message reopens a snoozed or resolved conversation. A public message of direction `out` in a conversation with a mailbox is sent by mail; `delivery` says how it is doing.",
    access: "messages:write",
    body: Type.Object({ ...NEW_MESSAGE_FIELDS, mentions: MENTIONS }, SAYS_SOMETHING),
    success: { status: 201, data: MessageRecord },
    visible: messageResponse,
    exists: ({ caller, params }, { db }) => findConversationId(db, caller.workspaceId, params.conversation),
    check: ({ body, request }) => {
      const isNote = body.private === true || !body.mentions?.length;
      const mentions = isNote ? [] : ["mentions is only for notes: private must be true."];
      const found = { ...messageProblems(body, { isNew: true }), mentions };
      // An invalid body or invalid attachments are reported as such: neither is missing.
      return problems(isFailed(request, "body", "attachments") ? { ...found, body: [] } : found);
    },
    handler: ({ caller, params, body, links, write }, { outbox, replyMailer, writers }) =>
      write(async (tx) => {
        const context = { tx, outbox, caller, links, replyMailer };
        const message = await writers.messages.create(context, params.conversation, body);
        return messageResponse(caller, withFreshLinks(links, message), body);
      }),
  }),
  route({
    method: "GET",
    path: ITEM,
    summary: "Get a message",
    access: "messages:read",
    success: { status: 200, data: MessageRecord },
    handler: async ({ caller, params, links, reply }, { db }) => {
      const message = await findMessage(db, caller.workspaceId, params);
      withEtag(reply, versionedFields(message));
      return { data: withFreshLinks(links, message) };
    },
  }),
  route({
    method: "PATCH",
    path: ITEM,
    summary: "Change a message",
    description: `Only the given fields are changed. \`direction\` and \`conversation_id\` cannot be changed. ${IF_MATCH}`,
    access: "messages:write",
    body: Type.Object({
      ...MESSAGE_FIELDS,
      conversation_id: Type.Optional(named("Must be the current conversation.")),
    }),
    errors: ["PRECONDITION_FAILED"],
    success: { status: 200, data: MessageRecord },
    exists: ({ caller, params }, { db }) => findMessage(db, caller.workspaceId, params),
    check: ({ body }) => problems(messageProblems(body, { isNew: false })),
    handler: ({ caller, params, body, links, request, reply, write }, { outbox }) =>
      write(async (tx) => {
        const context = { tx, outbox, caller, links };
        await requireMatch(request, async () => versionedFields((await lockMessage(context, params)).message));
        const message = await patchMessage(context, params, body);
        withEtag(reply, versionedFields(message));
        return messageResponse(caller, withFreshLinks(links, message), body);
      }),
  }),
  route({
    method: "DELETE",
    path: ITEM,
    summary: "Delete a message permanently",
    description:
      "Its `seq` is not reused. A mail that waits to be sent is not sent; of one that was sent this deletes our copy only.",
    access: "messages:write",
    success: { status: 200, data: MessageRecord },
    handler: ({ caller, params, write }, { outbox }) =>
      write(async (tx) => messageResponse(caller, await deleteMessage({ tx, outbox, caller }, params))),
  }),
];
