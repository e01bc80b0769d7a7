import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import { type Database, type Queryable, queryOne, sql } from "./database.ts";
import { createFold } from "./fold.ts";

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
  return (await queryOne<{ total: number }>(db, readTotal, [workspaceId, list])).total;
}

export const foldListCounts = createFold({
  table: "list_counts",
  deltas: "list_count_deltas",
  key: ["workspace_id", "list"],
  sums: [{ column: "delta", as: "total" }],
});

interface Folding {
  /** Each says whether it has more to do. */
  folds: readonly ((db: Database) => Promise<boolean>)[];
  pauseMs: number;
}

/** Folds counters in the background. They are exact without it, but slower to read with each change. */
export const startFolding = (db: Database, logger: Logger, { folds, pauseMs }: Folding): Loop =>
  startLoop({
    async work() {
      await Promise.all(
        folds.map(async (fold) => {
          while (await fold(db));
        }),
      );
    },
    pauseMs,
    onError: (error) => logger.warn({ err: error.message }, "folding counters failed, retrying"),
  });
