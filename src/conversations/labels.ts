import { invalid } from "../core/errors.ts";
import { type Database, type Queryable, sql } from "../db/database.ts";
import { createFold } from "../db/fold.ts";

const LABELS_MAX = 1_000;

// Counts and the changes not folded into them yet.
const COUNTS = `select name, sum(conversations)::bigint as count
   from (
     select name, conversations
     from label_counts
     where workspace_id = $1
     union all
     select name, delta
     from label_deltas
     where workspace_id = $1) counted
   group by name
   having sum(conversations) > 0`;

const listStatement = sql("label_list", `${COUNTS} order by name limit ${LABELS_MAX}`);
const quotaStatement = sql(
  "label_quota",
  `with used as (${COUNTS})
   select count(*) as labels,
     count(*) filter (where name = any($2::text[])) as known
   from used`,
);
const foldCounts = createFold({
  table: "label_counts",
  deltas: "label_deltas",
  key: ["workspace_id", "name"],
  sums: [{ column: "delta", as: "conversations" }],
});
const ANY_UNUSED = "exists (select from label_counts where conversations = 0)";
const dropUnused = sql("label_drop_unused", "delete from label_counts where conversations = 0");

/** The labels in use, by name. */
export const listLabels = (db: Queryable, workspaceId: number): Promise<{ name: string; count: number }[]> =>
  db.query(listStatement, [workspaceId]);

/** Refuses new labels beyond the quota of the workspace. */
export async function requireLabelQuota(db: Queryable, workspaceId: number, added: readonly string[]): Promise<void> {
  if (added.length === 0) return;
  const [row] = await db.query<{ labels: number; known: number }>(quotaStatement, [workspaceId, added]);
  const { labels, known } = row ?? { labels: 0, known: 0 };
  if (added.length > known && labels + added.length - known > LABELS_MAX)
    throw invalid({ labels: [`labels must not bring the workspace beyond ${LABELS_MAX} different labels.`] });
}

/** Also removes labels that no conversation has any more. */
export async function foldLabelCounts(db: Database): Promise<boolean> {
  const hasMore = await foldCounts(db);
  if (await db.isDue(ANY_UNUSED)) await db.query(dropUnused);
  return hasMore;
}
