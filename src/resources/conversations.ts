import { type Static, Type } from "typebox";
import {
  Attributes,
  Id,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  oneOf,
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

export const ConversationRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    subject: NullableString,
    status: oneOf(CONVERSATION_STATUSES),
    snoozed_until: Type.Unsafe<string | null>({
      ...NullableTimestamp,
      description: "When a snoozed conversation opens by itself; null: when the contact writes.",
    }),
    priority: Type.Unsafe<(typeof PRIORITIES)[number] | null>({
      type: ["string", "null"],
      enum: [...PRIORITIES, null],
    }),
    channel: oneOf(CHANNELS),
    contact: ConversationContact,
    assignee: Type.Unsafe<Static<typeof AssigneeRecord> | null>({ ...AssigneeRecord, type: ["object", "null"] }),
    labels: Type.Array(Type.String()),
    attributes: Attributes,
    waiting_since: Type.Unsafe<string | null>({
      ...NullableTimestamp,
      description: "Time of the oldest message from the contact that no public reply has followed.",
    }),
    last_message_at: NullableTimestamp,
    last_message: Type.Unsafe<Static<typeof LastMessage> | null>({
      ...LastMessage,
      type: ["object", "null"],
      description: "Null also for a caller without `messages:read`.",
    }),
    unread_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: UNREAD_COUNT_MAX,
        description: `Messages from the contact that the signed-in person has not read, at most ${UNREAD_COUNT_MAX}. Not for API keys.`,
      }),
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
  },
  { title: "Attachment" },
);

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
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Message" },
);
export type MessageRecord = Static<typeof MessageRecord>;

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
