import { found } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";

const writeRead = (readSeq: string): string => `insert into conversation_reads as held (workspace_id, user_id,
     conversation_id, read_seq)
   select c.workspace_id, $4, c.id, ${readSeq}
   from conversations c
   where c.workspace_id = $1
     and (c.id = $2 or c.uuid = $3)
   on conflict (workspace_id, user_id, conversation_id) do update`;

// Reading in a second browser that is behind the first does not make messages unread again.
const readStatement = sql(
  "conversation_mark_read",
  `${writeRead("least(coalesce($5::bigint, c.last_seq), c.last_seq)")}
   set read_seq = greatest(held.read_seq, excluded.read_seq)
   returning conversation_id as id, read_seq as seq`,
);
const unreadStatement = sql(
  "conversation_mark_unread",
  `${writeRead("greatest(c.last_in_seq - 1, 0)")}
   set read_seq = excluded.read_seq
   returning conversation_id as id`,
);

export interface Reader {
  workspaceId: number;
  userId: number;
}

/** The person has read the conversation up to this message; without a number all of it. */
export async function markRead(
  db: Queryable,
  { workspaceId, userId }: Reader,
  ref: Ref,
  seq?: number,
): Promise<{ id: number; seq: number }> {
  const values = [workspaceId, ...refValues(ref), userId, seq ?? null];
  return found("conversation", await db.query<{ id: number; seq: number }>(readStatement, values));
}

/** The last message from the contact is unread again. */
export async function markUnread(db: Queryable, { workspaceId, userId }: Reader, ref: Ref): Promise<number> {
  const rows = await db.query<{ id: number }>(unreadStatement, [workspaceId, ...refValues(ref), userId]);
  return found("conversation", rows).id;
}
