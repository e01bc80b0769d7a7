import { found } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { readCell } from "../db/cell.ts";
import { type Queryable, sql } from "../db/database.ts";
import { endChallengesOf } from "./challenges.ts";
import type { Language } from "./languages.ts";
import type { Role } from "./roles.ts";
import { newToken, tokenDigest } from "./tokens.ts";
import type { User } from "./users.ts";

const IDLE_HOURS_MAX = 12;
const SESSION_DAYS_MAX = 30;
export const SESSION_SECONDS_MAX = SESSION_DAYS_MAX * 86_400;
/** `last_seen_at` is written at most this often: not every request may cost a write. */
const SEEN_SECONDS = 60;
const USER_AGENT_CHARS_MAX = 255;
/** Per user. Signing in once more ends the session that was seen least recently, so that the list is always whole. */
const SESSIONS_MAX = 100;

/** How a user proved their identity. */
export const SIGN_IN_METHODS = ["password", "passkey", "sso"] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A session as its owner sees it in the list of devices. */
interface SessionEntry {
  id: number;
  ip: string | null;
  user_agent: string | null;
  method: SignInMethod;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

/** Changing how one signs in requires a password check, or a sign-in, at most this old. */
export const CONFIRMED_MINUTES = 15;

export interface WorkspaceRole {
  id: number;
  uuid: string;
  name: string;
  role: Role;
  require_two_factor: boolean;
  /** Of `parley demo`, with a shop at /demo/shop. */
  is_demo: boolean;
}

/** A live session: whose it is and which workspaces it opens, the first one joined first. */
export interface Session {
  id: number;
  user: User;
  workspaces: WorkspaceRole[];
  expires_at: string;
  method: SignInMethod;
  /** False: an account that signs in through single sign-on alone. */
  has_password: boolean;
  /** A second factor was used. */
  second_factor: boolean;
  /** The user's identity was confirmed in the last minutes. */
  confirmed_recently: boolean;
  /** Of the dashboard, as the user chose; null: as the browser says. */
  language: string | null;
}

interface SessionRow extends Omit<Session, "workspaces"> {
  seen_late: boolean;
  workspaces: WorkspaceRole[] | null;
}

const LIVE = `s.expires_at > now() and s.last_seen_at > now() - make_interval(hours => ${IDLE_HOURS_MAX})`;

const insertSession = sql(
  "session_insert",
  `with session as (
     insert into sessions (digest, user_id, ip, user_agent, method, second_factor, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => ${SESSION_DAYS_MAX}))
   )

   update users
   set last_seen_at = now(), browser_language = coalesce($7, browser_language)
   where id = $2`,
);
// Read for every request, so that a changed role, a changed password or a removed member takes effect at once.
const findSession = sql(
  "session_find",
  `select s.id, u.language, s.expires_at, s.method, s.second_factor,
          json_build_object('id', u.id, 'uuid', u.uuid, 'name', u.name, 'email', u.email) as "user",
          u.password_hash is not null as has_password,
          s.confirmed_at > now() - make_interval(mins => ${CONFIRMED_MINUTES}) as confirmed_recently,
          s.last_seen_at < now() - make_interval(secs => ${SEEN_SECONDS}) as seen_late,
          (select json_agg(json_build_object('id', w.id, 'uuid', w.uuid, 'name', w.name, 'role', m.role,
                                             'require_two_factor', w.require_two_factor, 'is_demo', w.is_demo)
                           order by m.created_at, w.id)
           from memberships m
           join workspaces w on w.id = m.workspace_id
           where m.user_id = u.id) as workspaces
   from sessions s
   join users u on u.id = s.user_id
   where s.digest = $1 and ${LIVE}`,
);
const touchSession = sql(
  "session_seen",
  `with seen as (
     update sessions
     set last_seen_at = now()
     where id = $1
       and last_seen_at < now() - make_interval(secs => ${SEEN_SECONDS})
     returning user_id
   )

   update users
   set last_seen_at = now(), browser_language = coalesce($2, browser_language)
   where id in (select user_id from seen)`,
);
const listStatement = sql(
  "session_list",
  `select s.id, s.ip, s.user_agent, s.method, s.created_at, s.last_seen_at, s.expires_at
   from sessions s
   where s.user_id = $1 and ${LIVE}
   order by s.last_seen_at desc, s.id desc
   limit ${SESSIONS_MAX}`,
);
const endOneStatement = sql(
  "session_end_one",
  `delete from sessions
   where user_id = $1 and id = $2
   returning id, ip, user_agent, method, created_at, last_seen_at, expires_at`,
);
const endSurplusStatement = sql(
  "session_end_surplus",
  `delete from sessions
   where id in (
     select id
     from sessions
     where user_id = $1
     order by last_seen_at desc, id desc
     offset ${SESSIONS_MAX})`,
);
const endStatement = sql("session_end", "delete from sessions where digest = $1 returning user_id");
const endAllStatement = sql("session_end_all", "delete from sessions where user_id = $1 returning id");
// Kept until it is cleaned up like any session that has expired: it says why it ended.
const endAsRemovedStatement = sql(
  "session_end_removed",
  "update sessions set expires_at = now() where user_id = $1 and expires_at > now()",
);
const removedStatement = sql(
  "session_removed",
  `select exists (
     select
     from sessions s
     where s.digest = $1
       and s.expires_at <= now()
       and not exists (select from memberships m where m.user_id = s.user_id)
   ) as removed`,
);
const endWithoutSsoStatement = sql("session_end_without_sso", "delete from sessions where method <> 'sso'");
// One that is only idle is kept to its absolute limit if its browser gets pushes. It opens nothing.
const expireStatement = sql(
  "session_expire",
  `delete from sessions s
   where not (${LIVE})
     and not (
       s.expires_at > now()
       and exists (select from push_subscriptions p where p.session_id = s.id)
     )`,
);

interface NewSession {
  userId: number;
  ip: string | null;
  userAgent: string | null;
  method: SignInMethod;
  secondFactor: boolean;
  /** Null: the browser does not say. */
  language: Language | null;
}

/** Creates a session and returns its token, which is not stored. In cells from 1 on a proxy routes by its beginning. */
export async function startSession(db: Queryable, input: NewSession): Promise<string> {
  const { userId, ip, userAgent, method, secondFactor, language } = input;
  const cell = await readCell(db);
  const token = cell === 0 ? newToken() : `c${cell}.${newToken()}`;
  const agent = userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null;
  await db.query(insertSession, [tokenDigest(token), userId, ip, agent, method, secondFactor, language]);
  await db.query(endSurplusStatement, [userId]);
  return token;
}

/**
 * Null: there is no such session, it has ended, or its user belongs to no workspace any more. `language`: of the browser.
 */
export async function readSession(
  db: Queryable,
  token: string,
  language: Language | null = null,
): Promise<Session | null> {
  const session = await peekSession(db, token);
  if (session?.seen_late) await db.query(touchSession, [session.id, language]);
  return session;
}

/** The same without renewing the idle limit: an open stream does not count as activity. */
export async function peekSession(db: Queryable, token: string): Promise<(Session & { seen_late: boolean }) | null> {
  const [row] = await db.query<SessionRow>(findSession, [tokenDigest(token)]);
  return row?.workspaces ? { ...row, workspaces: row.workspaces } : null;
}

/** What the settings say about every session, in every workspace. */
export interface SessionPolicy {
  /** Every user needs a second factor. */
  requireTwoFactor: boolean;
  /** The identity provider is the only way in. */
  ssoOnly: boolean;
}

/** Where single sign-on is the only way in, a session that a password or a passkey opened before is refused. */
export const isAdmissible = ({ method }: Session, { ssoOnly }: Pick<SessionPolicy, "ssoOnly">): boolean =>
  !ssoOnly || method === "sso";

/** A second factor is required here and this session has not shown one. */
export const needsSecondFactor = (
  session: Session,
  { workspace, requireTwoFactor }: { workspace: WorkspaceRole; requireTwoFactor: boolean },
): boolean => (requireTwoFactor || workspace.require_two_factor) && !session.second_factor;

/** The workspace that a request names, by default the first. Null: the user does not belong to it. */
export function chooseWorkspace(session: Session, ref: Ref | "first"): WorkspaceRole | null {
  if (ref === "first") return session.workspaces[0] ?? null;
  const [id, uuid] = refValues(ref);
  return session.workspaces.find((workspace) => workspace.id === id || workspace.uuid === uuid) ?? null;
}

export const listSessions = (db: Queryable, userId: number): Promise<SessionEntry[]> =>
  db.query<SessionEntry>(listStatement, [userId]);

/** Ends one of the user's own sessions. */
export async function endOwnSession(db: Queryable, userId: number, ref: Ref): Promise<SessionEntry> {
  return found("session", await db.query<SessionEntry>(endOneStatement, [userId, refValues(ref)[0]]));
}

export const endSession = (db: Queryable, token: string): Promise<unknown> =>
  db.query(endStatement, [tokenDigest(token)]);

/** Signs a user out everywhere and ends sign-ins in progress; returns how many sessions ended. */
export async function endSessionsOf(db: Queryable, userId: number): Promise<number> {
  await endChallengesOf(db, userId);
  return (await db.query(endAllStatement, [userId])).length;
}

/** The same for a user who has just lost their last workspace: the page that they have open says so. */
export async function endSessionsOfRemoved(db: Queryable, userId: number): Promise<void> {
  await endChallengesOf(db, userId);
  await db.query(endAsRemovedStatement, [userId]);
}

/** Whether the session ended because its user was removed from their last workspace. */
export async function wasRemoved(db: Queryable, token: string): Promise<boolean> {
  const [row] = await db.query<{ removed: boolean }>(removedStatement, [tokenDigest(token)]);
  return row?.removed ?? false;
}

/** Permanently: switching single sign-on off again does not bring them back. */
export const endSessionsWithoutSso = (db: Queryable): Promise<unknown> => db.query(endWithoutSsoStatement);

export const expireSessions = (db: Queryable): Promise<unknown> => db.query(expireStatement);
