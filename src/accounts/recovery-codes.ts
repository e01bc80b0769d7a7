import { createHash, randomInt } from "node:crypto";
import { type Queryable, sql, type Tx } from "../db/database.ts";

const CODES = 10;
/** Without characters that look alike. Ten of them are 49 random bits, and every try is counted. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const CHARS = 10;

const dropStatement = sql("recovery_drop", "delete from recovery_codes where user_id = $1");
const insertStatement = sql(
  "recovery_insert",
  "insert into recovery_codes (user_id, digest) select $1, unnest($2::bytea[])",
);
const useStatement = sql("recovery_use", "delete from recovery_codes where user_id = $1 and digest = $2 returning 1");
const countStatement = sql("recovery_count", "select count(*) as left from recovery_codes where user_id = $1");

/** New codes, shown this once; the earlier ones stop working. */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await tx.query(dropStatement, [userId]);
  await tx.query(insertStatement, [userId, codes.map((code) => digestOf(userId, code))]);
  return codes;
}

export const dropRecoveryCodes = (db: Queryable, userId: number): Promise<unknown> => db.query(dropStatement, [userId]);

/** True once per code. */
export const useRecoveryCode = async (db: Queryable, userId: number, code: string): Promise<boolean> =>
  (await db.query(useStatement, [userId, digestOf(userId, code)])).length > 0;

export async function recoveryCodesLeft(db: Queryable, userId: number): Promise<number> {
  const [row] = await db.query<{ left: number }>(countStatement, [userId]);
  return row?.left ?? 0;
}

function newCode(): string {
  const text = Array.from({ length: CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${text.slice(0, CHARS / 2)}-${text.slice(CHARS / 2)}`;
}

/** As typed: with or without the dash, in any case. The user's id keeps one table of digests from serving for all. */
const digestOf = (userId: number, code: string): Buffer =>
  createHash("sha256")
    .update(`${userId}:${code.toLowerCase().replace(/[^a-z0-9]/g, "")}`)
    .digest();
