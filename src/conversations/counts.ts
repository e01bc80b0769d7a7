import { type Queryable, sql } from "../db/database.ts";
import { createFold } from "../db/fold.ts";
import { CONVERSATION_STATUSES, type ConversationRecord } from "../resources/conversations.ts";
import { readSeqSql } from "./conversation-row.ts";
import { countUnreadMentions } from "./mentions.ts";

interface ConversationCounts {
  by_status: Record<ConversationRecord["status"], number>;
  /** Open and assigned to the viewer; only for people. */
  mine?: number;
  unassigned: number;
  waiting: number;
  /** Open with unread messages, among the newest; only for people. */
  unread?: number;
  /** With a note that mentions the viewer and is unread, among the newest; only for people. */
  mentioned?: number;
}

/** How many of the open conversations, newest first, are looked at for unread messages. */
const UNREAD_CONVERSATIONS_LOOKED_AT = 1_000;

const countStatement = sql(
  "conversation_counts",
  `with counted as (
     select status, assignee_id, waiting, conversations
     from conversation_counts
     where workspace_id = $1
     union all
     select status, assignee_id, waiting, delta
     from conversation_deltas
     where workspace_id = $1)

   select status,
     sum(conversations)::bigint as total,
     coalesce(sum(conversations) filter (where assignee_id = $2), 0)::bigint as mine,
     coalesce(sum(conversations) filter (where assignee_id = 0), 0)::bigint as unassigned,
     coalesce(sum(conversations) filter (where waiting), 0)::bigint as waiting
   from counted
   group by status`,
);
const unreadStatement = sql(
  "conversation_unread",
  `select count(*) as unread
   from (
     select c.workspace_id, c.id, c.last_in_seq
     from conversations c
     where c.workspace_id = $1
       and c.status = 'open'
     order by c.id desc
     limit ${UNREAD_CONVERSATIONS_LOOKED_AT}) c
   where c.last_in_seq > ${readSeqSql("$2")}`,
);

interface StatusRow {
  status: ConversationRecord["status"];
  total: number;
  mine: number;
  unassigned: number;
  waiting: number;
}

export async function countConversations(
  db: Queryable,
  workspaceId: number,
  viewerId: number | null,
): Promise<ConversationCounts> {
  const rows = await db.query<StatusRow>(countStatement, [workspaceId, viewerId]);
  const open = rows.find(({ status }) => status === "open");
  const totals = CONVERSATION_STATUSES.map((status) => [status, rows.find((row) => row.status === status)?.total ?? 0]);
  const by_status = Object.fromEntries(totals) as ConversationCounts["by_status"];
  const shared = { by_status, unassigned: open?.unassigned ?? 0, waiting: open?.waiting ?? 0 };
  if (viewerId === null) return shared;
  const [row] = await db.query<{ unread: number }>(unreadStatement, [workspaceId, viewerId]);
  const mentioned = await countUnreadMentions(db, workspaceId, viewerId);
  return { ...shared, mine: open?.mine ?? 0, unread: row?.unread ?? 0, mentioned };
}

const totalStatement = sql(
  "conversation_total",
  `select (
     (select coalesce(sum(conversations), 0) from conversation_counts where workspace_id = $1)
     + (select coalesce(sum(delta), 0) from conversation_deltas where workspace_id = $1)
   )::bigint as total`,
);

/** The exact number of conversations, whatever it is. */
export async function conversationTotal(db: Queryable, workspaceId: number): Promise<number> {
  const [row] = await db.query<{ total: number }>(totalStatement, [workspaceId]);
  return row?.total ?? 0;
}

export const foldConversationCounts = createFold({
  table: "conversation_counts",
  deltas: "conversation_deltas",
  key: ["workspace_id", "status", "assignee_id", "waiting"],
  sums: [{ column: "delta", as: "conversations" }],
});
