import { createECDH, createHash, randomBytes } from "node:crypto";
import ece from "http_ece";
import type { PushSender } from "../alerts/sender.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { SendFailure } from "../core/send-failure.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { Outbound } from "../url-guard/index.ts";
import type { Notice } from "./decide.ts";
import type { PushKeys } from "./push-keys.ts";
import { type PushAddress, removeGone, subscriptionContext } from "./subscriptions.ts";
import { countUnreadOf } from "./unread.ts";

/** What waits in the queue: whom to find again when it is sent. */
export interface QueuedPush extends Pick<Notice, "conversation_id" | "seq" | "reason"> {
  subscription: string;
}

/**
 * What the browser gets, encrypted for it alone: enough for a line that says what happened and leads there. Neither the text
 * nor a name of a customer, which would stand on a locked screen.
 */
interface PushPayload {
  reason: Notice["reason"] | "test";
  workspace: { id: number; name: string };
  conversation_id: number | null;
  /** The number on the icon. */
  unread: number;
}

export interface PushToBrowsers extends PushSender {
  /** A test to the browser of a session, at once; false: it gets no pushes. */
  test(workspaceId: number, sessionId: number): Promise<boolean>;
}

interface Found {
  uuid: string;
  subscription_sealed: string;
  user_id: number;
  workspace: string;
}

const PUSH_MS_MAX = 10_000;
/** The push service keeps it for a browser that is switched off. */
const TTL_SECONDS = 12 * 3_600;

// Looked up when it is sent: signed out, removed from the workspace, or read in the meantime means nobody. A session that
// is only idle keeps its browser until it expires.
const FOUND = `select subscription.uuid, subscription.subscription_sealed, session.user_id, workspace.name as workspace
   from push_subscriptions subscription
   join sessions session
     on session.id = subscription.session_id
     and session.expires_at > now()
   join memberships member
     on member.user_id = session.user_id
     and member.workspace_id = $1
   join workspaces workspace
     on workspace.id = member.workspace_id
     and workspace.move_state is null`;
const findStatement = sql(
  "push_find",
  `${FOUND}
   where subscription.uuid = $2
     and not exists (
       select
       from conversation_reads r
       where r.workspace_id = $1
         and r.user_id = session.user_id
         and r.conversation_id = $3
         and r.read_seq >= $4
     )`,
);
const findOfSessionStatement = sql("push_find_of_session", `${FOUND} where session.id = $2`);

interface PushOptions {
  db: Queryable;
  secretBox: SecretBox;
  keys: PushKeys;
  outbound: Outbound;
}

/** Sends through the guarded connector, because browsers choose the address. */
export function createPushSender({ db, secretBox, keys, outbound }: PushOptions): PushToBrowsers {
  async function deliver(workspaceId: number, found: Found, about: Omit<PushPayload, "workspace" | "unread">) {
    const unread = await countUnreadOf(db, { workspaceId, userId: found.user_id });
    const payload: PushPayload = { ...about, workspace: { id: workspaceId, name: found.workspace }, unread };
    const sealed = secretBox.open(found.subscription_sealed, subscriptionContext(found.uuid));
    const address = JSON.parse(sealed) as PushAddress;
    const topic = createHash("sha256").update(`${workspaceId}:${about.conversation_id}`).digest("base64url");
    const { statusCode, error } = await outbound.send({
      url: address.endpoint,
      headers: {
        authorization: await keys.authorization(new URL(address.endpoint).origin),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(TTL_SECONDS),
        urgency: "high",
        // A later push about the conversation replaces one that could not be handed over yet.
        topic: topic.slice(0, 32),
      },
      body: encrypt(JSON.stringify(payload), address),
      timeoutMs: PUSH_MS_MAX,
      group: String(workspaceId),
    });
    if (statusCode >= 200 && statusCode < 300) return true;
    if (statusCode === 404 || statusCode === 410) {
      await removeGone(db, found.uuid);
      return false;
    }
    // The response is neither kept nor shown: the address may lead anywhere.
    const refused = statusCode >= 300 && statusCode < 500 && statusCode !== 408 && statusCode !== 429;
    const permanent = refused || error?.code === "refused_address";
    throw new SendFailure(statusCode === 0 ? (error?.message ?? "no response") : `HTTP ${statusCode}`, { permanent });
  }

  return {
    async send(workspaceId, content) {
      const { subscription, conversation_id, seq, reason } = content as QueuedPush;
      const [found] = await db.query<Found>(findStatement, [workspaceId, subscription, conversation_id, seq]);
      return found ? deliver(workspaceId, found, { reason, conversation_id }) : false;
    },
    async test(workspaceId, sessionId) {
      const [found] = await db.query<Found>(findOfSessionStatement, [workspaceId, sessionId]);
      return found ? deliver(workspaceId, found, { reason: "test", conversation_id: null }) : false;
    },
  };
}

/** RFC 8291: with a key pair and a salt of its own. */
function encrypt(text: string, { keys: { p256dh, auth } }: PushAddress): Buffer {
  const privateKey = createECDH("prime256v1");
  privateKey.generateKeys();
  const salt = randomBytes(16).toString("base64url");
  return ece.encrypt(Buffer.from(text), { version: "aes128gcm", dh: p256dh, authSecret: auth, privateKey, salt });
}
