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

// Blocking ends the sessions too. Their visitors are to read that nothing can be sent, and not to start another session.
const checkStatement = sql(
  "visitor_session_check",
  `select case
       when contact.blocked then 'changed'
       when w.id is null or not w.is_active or session.ended_at is not null then 'ended'
       when session.identity_expires_at < now() - interval '${SKEW_SECONDS} seconds'
         or (w.require_identity and session.identity is null)
         or session.contact_id is distinct from asked.contact_id then 'changed'
       else 'valid'
     end as state
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality
     as asked (workspace_id, id, contact_id, position)
   left join visitor_sessions session
     on session.workspace_id = asked.workspace_id
     and session.id = asked.id
   left join widgets w
     on w.workspace_id = session.workspace_id
     and w.id = session.widget_id
   left join contacts contact
     on contact.workspace_id = session.workspace_id
     and contact.id = session.contact_id
   order by asked.position`,
);

/** The state of each session, in their order, by one statement. */
export async function checkSessions(db: Queryable, watched: readonly Watched[]): Promise<SessionState[]> {
  const rows = await db.query<{ state: SessionState }>(checkStatement, [
    watched.map(({ workspaceId }) => workspaceId),
    watched.map(({ sessionId }) => sessionId),
    watched.map(({ contactId }) => contactId),
  ]);
  return rows.map(({ state }) => state);
}
