import { createHash, createPublicKey } from "node:crypto";
import { notFound } from "../core/errors.ts";
import { newUuid } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";

/** What a browser calls its PushSubscription. */
export interface PushAddress {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** A browser that gets pushes, as its owner sees it. */
interface SubscribedBrowser {
  uuid: string;
  session_id: number;
  /** Of the push service. */
  host: string;
  user_agent: string | null;
  created_at: string;
}

const forgetElsewhereStatement = sql(
  "push_forget_elsewhere",
  "delete from push_subscriptions where endpoint_digest = $1 and session_id <> $2",
);
const storeStatement = sql(
  "push_subscribe",
  `insert into push_subscriptions as held (session_id, uuid, endpoint_digest, host, subscription_sealed)
   values ($1, $2, $3, $4, $5)
   on conflict (session_id) do update
   set uuid = excluded.uuid,
     endpoint_digest = excluded.endpoint_digest,
     host = excluded.host,
     subscription_sealed = excluded.subscription_sealed,
     created_at = now()
   where held.endpoint_digest <> excluded.endpoint_digest
   returning uuid`,
);
const listStatement = sql(
  "push_subscription_list",
  `select subscription.uuid, subscription.session_id, subscription.host, subscription.created_at, session.user_agent
   from push_subscriptions subscription
   join sessions session on session.id = subscription.session_id
   where session.user_id = $1
     and session.expires_at > now()
   order by subscription.created_at, subscription.uuid`,
);
const removeOwnStatement = sql(
  "push_unsubscribe",
  `delete from push_subscriptions subscription
   using sessions session
   where session.id = subscription.session_id
     and session.user_id = $1
     and subscription.uuid = $2
   returning subscription.uuid`,
);
const removeStatement = sql("push_subscription_gone", "delete from push_subscriptions where uuid = $1");

export const subscriptionContext = (uuid: string): string => `push-subscription:${uuid}`;

/**
 * The browser of this session gets pushes from now on; false: it did already. One that another person used before no
 * longer gets theirs.
 */
export async function subscribe(tx: Tx, box: SecretBox, sessionId: number, address: PushAddress): Promise<boolean> {
  const digest = createHash("sha256").update(address.endpoint).digest();
  const uuid = newUuid();
  const { endpoint, keys } = address;
  const sealed = box.seal(JSON.stringify({ endpoint, keys }), subscriptionContext(uuid));
  await tx.query(forgetElsewhereStatement, [digest, sessionId]);
  const stored = await tx.query(storeStatement, [sessionId, uuid, digest, new URL(endpoint).host, sealed]);
  return stored.length > 0;
}

export const listSubscribed = (db: Queryable, userId: number): Promise<SubscribedBrowser[]> =>
  db.query<SubscribedBrowser>(listStatement, [userId]);

export async function unsubscribe(tx: Tx, userId: number, uuid: string): Promise<void> {
  const removed = await tx.query(removeOwnStatement, [userId, uuid]);
  if (removed.length === 0) throw notFound("push subscription");
}

/** The push service says that it does not exist any more. */
export const removeGone = (db: Queryable, uuid: string): Promise<unknown> => db.query(removeStatement, [uuid]);

/** What is wrong with the keys of a subscription; empty: nothing. */
export function keyProblems(keys: PushAddress["keys"] | undefined): Record<string, string[]> {
  const { p256dh, auth } = keys ?? { p256dh: "", auth: "" };
  const secret = Buffer.from(auth, "base64url");
  return {
    "keys.p256dh": isPoint(Buffer.from(p256dh, "base64url")) ? [] : ["keys.p256dh must be a public key of P-256."],
    "keys.auth": secret.length === 16 ? [] : ["keys.auth must be 16 bytes in base64url."],
  };
}

function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  const [x, y] = [bytes.subarray(1, 33).toString("base64url"), bytes.subarray(33).toString("base64url")];
  try {
    return createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" }).type === "public";
  } catch {
    return false;
  }
}
