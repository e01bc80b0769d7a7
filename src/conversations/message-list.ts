import { type Queryable, sql } from "../db/database.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./message-record.ts";

export interface MessageFilter {
  direction?: MessageRecord["direction"] | undefined;
  private?: boolean | undefined;
  search?: string | undefined;
  updated_since?: Date | undefined;
}

const MATCHES = `m.workspace_id = $1 and m.conversation_id = $2
  and ($3::text is null or m.direction = $3)
  and ($4::boolean is null or m.private = $4)
  and ($5::text is null or position(lower($5) in lower(m.body)) > 0)
  and ($6::timestamptz is null or m.updated_at >= $6)
  and ($7::bigint is null or m.id <= $7)`;

// By `seq`, which within a conversation is the order of ids: the planner may take the primary key for `order by id` and
// walk past every other conversation's messages.
const listStatement = sql(
  "message_list",
  `select ${MESSAGE_COLUMNS} from messages m where ${MATCHES} order by m.seq desc limit $8 offset $9`,
);
const countStatement = sql("message_count", `select count(*) as total from messages m where ${MATCHES}`);

/** Newest first. */
export function messageReader(db: Queryable, workspaceId: number, conversationId: number, filter: MessageFilter) {
  const values = [
    workspaceId,
    conversationId,
    filter.direction ?? null,
    filter.private ?? null,
    filter.search ?? null,
    filter.updated_since ?? null,
  ];
  return {
    count: async (upToId: number | null) =>
      (await db.query<{ total: number }>(countStatement, [...values, upToId]))[0]?.total ?? 0,
    rows: async (limit: number, offset: number, upToId: number | null) =>
      (await db.query<MessageRow>(listStatement, [...values, upToId, limit, offset])).map(toMessage),
  };
}
