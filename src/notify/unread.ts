import { type Queryable, sql } from "../db/database.ts";
import type { Person } from "./settings.ts";

/** How many of the open conversations, newest first, are looked at. */
const LOOKED_AT_MAX = 1_000;

const unreadStatement = sql(
  "unread_of_person",
  `select count(*) as unread
   from (
     select id, last_in_seq, assignee_id
     from conversations
     where workspace_id = $1
       and status = 'open'
     order by id desc
     limit ${LOOKED_AT_MAX}) c
   left join notification_settings chosen
     on chosen.workspace_id = $1
     and chosen.user_id = $2
   left join conversation_reads r
     on r.workspace_id = $1
     and r.user_id = $2
     and r.conversation_id = c.id
   where (
       c.last_in_seq > coalesce(r.read_seq, 0)
       and (
         (c.assignee_id = $2 and coalesce(chosen.assigned, true))
         or (c.assignee_id is null and coalesce(chosen.unassigned, true))
       )
     )
     or (
       coalesce(chosen.mentions, true)
       and exists (
         select
         from message_mentions mention
         where mention.workspace_id = $1
           and mention.conversation_id = c.id
           and mention.user_id = $2
           and mention.seq > coalesce(r.read_seq, 0)
       )
     )`,
);

/** The number in the title and on the icon: open conversations with something unread that the person is notified of. */
export async function countUnreadOf(db: Queryable, { workspaceId, userId }: Person): Promise<number> {
  const [row] = await db.query<{ unread: number }>(unreadStatement, [workspaceId, userId]);
  return row?.unread ?? 0;
}
