import { type Queryable, queryOne, sql } from "./database.ts";

export interface DatabaseNumbers {
  sizeBytes: number;
  /** Of all that this role can see: a snapshot held open for long makes the files grow. */
  oldestTransactionSeconds: number;
  /** Workspaces whose move to another cell has begun, and that no process is moving: their writes are refused. */
  halfMovedWorkspaces: number;
  /** Consumers for which an event waits too long, as the alert counts them. */
  lateConsumers: number;
  /** Consumers with unread events that retention has deleted. */
  missedConsumers: number;
}

const readStatement = sql(
  "database_numbers",
  `select
     pg_database_size(current_database())::float8 as "sizeBytes",
     coalesce(extract(epoch from now() - min(activity.xact_start)), 0)::float8 as "oldestTransactionSeconds",
     (
       -- The lock that cells/move.ts holds as long as it runs.
       select count(*)
       from workspaces workspace
       cross join lateral hashtextextended('parley.move', workspace.id) as key
       where workspace.move_state = 'moving'
         and not exists (
           select
           from pg_locks held
           where held.locktype = 'advisory'
             and held.database = (select oid from pg_database where datname = current_database())
             and held.objsubid = 1
             and (held.classid::bigint << 32 | held.objid::bigint) = key
         )
     )::float8 as "halfMovedWorkspaces",
     (select count(*) from alert_states where kind = 'consumer')::float8 as "lateConsumers",
     (select count(*) from consumers where missed)::float8 as "missedConsumers"
   from pg_stat_activity activity
   where activity.datname = current_database()`,
);

export const readDatabaseNumbers = (db: Queryable): Promise<DatabaseNumbers> => queryOne(db, readStatement);
