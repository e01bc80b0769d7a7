import { newUuid } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql } from "../db/database.ts";

/** Those that alerts go to. */
export const ALERT_CHANNELS = ["email", "slack"] as const;
export const CHANNELS = [...ALERT_CHANNELS, "push"] as const;
export type Channel = (typeof CHANNELS)[number];

/** A message to be sent. */
export interface Notification {
  channel: Channel;
  /** An e-mail address, or the host of a push service; null for a chat. */
  recipient: string | null;
  /** Null: about a person's account. */
  workspaceId: number | null;
  kind: string;
  content: Record<string, unknown>;
  /** Not sent after this many hours. */
  hoursMax: number;
}

export interface ClaimedNotification {
  id: number;
  uuid: string;
  workspace_id: number | null;
  channel: Channel;
  recipient: string | null;
  kind: string;
  content_sealed: string;
  /** Counts this one. Also the fence: only the latest attempt may settle. */
  attempts: number;
}

/** Longer than any attempt takes: a node that crashed while it sent leaves its message to others after this. */
const LEASE_SECONDS = 180;

const insertStatement = sql(
  "notification_insert",
  `insert into notifications (uuid, workspace_id, channel, recipient, kind, content_sealed, expires_at)
   values ($1, $2, $3, $4, $5, $6, now() + make_interval(hours => $7))`,
);
// Claimed ones have a `next_attempt_at` in the future: their sender decides.
const expireStatement = sql(
  "notification_expire",
  `delete from notifications
   where next_attempt_at <= now()
     and expires_at <= now()
   returning id, channel, kind`,
);
// Rows that another node claims at the same moment are skipped, not waited for.
const claimStatement = sql(
  "notification_claim",
  `update notifications
   set attempts = attempts + 1,
     next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
   where id = any(array(
     select id
     from notifications
     where next_attempt_at <= now()
       and channel = $1
       and (recipient is null or recipient <> all($3))
       and (workspace_id is null or workspace_id <> all($4::bigint[]))
     order by next_attempt_at
     limit $2
     for update skip locked
   ))
   returning id, uuid, workspace_id, channel, recipient, kind, content_sealed, attempts`,
);
// A message that waits longer than it ever has to was queued, claimed or postponed before the clock was set back. No
// watch over the clock is needed for this, so it also helps if no process was running at that moment.
const correctStatement = sql(
  "notification_correct",
  `update notifications
   set next_attempt_at = now() + make_interval(
     secs => ($1::float8[])[1 + least(attempts, cardinality($1::float8[]) - 1)]
   )
   where next_attempt_at > now() + make_interval(
     secs => ($1::float8[])[1 + least(attempts, cardinality($1::float8[]) - 1)]
   )`,
);
const finishStatement = sql("notification_finish", "delete from notifications where id = $1 and attempts = $2");
const postponeStatement = sql(
  "notification_postpone",
  `update notifications
   set next_attempt_at = now() + make_interval(secs => $3)
   where id = $1
     and attempts = $2
     and expires_at > now() + make_interval(secs => $3)
   returning id`,
);

/** Nearly always there is none, and then nothing else has to be asked. */
export const ANY_NOTIFICATION = "exists (select from notifications)";

export const sealContextOf = (uuid: string): string => `notification:${uuid}`;

/** In the transaction of the change that it reports: both are stored, or neither. */
export async function enqueue(tx: Queryable, box: SecretBox, notification: Notification): Promise<void> {
  const { workspaceId, channel, recipient, kind, content, hoursMax } = notification;
  const uuid = newUuid();
  const sealed = box.seal(JSON.stringify(content), sealContextOf(uuid));
  await tx.query(insertStatement, [uuid, workspaceId, channel, recipient, kind, sealed, hoursMax]);
}

/** After the clock was set back. `backOffs`: the longest wait in seconds after each attempt; the last repeats. */
export const correctTimes = (db: Queryable, backOffs: readonly number[]): Promise<unknown> =>
  db.query(correctStatement, [[0, ...backOffs.map((seconds) => Math.max(seconds, LEASE_SECONDS))]]);

/** Drops what is too old to be sent, and returns it. */
export const dropExpired = (db: Queryable): Promise<Pick<ClaimedNotification, "id" | "channel" | "kind">[]> =>
  db.query(expireStatement);

/** `except`: whose messages have to wait. */
export const claimDue = (
  db: Queryable,
  channel: Channel,
  { limit, except }: { limit: number; except: { recipients: readonly string[]; workspaces: readonly number[] } },
): Promise<ClaimedNotification[]> =>
  db.query<ClaimedNotification>(claimStatement, [channel, limit, except.recipients, except.workspaces]);

type Attempted = Pick<ClaimedNotification, "id" | "attempts">;

/** Sent, or refused permanently. */
export const finish = (db: Queryable, { id, attempts }: Attempted): Promise<unknown> =>
  db.query(finishStatement, [id, attempts]);

/** False: by then it would have expired. */
export const postpone = async (db: Queryable, { id, attempts }: Attempted, seconds: number): Promise<boolean> =>
  (await db.query(postponeStatement, [id, attempts, seconds])).length > 0;
