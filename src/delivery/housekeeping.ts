import type { Logger } from "../core/logger.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import { LOG_PARTITION } from "../db/table-levels.ts";
import { cancelOfDisabled, dropStrays, expireEvents } from "../queue/cleanup.ts";
import { ensurePartitions, subtractAttempts } from "../queue/partitions.ts";

// By name, so that one whose removal was interrupted after it was detached is found again.
const listExpired = sql(
  "retention_partitions",
  `select c.relname as name, i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as detaching
   from pg_class c
   left join pg_inherits i on i.inhrelid = c.oid
   where c.relkind = 'r'
     and c.relnamespace = current_schema()::regnamespace
     and c.relname ~ '${LOG_PARTITION}'
     and c.relname < 'delivery_attempts_' || to_char((now() at time zone 'utc')::date - $1::int, 'YYYYMMDD')
   order by c.relname`,
);

// The hours up to the end of the partition's day, in both tables of the rollup. Those of earlier days are left where a backup
// or a move was made while retention removed them.
const forgetStats = sql(
  "retention_stats",
  `with day as materialized (
     select to_date($1, 'YYYYMMDD')::timestamp at time zone 'utc' + interval '24 hours' as ends
   ),

   folded as (
     delete from delivery_stats
     where hour < (select ends from day)
   )

   delete from delivery_stat_deltas
   where hour < (select ends from day)`,
);

const lockPartitions = sql("partition_lock", "select pg_advisory_xact_lock(hashtext('parley.partitions'))");
const partitionPresent = sql("partition_present", "select 1 where to_regclass($1) is not null");

/**
 * Creates partitions ahead, deletes what is past its retention and what was left over. Any node may run it at any time.
 * `ofOtherParts` is the housekeeping of parts that this folder does not import.
 */
export async function runHousekeeping(
  db: Database,
  logger: Logger,
  retentionDays: number,
  ofOtherParts: () => Promise<unknown> = async () => {},
): Promise<void> {
  await ensurePartitions(db);
  await dropOldPartitions(db, logger, retentionDays);
  await expireEvents(db, retentionDays);
  await dropStrays(db);
  await cancelOfDisabled(db);
  await ofOtherParts();
}

interface ExpiredPartition {
  name: string;
  attached: boolean;
  detaching: boolean;
}

/** Detached concurrently, so that nobody who reads or writes the log waits; the totals shrink as the rows are dropped. */
async function dropOldPartitions(db: Database, logger: Logger, retentionDays: number): Promise<void> {
  for (const { name, attached, detaching } of await db.query<ExpiredPartition>(listExpired, [retentionDays])) {
    const how = detaching ? "finalize" : "concurrently";
    if (attached) await db.query({ name: "", text: `alter table delivery_attempts detach partition ${name} ${how}` });
    await db.transaction(async (tx: Tx) => {
      await tx.query(lockPartitions);
      if ((await tx.query(partitionPresent, [name])).length === 0) return;
      await subtractAttempts(tx, name);
      await tx.query(forgetStats, [name.slice(-"YYYYMMDD".length)]);
      await tx.query({ name: "", text: `drop table ${name}` });
      logger.info({ partition: name }, "dropped a day of delivery logs past its retention");
    });
  }
}
