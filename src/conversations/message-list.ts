import { type Queryable, sql } from "../db/database.ts";
import { createListReader, type ListReader } from "../db/list.ts";
import type { Condition, ListSource } from "../db/list-sql.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./message-record.ts";

interface MessageFilter {
  direction?: MessageRecord["direction"] | undefined;
  private?: boolean | undefined;
  search?: string | undefined;
  updated_since?: Date | undefined;
}

/** The rows of messages by the `seq` that was picked, and what they hold of text. */
export const MESSAGE_ROWS =
  "join messages m on m.workspace_id = $1 and m.conversation_id = $2 and m.seq = any(array[picked.key0])";
export const MESSAGE_BYTES = "octet_length(m.body) + coalesce(octet_length(m.quoted), 0)";

// By `seq`, which within a conversation is the order of ids: the planner may take the primary key for `order by id` and
// walk past every other conversation's messages. The id is picked along with it, for the highest one on a page.
const MESSAGES: ListSource<MessageRow, MessageRecord> = {
  name: "messages",
  table: "messages m",
  order: [{ column: "m.seq", type: "bigint" }],
  columns: MESSAGE_COLUMNS,
  joins: "",
  sized: { rows: MESSAGE_ROWS, bytes: MESSAGE_BYTES },
  id: "m.id",
  toRecord: toMessage,
};

// A deleted message leaves its number behind and is counted on its conversation: no counter is written per message.
const readTotal = sql(
  "message_total",
  "select last_seq - messages_deleted as total from conversations where workspace_id = $1 and id = $2",
);

/** Newest first. */
export function messageReader(
  db: Queryable,
  workspaceId: number,
  conversationId: number,
  filter: MessageFilter,
): ListReader<MessageRecord> {
  const filters = conditionsOf(filter);
  return createListReader(db, MESSAGES, {
    workspaceId,
    owner: conversationId,
    base: [
      { name: "", sql: "m.workspace_id = ?", values: [workspaceId] },
      { name: "", sql: "m.conversation_id = ?", values: [conversationId] },
    ],
    filters,
    total:
      filters.length > 0
        ? null
        : async () => (await db.query<{ total: number }>(readTotal, [workspaceId, conversationId]))[0]?.total ?? 0,
  });
}

function conditionsOf(filter: MessageFilter): Condition[] {
  const { direction, search, updated_since } = filter;
  const conditions: Condition[] = [];
  if (direction !== undefined) conditions.push({ name: "direction", sql: "m.direction = ?", values: [direction] });
  // Written out, so that the index of private messages serves it.
  if (filter.private !== undefined)
    conditions.push(
      filter.private
        ? { name: "private", sql: "m.private", values: [] }
        : { name: "public", sql: "not m.private", values: [] },
    );
  if (search !== undefined)
    conditions.push({
      name: "search",
      sql: "position(lower(?) in lower(m.body)) > 0",
      values: [search],
      skewed: true,
    });
  if (updated_since !== undefined)
    conditions.push({ name: "since", sql: "m.updated_at >= ?", values: [updated_since], skewed: true });
  return conditions;
}
