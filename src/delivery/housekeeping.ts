import type { Logger } from "../core/logger.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import { ensurePartitions } from "./settle.ts";

const BATCH = 5_000;

// By name, so that one whose removal was interrupted after it was detached is found again.
const listExpired = sql(
  "retention_partitions",
  `select c.relname as name, i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as detaching
   from pg_class c left join pg_inherits i on i.inhrelid = c.oid
   where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname ~ '^delivery_attempts_\\d{8}$'
     and c.relname < 'delivery_attempts_' || to_char((now() at time zone 'utc')::date - $1::int, 'YYYYMMDD')
   order by c.relname`,
);
// Never an event with unfinished deliveries: those are read once for a batch.
const expireEvents = sql(
  "retention_events",
  `with old as materialized (
     select e.workspace_id, e.id from events e
     where e.created_at < now() - make_interval(days => $1::int)
       and e.id not in (select event_id from deliveries)
     order by e.created_at limit ${BATCH} for update skip locked),
   positions as (delete from event_positions p using old where p.workspace_id = old.workspace_id and p.event_id = old.id),
   unsequenced as (delete from events_unsequenced u using old where u.workspace_id = old.workspace_id and u.event_id = old.id),
   given_up as (delete from deliveries_given_up g using old where g.workspace_id = old.workspace_id and g.event_id = old.id)
   delete from events e using old where e.workspace_id = old.workspace_id and e.id = old.id returning 1`,
);
// A delivery that was queued while its webhook was being deleted, or its event was dropped by retention.
const dropStray = sql(
  "housekeeping_stray",
  `delete from deliveries d where ctid = any(array(
     select d.ctid from deliveries d
     where d.worker_id is null
       and (not exists (select from webhooks w where w.workspace_id = d.workspace_id and w.id = d.webhook_id)
         or not exists (select from events e where e.workspace_id = d.workspace_id and e.id = d.event_id)) limit ${BATCH}))`,
);
// A webhook that was being disabled while the event was queued: what is left over can be recovered.
const dropDisabled = sql(
  "housekeeping_disabled",
  `with stray as (
     delete from deliveries d where ctid = any(array(
       select d.ctid from webhooks w join deliveries d on d.workspace_id = w.workspace_id and d.webhook_id = w.id
       where not w.is_active limit ${BATCH})) returning workspace_id, webhook_id, event_id)
   insert into deliveries_given_up (workspace_id, webhook_id, event_id)
   select workspace_id, webhook_id, event_id from stray on conflict do nothing`,
);
const forgetCounts = (partition: string) => ({
  name: "",
  text: `update delivery_lanes l set attempts_total = greatest(0, l.attempts_total - old.attempts)
    from (select workspace_id, webhook_id, count(*) as attempts from ${partition} group by 1, 2) old
    where l.workspace_id = old.workspace_id and l.webhook_id = old.webhook_id`,
});

// The hours of the partition's day, in both tables of the rollup.
const forgetStats = sql(
  "retention_stats",
  `with day as materialized (
     select to_date($1, 'YYYYMMDD')::timestamp at time zone 'utc' as begins
   ),

   folded as (
     delete from delivery_stats
     where hour >= (select begins from day)
       and hour < (select begins from day) + interval '24 hours'
   )

   delete from delivery_stat_deltas
   where hour >= (select begins from day)
     and hour < (select begins from day) + interval '24 hours'`,
);

const lockPartitions = sql("partition_lock", "select pg_advisory_xact_lock(hashtext('parley.partitions'))");
const partitionPresent = sql("partition_present", "select 1 where to_regclass($1) is not null");

/**
 * Partitions ahead, retention behind, strays. Any node may run it at any time. `extra` is other rooms' upkeep.
 */
export async function keepHouse(
  db: Database,
  logger: Logger,
  retentionDays: number,
  extra: () => Promise<unknown> = async () => {},
): Promise<void> {
  await ensurePartitions(db);
  await dropOldPartitions(db, logger, retentionDays);
  while ((await db.query(expireEvents, [retentionDays])).length === BATCH);
  await db.query(dropStray);
  await db.query(dropDisabled);
  await extra();
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
      await tx.query(forgetCounts(name));
      await tx.query(forgetStats, [name.slice(-"YYYYMMDD".length)]);
      await tx.query({ name: "", text: `drop table ${name}` });
      logger.info({ partition: name }, "dropped a day of delivery logs past its retention");
    });
  }
}
