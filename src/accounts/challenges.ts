import { Fault } from "../core/errors.ts";
import { type Queryable, sql } from "../db/database.ts";
import { newToken, tokenDigest } from "./tokens.ts";

type ChallengePurpose = "second_factor" | "passkey_sign_in" | "passkey_registration" | "sso";

const MINUTES_MAX = 5;
const ATTEMPTS_MAX = 5;

interface Challenge {
  user_id: number | null;
  challenge: string | null;
}

const insertStatement = sql(
  "challenge_insert",
  `insert into sign_in_challenges (digest, purpose, user_id, challenge, attempts_left, expires_at)
   values ($1, $2, $3, $4, ${ATTEMPTS_MAX}, now() + make_interval(mins => ${MINUTES_MAX}))`,
);
// Counted before the guess is checked: many sent at once all count.
const attemptStatement = sql(
  "challenge_attempt",
  `update sign_in_challenges
   set attempts_left = attempts_left - 1
   where digest = $1 and purpose = $2 and expires_at > now() and attempts_left > 0
   returning user_id, challenge`,
);
const endStatement = sql("challenge_end", "delete from sign_in_challenges where digest = $1 returning purpose");
const endAllStatement = sql("challenge_end_all", "delete from sign_in_challenges where user_id = $1");
const expireStatement = sql("challenge_expire", "delete from sign_in_challenges where expires_at < now()");

/** Returns the token with which the browser continues; only its digest is stored. */
export async function startChallenge(
  db: Queryable,
  { purpose, userId, challenge }: { purpose: ChallengePurpose; userId: number | null; challenge: string | null },
): Promise<string> {
  const token = newToken();
  await db.query(insertStatement, [tokenDigest(token), purpose, userId, challenge]);
  return token;
}

export async function attemptChallenge(db: Queryable, token: string, purpose: ChallengePurpose): Promise<Challenge> {
  const [row] = await db.query<Challenge>(attemptStatement, [tokenDigest(token), purpose]);
  if (!row) throw new Fault("UNAUTHORIZED", "This sign-in took too long or failed too often. Start again.");
  return row;
}

/** Of two requests with the right response only one succeeds: a challenge is valid for one session. */
export async function endChallenge(db: Queryable, token: string): Promise<void> {
  if ((await db.query(endStatement, [tokenDigest(token)])).length === 0)
    throw new Fault("UNAUTHORIZED", "This sign-in was completed already. Start again.");
}

/** A sign-in that waits for its second factor does not outlast the password that began it. */
export const endChallengesOf = (db: Queryable, userId: number): Promise<unknown> => db.query(endAllStatement, [userId]);

export const expireChallenges = (db: Queryable): Promise<unknown> => db.query(expireStatement);
