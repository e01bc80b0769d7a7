import { recordAudit } from "../audit/audit.ts";
import type { Origin } from "../core/actor.ts";
import { conflict, Fault, notFound } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { addMember, type ManagerRole, requireMayManage } from "./members.ts";
import type { Role } from "./roles.ts";
import { newToken, tokenDigest } from "./tokens.ts";

export const INVITATION_DAYS = 7;
/** How long one that nobody took stays in the list. */
const EXPIRED_DAYS_KEPT = 30;

export interface Invitation {
  id: number;
  uuid: string;
  email: string;
  role: Role;
  invited_by: { id: number; name: string } | null;
  created_at: string;
  expires_at: string;
  expired: boolean;
}

/** What somebody who holds the link may know before taking it. */
export interface OpenInvitation {
  workspace_id: number;
  workspace_uuid: string;
  workspace_name: string;
  email: string;
  role: Role;
  expires_at: string;
  has_account: boolean;
}

const COLUMNS = `i.id, i.uuid, i.email, i.role,
  case when u.id is null then null else json_build_object('id', u.id, 'name', u.name) end as invited_by,
  i.created_at, i.expires_at, i.expires_at <= now() as expired`;
const FROM = "invitations i left join users u on u.id = i.invited_by";

const listStatement = sql(
  "invitation_list",
  `select ${COLUMNS} from ${FROM} where i.workspace_id = $1 order by i.id desc limit 1000`,
);
const findStatement = sql(
  "invitation_find",
  `select ${COLUMNS} from ${FROM} where i.workspace_id = $1 and (i.id = $2 or i.uuid = $3)`,
);
// A second invitation replaces the first, whose link is dead from then on.
const insertStatement = sql(
  "invitation_insert",
  `insert into invitations (workspace_id, uuid, digest, email, role, invited_by, expires_at)
   values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => ${INVITATION_DAYS}))
   on conflict (workspace_id, lower(email)) do update set uuid = excluded.uuid, digest = excluded.digest,
     role = excluded.role, invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at
   returning id`,
);
const deleteStatement = sql("invitation_delete", "delete from invitations where workspace_id = $1 and id = $2");
const memberByEmail = sql(
  "invitation_member",
  `select 1 from memberships m join users u on u.id = m.user_id where m.workspace_id = $1 and lower(u.email) = lower($2)`,
);
const openStatement = sql(
  "invitation_open",
  `select i.workspace_id, w.uuid as workspace_uuid, w.name as workspace_name, i.email, i.role, i.expires_at,
          exists (select from users u where lower(u.email) = lower(i.email)) as has_account
   from invitations i join workspaces w on w.id = i.workspace_id where i.digest = $1 and i.expires_at > now()`,
);
const takeStatement = sql(
  "invitation_take",
  "delete from invitations where digest = $1 and expires_at > now() returning workspace_id, role",
);
const expireStatement = sql(
  "invitation_expire",
  `delete from invitations where expires_at < now() - make_interval(days => ${EXPIRED_DAYS_KEPT})`,
);

export const listInvitations = (db: Queryable, workspaceId: number): Promise<Invitation[]> =>
  db.query<Invitation>(listStatement, [workspaceId]);

export async function createInvitation(
  tx: Tx,
  origin: Origin,
  workspaceId: number,
  manager: ManagerRole,
  { email, role }: { email: string; role: Role },
): Promise<{ invitation: Invitation; token: string }> {
  requireMayManage(manager, role);
  if ((await tx.query(memberByEmail, [workspaceId, email])).length > 0)
    throw conflict("Somebody with this e-mail address belongs to the workspace already.");
  const token = newToken();
  const { actor } = origin;
  const [row] = await tx.query<{ id: number }>(insertStatement, [
    workspaceId,
    newUuid(),
    tokenDigest(token),
    email,
    role,
    actor.type === "user" ? actor.id : null,
  ]);
  const { id } = row as { id: number };
  await recordAudit(tx, origin, {
    workspaceId,
    action: "invitation.created",
    resource: { type: "invitation", id },
    changes: { email, role },
  });
  return { invitation: await findInvitation(tx, workspaceId, { id }), token };
}

export async function revokeInvitation(
  tx: Tx,
  origin: Origin,
  workspaceId: number,
  manager: ManagerRole,
  ref: Ref,
): Promise<Invitation> {
  const invitation = await findInvitation(tx, workspaceId, ref);
  requireMayManage(manager, invitation.role);
  await tx.query(deleteStatement, [workspaceId, invitation.id]);
  await recordAudit(tx, origin, {
    workspaceId,
    action: "invitation.revoked",
    resource: { type: "invitation", id: invitation.id },
    changes: { email: invitation.email },
  });
  return invitation;
}

/** The invitation behind a link. */
export async function readOpenInvitation(db: Queryable, token: string): Promise<OpenInvitation> {
  const [row] = await db.query<OpenInvitation>(openStatement, [tokenDigest(token)]);
  if (!row) throw ended();
  return row;
}

/** Joins the person to the workspace. The row goes with it, so of two who take it at once one comes too late. */
export async function takeInvitation(tx: Tx, token: string, origin: Origin, userId: number): Promise<number> {
  const [row] = await tx.query<{ workspace_id: number; role: Role }>(takeStatement, [tokenDigest(token)]);
  if (!row) throw ended();
  await addMember(tx, origin, row.workspace_id, userId, row.role);
  return row.workspace_id;
}

export const expireInvitations = (db: Queryable): Promise<unknown> => db.query(expireStatement);

async function findInvitation(db: Queryable, workspaceId: number, ref: Ref): Promise<Invitation> {
  const [row] = await db.query<Invitation>(findStatement, [workspaceId, ...refValues(ref)]);
  if (!row) throw notFound("invitation");
  return row;
}

const ended = (): Fault =>
  new Fault("NOT_FOUND", "This invitation does not exist, or it has ended. Ask for a new one.");
