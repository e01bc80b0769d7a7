import { type Static, Type } from "typebox";
import { LABELS_PER_CONVERSATION_MAX, type NewConversation } from "../../../conversations/conversations.ts";
import { ONLY_WHILE_SNOOZED, snoozeProblems } from "../../../conversations/snooze.ts";
import { type FieldErrors, problems } from "../../../core/errors.ts";
import type { Ref } from "../../../core/ids.ts";
import { oneOf, optionalBoolean, optionalString } from "../../../resources/common.ts";
import { CHANNELS, CONVERSATION_STATUSES, PRIORITIES } from "../../../resources/conversations.ts";
import { CONVERSATION_SORTS } from "../../../resources/view.ts";
import type { PageQuery } from "../../pipeline/paging.ts";
import { namesIn, timestampParameter } from "../../pipeline/query.ts";
import { AttributesInput, attributesProblems, CONTACT_FIELDS, contactProblems, ListQuery, nested } from "./contacts.ts";
import { messageProblems, NEW_MESSAGE_FIELDS } from "./messages.ts";
import { named, refOf } from "./named-fields.ts";

const SUBJECT_CHARS_MAX = 500;
const LABEL_CHARS_MAX = 64;

export const CONVERSATION_FIELDS = {
  subject: Type.Optional(Type.String({ trim: true, maxLength: SUBJECT_CHARS_MAX, description: "Empty: none." })),
  status: Type.Optional(oneOf(CONVERSATION_STATUSES, { description: "Defaults to `open`." })),
  snoozed_until: Type.Optional(
    timestampParameter(
      "With status `snoozed`: when the conversation opens by itself, at most one year from now. Without it the conversation is snoozed until the contact writes.",
    ),
  ),
  priority: Type.Optional(oneOf([...PRIORITIES, ""], { description: "Empty: none." })),
  channel: Type.Optional(oneOf(CHANNELS, { description: "Where it takes place. Defaults to `api`." })),
  assignee_id: Type.Optional(named("Id or uuid of a member of the workspace; 0 removes the assignee.")),
  labels: Type.Optional(
    Type.Array(Type.String({ maxLength: LABEL_CHARS_MAX, format: "not-blank" }), {
      maxItems: LABELS_PER_CONVERSATION_MAX,
      description: "Trimmed, without duplicates; replaces the present labels.",
    }),
  ),
  attributes: Type.Optional(AttributesInput),
};

const CREATE_EXAMPLE = {
  subject: "Where is my order?",
  contact: { external_id: "customer-1042", name: "Ada Lovelace" },
  message: { direction: "in", body: "Hello, my parcel has not come yet." },
};

export const CreateBody = Type.Object(
  {
    ...CONVERSATION_FIELDS,
    contact_id: Type.Optional(
      named("Id or uuid of the contact. Without it and without `contact` an anonymous one is created."),
    ),
    mailbox_id: Type.Optional(
      named(
        "Id or uuid of the mailbox through which its mail goes: the conversation is one by e-mail, and a first `message` of direction `out` is sent to the contact.",
      ),
    ),
    contact: Type.Optional(
      Type.Object(nested(CONTACT_FIELDS), {
        description:
          "A new contact, which requires `contacts:write`. If a contact with the same `external_id` exists, that one is used unchanged.",
      }),
    ),
    message: Type.Optional(
      Type.Object(nested(NEW_MESSAGE_FIELDS), { description: "The first message. Also requires `messages:write`." }),
    ),
  },
  { examples: [CREATE_EXAMPLE] },
);

export const PatchBody = Type.Object({
  ...CONVERSATION_FIELDS,
  contact_id: Type.Optional(named("Cannot be changed: any other contact than the conversation's own is a 422.")),
});

export const ConversationQuery = Type.Object({
  status: Type.Optional(
    Type.String({ description: `One or several, comma separated, of ${CONVERSATION_STATUSES.join(", ")}.` }),
  ),
  view: optionalString(
    36,
    "Id or uuid of a saved view, whose filters and order apply; other filters narrow it further.",
  ),
  sort: Type.Optional(
    oneOf(CONVERSATION_SORTS, {
      description: "`created`, the default: newest first. `last_activity`: latest message first.",
    }),
  ),
  channel: Type.Optional(oneOf(CHANNELS)),
  priority: Type.Optional(oneOf([...PRIORITIES, "none"])),
  contact_id: optionalString(36, "Id or uuid of a contact."),
  assignee_id: optionalString(36, "Id or uuid of a member, `me` for the signed-in user, `none` or 0 for no assignee."),
  label: optionalString(LABEL_CHARS_MAX, "Has this label."),
  waiting: optionalBoolean("`true`: the contact waits for a reply."),
  unread: optionalBoolean("Has messages that the signed-in person has not read. People only."),
  mentioned: Type.Optional(
    oneOf(["me"], {
      description: "`me`: has a note that mentions the signed-in person, among the newest 1,000. People only.",
    }),
  ),
  text: optionalString(
    200,
    "Words and beginnings of words in the subject, the contact, a label or a message, in any case and without accents; or the number of a conversation.",
  ),
  ...ListQuery,
});
type ConversationQuery = Partial<Static<typeof ConversationQuery>>;
/** What narrows the list, without order and paging. */
export type ConversationFilters = Omit<ConversationQuery, "view" | "sort" | keyof typeof PageQuery>;

export function createProblems(body: Partial<NewConversation>): FieldErrors {
  const { contact, message } = body;
  return problems({
    ...fieldProblems(body),
    channel:
      body.mailbox_id !== undefined && body.channel !== undefined && body.channel !== "email"
        ? ["channel must be email together with mailbox_id."]
        : [],
    ...(body.snoozed_until && body.status !== "snoozed" ? { snoozed_until: [ONLY_WHILE_SNOOZED] } : {}),
    contact: [
      ...(contact && body.contact_id !== undefined ? ["contact must not be given together with contact_id."] : []),
      ...(contact ? Object.values(contactProblems(contact, "contact.")).flat() : []),
    ],
    message: message ? Object.values(messageProblems(message, { isNew: true, prefix: "message." })).flat() : [],
  });
}

export const fieldProblems = (body: Pick<NewConversation, "attributes" | "snoozed_until">): FieldErrors =>
  problems({
    snoozed_until: snoozeProblems(body.snoozed_until),
    attributes: attributesProblems(body.attributes),
  });

type Status = (typeof CONVERSATION_STATUSES)[number];

/** Null: not all of them are statuses. */
export function statusesOf(text: string | undefined): Status[] | null | undefined {
  const names = text === undefined ? undefined : namesIn(text);
  if (!names) return undefined;
  return names.every((name) => CONVERSATION_STATUSES.includes(name as Status)) ? (names as Status[]) : null;
}

/** Null: neither an id nor a uuid, nor a keyword such as `me`. */
export function assigneeOf(text: string | undefined, viewerId: number | null): Ref | "nobody" | null | undefined {
  if (text === "0" || text === "none") return "nobody";
  if (text === "me") return viewerId === null ? null : { id: viewerId };
  return refOf(text);
}

export const queryProblems = (query: ConversationQuery, viewerId: number | null): FieldErrors =>
  problems({
    status:
      statusesOf(query.status) === null
        ? [`status must be one or several of: ${CONVERSATION_STATUSES.join(", ")}.`]
        : [],
    view: refOf(query.view) === null ? ["view must be an id or uuid."] : [],
    contact_id: refOf(query.contact_id) === null ? ["contact_id must be an id or uuid."] : [],
    assignee_id:
      assigneeOf(query.assignee_id, viewerId) === null
        ? ["assignee_id must be an id or uuid, none, or (for signed-in people) me."]
        : [],
    mentioned: query.mentioned !== undefined && viewerId === null ? ["mentioned is only for signed-in people."] : [],
    unread: query.unread !== undefined && viewerId === null ? ["unread is only for signed-in people."] : [],
  });
