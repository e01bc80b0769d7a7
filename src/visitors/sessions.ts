import { type Database, type Queryable, sql, type Tx } from "../db/database.ts";
import { sessionEnded } from "./authorise.ts";
import type { Identity, Visitor } from "./visitor.ts";

/** A session as it is stored, locked by the transaction that reads it. */
export interface LockedSession {
  id: number;
  contact_id: number | null;
  identity: Identity | null;
  identity_expires_at: string | null;
  typed_name: string | null;
  typed_email: string | null;
}

// A token is one session: two first requests at once wait for each other here.
const startStatement = sql(
  "visitor_session_start",
  `insert into visitor_sessions (workspace_id, widget_id, token_digest)
   values ($1, $2, $3)
   on conflict (token_digest) do nothing`,
);
const lockStatement = sql(
  "visitor_session_lock",
  `select s.id, s.contact_id, s.identity, s.identity_expires_at, s.typed_name, s.typed_email
   from visitor_sessions s
   where s.workspace_id = $1
     and s.widget_id = $2
     and s.token_digest = $3
     and s.ended_at is null
   for update`,
);
const seenStatement = sql(
  "visitor_session_seen",
  `update visitor_sessions
   set contact_id = $3,
     seen_at = now()
   where workspace_id = $1
     and id = $2`,
);
const typedStatement = sql(
  "visitor_session_typed",
  `update visitor_sessions
   set typed_name = coalesce($3, typed_name),
     typed_email = coalesce($4, typed_email)
   where workspace_id = $1
     and id = $2`,
);
const endStatement = sql(
  "visitor_session_end",
  `update visitor_sessions
   set ended_at = now(),
     identity = null,
     typed_name = null,
     typed_email = null
   where workspace_id = $1
     and id = $2
     and ended_at is null`,
);
const endOfContactStatement = sql(
  "visitor_session_end_of_contact",
  `update visitor_sessions
   set ended_at = now()
   where workspace_id = $1
     and contact_id = $2
     and ended_at is null
   returning id`,
);

/** The session of this token, started if it is new, locked until the transaction ends. */
export async function lockSession(tx: Tx, { workspaceId, widget, tokenDigest }: Visitor): Promise<LockedSession> {
  const values = [workspaceId, widget.id, tokenDigest];
  const [known] = await tx.query<LockedSession>(lockStatement, values);
  if (known) return known;
  await tx.query(startStatement, values);
  const [started] = await tx.query<LockedSession>(lockStatement, values);
  // Ended meanwhile, or the token of a session of another widget.
  if (!started) throw sessionEnded();
  return started;
}

/** The session was used, and this is its contact. */
export const bindContact = (tx: Tx, workspaceId: number, sessionId: number, contactId: number): Promise<unknown> =>
  tx.query(seenStatement, [workspaceId, sessionId, contactId]);

/** What the visitor typed before there is a contact to keep it. */
export const keepTyped = (
  tx: Tx,
  workspaceId: number,
  sessionId: number,
  { name, email }: { name?: string | undefined; email?: string | undefined },
): Promise<unknown> => tx.query(typedStatement, [workspaceId, sessionId, name || null, email || null]);

export const endSession = (db: Queryable, workspaceId: number, sessionId: number): Promise<unknown> =>
  db.query(endStatement, [workspaceId, sessionId]);

/** Returns how many sessions it ended. */
export async function endSessionsOfContact(tx: Tx, workspaceId: number, contactId: number): Promise<number> {
  return (await tx.query(endOfContactStatement, [workspaceId, contactId])).length;
}

/** A browser that has written nothing for this long has lost its token, or its visitor their interest. */
const UNUSED_DAYS_MAX = 400;
/** The token of an ended session starts no other one for this long; afterwards it would be one that nobody knows. */
const ENDED_DAYS = 30;
const BATCH_ROWS = 1_000;

const expireStatement = sql(
  "visitor_session_expire",
  `delete from visitor_sessions
   where ctid = any(array(
     select s.ctid
     from visitor_sessions s
     where (
       s.seen_at < now() - interval '${UNUSED_DAYS_MAX} days'
       or s.ended_at < now() - interval '${ENDED_DAYS} days'
       or not exists (
         select
         from widgets w
         where w.workspace_id = s.workspace_id
           and w.id = s.widget_id))
       and not exists (
         select
         from workspaces
         where workspaces.id = s.workspace_id
           and move_state is not null)
     limit ${BATCH_ROWS}))
   returning 1`,
);

/** Deletes sessions that cannot be used any more, those of deleted widgets among them. */
export async function expireVisitorSessions(db: Database): Promise<void> {
  while ((await db.query(expireStatement)).length === BATCH_ROWS);
}
