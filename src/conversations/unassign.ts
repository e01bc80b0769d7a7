import type { Caller } from "../core/caller.ts";
import { type Database, sql } from "../db/database.ts";
import { newEventUuid } from "../events/event-traces.ts";
import type { Outbox } from "../events/outbox.ts";
import { findConversations } from "./conversation-find.ts";
import type { WriteContext } from "./write-context.ts";

const BATCH = 200;

const unassignStatement = sql(
  "conversation_unassign",
  `update conversations
   set assignee_id = null,
     updated_at = greatest(updated_at, now())
   where workspace_id = $1
     and id = any(array(
       select id
       from conversations
       where workspace_id = $1
         and assignee_id = $2
       order by id
       limit ${BATCH}
       for update))
   returning id`,
);

/** Unassigns a batch of a person's conversations, with an event each. Returns how many. */
async function unassignBatch({ tx, outbox, caller }: WriteContext, userId: number): Promise<number> {
  const { workspaceId, actor } = caller;
  const rows = await tx.query<{ id: number }>(unassignStatement, [workspaceId, userId]);
  const found = await findConversations(
    tx,
    rows.map(({ id }) => ({ workspaceId, id })),
  );
  const inOrder = [...found.values()].sort((a, b) => a.id - b.id);
  const events = inOrder.map((data) => ({ workspaceId, uuid: newEventUuid(), data, actor }));
  await outbox.appendEach(tx, "conversation.assigned", events);
  return rows.length;
}

/** Nobody is the assignee of what this person was assigned to in the workspace of the caller. */
export async function unassignAll(write: WriteContext, userId: number): Promise<void> {
  while ((await unassignBatch(write, userId)) === BATCH);
}

/**
 * The same in transactions of a batch each: a long one would hold up the order of events for all workspaces. For someone
 * who is about to leave; the transaction in which they leave calls `unassignAll` for what was assigned meanwhile.
 */
export async function unassignInBatches(
  { db, outbox }: { db: Database; outbox: Outbox },
  caller: Caller,
  userId: number,
): Promise<void> {
  while ((await db.transaction((tx) => unassignBatch({ tx, outbox, caller }, userId))) === BATCH);
}
