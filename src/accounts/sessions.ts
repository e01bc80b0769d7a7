import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { Role } from "./roles.ts";
import { newToken, tokenDigest } from "./tokens.ts";
import type { User } from "./users.ts";

export const IDLE_HOURS_MAX = 12;
export const SESSION_DAYS_MAX = 30;
export const SESSION_SECONDS_MAX = SESSION_DAYS_MAX * 86_400;
/** `last_seen_at` is written at most this often: reading a page must not be a write a request. */
const SEEN_SECONDS = 60;
const USER_AGENT_CHARS_MAX = 255;

export interface WorkspaceRole {
  id: number;
  uuid: string;
  name: string;
  role: Role;
}

/** A live session: whose it is and which workspaces it opens, the first one joined first. */
export interface Session {
  id: number;
  user: User;
  workspaces: WorkspaceRole[];
  expires_at: string;
}

interface SessionRow {
  id: number;
  user_id: number;
  uuid: string;
  name: string;
  email: string;
  expires_at: string;
  seen_late: boolean;
  workspaces: WorkspaceRole[] | null;
}

const LIVE = `s.expires_at > now() and s.last_seen_at > now() - make_interval(hours => ${IDLE_HOURS_MAX})`;

const insertSession = sql(
  "session_insert",
  `insert into sessions (digest, user_id, ip, user_agent, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(days => ${SESSION_DAYS_MAX}))`,
);
// Asked for every request, so that a role taken away, a changed password or a removed person hold at once.
const findSession = sql(
  "session_find",
  `select s.id, s.user_id, u.uuid, u.name, u.email, s.expires_at,
          s.last_seen_at < now() - make_interval(secs => ${SEEN_SECONDS}) as seen_late,
          (select json_agg(json_build_object('id', w.id, 'uuid', w.uuid, 'name', w.name, 'role', m.role)
                           order by m.created_at, w.id)
           from memberships m join workspaces w on w.id = m.workspace_id where m.user_id = u.id) as workspaces
   from sessions s join users u on u.id = s.user_id
   where s.digest = $1 and ${LIVE}`,
);
const touchSession = sql(
  "session_seen",
  `update sessions set last_seen_at = now()
   where id = $1 and last_seen_at < now() - make_interval(secs => ${SEEN_SECONDS})`,
);
const endStatement = sql("session_end", "delete from sessions where digest = $1");
const endAllStatement = sql("session_end_all", "delete from sessions where user_id = $1 returning id");
const expireStatement = sql("session_expire", `delete from sessions s where not (${LIVE})`);

export interface SessionOrigin {
  ip: string | null;
  userAgent: string | null;
}

/** Makes a session and returns its token, which is not stored. */
export async function startSession(db: Queryable, userId: number, { ip, userAgent }: SessionOrigin): Promise<string> {
  const token = newToken();
  const agent = userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null;
  await db.query(insertSession, [tokenDigest(token), userId, ip, agent]);
  return token;
}

/** Null: there is no such session, it has ended, or its user belongs to no workspace any more. */
export async function readSession(db: Queryable, token: string): Promise<Session | null> {
  const [row] = await db.query<SessionRow>(findSession, [tokenDigest(token)]);
  if (!row?.workspaces) return null;
  if (row.seen_late) await db.query(touchSession, [row.id]);
  const user = { id: row.user_id, uuid: row.uuid, name: row.name, email: row.email };
  return { id: row.id, user, workspaces: row.workspaces, expires_at: row.expires_at };
}

/** The workspace a request asks for; without asking, the first. Null: the user does not belong to it. */
export function chooseWorkspace(session: Session, ref: Ref | "first"): WorkspaceRole | null {
  if (ref === "first") return session.workspaces[0] ?? null;
  const [id, uuid] = refValues(ref);
  return session.workspaces.find((workspace) => workspace.id === id || workspace.uuid === uuid) ?? null;
}

export const endSession = (db: Queryable, token: string): Promise<unknown> =>
  db.query(endStatement, [tokenDigest(token)]);

/** Signs a person out everywhere; answers how many sessions that were. */
export const endSessionsOf = async (db: Queryable, userId: number): Promise<number> =>
  (await db.query(endAllStatement, [userId])).length;

export const expireSessions = (db: Queryable): Promise<unknown> => db.query(expireStatement);
