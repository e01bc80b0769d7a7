import { Type } from "typebox";
import { conversationReader } from "../../../conversations/conversation-list.ts";
import {
  createConversation,
  deleteConversation,
  findConversation,
  type NewConversation,
  namedProblems,
  patchConversation,
} from "../../../conversations/conversations.ts";
import { type FieldErrors, forbidden, problems } from "../../../core/errors.ts";
import { parseRef, type Ref } from "../../../core/ids.ts";
import type { Database } from "../../../db/database.ts";
import type { Outbox } from "../../../events/outbox.ts";
import { oneOf } from "../../../resources/common.ts";
import { CHANNELS, CONVERSATION_STATUSES, ConversationRecord, DIRECTIONS } from "../../../resources/conversations.ts";
import { readPage } from "../../pipeline/paging.ts";
import { API_BASE, type Context, type RouteSpec, route } from "../../pipeline/route.ts";
import { AttributesInput, attributesProblems, CONTACT_FIELDS, contactProblems, ListQuery, nested } from "./contacts.ts";
import { MESSAGE_FIELDS, messageProblems } from "./messages.ts";

const TAG = "Conversations";
const SUBJECT_CHARS_MAX = 500;
const LABEL_CHARS_MAX = 64;

const named = (description: string) =>
  Type.Unsafe<number | string>({ type: ["integer", "string"], maxLength: 36, description });

const CONVERSATION_FIELDS = {
  subject: Type.Optional(Type.String({ trim: true, maxLength: SUBJECT_CHARS_MAX, description: "Empty: none." })),
  status: Type.Optional(oneOf(CONVERSATION_STATUSES, { description: "`open` at first." })),
  channel: Type.Optional(oneOf(CHANNELS, { description: "Where it takes place; `api` at first." })),
  assignee_id: Type.Optional(named("Id or uuid of a member of the workspace; 0: nobody.")),
  labels: Type.Optional(
    Type.Array(Type.String({ maxLength: LABEL_CHARS_MAX }), {
      maxItems: 50,
      description: "Trimmed, repeated ones folded; replaces the ones before.",
    }),
  ),
  attributes: Type.Optional(AttributesInput),
};

const CreateBody = Type.Object({
  ...CONVERSATION_FIELDS,
  contact_id: Type.Optional(
    named("Id or uuid of the contact. Without it and without `contact` an anonymous one is made."),
  ),
  contact: Type.Optional(
    Type.Object(nested(CONTACT_FIELDS), {
      description: "A new contact. One that has the same `external_id` already is taken as it is.",
    }),
  ),
  message: Type.Optional(
    Type.Object(nested(MESSAGE_FIELDS), { description: "The first message. It asks for `messages:write` as well." }),
  ),
});

export function conversationRoutes(db: Database, outbox: Outbox): RouteSpec[] {
  return [
    route({
      method: "GET",
      path: "/conversations",
      tag: TAG,
      summary: "List conversations",
      description: "Newest first. `search` looks in the subject.",
      access: "conversations:read",
      query: Type.Object({
        status: Type.Optional(oneOf(CONVERSATION_STATUSES)),
        channel: Type.Optional(oneOf(CHANNELS)),
        contact_id: Type.Optional(Type.String({ maxLength: 36, description: "Id or uuid of a contact." })),
        assignee_id: Type.Optional(Type.String({ maxLength: 36, description: "Id or uuid of a member; 0: nobody." })),
        label: Type.Optional(Type.String({ maxLength: LABEL_CHARS_MAX, description: "Has this label." })),
        ...ListQuery,
      }),
      success: { status: 200, data: Type.Array(ConversationRecord), paged: "always" },
      check: ({ query }) =>
        problems({
          contact_id: refOf(query.contact_id) === null ? ["contact_id must be an id or uuid."] : [],
          assignee_id: assigneeOf(query.assignee_id) === null ? ["assignee_id must be an id or uuid, or 0."] : [],
        }),
      handler: ({ principal, query }) => {
        const { contact_id, assignee_id, ...rest } = query;
        const filter = {
          ...rest,
          contact: refOf(contact_id) ?? undefined,
          assignee: assigneeOf(assignee_id) ?? undefined,
        };
        return readPage(conversationReader(db, principal.workspaceId, filter), query, `${API_BASE}/conversations`);
      },
    }),
    route({
      method: "POST",
      path: "/conversations",
      tag: TAG,
      summary: "Open a conversation",
      description:
        "With a contact that exists (`contact_id`), a new one (`contact`) or an anonymous one; optionally with its first `message`.",
      access: "conversations:write",
      body: CreateBody,
      success: { status: 201, data: ConversationRecord },
      check: (context) => {
        const { principal, request } = context;
        const { message } = request.body as { message?: unknown };
        if (message !== undefined && message !== null && !principal.scopes.has("messages:write"))
          throw forbidden("This API key lacks the scope messages:write, which a first message asks for.");
        return withNamed(context, createProblems(context.body as NewConversation));
      },
      handler: ({ principal, origin, body, write }) =>
        write(async (tx) => ({
          data: await createConversation(tx, outbox, origin, principal.workspaceId, body as NewConversation),
        })),
    }),
    route({
      method: "GET",
      path: "/conversations/{conversation}",
      params: ["conversation"],
      tag: TAG,
      summary: "Get a conversation",
      access: "conversations:read",
      success: { status: 200, data: ConversationRecord },
      handler: async ({ principal, params }) => ({
        data: await findConversation(db, principal.workspaceId, params.conversation),
      }),
    }),
    route({
      method: "PATCH",
      path: "/conversations/{conversation}",
      params: ["conversation"],
      tag: TAG,
      summary: "Change, assign, snooze or resolve a conversation",
      description: "Only the fields given are changed; an empty subject clears it, `assignee_id` 0 assigns to nobody.",
      access: "conversations:write",
      body: Type.Object(CONVERSATION_FIELDS),
      success: { status: 200, data: ConversationRecord },
      exists: ({ principal, params }) => findConversation(db, principal.workspaceId, params.conversation),
      check: (context) => withNamed(context, fieldProblems(context.body)),
      handler: ({ principal, origin, params, body, write }) =>
        write(async (tx) => ({
          data: await patchConversation(tx, outbox, origin, principal.workspaceId, params.conversation, body),
        })),
    }),
    route({
      method: "DELETE",
      path: "/conversations/{conversation}",
      params: ["conversation"],
      tag: TAG,
      summary: "Delete a conversation with its messages",
      description: "For good. One event tells of it, `conversation.deleted`; there is none for each message.",
      access: "conversations:write",
      success: { status: 200, data: ConversationRecord },
      handler: ({ principal, origin, params, write }) =>
        write(async (tx) => ({
          data: await deleteConversation(tx, outbox, origin, principal.workspaceId, params.conversation),
        })),
    }),
  ];

  /**
   * Whether contact and assignee exist is decided in the transaction, so that a repeat under an `Idempotency-Key` is
   * answered whatever became of them. Only a request that is refused anyway is told of them here, with all the rest.
   */
  async function withNamed(
    { principal, request, body }: Context<string, unknown, Partial<NewConversation>>,
    found: FieldErrors,
  ): Promise<FieldErrors> {
    if (!request.validationError && Object.keys(found).length === 0) return found;
    return { ...(await namedProblems(db, principal.workspaceId, body)), ...found };
  }
}

function createProblems(body: NewConversation): FieldErrors {
  const { contact, message } = body;
  const directionKnown = !message?.direction || DIRECTIONS.includes(message.direction);
  return problems({
    ...fieldProblems(body),
    contact: [
      ...(contact && body.contact_id !== undefined ? ["contact must not be given together with contact_id."] : []),
      ...(contact ? Object.values(contactProblems(contact, "contact.")).flat() : []),
    ],
    message: [
      ...(directionKnown ? [] : [`message.direction must be one of: ${DIRECTIONS.join(", ")}.`]),
      ...(message ? Object.values(messageProblems(message, true, "message.")).flat() : []),
    ],
  });
}

const fieldProblems = (body: Pick<NewConversation, "labels" | "attributes">): FieldErrors =>
  problems({
    labels: (body.labels ?? []).flatMap((label, index) =>
      label.trim() === "" ? [`labels[${index}] must not be empty.`] : [],
    ),
    attributes: attributesProblems(body.attributes),
  });

/** Null: neither an id nor a uuid. */
const refOf = (text: string | undefined): Ref | null | undefined => (text === undefined ? undefined : parseRef(text));

const assigneeOf = (text: string | undefined): Ref | "nobody" | null | undefined =>
  text === "0" ? "nobody" : refOf(text);
