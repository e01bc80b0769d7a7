import { type Queryable, sql } from "./database.ts";

interface DatabaseNumbers {
  sizeBytes: number;
  /** Of all that this role can see: a snapshot held open for long makes the files grow. */
  oldestTransactionSeconds: number;
}

const readStatement = sql(
  "database_numbers",
  `select
     pg_database_size(current_database())::float8 as "sizeBytes",
     coalesce(extract(epoch from now() - min(activity.xact_start)), 0)::float8 as "oldestTransactionSeconds"
   from pg_stat_activity activity
   where activity.datname = current_database()`,
);

export async function readDatabaseNumbers(db: Queryable): Promise<DatabaseNumbers> {
  const [numbers] = await db.query<DatabaseNumbers>(readStatement);
  return numbers as DatabaseNumbers;
}
