import { Fault } from "../core/errors.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { newToken, tokenDigest } from "./tokens.ts";
import { findUserByEmail, type User } from "./users.ts";

export const RESET_MINUTES = 30;
/** Links per user and hour, so that a stranger cannot fill a user's mailbox. */
const PER_HOUR_MAX = 3;

const insertStatement = sql(
  "password_reset_insert",
  `insert into password_resets (digest, user_id, expires_at)
   values ($1, $2, now() + make_interval(mins => ${RESET_MINUTES}))`,
);
const countStatement = sql(
  "password_reset_count",
  `select count(*)::int as recent
   from password_resets
   where user_id = $1
     and created_at > now() - interval '1 hour'`,
);
const findStatement = sql(
  "password_reset_find",
  `select user_id
   from password_resets
   where digest = $1
     and expires_at > now()`,
);
const redeemStatement = sql(
  "password_reset_redeem",
  `delete from password_resets
   where digest = $1
     and expires_at > now()
   returning user_id`,
);
const endStatement = sql("password_reset_end", "delete from password_resets where user_id = $1");
const membershipStatement = sql(
  "password_reset_member",
  "select exists (select from memberships where user_id = $1) as present",
);
const expireStatement = sql(
  "password_reset_expire",
  "delete from password_resets where created_at < now() - interval '1 day'",
);

/**
 * The user whom a link may be sent to: one with a password to replace and a workspace to enter. Users who sign in
 * through an identity provider get none, which would be a way in past that provider. Null: nobody.
 */
export async function userForReset(db: Queryable, email: string): Promise<User | null> {
  const user = await findUserByEmail(db, email);
  if (!user?.password_hash) return null;
  const [membership] = await db.query<{ present: boolean }>(membershipStatement, [user.id]);
  return membership?.present ? user : null;
}

export async function hasManyResets(db: Queryable, userId: number): Promise<boolean> {
  const [row] = await db.query<{ recent: number }>(countStatement, [userId]);
  return (row?.recent ?? 0) >= PER_HOUR_MAX;
}

/** The token of a new link. */
export async function createReset(tx: Tx, userId: number): Promise<string> {
  const token = newToken();
  await tx.query(insertStatement, [tokenDigest(token), userId]);
  return token;
}

/** Refuses a wrong, used or expired link before a password is computed for it. */
export async function readOpenReset(db: Queryable, token: string): Promise<number> {
  const [row] = await db.query<{ user_id: number }>(findStatement, [tokenDigest(token)]);
  if (!row) throw ended();
  return row.user_id;
}

/** Deletes the link and all others of its user, whose id it returns. Of two concurrent requests only one succeeds. */
export async function redeemReset(tx: Tx, token: string): Promise<number> {
  const [row] = await tx.query<{ user_id: number }>(redeemStatement, [tokenDigest(token)]);
  if (!row) throw ended();
  await endResetsOf(tx, row.user_id);
  return row.user_id;
}

/** A password that changed by other means ends the links that were sent before. */
export const endResetsOf = (tx: Queryable, userId: number): Promise<unknown> => tx.query(endStatement, [userId]);

export const expireResets = (db: Queryable): Promise<unknown> => db.query(expireStatement);

const ended = (): Fault => new Fault("NOT_FOUND", "This link was used already, or it has expired. Ask for a new one.");
