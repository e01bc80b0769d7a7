import { type Static, Type } from "typebox";
import {
  Attributes,
  Id,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  nullable,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  oneOf,
  optionalBoolean,
  optionalInteger,
  Timestamp,
  Uuid,
} from "./common.ts";

export const CONVERSATION_STATUSES = ["open", "pending", "snoozed", "resolved"] as const;
export const PRIORITIES = ["low", "medium", "high", "urgent"] as const;
export const CHANNELS = ["api", "widget", "email"] as const;
export const DIRECTIONS = ["in", "out"] as const;
export const ACTOR_TYPES = ["contact", "user", "api_key", "bot", "system"] as const;

export const LAST_MESSAGE_CHARS = 200;
export const UNREAD_COUNT_MAX = 100;

export const ContactRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    external_id: NullableString,
    name: NullableString,
    email: NullableString,
    phone: NullableString,
    unverified_email: nullableString(
      "An address that a visitor typed in a widget. Read-only; it never joins contacts.",
    ),
    blocked: Type.Boolean({ description: "Their sessions have ended, and they cannot write through a widget." }),
    attributes: Attributes,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Contact" },
);
export type ContactRecord = Static<typeof ContactRecord>;

const AssigneeRecord = Type.Object({ id: Id, uuid: Uuid, name: Type.String() }, { title: "Assignee" });

const Sender = Type.Object({ type: oneOf(ACTOR_TYPES), id: NullableInteger, name: NullableString });

/** What a conversation shows of its last message. */
const LastMessage = Type.Object(
  {
    id: Id,
    seq: Type.Integer({ minimum: 1 }),
    direction: oneOf(DIRECTIONS),
    private: Type.Boolean(),
    sender: Sender,
    body: Type.String({ description: `Cut to ${LAST_MESSAGE_CHARS} characters.` }),
    created_at: Timestamp,
  },
  { title: "LastMessage" },
);

/** All but `id` and `uuid` are left out for a caller without `contacts:read`. */
const ConversationContact = Type.Object(
  { id: Id, uuid: Uuid, ...Type.Partial(Type.Omit(ContactRecord, ["id", "uuid"])).properties },
  { title: "ConversationContact", description: "Only `id` and `uuid` for a caller without `contacts:read`." },
);

const VisitedPage = Type.Object(
  { url: Type.String({ description: "Without query and fragment." }), browser: NullableString },
  { title: "VisitedPage" },
);

export const ConversationRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    subject: NullableString,
    status: oneOf(CONVERSATION_STATUSES),
    snoozed_until: nullableTimestamp("When a snoozed conversation opens by itself; null: when the contact writes."),
    priority: Type.Unsafe<(typeof PRIORITIES)[number] | null>({
      type: ["string", "null"],
      enum: [...PRIORITIES, null],
    }),
    channel: oneOf(CHANNELS),
    widget_id: nullableInteger("The widget that it began in."),
    page: nullable(VisitedPage, {
      description: "Where the visitor of a widget wrote the first message, if the widget collects it.",
    }),
    mailbox_id: nullableInteger(
      "The mailbox through which mail of this conversation comes and goes; null without one.",
    ),
    contact: ConversationContact,
    assignee: nullable(AssigneeRecord),
    labels: Type.Array(Type.String()),
    attributes: Attributes,
    waiting_since: nullableTimestamp("Time of the oldest message from the contact that no public reply has followed."),
    contact_read_seq: Type.Integer({
      minimum: 0,
      description: "Up to which message the visitor of a widget has read. It changes without an event.",
    }),
    last_message_at: NullableTimestamp,
    last_message: nullable(LastMessage, { description: "Null also for a caller without `messages:read`." }),
    unread_count: optionalInteger(
      0,
      UNREAD_COUNT_MAX,
      `Messages from the contact that the signed-in person has not read, at most ${UNREAD_COUNT_MAX}. Not for API keys.`,
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Conversation" },
);
export type ConversationRecord = Static<typeof ConversationRecord>;

const Attachment = Type.Object(
  {
    file_id: Type.Optional(
      Type.Integer({ minimum: 1, description: "The uploaded file; absent for a file that is hosted elsewhere." }),
    ),
    url: Type.String({
      description:
        "Where the file is; http or https. The link to an uploaded file expires: read the message again for a fresh one.",
    }),
    name: NullableString,
    content_type: NullableString,
    size_bytes: NullableInteger,
    inline: optionalBoolean("True: a picture inside the HTML of a mail, not a file that was attached to it."),
  },
  { title: "Attachment" },
);

const MailAddress = Type.Object({ name: NullableString, address: Type.String() }, { title: "MailAddress" });

const Authentication = Type.Object(
  { spf: NullableString, dkim: NullableString, dmarc: NullableString },
  { title: "MailAuthentication" },
);

/** What a message that is mail shows of it. Ids are without their brackets. */
export const MessageEmail = Type.Object(
  {
    message_id: NullableString,
    subject: NullableString,
    from: nullable(MailAddress),
    to: Type.Array(MailAddress),
    cc: Type.Array(MailAddress),
    reply_to: Type.Array(MailAddress),
    date: NullableTimestamp,
    in_reply_to: NullableString,
    references: Type.Array(Type.String()),
    automatic: Type.Boolean({ description: "Sent by a program: a list, a vacation notice, a delivery report." }),
    outside_sender: Type.Boolean({
      description: "True: the sender had not been From, To or Cc of an earlier mail of this conversation.",
    }),
    authentication: nullable(Authentication, {
      description: "What the server that the mailbox names as `authserv_id` reported; null where it reported nothing.",
    }),
    has_html: Type.Boolean(),
    parse_error: nullableString("Why the mail could not be read; its bytes are at `raw_url` anyway."),
    truncated: Type.Boolean({ description: "True: only a part is shown here; the whole is at `…/email`." }),
    raw_url: Type.String({ description: "Where the bytes of the mail can be read without a key, for a time." }),
  },
  { title: "MessageEmail" },
);
type MessageEmail = Static<typeof MessageEmail>;

const DELIVERY_STATES = ["pending", "sending", "sent", "failed", "unknown", "bounced"] as const;

const MessageDelivery = Type.Object(
  {
    state: oneOf(DELIVERY_STATES),
    attempts: Type.Integer({ minimum: 0 }),
    next_attempt_at: NullableTimestamp,
    error: NullableString,
    recipients: Type.Array(
      Type.Object({ address: Type.String(), state: oneOf(DELIVERY_STATES), error: NullableString }),
    ),
    updated_at: Timestamp,
  },
  { title: "MessageDelivery" },
);
type MessageDelivery = Static<typeof MessageDelivery>;

export const MessageRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    conversation_id: Id,
    seq: Type.Integer({ minimum: 1, description: "1, 2, 3 … within the conversation." }),
    direction: oneOf(DIRECTIONS),
    sender: Sender,
    private: Type.Boolean({ description: "An internal note, hidden from the contact." }),
    body: Type.String(),
    attachments: Type.Array(Attachment),
    draft: Type.Optional(
      Type.Object({ id: Id, author: Sender }, { description: "The draft that was sent as this message, if any." }),
    ),
    mentions: Type.Array(Type.Integer({ minimum: 1 }), { description: "Ids of the members whom a note mentions." }),
    email: Type.Unsafe<MessageEmail | null>({
      ...MessageEmail,
      type: ["object", "null"],
      description: "The mail that this message is; null for other messages.",
    }),
    quoted: nullableString(
      "The quoted history and the signature of a mail, which are not part of `body`; null where there are none.",
    ),
    delivery: Type.Unsafe<MessageDelivery | null>({
      ...MessageDelivery,
      type: ["object", "null"],
      description: "How a mail that goes out is doing; null for other messages.",
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Message" },
);
export type MessageRecord = Static<typeof MessageRecord>;

/** What happened when a note mentions members. `id` is the conversation's, as in the other events about it. */
export const Mention = Type.Object(
  {
    id: Id,
    conversation: ConversationRecord,
    message: MessageRecord,
    members: Type.Array(AssigneeRecord, { description: "Those who are meant, without the author of the note." }),
  },
  { title: "Mention" },
);

/** What opening a conversation returns: the conversation, and its first message if the request brought one. */
export const OpenedConversation = Type.Object(
  { ...ConversationRecord.properties, message: Type.Optional(MessageRecord) },
  { title: "OpenedConversation" },
);
export type OpenedConversation = Static<typeof OpenedConversation>;

export const DraftRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    conversation_id: Id,
    author: Sender,
    body: Type.String(),
    private: Type.Boolean({ description: "Sent as an internal note, hidden from the contact." }),
    attachments: Type.Array(Attachment),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Draft" },
);
export type DraftRecord = Static<typeof DraftRecord>;

export const SavedReplyRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    shortcut: NullableString,
    body: Type.String({ description: "May hold variables such as `{{contact.name}}`." }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "SavedReply" },
);
export type SavedReplyRecord = Static<typeof SavedReplyRecord>;
