import { type Database, queryOne, sql } from "./database.ts";

interface Rollup {
  table: string;
  /** Where the differences are appended; it has the columns of `key` and `sums`. */
  deltas: string;
  /** The primary key of the rollup. */
  key: readonly string[];
  /** What is added up; `as` is its name in the rollup, where that is another one. */
  sums: readonly (string | { column: string; as: string })[];
}

const BATCH = 10_000;

/** A function that folds appended differences into their rollup and says whether there are more of them. */
export function createFold({ table, deltas, key, sums }: Rollup): (db: Database) => Promise<boolean> {
  const added = sums.map((sum) => (typeof sum === "string" ? { column: sum, as: sum } : sum));
  const keys = key.join(", ");
  // One process at a time, so that two of them never wait for each other's rows; in order, as others may delete some.
  const statement = sql(
    `${table}_fold`,
    `with held as materialized (
       select pg_try_advisory_xact_lock(hashtext('parley.${table}')) as mine
     ),

     batch as materialized (
       select ctid
       from ${deltas}
       where (select mine from held)
       limit ${BATCH}
     ),

     taken as (
       delete from ${deltas}
       where ctid = any(array(select ctid from batch))
       returning ${keys}, ${added.map(({ column }) => column).join(", ")}
     ),

     folded as (
       insert into ${table} as rollup (${keys}, ${added.map(({ as }) => as).join(", ")})
       select ${keys}, ${added.map(({ column }) => `sum(${column})`).join(", ")}
       from taken
       group by ${keys}
       order by ${keys}
       on conflict (${keys})
       do update set ${added.map(({ as }) => `${as} = rollup.${as} + excluded.${as}`).join(", ")}
     )

     select count(*) as folded
     from taken`,
  );
  return async (db) => {
    if (!(await db.isDue(`exists (select from ${deltas})`))) return false;
    const { folded } = await queryOne<{ folded: number }>(db, statement);
    return folded === BATCH;
  };
}
