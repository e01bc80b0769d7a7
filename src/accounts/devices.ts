import { type Queryable, sql } from "../db/database.ts";
import { newToken, tokenDigest } from "./tokens.ts";

/** A browser that signed in within this time is known. */
export const DEVICE_DAYS_MAX = 400;

const findStatement = sql("device_find", "select 1 from known_devices where user_id = $1 and digest = $2");
const putStatement = sql(
  "device_put",
  `insert into known_devices (user_id, digest)
   values ($1, $2)
   on conflict (user_id, digest) do update set last_seen_at = now()
   returning xmax = 0 as inserted`,
);
const anyStatement = sql("device_any", "select exists (select from known_devices where user_id = $1) as present");
const expireStatement = sql(
  "device_expire",
  `delete from known_devices where last_seen_at < now() - make_interval(days => ${DEVICE_DAYS_MAX})`,
);

/** Whether this browser, by its cookie, has signed this user in before. */
export async function isKnownDevice(db: Queryable, userId: number, token: string | null): Promise<boolean> {
  if (token === null) return false;
  return (await db.query(findStatement, [userId, tokenDigest(token)])).length > 0;
}

interface RememberedDevice {
  token: string;
  /** The user has signed in before, and never with this browser. */
  isNew: boolean;
}

/** Remembers the browser after a sign-in; one cookie serves all users of the browser. */
export async function rememberDevice(db: Queryable, userId: number, given: string | null): Promise<RememberedDevice> {
  const token = given ?? newToken();
  const [any] = await db.query<{ present: boolean }>(anyStatement, [userId]);
  const [row] = await db.query<{ inserted: boolean }>(putStatement, [userId, tokenDigest(token)]);
  return { token, isNew: any?.present === true && row?.inserted === true };
}

export const expireDevices = (db: Queryable): Promise<unknown> => db.query(expireStatement);
