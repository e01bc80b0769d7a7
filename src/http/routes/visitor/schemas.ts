import { Type } from "typebox";
import {
  NullableInteger,
  NullableString,
  NullableTimestamp,
  oneOf,
  Timestamp,
  Uuid,
} from "../../../resources/common.ts";
import { DIRECTIONS } from "../../../resources/conversations.ts";

const Attachment = Type.Object({
  name: NullableString,
  content_type: NullableString,
  size_bytes: NullableInteger,
  url: Type.String(),
});

export const VisitorMessage = Type.Object({
  id: Uuid,
  client_id: NullableString,
  conversation: Uuid,
  seq: Type.Integer({ minimum: 1 }),
  direction: oneOf(DIRECTIONS),
  sender_name: NullableString,
  body: Type.String(),
  attachments: Type.Array(Attachment),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const VisitorConversation = Type.Object({
  id: Uuid,
  last_message: Type.Unsafe<unknown>({ ...VisitorMessage, type: ["object", "null"] }),
  unread_count: Type.Integer({ minimum: 0 }),
  contact_read_seq: Type.Integer({ minimum: 0 }),
  agent_read_seq: Type.Integer({ minimum: 0 }),
  created_at: Timestamp,
  last_activity_at: Timestamp,
});

export const VisitorRecord = Type.Object({
  name: NullableString,
  email: NullableString,
  identified: Type.Boolean(),
});

export const StartedSession = Type.Object({ visitor: VisitorRecord, expires_at: NullableTimestamp });

/** What a visitor types about themselves. */
export const TYPED_FIELDS = {
  name: Type.Optional(Type.String({ trim: true, maxLength: 255 })),
  email: Type.Optional({ ...Type.String({ trim: true, maxLength: 320 }), format: "email-address" }),
};
