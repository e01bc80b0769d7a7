import { systemCaller } from "../core/caller.ts";
import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import { type Database, sql } from "../db/database.ts";
import { startFolding } from "../db/list-counts.ts";
import type { Outbox } from "../events/outbox.ts";
import { appendConversationEvents } from "./conversation-events.ts";
import { foldConversationCounts } from "./counts.ts";
import { foldLabelCounts } from "./labels.ts";

const SNOOZE_PAUSE_MS = 1_000;
const FOLD_PAUSE_MS = 1_000;
const WAKE_BATCH = 50;

// Nearly always there is none, and then no transaction is begun.
const ANY_TO_WAKE = "exists (select from conversations where snoozed_until <= now())";

// A conversation that another node is opening, or that a request is changing, is skipped: the holder of the lock decides,
// and the next turn looks again. So each snooze ends once over all nodes.
const wakeStatement = sql(
  "conversation_wake",
  `with due as (
     select workspace_id, id
     from conversations
     where snoozed_until <= now()
       and not exists (
         select
         from workspaces
         where workspaces.id = conversations.workspace_id
           and move_state is not null
       )
     order by snoozed_until
     limit ${WAKE_BATCH}
     for update skip locked)

   update conversations c
   set status = 'open',
     snoozed_until = null,
     updated_at = greatest(c.updated_at, now())
   from due
   where c.workspace_id = due.workspace_id
     and c.id = any(array[due.id])
   returning c.workspace_id, c.id`,
);

/** Background work on conversations: ends snoozes, folds counters. Any number of nodes may run it. */
export function startConversationLoops(db: Database, outbox: Outbox, logger: Logger): Pick<Loop, "close"> {
  const snoozes = startLoop({
    work: () => endSnoozes(db, outbox),
    pauseMs: SNOOZE_PAUSE_MS,
    onError: (error) => logger.warn({ err: error.message }, "ending snoozes failed, retrying"),
  });
  const folds = [foldLabelCounts, foldConversationCounts];
  const counters = startFolding(db, logger, { folds, pauseMs: FOLD_PAUSE_MS });
  return { close: async () => void (await Promise.all([snoozes.close(), counters.close()])) };
}

/** Opens every conversation whose snooze has ended, also while no node was running. */
async function endSnoozes(db: Database, outbox: Outbox): Promise<void> {
  if (!(await db.isDue(ANY_TO_WAKE))) return;
  for (;;) {
    const opened = await db.transaction(async (tx) => {
      const rows = await tx.query<{ workspace_id: number; id: number }>(wakeStatement);
      for (const { workspace_id, id } of rows) {
        const caller = systemCaller(workspace_id);
        await appendConversationEvents({ tx, outbox, caller }, id, ["conversation.status_changed"], caller.actor);
      }
      return rows.length;
    });
    if (opened < WAKE_BATCH) return;
  }
}
