import type { Logger } from "../../core/logger.ts";
import { runEach } from "../../core/run-each.ts";
import { type Database, sql, type Tx } from "../../db/database.ts";
import { SHORTEN_LOCK_WAIT } from "../../db/lock-wait.ts";
import { LOG_PARTITION } from "../../db/table-levels.ts";
import { cancelOfDisabled, dropStrays, expireEvents } from "../../queue/cleanup.ts";
import { ensurePartitions, subtractAttempts } from "../../queue/partitions.ts";

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

const shortenLockWait = sql("partition_lock_wait", SHORTEN_LOCK_WAIT);
const lockPartitions = sql("partition_lock", "select pg_advisory_xact_lock(hashtext('parley.partitions'))");
const partitionPresent = sql("partition_present", "select 1 where to_regclass($1) is not null");

/**
 * Creates partitions ahead, deletes what is past its retention and what was left over. Any node may run it at any time.
 * A step that fails is tried again the next time, and the others still run.
 * `ofOtherParts` is the housekeeping of parts that this folder does not import.
 */
export async function runHousekeeping(
  db: Database,
  logger: Logger,
  retentionDays: number,
  ofOtherParts: () => Promise<unknown> = async () => {},
): Promise<void> {
  await runEach([
    () => ensurePartitions(db),
    () => dropOldPartitions(db, logger, retentionDays),
    () => expireEvents(db, retentionDays),
    () => dropStrays(db),
    () => cancelOfDisabled(db),
    ofOtherParts,
  ]);
}

interface ExpiredPartition {
  name: string;
  attached: boolean;
  detaching: boolean;
}

/** Detached concurrently, so that nobody who reads or writes the log waits; the totals shrink as the rows are dropped. */
async function dropOldPartitions(db: Database, logger: Logger, retentionDays: number): Promise<void> {
  const expired = await db.query<ExpiredPartition>(listExpired, [retentionDays]);
  await runEach(
    expired.map(({ name, attached, detaching }) => async () => {
      const how = detaching ? "finalize" : "concurrently";
      if (attached) await db.query({ name: "", text: `alter table delivery_attempts detach partition ${name} ${how}` });
      await db.transaction((tx) => dropPartition(tx, logger, name));
    }),
  );
}

/**
 * The partition is locked first: where it is still read, this ends at once, before anybody has to wait for it. The
 * lanes come last, because deliveries wait for them until the commit.
 */
async function dropPartition(tx: Tx, logger: Logger, name: string): Promise<void> {
  await tx.query(shortenLockWait);
  await tx.query(lockPartitions);
  if ((await tx.query(partitionPresent, [name])).length === 0) return;
  await tx.query({ name: "", text: `lock table ${name} in access exclusive mode` });
  await tx.query(forgetStats, [name.slice(-"YYYYMMDD".length)]);
  await subtractAttempts(tx, name);
  await tx.query({ name: "", text: `drop table ${name}` });
  logger.info({ partition: name }, "dropped a day of delivery logs past its retention");
}
