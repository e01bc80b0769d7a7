import { type Queryable, queryOne, sql } from "./database.ts";

const KEPT_SECONDS = 3_600;

interface Window {
  requests: number;
  windowSeconds: number;
}

// A window begins with its first attempt. Refused attempts do not count: past the limit the number stays one above it.
const countStatement = sql(
  "attempt_count",
  `insert into attempt_counters as held (name, window_start, attempts)
   values ($1, clock_timestamp(), 1)
   on conflict (name) do update
   set attempts = case
         when held.window_start <= clock_timestamp() - make_interval(secs => $3) then 1
         else least(held.attempts, $2::int) + 1
       end,
       window_start = case
         when held.window_start <= clock_timestamp() - make_interval(secs => $3) then clock_timestamp()
         else held.window_start
       end
   returning
     attempts,
     (extract(epoch from window_start + make_interval(secs => $3) - clock_timestamp()) * 1000)::float8 as "endsInMs"`,
);
const refundStatement = sql(
  "attempt_refund",
  "update attempt_counters set attempts = greatest(0, attempts - 1) where name = $1",
);
const expireStatement = sql(
  "attempt_expire",
  `delete from attempt_counters where window_start < now() - make_interval(secs => ${KEPT_SECONDS})`,
);

/** Attempts that all nodes count together, one statement each: for what is rare and must be exact. */
export const createAttemptStore = (db: Queryable) => ({
  count: (name: string, { requests, windowSeconds }: Window): Promise<{ attempts: number; endsInMs: number }> =>
    queryOne(db, countStatement, [name, requests, windowSeconds]),
  async refund(name: string): Promise<void> {
    await db.query(refundStatement, [name]);
  },
});

export const expireAttempts = (db: Queryable): Promise<unknown> => db.query(expireStatement);
