import { MESSAGE_BYTES, MESSAGE_ROWS } from "../conversations/message-list.ts";
import { found } from "../core/errors.ts";
import type { Ref } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import { createListReader, type ListReader } from "../db/list.ts";
import type { ListSource } from "../db/list-sql.ts";
import { type VisitorConversation, type VisitorMessage, visitorConversationSql, visitorMessageSql } from "./records.ts";
import type { Visitor } from "./visitor.ts";

/** Nobody: such a visitor has no conversations. */
const NO_CONTACT = 0;

/** The values that every statement about a visitor's conversations begins with. */
const ownValues = ({ workspaceId, widget, session }: Visitor): number[] => [
  workspaceId,
  session?.contactId ?? NO_CONTACT,
  widget.id,
];

/** A visitor has their own conversations of this widget, and no others. */
const OWN = `c.workspace_id = $1
     and c.contact_id = $2
     and c.widget_id = $3`;

const findStatement = sql("visitor_conversation_id", `select c.id from conversations c where ${OWN} and c.uuid = $4`);
const readStatement = sql(
  "visitor_conversation",
  `select ${visitorConversationSql("c")} as record
   from conversations c
   where ${OWN}
     and c.uuid = $4`,
);
const markReadStatement = sql(
  "visitor_mark_read",
  `update conversations c
   set contact_read_seq = greatest(c.contact_read_seq, least($5::bigint, c.last_seq)),
     visitor_reply_at = case when c.last_seq > greatest(c.contact_read_seq, $5::bigint) then c.visitor_reply_at end
   where ${OWN}
     and c.uuid = $4
   returning c.id, c.contact_read_seq`,
);
const idsStatement = sql(
  "visitor_conversation_ids",
  `select c.id, c.uuid
   from conversations c
   where ${OWN}
   order by c.id desc
   limit $4`,
);

/** The id of one of the visitor's own conversations. Visitors know uuids only. */
export async function findOwnConversation(db: Queryable, visitor: Visitor, ref: Ref): Promise<number> {
  const values = [...ownValues(visitor), ref.uuid ?? null];
  return found("conversation", await db.query<{ id: number }>(findStatement, values)).id;
}

export async function readOwnConversation(db: Queryable, visitor: Visitor, ref: Ref): Promise<VisitorConversation> {
  const values = [...ownValues(visitor), ref.uuid ?? null];
  return found("conversation", await db.query<{ record: VisitorConversation }>(readStatement, values)).record;
}

/** The visitor has read up to this message. It neither counts as a change of the conversation nor causes an event. */
export async function markReadByContact(db: Queryable, visitor: Visitor, ref: Ref, seq: number) {
  const values = [...ownValues(visitor), ref.uuid ?? null, seq];
  return found("conversation", await db.query<{ id: number; contact_read_seq: number }>(markReadStatement, values));
}

/** The newest ones. */
export const ownConversationIds = (
  db: Queryable,
  visitor: Visitor,
  limit: number,
): Promise<{ id: number; uuid: string }[]> => db.query(idsStatement, [...ownValues(visitor), limit]);

const CONVERSATIONS: ListSource<{ record: VisitorConversation }, VisitorConversation> = {
  name: "visitor_conversations",
  table: "conversations c",
  order: [
    { column: "c.last_message_at", type: "timestamptz" },
    { column: "c.id", type: "bigint" },
  ],
  columns: `${visitorConversationSql("c")} as record`,
  joins: "join conversations c on c.workspace_id = $1 and c.id = any(array[picked.key1])",
  toRecord: ({ record }) => record,
};

/** Latest activity first. */
export function visitorConversationReader(db: Queryable, visitor: Visitor): ListReader<VisitorConversation> {
  const [workspaceId = 0, contactId = 0, widgetId = 0] = ownValues(visitor);
  return createListReader(db, CONVERSATIONS, {
    workspaceId,
    owner: contactId,
    base: [
      { name: "", sql: "c.workspace_id = ?", values: [workspaceId] },
      { name: "", sql: "c.contact_id = ?", values: [contactId] },
      { name: "", sql: "c.widget_id = ?", values: [widgetId] },
      { name: "", sql: "c.last_message_at is not null", values: [] },
    ],
    filters: [],
  });
}

const MESSAGES: ListSource<{ record: VisitorMessage }, VisitorMessage> = {
  name: "visitor_messages",
  table: "messages m",
  order: [{ column: "m.seq", type: "bigint" }],
  id: "m.id",
  columns: `${visitorMessageSql("m", "c")} as record`,
  joins: "join conversations c on c.workspace_id = $1 and c.id = $2",
  sized: { rows: MESSAGE_ROWS, bytes: MESSAGE_BYTES },
  toRecord: ({ record }) => record,
};

/** The public messages of a conversation that `findOwnConversation` has found, newest first. */
export const visitorMessageReader = (
  db: Queryable,
  { workspaceId }: Visitor,
  conversationId: number,
): ListReader<VisitorMessage> =>
  createListReader(db, MESSAGES, {
    workspaceId,
    owner: conversationId,
    base: [
      { name: "", sql: "m.workspace_id = ?", values: [workspaceId] },
      { name: "", sql: "m.conversation_id = ?", values: [conversationId] },
      { name: "", sql: "not m.private", values: [] },
    ],
    filters: [],
  });
