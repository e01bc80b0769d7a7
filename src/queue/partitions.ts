import { type Queryable, sql, type Tx } from "../db/database.ts";
import { isMissingPartition } from "../db/errors.ts";
import { lockLanes, sameLane } from "./sql-fragments.ts";

const PARTITION_DAYS_AHEAD = 7;

const createPartitions = sql(
  "attempt_partitions",
  `select create_attempt_partition((now() at time zone 'utc')::date + day)
    from generate_series(-$1::int, ${PARTITION_DAYS_AHEAD}) day`,
);

/** With those of past days, for a history that is written afterwards. Retention drops them like all others. */
export const ensurePartitionsSince = (db: Queryable, pastDays: number): Promise<unknown> =>
  db.query(createPartitions, [pastDays]);

/** By the database's clock. */
export const ensurePartitions = (db: Queryable): Promise<unknown> => ensurePartitionsSince(db, 0);

/**
 * The rows of this partition are about to be dropped: the totals of their lanes no longer count them. All of them are
 * counted before the first lane is locked.
 */
export const subtractAttempts = (tx: Tx, partition: string): Promise<unknown> =>
  tx.query({
    name: "",
    text: `
      with dropped as materialized (
        select workspace_id, webhook_id, count(*) as attempts
        from ${partition}
        group by workspace_id, webhook_id
      ),

      lane as materialized (
        ${lockLanes("dropped")}
      )

      update delivery_lanes lane
      set attempts_total = greatest(0, lane.attempts_total - dropped.attempts)
      from dropped
      where (select count(*) from lane) > 0
        and ${sameLane("lane", "dropped")}`,
  });

/** Writes log rows. Where the day's partition is missing it is created, and the write is repeated. */
export async function withPartitions<T>(db: Queryable, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await ensurePartitions(db);
    return write();
  }
}
