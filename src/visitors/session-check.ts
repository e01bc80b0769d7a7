import { type Queryable, sql } from "../db/database.ts";
import { SKEW_SECONDS } from "./authorise.ts";

/** Whose stream it is. */
interface Watched {
  workspaceId: number;
  sessionId: number;
  contactId: number | null;
}

/** `ended`: the visitor may not continue. `changed`: a new request shows what holds now, be it another contact. */
type SessionState = "valid" | "ended" | "changed";

const checkStatement = sql(
  "visitor_session_check",
  `select asked.position::integer as position, session.contact_id,
     session.ended_at is not null or not w.is_active as has_ended,
     coalesce(contact.blocked, false) as is_blocked,
     coalesce(session.identity_expires_at < now() - interval '${SKEW_SECONDS} seconds', false) as has_expired,
     w.require_identity and session.identity is null as lacks_identity
   from unnest($1::bigint[], $2::bigint[]) with ordinality as asked (workspace_id, id, position)
   join visitor_sessions session
     on session.workspace_id = asked.workspace_id
     and session.id = asked.id
   join widgets w
     on w.workspace_id = session.workspace_id
     and w.id = session.widget_id
   left join contacts contact
     on contact.workspace_id = session.workspace_id
     and contact.id = session.contact_id`,
);

interface CheckedRow {
  position: number;
  contact_id: number | null;
  has_ended: boolean;
  is_blocked: boolean;
  has_expired: boolean;
  lacks_identity: boolean;
}

/** The state of each session, in their order, by one statement. */
export async function checkSessions(db: Queryable, watched: readonly Watched[]): Promise<SessionState[]> {
  const rows = await db.query<CheckedRow>(checkStatement, [
    watched.map(({ workspaceId }) => workspaceId),
    watched.map(({ sessionId }) => sessionId),
  ]);
  const states: SessionState[] = watched.map(() => "ended");
  for (const { position, contact_id, has_ended, is_blocked, has_expired, lacks_identity } of rows) {
    const index = position - 1;
    const isOther = contact_id !== watched[index]?.contactId;
    // Blocking ends the sessions too. Their visitors are to read that nothing can be sent, and not to start another session.
    if (is_blocked) states[index] = "changed";
    else if (!has_ended) states[index] = has_expired || lacks_identity || isOther ? "changed" : "valid";
  }
  return states;
}
