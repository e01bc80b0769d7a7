import { conflict, found } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { isUniqueViolation } from "../db/errors.ts";
import { normaliseEmail } from "./email.ts";

/** Users are global: one e-mail address, one password, any number of workspaces. */
export interface User {
  id: number;
  uuid: string;
  name: string;
  email: string;
}

export interface NewUser {
  name: string;
  email: string;
  /** Null: a user who signs in through single sign-on only. */
  passwordHash: string | null;
}

export interface UserWithHash extends User {
  password_hash: string | null;
}

const COLUMNS = "id, uuid, name, email";
const insertUser = sql(
  "user_insert",
  `insert into users (uuid, email, name, password_hash)
   values ($1, $2, $3, $4)
   returning ${COLUMNS}`,
);
const findByEmail = sql("user_by_email", `select ${COLUMNS}, password_hash from users where email = $1`);
const findStatement = sql("user_find", `select ${COLUMNS} from users where id = $1 or uuid = $2`);
const readHash = sql("user_password", "select password_hash from users where id = $1");
const rename = sql("user_rename", "update users set name = $2, updated_at = now() where id = $1");
const setLanguage = sql("user_set_language", "update users set language = $2, updated_at = now() where id = $1");
const setHash = sql("user_set_password", "update users set password_hash = $2, updated_at = now() where id = $1");
const deleteStatement = sql("user_delete", "delete from users where id = $1");
const lockStatement = sql("user_lock", "select 1 from users where id = $1 for update");

export async function createUser(tx: Tx, { name, email, passwordHash }: NewUser): Promise<User> {
  try {
    const [row] = await tx.query<User>(insertUser, [newUuid(), normaliseEmail(email), name, passwordHash]);
    return row as User;
  } catch (error) {
    if (isUniqueViolation(error, "users_email")) throw conflict("There is a user with this e-mail address already.");
    throw error;
  }
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserWithHash | null> {
  const [row] = await db.query<UserWithHash>(findByEmail, [normaliseEmail(email)]);
  return row ?? null;
}

export async function findUser(db: Queryable, ref: Ref): Promise<User> {
  return found("user", await db.query<User>(findStatement, refValues(ref)));
}

export async function readPasswordHash(db: Queryable, userId: number): Promise<string | null> {
  const [row] = await db.query<{ password_hash: string | null }>(readHash, [userId]);
  return row?.password_hash ?? null;
}

export const renameUser = (tx: Queryable, userId: number, name: string): Promise<unknown> =>
  tx.query(rename, [userId, name]);

/** Null: as the browser says. */
export const storeLanguage = (tx: Queryable, userId: number, language: string | null): Promise<unknown> =>
  tx.query(setLanguage, [userId, language]);

/** A caller that changes a password, rather than its parameters, also ends the sessions (accounts/sessions.ts). */
export const storePasswordHash = (tx: Queryable, userId: number, passwordHash: string): Promise<unknown> =>
  tx.query(setHash, [userId, passwordHash]);

/** Sessions and memberships are deleted with the user. */
export const deleteUser = (tx: Tx, userId: number): Promise<unknown> => tx.query(deleteStatement, [userId]);

export const lockUser = (tx: Tx, userId: number): Promise<unknown> => tx.query(lockStatement, [userId]);

/**
 * Locks the user; false: the password is no longer the one that was checked. A password that is changed meanwhile, which
 * ends all sessions, must neither be overwritten nor leave a session of the old password behind.
 */
export async function lockIfPasswordIs(tx: Tx, userId: number, checkedHash: string | null): Promise<boolean> {
  await lockUser(tx, userId);
  return (await readPasswordHash(tx, userId)) === checkedHash;
}
