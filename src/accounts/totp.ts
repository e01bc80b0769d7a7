import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import type { User } from "./users.ts";

const PERIOD_SECONDS = 30;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Clocks of phones differ: the code before and the one after are accepted too. */
const WINDOW_STEPS = 1;

interface TotpEnrolment {
  /** For typing into an app by hand. */
  secret: string;
  uri: string;
  qr_svg: string;
}

const putStatement = sql(
  "totp_put",
  `insert into totp_secrets (user_id, secret)
   values ($1, $2)
   on conflict (user_id) do update
   set secret = excluded.secret,
       created_at = now()
   where totp_secrets.confirmed_at is null
   returning 1`,
);
const readStatement = sql("totp_read", "select secret, confirmed_at from totp_secrets where user_id = $1");
// Each step is accepted once, for the request that comes first.
const acceptStatement = sql(
  "totp_accept",
  `update totp_secrets
   set last_step = $2,
       confirmed_at = coalesce(confirmed_at, now())
   where user_id = $1 and last_step < $2
   returning 1`,
);
const replaceStatement = sql("totp_replace", "update totp_secrets set secret = $2 where user_id = $1");
const dropStatement = sql("totp_drop", "delete from totp_secrets where user_id = $1 returning confirmed_at");

/** A new secret, as text and as a QR code. It protects nothing until a code confirms it. Null: one is confirmed. */
export async function startTotp(tx: Tx, secretBox: SecretBox, user: User): Promise<TotpEnrolment | null> {
  const secret = new Secret({ size: SECRET_BYTES });
  const rows = await tx.query(putStatement, [user.id, secretBox.seal(secret.base32, totpContextOf(user.id))]);
  if (rows.length === 0) return null;
  const uri = totpOf(secret, user.email).toString();
  return { secret: secret.base32, uri, qr_svg: renderSVG(uri, { border: 2 }) };
}

export async function hasTotp(db: Queryable, userId: number): Promise<boolean> {
  const [row] = await db.query<{ confirmed_at: string | null }>(readStatement, [userId]);
  return row?.confirmed_at != null;
}

/** Checks a code. The first right one confirms the secret. */
export async function acceptTotp(db: Queryable, secretBox: SecretBox, userId: number, code: string): Promise<boolean> {
  const [row] = await db.query<{ secret: string }>(readStatement, [userId]);
  if (!row) return false;
  const secret = Secret.fromBase32(secretBox.open(row.secret, totpContextOf(userId)));
  const timestamp = Date.now();
  const delta = totpOf(secret).validate({ token: code.replace(/\s/g, ""), timestamp, window: WINDOW_STEPS });
  if (delta === null) return false;
  const step = Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
  return (await db.query(acceptStatement, [userId, step])).length > 0;
}

/** For a secret that can no longer be opened: it stays a second factor, whose codes nobody has. */
export async function replaceTotpSecret(tx: Tx, secretBox: SecretBox, userId: number): Promise<void> {
  const { base32 } = new Secret({ size: SECRET_BYTES });
  await tx.query(replaceStatement, [userId, secretBox.seal(base32, totpContextOf(userId))]);
}

/** True: there was a confirmed one. */
export async function dropTotp(db: Queryable, userId: number): Promise<boolean> {
  const [row] = await db.query<{ confirmed_at: string | null }>(dropStatement, [userId]);
  return row?.confirmed_at != null;
}

export const totpContextOf = (userId: number): string => `totp:${userId}`;

const totpOf = (secret: Secret, label = ""): TOTP =>
  new TOTP({ issuer: "Parley", label, secret, algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS });
