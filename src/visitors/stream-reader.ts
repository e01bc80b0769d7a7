import { type Queryable, sql } from "../db/database.ts";
import type { EventType } from "../events/catalogue.ts";
import { eventsAt, type Position, type SequencedEvent } from "../events/event-reader.ts";
import { type VisitorConversation, type VisitorMessage, visitorConversationSql, visitorMessageSql } from "./records.ts";

/** The events that a visitor's stream is made from. */
export const VISITOR_EVENTS: readonly EventType[] = [
  "message.created",
  "message.updated",
  "message.deleted",
  "conversation.created",
  "conversation.updated",
  "conversation.deleted",
];

/** What an event is about. */
export interface Subject {
  conversationId: number;
  /** Of an event about the conversation itself. */
  contactId: number | null;
  widgetId: number | null;
  uuid: string;
  isPrivate: boolean;
}

const rangeStatement = sql(
  "visitor_event_range",
  `select position, event_id
   from event_positions
   where workspace_id = $1
     and conversation_id = any($2::bigint[])
     and position > $3
     and type = any($4::text[])
   order by position
   limit $5`,
);
const messageStatement = sql(
  "visitor_stream_message",
  `select ${visitorMessageSql("m", "c")} as record
   from messages m
   join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
   where m.workspace_id = $1
     and m.uuid = $2
     and not m.private`,
);
const conversationStatement = sql(
  "visitor_stream_conversation",
  `select ${visitorConversationSql("c")} as record
   from conversations c
   where c.workspace_id = $1
     and c.id = $2`,
);
const uuidStatement = sql(
  "visitor_conversation_uuid",
  "select uuid from conversations where workspace_id = $1 and id = $2",
);

export function subjectOf({ type, payload }: SequencedEvent): Subject {
  const { data } = JSON.parse(payload) as {
    data: {
      id: number;
      uuid: string;
      conversation_id?: number;
      private?: boolean;
      contact?: { id: number };
      widget_id?: number | null;
    };
  };
  const isMessage = type.startsWith("message.");
  return {
    conversationId: isMessage ? (data.conversation_id ?? 0) : data.id,
    contactId: data.contact?.id ?? null,
    widgetId: data.widget_id ?? null,
    uuid: data.uuid,
    isPrivate: data.private ?? false,
  };
}

/** A page of the events of these conversations after a position. */
export async function readVisitorEvents(
  db: Queryable,
  workspaceId: number,
  conversationIds: readonly number[],
  { after, limit }: { after: number; limit: number },
): Promise<{ events: SequencedEvent[]; next: number; hasMore: boolean }> {
  const values = [workspaceId, conversationIds, after, VISITOR_EVENTS, limit + 1];
  const found = await db.query<Position>(rangeStatement, values);
  const positions = found.slice(0, limit);
  const events = await eventsAt(db, [workspaceId], positions);
  return { events, next: positions.at(-1)?.position ?? after, hasMore: found.length > limit };
}

/**
 * An event as the visitor gets it, from what is stored now; null: nothing to show. A message that became private is gone
 * for them.
 */
export async function toVisitorEvent(
  db: Queryable,
  workspaceId: number,
  event: SequencedEvent,
  subject = subjectOf(event),
): Promise<SequencedEvent | null> {
  const { position, type } = event;
  const shown = (name: string, record: object) => ({
    position,
    type: name as EventType,
    payload: JSON.stringify(record),
  });
  const { conversationId, uuid, isPrivate } = subject;
  if (type === "conversation.deleted") return shown("conversation_deleted", { id: uuid });
  if (type.startsWith("conversation.")) {
    const values = [workspaceId, conversationId];
    const [row] = await db.query<{ record: VisitorConversation }>(conversationStatement, values);
    return row ? shown("conversation", row.record) : null;
  }
  if (type === "message.created" && isPrivate) return null;
  if (type !== "message.deleted" && !isPrivate) {
    const [row] = await db.query<{ record: VisitorMessage }>(messageStatement, [workspaceId, uuid]);
    return row ? shown("message", row.record) : null;
  }
  const [conversation] = await db.query<{ uuid: string }>(uuidStatement, [workspaceId, conversationId]);
  return conversation ? shown("message_deleted", { id: uuid, conversation: conversation.uuid }) : null;
}
