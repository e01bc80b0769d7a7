import { enqueue } from "../alerts/queue.ts";
import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { type Arrival, claimNotices, type Notice } from "./decide.ts";
import type { QueuedPush } from "./push.ts";

interface NotifierOptions {
  db: Database;
  secretBox: SecretBox;
  logger: Logger;
  /** After a commit: there is something to send. */
  onQueued: () => void;
}

const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 10_000;
const WORKSPACES_AT_ONCE = 200;
/** Of one workspace and turn, the newest. A person with more unread messages than this needs no push for each. */
const EVENTS_MAX = 500;
/** An older message calls nobody: its reader was not reachable, or no node was running. */
const AGE_MINUTES_MAX = 60;
const MAIL_HOURS_MAX = 24;
const HOURS_MAX = 12;
/** Pushes of one workspace that wait to be sent: what is above is not sent. Each claim has to look past them. */
const WAITING_MAX = 2_000;
const PUSH_KIND = "conversation";

const ANY_SUBSCRIPTION = "exists (select from push_subscriptions)";
const SUBSCRIBED = `select distinct member.workspace_id
     from push_subscriptions subscription
     join sessions session
       on session.id = subscription.session_id
       and session.expires_at > now()
     join memberships member on member.user_id = session.user_id
     join workspaces workspace
       on workspace.id = member.workspace_id
       and workspace.move_state is null`;

// Where nobody gets pushes, no event is read. The first turn after the first subscription begins at the newest event.
const beginStatement = sql(
  "notice_begin",
  `insert into notice_positions (workspace_id, position)
   select subscribed.workspace_id, coalesce((
     select max(position)
     from event_positions
     where event_positions.workspace_id = subscribed.workspace_id), 0)
   from (${SUBSCRIBED}) subscribed
   where not exists (
     select
     from notice_positions known
     where known.workspace_id = subscribed.workspace_id
   )
   on conflict (workspace_id) do nothing`,
);
const dueStatement = sql(
  "notice_due",
  `select subscribed.workspace_id
   from (${SUBSCRIBED}) subscribed
   join notice_positions known on known.workspace_id = subscribed.workspace_id
   where exists (
     select
     from event_positions event
     where event.workspace_id = known.workspace_id
       and event.type = 'message.created'
       and event.position > known.position
   )
   limit ${WORKSPACES_AT_ONCE}`,
);
// One that another node is working on is left to it.
const lockStatement = sql(
  "notice_position",
  "select position from notice_positions where workspace_id = $1 for update skip locked",
);
// Where nothing has arrived, retention has removed the events that were due.
const moveStatement = sql(
  "notice_move",
  `update notice_positions
   set position = coalesce($2, (
     select max(event.position)
     from event_positions event
     where event.workspace_id = $1
       and event.type = 'message.created'), 0)
   where workspace_id = $1`,
);
const browsersStatement = sql(
  "notice_browsers",
  `select session.user_id, subscription.uuid, subscription.host
   from push_subscriptions subscription
   join sessions session
     on session.id = subscription.session_id
     and session.expires_at > now()
   where session.user_id = any($1::bigint[])`,
);

/**
 * Looks at new messages after their commit and queues a push to each browser of each person who is notified. What was
 * looked at, who was notified and what is sent are stored together: on any number of nodes each push is queued once.
 */
export function startNotifier({ db, secretBox, logger, onQueued }: NotifierOptions): Loop {
  return startLoop({
    async work() {
      if (!(await db.isDue(ANY_SUBSCRIPTION))) return;
      await db.query(beginStatement);
      const due = await db.query<{ workspace_id: number }>(dueStatement);
      for (const { workspace_id } of due)
        await db.transaction(async (tx) => {
          if (await lookAt(tx, secretBox, workspace_id)) tx.afterCommit(onQueued);
        });
    },
    pauseMs: PAUSE_MS,
    pauseMsMax: PAUSE_MS_MAX,
    onError: (error) => logger.warn({ err: error.message }, "looking for whom to notify failed, retrying"),
  });
}

// The events' bodies stay in the database: 500 of them can be 40 MB, and this reads five short members.
const arrivedStatement = sql(
  "notice_arrived",
  `select fresh.position, event.created_at, data.conversation_id, data.seq, data.direction, data.sender, data.email
   from (
     select position, event_id
     from event_positions
     where workspace_id = $1
       and type = 'message.created'
       and position > $2
     order by position desc
     limit ${EVENTS_MAX}) fresh
   join events event
     on event.workspace_id = $1
     and event.id = fresh.event_id
   cross join lateral json_to_record(event.payload::json -> 'data')
     as data (conversation_id bigint, seq int, direction text, sender json, email json)
   order by fresh.position desc`,
);

type Arrived = Pick<MessageRecord, "conversation_id" | "seq" | "direction" | "sender"> & {
  position: number;
  created_at: string;
  email: MessageRecord["email"] | null;
};

/** Returns whether something was queued. */
async function lookAt(tx: Tx, box: SecretBox, workspaceId: number): Promise<boolean> {
  const [known] = await tx.query<{ position: number }>(lockStatement, [workspaceId]);
  if (!known) return false;
  const arrived = await tx.query<Arrived>(arrivedStatement, [workspaceId, known.position]);
  await tx.query(moveStatement, [workspaceId, arrived[0]?.position ?? null]);
  const arrivals = arrived.filter(callsPeople).map(arrivalOf);
  const notices = arrivals.length === 0 ? [] : await claimNotices(tx, workspaceId, arrivals);
  return queuePushes(tx, box, workspaceId, notices);
}

/** A mail that a machine sent calls nobody, nor does an old one that was only now fetched from a mailbox. */
function callsPeople({ created_at, email }: Arrived): boolean {
  const { automatic = false, date = null } = email ?? {};
  if (automatic || Date.now() - Date.parse(created_at) > AGE_MINUTES_MAX * 60_000) return false;
  return date === null || Date.now() - Date.parse(date) <= MAIL_HOURS_MAX * 3_600_000;
}

const arrivalOf = ({ conversation_id, seq, direction, sender }: Arrived): Arrival => ({
  conversation_id,
  seq,
  from_contact: direction === "in",
  author_id: sender.type === "user" ? sender.id : null,
});

const fullStatement = sql(
  "notice_pushes_full",
  `select count(*) >= $2 as full
   from (
     select
     from notifications
     where workspace_id = $1
       and channel = 'push'
     limit $2) waiting`,
);

async function queuePushes(tx: Tx, box: SecretBox, workspaceId: number, notices: readonly Notice[]): Promise<boolean> {
  if (notices.length === 0) return false;
  const [queue] = await tx.query<{ full: boolean }>(fullStatement, [workspaceId, WAITING_MAX]);
  if (queue?.full) return false;
  const people = [...new Set(notices.map(({ user_id }) => user_id))];
  const browsers = await tx.query<{ user_id: number; uuid: string; host: string }>(browsersStatement, [people]);
  for (const { user_id, conversation_id, seq, reason } of notices)
    for (const { uuid, host } of browsers.filter((browser) => browser.user_id === user_id)) {
      const push: QueuedPush = { subscription: uuid, conversation_id, seq, reason };
      await enqueue(tx, box, {
        channel: "push",
        recipient: host,
        workspaceId,
        kind: PUSH_KIND,
        content: { ...push },
        hoursMax: HOURS_MAX,
      });
    }
  return true;
}
