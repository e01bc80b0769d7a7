import type { Caller } from "../core/caller.ts";
import { found } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
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
  const values = [workspaceId, ...refValues(ref), viewerId];
  return toConversation(found("conversation", await db.query<ConversationRow>(findStatement, values)));
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
  return found("conversation", await db.query<{ id: number }>(findIdStatement, [workspaceId, ...refValues(ref)])).id;
}

const lockForMessageStatement = sql(
  "conversation_lock_for_message",
  `select id, uuid, subject, status, assignee_id, contact_id, mailbox_id
   from conversations
   where workspace_id = $1
     and (id = $2 or uuid = $3)
   for no key update`,
);

interface LockedConversation {
  id: number;
  uuid: string;
  subject: string | null;
  status: string;
  assignee_id: number | null;
  contact_id: number;
  mailbox_id: number | null;
}

/** The lock of a new message. Whatever changes messages or drafts takes it first; `what` does not exist without it. */
export async function lockForMessage(
  tx: Tx,
  workspaceId: number,
  ref: Ref,
  what = "conversation",
): Promise<LockedConversation> {
  return found(what, await tx.query<LockedConversation>(lockForMessageStatement, [workspaceId, ...refValues(ref)]));
}
