import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { ConversationRecord } from "../resources/conversations.ts";
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationRow,
  readSeqSql,
  toConversation,
  unreadCountSql,
} from "./conversation-row.ts";

export interface ConversationFilter {
  status?: ConversationRecord["status"][] | undefined;
  priority?: NonNullable<ConversationRecord["priority"]> | "none" | undefined;
  channel?: ConversationRecord["channel"] | undefined;
  label?: string | undefined;
  search?: string | undefined;
  updated_since?: Date | undefined;
  contact?: Ref | undefined;
  assignee?: Ref | "nobody" | undefined;
  /** Whether the contact waits for a reply. */
  waiting?: boolean | undefined;
  /** Whether the viewer has unread messages there. */
  unread?: boolean | undefined;
  /** The signed-in person whose unread messages are counted; null for an API key. */
  viewerId: number | null;
}

// A uuid is turned into the id in a scalar subquery, so that the index on the id serves both forms.
const MATCHES = `c.workspace_id = $1
  and ($2::text[] is null or c.status = any($2))
  and ($3::text is null or c.channel = $3)
  and ($4::text is null or $4 = any(c.labels))
  and ($5::text is null or position(lower($5) in lower(c.subject)) > 0)
  and ($6::timestamptz is null or c.updated_at >= $6)
  and (($7::bigint is null and $8::uuid is null)
    or c.contact_id = coalesce($7, (select id from contacts where workspace_id = $1 and uuid = $8)))
  and (($9::bigint is null and $10::uuid is null)
    or c.assignee_id = coalesce($9, (select id from users where uuid = $10)))
  and (not $11::boolean or c.assignee_id is null)
  and ($12::text is null or coalesce(c.priority, 'none') = $12)
  and ($13::boolean is null or (c.waiting_since is not null) = $13)
  and ($14::boolean is null or (c.last_in_seq > ${readSeqSql("$15")}) = $14)
  and ($16::bigint is null or c.id <= $16)`;

const listStatement = sql(
  "conversation_list",
  `select ${CONVERSATION_COLUMNS}, ${unreadCountSql("$15")} from conversations c ${CONVERSATION_JOINS}
   where ${MATCHES} order by c.id desc limit $17 offset $18`,
);
const countStatement = sql("conversation_count", `select count(*) as total from conversations c where ${MATCHES}`);

/** Newest first. */
export function conversationReader(db: Queryable, workspaceId: number, filter: ConversationFilter) {
  const { contact, assignee } = filter;
  const values = [
    workspaceId,
    filter.status ?? null,
    filter.channel ?? null,
    filter.label ?? null,
    filter.search ?? null,
    filter.updated_since ?? null,
    ...(contact ? refValues(contact) : [null, null]),
    ...(assignee && assignee !== "nobody" ? refValues(assignee) : [null, null]),
    assignee === "nobody",
    filter.priority ?? null,
    filter.waiting ?? null,
    filter.unread ?? null,
    filter.viewerId,
  ];
  return {
    count: async (upToId: number | null) =>
      (await db.query<{ total: number }>(countStatement, [...values, upToId]))[0]?.total ?? 0,
    rows: async (limit: number, offset: number, upToId: number | null) =>
      (await db.query<ConversationRow>(listStatement, [...values, upToId, limit, offset])).map(toConversation),
  };
}
