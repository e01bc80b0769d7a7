import { recordAudit } from "../audit/audit.ts";
import { userActor } from "../core/actor.ts";
import { conflict, Fault, forbidden, found } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { requireQuota } from "../db/quota.ts";
import { normaliseEmail } from "./email.ts";
import { type Manager, requireMayManage } from "./manager.ts";
import { addMember } from "./members.ts";
import { mayManage, type Role, scopesOfRole } from "./roles.ts";
import { newToken, tokenDigest } from "./tokens.ts";
import type { User } from "./users.ts";

const INVITATION_DAYS = 7;
/** Per workspace, those that expired included: the list of them is read as a whole. */
const INVITATIONS_MAX = 1_000;
/** How long an invitation that was not accepted stays in the list. */
const EXPIRED_DAYS_KEPT = 30;

interface Invitation {
  id: number;
  uuid: string;
  email: string;
  role: Role;
  invited_by: { id: number; name: string } | null;
  created_at: string;
  expires_at: string;
  expired: boolean;
}

/** What the holder of a link may know before accepting it: not whether the address has an account. */
export interface OpenInvitation {
  workspace_id: number;
  workspace_uuid: string;
  workspace_name: string;
  email: string;
  role: Role;
  expires_at: string;
}

const COLUMNS = `i.id, i.uuid, i.email, i.role,
  case when u.id is null then null else json_build_object('id', u.id, 'name', u.name) end as invited_by,
  i.created_at, i.expires_at, i.expires_at <= now() as expired`;
const FROM = "invitations i left join users u on u.id = i.invited_by";

const listStatement = sql(
  "invitation_list",
  `select ${COLUMNS}
   from ${FROM}
   where i.workspace_id = $1
   order by i.id desc
   limit ${INVITATIONS_MAX}`,
);
const findStatement = sql(
  "invitation_find",
  `select ${COLUMNS}
   from ${FROM}
   where i.workspace_id = $1 and (i.id = $2 or i.uuid = $3)`,
);
// A second invitation replaces the first, whose link stops working.
const insertStatement = sql(
  "invitation_insert",
  `insert into invitations (workspace_id, uuid, digest, email, role, invited_by, expires_at)
   values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => ${INVITATION_DAYS}))
   on conflict (workspace_id, email) do update
   set uuid = excluded.uuid,
       digest = excluded.digest,
       role = excluded.role,
       invited_by = excluded.invited_by,
       created_at = now(),
       expires_at = excluded.expires_at
   returning id`,
);
const openByEmail = sql(
  "invitation_by_email",
  `select i.role, m.role as inviter_role
   from invitations i
   left join memberships m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
   where i.workspace_id = $1 and i.email = $2 and i.expires_at > now()
   for update of i`,
);
const deleteStatement = sql("invitation_delete", "delete from invitations where workspace_id = $1 and id = $2");
const memberByEmail = sql(
  "invitation_member",
  `select 1
   from memberships m
   join users u on u.id = m.user_id
   where m.workspace_id = $1 and u.email = $2`,
);
const openStatement = sql(
  "invitation_open",
  `select i.workspace_id, w.uuid as workspace_uuid, w.name as workspace_name, i.email, i.role, i.expires_at
   from invitations i
   join workspaces w on w.id = i.workspace_id
   where i.digest = $1 and i.expires_at > now()`,
);
const acceptStatement = sql(
  "invitation_accept",
  `delete from invitations
   where digest = $1 and expires_at > now()
   returning id, workspace_id, role, email`,
);
const acceptByEmail = sql(
  "invitation_accept_by_email",
  `delete from invitations
   where email = $1 and expires_at > now()
   returning id, workspace_id, role, email`,
);
const expireStatement = sql(
  "invitation_expire",
  `delete from invitations where expires_at < now() - make_interval(days => ${EXPIRED_DAYS_KEPT})`,
);

export const listInvitations = (db: Queryable, workspaceId: number): Promise<Invitation[]> =>
  db.query<Invitation>(listStatement, [workspaceId]);

export async function createInvitation(
  tx: Tx,
  manager: Manager,
  input: { email: string; role: Role },
): Promise<{ invitation: Invitation; token: string }> {
  const { workspaceId, actor } = manager;
  const { role } = input;
  const email = normaliseEmail(input.email);
  requireMayManage(manager, role);
  if ((await tx.query(memberByEmail, [workspaceId, email])).length > 0)
    throw conflict("A user with this e-mail address is already a member of the workspace.");
  const [open] = await tx.query<OpenRow>(openByEmail, [workspaceId, email]);
  if (open) requireMayReplace(manager, open);
  else await requireQuota(tx, { workspaceId, collection: "invitations", max: INVITATIONS_MAX });
  const token = newToken();
  const [row] = await tx.query<{ id: number }>(insertStatement, [
    workspaceId,
    newUuid(),
    tokenDigest(token),
    email,
    role,
    actor.type === "user" ? actor.id : null,
  ]);
  const { id } = row as { id: number };
  await recordAudit(tx, manager, {
    action: "invitation.created",
    resource: { type: "invitation", id },
    changes: { email, role: { from: open?.role ?? null, to: role } },
  });
  return { invitation: await findInvitation(tx, workspaceId, { id }), token };
}

export async function revokeInvitation(tx: Tx, manager: Manager, ref: Ref): Promise<Invitation> {
  const { workspaceId } = manager;
  const invitation = await findInvitation(tx, workspaceId, ref);
  const [open] = await tx.query<OpenRow>(openByEmail, [workspaceId, invitation.email]);
  requireMayReplace(manager, open ?? { role: invitation.role, inviter_role: null });
  await tx.query(deleteStatement, [workspaceId, invitation.id]);
  await recordAudit(tx, manager, {
    action: "invitation.revoked",
    resource: { type: "invitation", id: invitation.id },
    changes: { email: invitation.email, role: { from: invitation.role, to: null } },
  });
  return invitation;
}

/** The invitation behind a link. */
export async function readOpenInvitation(db: Queryable, token: string): Promise<OpenInvitation> {
  const [row] = await db.query<OpenInvitation>(openStatement, [tokenDigest(token)]);
  if (!row) throw ended();
  return row;
}

interface Accepting {
  user: User;
  ip: string | null;
  requestId: string | null;
}

/** Adds the user to the workspace and deletes the invitation, so that of two concurrent requests only one succeeds. */
export async function acceptInvitation(tx: Tx, token: string, accepting: Accepting): Promise<number> {
  const [row] = await tx.query<AcceptedRow>(acceptStatement, [tokenDigest(token)]);
  if (!row) throw ended();
  return join(tx, row, accepting);
}

/** Without links, for an address that the identity provider has verified. */
export async function acceptOpenInvitations(tx: Tx, email: string, accepting: Accepting): Promise<void> {
  for (const row of await tx.query<AcceptedRow>(acceptByEmail, [email])) await join(tx, row, accepting);
}

interface AcceptedRow {
  id: number;
  workspace_id: number;
  role: Role;
  email: string;
}

async function join(tx: Tx, row: AcceptedRow, { user, ip, requestId }: Accepting): Promise<number> {
  const { workspace_id: workspaceId, role, email } = row;
  const caller = { workspaceId, actor: userActor(user), ip, requestId, scopes: scopesOfRole(role) };
  await recordAudit(tx, caller, {
    action: "invitation.accepted",
    resource: { type: "invitation", id: row.id },
    changes: { email, role: { from: null, to: role } },
  });
  await addMember(tx, caller, user.id, role);
  return workspaceId;
}

export const expireInvitations = (db: Queryable): Promise<unknown> => db.query(expireStatement);

interface OpenRow {
  role: Role;
  inviter_role: Role | null;
}

/** An admin may neither replace nor revoke the invitation of a future owner, nor one that an owner created. */
function requireMayReplace(manager: Manager, { role, inviter_role }: OpenRow): void {
  requireMayManage(manager, role);
  if (manager.role !== null && inviter_role !== null && !mayManage(manager.role, inviter_role))
    throw forbidden("An owner has invited this address. Only an owner may replace or revoke that invitation.");
}

async function findInvitation(db: Queryable, workspaceId: number, ref: Ref): Promise<Invitation> {
  return found("invitation", await db.query<Invitation>(findStatement, [workspaceId, ...refValues(ref)]));
}

const ended = (): Fault =>
  new Fault("NOT_FOUND", "This invitation does not exist, or it has ended. Ask for a new one.");
