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
export const CHANNELS = ["api", "widget", "email"] as const;
export const DIRECTIONS = ["in", "out"] as const;
export const ACTOR_TYPES = ["contact", "user", "api_key", "bot", "system"] as const;

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

export const AssigneeRecord = Type.Object({ id: Id, uuid: Uuid, name: Type.String() }, { title: "Assignee" });

export const ConversationRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    subject: NullableString,
    status: oneOf(CONVERSATION_STATUSES),
    channel: oneOf(CHANNELS),
    contact: ContactRecord,
    assignee: Type.Unsafe<Static<typeof AssigneeRecord> | null>({ ...AssigneeRecord, type: ["object", "null"] }),
    labels: Type.Array(Type.String()),
    attributes: Attributes,
    last_message_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Conversation" },
);
export type ConversationRecord = Static<typeof ConversationRecord>;

export const Attachment = Type.Object(
  {
    url: Type.String({ description: "Where the file is; http or https." }),
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
    sender: Type.Object({ type: oneOf(ACTOR_TYPES), id: NullableInteger, name: NullableString }),
    private: Type.Boolean({ description: "A note among colleagues; the contact does not see it." }),
    body: Type.String(),
    attachments: Type.Array(Attachment),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Message" },
);
export type MessageRecord = Static<typeof MessageRecord>;
