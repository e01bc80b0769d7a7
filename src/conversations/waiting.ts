import { type Queryable, sql } from "../db/database.ts";

/** Counted up to here; more are shown as this many and a plus. */
const COUNT_MAX = 1_000;

// What was last written over an hour ago has waited longer than that. Of the others, which are those of the last hour,
// the conversation itself says since when. No index by `waiting_since` exists: every reply would have to pay for it.
const countStatement = sql(
  "conversations_waiting_long",
  `with quiet as (
     select inbox.conversation_id
     from conversation_inbox inbox
     where inbox.workspace_id = $1
       and inbox.waiting
       and inbox.status = 'open'
       and inbox.activity_at < now() - interval '1 hour'
     limit ${COUNT_MAX}
   ),

   lively as (
     select conversation.id
     from conversation_inbox inbox
     join conversations conversation
       on conversation.workspace_id = inbox.workspace_id
       and conversation.id = inbox.conversation_id
     where inbox.workspace_id = $1
       and inbox.waiting
       and inbox.status = 'open'
       and inbox.activity_at >= now() - interval '1 hour'
       and conversation.waiting_since < now() - interval '1 hour'
     limit ${COUNT_MAX}
   )

   select ((select count(*) from quiet) + (select count(*) from lively))::int as waiting`,
);

interface WaitingLong {
  count: number;
  /** There may be more. */
  is_lower_bound: boolean;
}

/** Open conversations in which the contact has waited for a reply for more than an hour. */
export async function countWaitingLong(db: Queryable, workspaceId: number): Promise<WaitingLong> {
  const [row] = await db.query<{ waiting: number }>(countStatement, [workspaceId]);
  const waiting = row?.waiting ?? 0;
  return { count: Math.min(waiting, COUNT_MAX), is_lower_bound: waiting >= COUNT_MAX };
}
