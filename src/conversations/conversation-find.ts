import type { Caller } from "../core/caller.ts";
import { notFound } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationRow,
  toConversation,
  unreadCountSql,
  type WholeConversation,
} from "./conversation-row.ts";

const findStatement = sql(
  "conversation_find",
  `select ${CONVERSATION_COLUMNS}, ${unreadCountSql("$4")}
   from conversations c ${CONVERSATION_JOINS}
   where c.workspace_id = $1
     and (c.id = $2 or c.uuid = $3)`,
);
// `offset 0` leaves the planner no other order than one lookup for each: without statistics it read whole tables.
const findEachStatement = sql(
  "conversation_find_each",
  `select found.*
   from unnest($1::bigint[], $2::bigint[]) as wanted (workspace_id, id)
   cross join lateral (
     select ${CONVERSATION_COLUMNS}
     from conversations c ${CONVERSATION_JOINS}
     where c.workspace_id = wanted.workspace_id
       and c.id = wanted.id
     offset 0) found`,
);
const findIdStatement = sql(
  "conversation_find_id",
  `select id
   from conversations
   where workspace_id = $1
     and (id = $2 or uuid = $3)`,
);

/** The person whose unread messages are counted; null for an API key. */
export const viewerOf = ({ actor }: Caller): number | null => (actor.type === "user" ? actor.id : null);

/** The conversation as events carry it; with a viewer also the number of messages that this person has not read. */
export async function findConversation(
  db: Queryable,
  workspaceId: number,
  ref: Ref,
  viewerId: number | null = null,
): Promise<WholeConversation> {
  const [row] = await db.query<ConversationRow>(findStatement, [workspaceId, ...refValues(ref), viewerId]);
  if (!row) throw notFound("conversation");
  return toConversation(row);
}

/** Several, as events carry them, by their ids. */
export async function findConversations(
  db: Queryable,
  wanted: readonly { workspaceId: number; id: number }[],
): Promise<Map<number, WholeConversation>> {
  const rows = await db.query<ConversationRow>(findEachStatement, [
    wanted.map(({ workspaceId }) => workspaceId),
    wanted.map(({ id }) => id),
  ]);
  return new Map(rows.map((row) => [row.id, toConversation(row)]));
}

export async function findConversationId(db: Queryable, workspaceId: number, ref: Ref): Promise<number> {
  const [row] = await db.query<{ id: number }>(findIdStatement, [workspaceId, ...refValues(ref)]);
  if (!row) throw notFound("conversation");
  return row.id;
}
