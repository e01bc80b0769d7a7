import { recordAudit } from "../audit/audit.ts";
import { ACTIVE } from "../auth/key-record.ts";
import type { Caller } from "../core/caller.ts";
import { conflict, found } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { MEMBERS_MAX } from "../db/quota.ts";
import { endInvitationsOf } from "./invitation-store.ts";
import { type Manager, requireMayManage } from "./manager.ts";
import type { Role } from "./roles.ts";
import { endSessionsOfRemoved } from "./sessions.ts";
import type { User } from "./users.ts";

/** A person in a workspace; `id` is the person's. */
interface Member extends User {
  role: Role;
  created_at: string;
  last_seen_at: string | null;
  /** Keys of this workspace that they created and that work. */
  active_keys: number;
}

const COLUMNS = `u.id, u.uuid, u.name, u.email, m.role, m.created_at, u.last_seen_at,
  (select count(*)
   from api_keys k
   where k.workspace_id = m.workspace_id
     and k.creator_type = 'user'
     and k.creator_id = u.id
     and ${ACTIVE}) as active_keys`;
const FROM = "memberships m join users u on u.id = m.user_id";

// `position` instead of `like`: the search text has no wildcards.
const MATCHES = `m.workspace_id = $1
     and ($2 = '' or position(lower($2) in lower(u.name)) > 0 or position(lower($2) in u.email) > 0)`;

const listStatement = sql(
  "member_list",
  `select ${COLUMNS}
   from ${FROM}
   where ${MATCHES}
   order by m.created_at, u.id
   limit $3 offset $4`,
);
const countStatement = sql(
  "member_count",
  `select count(*) as total
   from ${FROM}
   where ${MATCHES}`,
);
// Held to the commit: two who join at once cannot both be the last member.
const lockJoining = sql("member_lock_joining", "select pg_advisory_xact_lock(hashtextextended('members', $1))");
const readStatement = sql(
  "member_read",
  `select ${COLUMNS}
   from ${FROM}
   where m.workspace_id = $1 and (u.id = $2 or u.uuid = $3)`,
);
const insertStatement = sql(
  "member_insert",
  `insert into memberships (workspace_id, user_id, role)
   values ($1, $2, $3)
   on conflict (workspace_id, user_id) do nothing
   returning user_id`,
);
const updateStatement = sql(
  "member_update",
  "update memberships set role = $3 where workspace_id = $1 and user_id = $2",
);
const deleteStatement = sql("member_delete", "delete from memberships where workspace_id = $1 and user_id = $2");
const membershipsStatement = sql("member_workspaces", "select workspace_id, role from memberships where user_id = $1");
// Two owners who demote each other concurrently both lock these rows: the second one is then the last owner. The member
// is locked too, so that nobody changes a role that was read before it became another one.
const lockStatement = sql(
  "member_lock",
  `select m.role
   from memberships m
   join users u on u.id = m.user_id
   where m.workspace_id = $1
     and (m.role = 'owner' or u.id = $2 or u.uuid = $3)
   order by m.user_id
   for update of m`,
);

interface MemberQuery {
  /** Part of the name or of the e-mail address; empty: everybody. */
  search: string;
  limit: number;
  offset: number;
}

/** Those who joined first, first. */
export async function listMembers(
  db: Queryable,
  workspaceId: number,
  { search, limit, offset }: MemberQuery,
): Promise<{ members: Member[]; total: number }> {
  const [members, total] = await Promise.all([
    db.query<Member>(listStatement, [workspaceId, search, limit, offset]),
    countMembers(db, workspaceId, search),
  ]);
  return { members, total };
}

async function countMembers(db: Queryable, workspaceId: number, search = ""): Promise<number> {
  const [row] = await db.query<{ total: number }>(countStatement, [workspaceId, search]);
  return row?.total ?? 0;
}

export async function findMember(db: Queryable, workspaceId: number, ref: Ref): Promise<Member> {
  return found("member", await db.query<Member>(readStatement, [workspaceId, ...refValues(ref)]));
}

export const membershipsOf = (db: Queryable, userId: number): Promise<{ workspace_id: number; role: Role }[]> =>
  db.query(membershipsStatement, [userId]);

/** A user who already belongs to the workspace keeps their role. */
export async function addMember(tx: Tx, caller: Caller, userId: number, role: Role): Promise<Member> {
  await tx.query(lockJoining, [caller.workspaceId]);
  const [added] = await tx.query(insertStatement, [caller.workspaceId, userId, role]);
  const member = await findMember(tx, caller.workspaceId, { id: userId });
  if (added && (await countMembers(tx, caller.workspaceId)) > MEMBERS_MAX)
    throw conflict(`This workspace has reached its limit of ${MEMBERS_MAX} members.`);
  if (added)
    await recordAudit(tx, caller, {
      action: "member.added",
      resource: { type: "user", id: userId },
      changes: { role: { from: null, to: role }, email: member.email },
    });
  return member;
}

/** Locks the member and all owners; returns how many owners there are. */
async function lockMember(tx: Tx, workspaceId: number, ref: Ref): Promise<number> {
  const rows = await tx.query<{ role: Role }>(lockStatement, [workspaceId, ...refValues(ref)]);
  return rows.filter(({ role }) => role === "owner").length;
}

export async function changeRole(tx: Tx, manager: Manager, ref: Ref, role: Role): Promise<Member> {
  const { workspaceId } = manager;
  const owners = await lockMember(tx, workspaceId, ref);
  const before = await findMember(tx, workspaceId, ref);
  requireMayManage(manager, before.role);
  requireMayManage(manager, role);
  if (before.role === role) return before;
  if (before.role === "owner" && owners <= 1) throw lastOwner();
  await tx.query(updateStatement, [workspaceId, before.id, role]);
  const ended = await endInvitationsOf(tx, workspaceId, { invitedBy: before.id, roleNow: role });
  await recordAudit(tx, manager, {
    action: "member.role_changed",
    resource: { type: "user", id: before.id },
    changes: { role: { from: before.role, to: role }, ...invitationsEnded(ended) },
  });
  return { ...before, role };
}

/** The member, locked, if this manager may remove them. */
export async function requireMayRemove(tx: Tx, manager: Manager, ref: Ref): Promise<Member> {
  const { workspaceId } = manager;
  const owners = await lockMember(tx, workspaceId, ref);
  const member = await findMember(tx, workspaceId, ref);
  requireMayManage(manager, member.role);
  if (member.role === "owner" && owners <= 1) throw lastOwner();
  return member;
}

/**
 * The user record stays, for what they wrote; without another workspace they are signed out and cannot sign in. The
 * caller also unassigns their conversations (conversations/unassign.ts).
 */
export async function removeMember(tx: Tx, manager: Manager, ref: Ref): Promise<Member> {
  const { workspaceId } = manager;
  const member = await requireMayRemove(tx, manager, ref);
  await tx.query(deleteStatement, [workspaceId, member.id]);
  if ((await membershipsOf(tx, member.id)).length === 0) await endSessionsOfRemoved(tx, member.id);
  const ended = await endInvitationsOf(tx, workspaceId, { invitedBy: member.id, roleNow: null });
  await recordAudit(tx, manager, {
    action: "member.removed",
    resource: { type: "user", id: member.id },
    changes: { role: { from: member.role, to: null }, email: member.email, ...invitationsEnded(ended) },
  });
  return member;
}

const invitationsEnded = (emails: string[]): object => (emails.length === 0 ? {} : { invitations_ended: emails });

const lastOwner = () => conflict("This is the last owner of the workspace. Make another member an owner first.");
