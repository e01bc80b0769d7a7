import { Fault } from "../core/errors.ts";
import { type Queryable, sql } from "../db/database.ts";

/** Wrong codes in a row that cost nothing but a new password after every fifth. */
export const FREE_FAILURES = 9;
/** Each further one doubles the wait: 1 minute, 2, 4, up to an hour. A day then has 24 guesses at a million codes. */
const WAIT_SECONDS_MIN = 60;
const WAIT_SECONDS_MAX = 3_600;
const DOUBLINGS_MAX = 6;

/** What Account security shows until the user dismisses it. */
interface WrongCodes {
  count: number;
  last_at: string;
  last_ip: string | null;
}

// Counted before the code is checked: of many guesses sent at once those after the wait began find no row to update.
const guessStatement = sql(
  "code_guess",
  `insert into second_factor_failures as held (user_id, failures, wait_until, unseen, last_failed_at, last_ip)
   values ($1, 1, now(), 1, now(), $2)
   on conflict (user_id) do update
   set failures = held.failures + 1,
       unseen = held.unseen + 1,
       last_failed_at = now(),
       last_ip = excluded.last_ip,
       wait_until = case
         when held.failures < ${FREE_FAILURES} then now()
         else now() + make_interval(secs => least(
           ${WAIT_SECONDS_MAX},
           ${WAIT_SECONDS_MIN} * 2 ^ least(held.failures - ${FREE_FAILURES}, ${DOUBLINGS_MAX})
         ))
       end
   where held.wait_until <= now()
   returning failures`,
);
const waitStatement = sql(
  "code_wait",
  `select greatest(1, ceil(extract(epoch from wait_until - now())))::int as seconds
   from second_factor_failures
   where user_id = $1`,
);
// The right one was counted like a guess. Too few failures to speak of are forgotten.
const rightStatement = sql(
  "code_right",
  `update second_factor_failures
   set failures = 0,
       wait_until = now(),
       unseen = case when unseen - 1 > ${FREE_FAILURES} then unseen - 1 else 0 end
   where user_id = $1`,
);
const readStatement = sql(
  "code_failures",
  `select unseen as count, last_failed_at as last_at, last_ip
   from second_factor_failures
   where user_id = $1
     and unseen > ${FREE_FAILURES}`,
);
const dismissStatement = sql("code_dismiss", "update second_factor_failures set unseen = 0 where user_id = $1");
const forgetStatement = sql("code_forget", "delete from second_factor_failures where user_id = $1");

/** Counts a guess at the user's code before it is checked; refuses it while the user's account has to wait. */
export async function countGuess(db: Queryable, userId: number, ip: string): Promise<{ failures: number }> {
  const [row] = await db.query<{ failures: number }>(guessStatement, [userId, ip]);
  if (row) return row;
  const [wait] = await db.query<{ seconds: number }>(waitStatement, [userId]);
  throw new Fault("RATE_LIMIT_EXCEEDED", "Too many wrong codes for this account. Wait before trying again.", {
    retryAfter: wait?.seconds ?? 1,
  });
}

/** The next failure begins a new row of them. */
export const endGuesses = (db: Queryable, userId: number): Promise<unknown> => db.query(rightStatement, [userId]);

export async function readWrongCodes(db: Queryable, userId: number): Promise<WrongCodes | null> {
  const [row] = await db.query<WrongCodes>(readStatement, [userId]);
  return row ?? null;
}

export const dismissWrongCodes = (db: Queryable, userId: number): Promise<unknown> =>
  db.query(dismissStatement, [userId]);

export const forgetWrongCodes = (db: Queryable, userId: number): Promise<unknown> =>
  db.query(forgetStatement, [userId]);
