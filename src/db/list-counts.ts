import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import { type Database, type Queryable, sql } from "./database.ts";

type CountedList = "contacts" | "audit_logs";

const readTotal = sql(
  "list_total",
  `select (
     (select coalesce(sum(total), 0) from list_counts where workspace_id = $1 and list = $2)
     + (select coalesce(sum(delta), 0) from list_count_deltas where workspace_id = $1 and list = $2)
   )::bigint as total`,
);

/** The exact number of rows of a list, whatever its size. */
export async function listTotal(db: Queryable, workspaceId: number, list: CountedList): Promise<number> {
  const [row] = await db.query<{ total: number }>(readTotal, [workspaceId, list]);
  return row?.total ?? 0;
}

const FOLD_BATCH = 10_000;

// One process at a time, so that two of them never wait for each other's rows.
const foldDeltas = sql(
  "list_counts_fold",
  `with held as materialized (
     select pg_try_advisory_xact_lock(hashtext('parley.list_counts')) as mine
   ),

   batch as materialized (
     select ctid
     from list_count_deltas
     where (select mine from held)
     limit ${FOLD_BATCH}
   ),

   taken as (
     delete from list_count_deltas
     where ctid = any(array(select ctid from batch))
     returning workspace_id, list, delta
   ),

   folded as (
     insert into list_counts as counts (workspace_id, list, total)
     select workspace_id, list, sum(delta)
     from taken
     group by workspace_id, list
     on conflict (workspace_id, list)
     do update set total = counts.total + excluded.total
   )

   select count(*) as folded
   from taken`,
);

/** Folds appended differences into the counters. True: there are more of them. */
export async function foldListCounts(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ folded: number }>(foldDeltas);
  return row?.folded === FOLD_BATCH;
}

const FOLD_MS = 1_000;

/**
 * Folds counters in the background for as long as the process runs: those of lists, and `others`, which say whether they
 * have more to do. Totals are exact without it, and slower the longer it rests.
 */
export const startFolding = (
  db: Database,
  logger: Logger,
  others: readonly ((db: Queryable) => Promise<boolean>)[] = [],
): Loop =>
  startLoop({
    work: async () => {
      for (const fold of [foldListCounts, ...others]) while (await fold(db));
    },
    pauseMs: FOLD_MS,
    onError: (error) => logger.warn({ err: error.message }, "cannot fold counters, retrying"),
  });
