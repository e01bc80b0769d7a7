import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { forgetWrongCodes } from "./code-guesses.ts";
import { dropPasskeys, listPasskeys, type Passkey } from "./passkeys.ts";
import { dropRecoveryCodes, recoveryCodesLeft, replaceRecoveryCodes, useRecoveryCode } from "./recovery-codes.ts";
import { acceptTotp, dropTotp, hasTotp } from "./totp.ts";
import { lockUser } from "./users.ts";

/** The ways in which a sign-in can be completed after the password. */
export const SECOND_FACTORS = ["totp", "passkey", "recovery_code"] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

interface TwoFactorState {
  totp: boolean;
  passkeys: Passkey[];
  recovery_codes_left: number;
}

// The session in which a factor is added has just shown it; every other one has not and ends.
const markStatement = sql("session_second_factor", "update sessions set second_factor = true where id = $1");
// What the identity provider asked for is its own matter.
const unmarkStatement = sql(
  "session_no_second_factor",
  "update sessions set second_factor = false where user_id = $1 and method <> 'sso'",
);
const endOthersStatement = sql("session_end_others", "delete from sessions where user_id = $1 and id <> $2");
const confirmStatement = sql("session_confirm", "update sessions set confirmed_at = now() where id = $1");

export async function readTwoFactor(db: Queryable, userId: number): Promise<TwoFactorState> {
  return {
    totp: await hasTotp(db, userId),
    passkeys: await listPasskeys(db, userId),
    recovery_codes_left: await recoveryCodesLeft(db, userId),
  };
}

/** What the user may complete a sign-in with; empty: the password is enough. */
export function methodsOf({ totp, passkeys, recovery_codes_left }: TwoFactorState): SecondFactor[] {
  if (!totp && passkeys.length === 0) return [];
  return [
    ...(totp ? (["totp"] as const) : []),
    ...(passkeys.length > 0 ? (["passkey"] as const) : []),
    ...(recovery_codes_left > 0 ? (["recovery_code"] as const) : []),
  ];
}

export const hasSecondFactor = async (db: Queryable, userId: number): Promise<boolean> =>
  methodsOf(await readTwoFactor(db, userId)).length > 0;

/** After the first factor was added: the session counts as strong, other sessions end, and recovery codes exist. */
export async function afterFactorAdded(
  tx: Tx,
  { userId, sessionId }: { userId: number; sessionId: number },
): Promise<string[] | null> {
  // A sign-in in progress, which has not seen the new factor, ends here too.
  await lockUser(tx, userId);
  await tx.query(markStatement, [sessionId]);
  await tx.query(endOthersStatement, [userId, sessionId]);
  return (await recoveryCodesLeft(tx, userId)) > 0 ? null : replaceRecoveryCodes(tx, userId);
}

/**
 * After the last one was removed: codes without a factor would only be a weaker password, and a workspace that requires a
 * second factor asks for a new one.
 */
export async function afterFactorRemoved(tx: Tx, userId: number): Promise<void> {
  const state = await readTwoFactor(tx, userId);
  if (state.totp || state.passkeys.length > 0) return;
  await dropRecoveryCodes(tx, userId);
  await tx.query(unmarkStatement, [userId]);
}

export async function acceptCode(
  db: Queryable,
  secretBox: SecretBox,
  userId: number,
  { code, recovery_code: recoveryCode }: { code?: string | undefined; recovery_code?: string | undefined },
): Promise<boolean> {
  if (code !== undefined) return (await hasTotp(db, userId)) && acceptTotp(db, secretBox, userId, code);
  return recoveryCode !== undefined && useRecoveryCode(db, userId, recoveryCode);
}

/** For a user who lost all factors: the password alone signs in again. */
export async function resetTwoFactor(tx: Tx, userId: number): Promise<{ totp: boolean; passkeys: number }> {
  const totp = await dropTotp(tx, userId);
  const passkeys = await dropPasskeys(tx, userId);
  await dropRecoveryCodes(tx, userId);
  await forgetWrongCodes(tx, userId);
  return { totp, passkeys };
}

/** The user has just confirmed their identity. */
export const confirmSession = (db: Queryable, sessionId: number): Promise<unknown> =>
  db.query(confirmStatement, [sessionId]);
