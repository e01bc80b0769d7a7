import { recordAudit } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";

/** What a new team does first. Each is true once it has happened, by any person or key. */
interface FirstSteps {
  /** There is a second member, or was an invitation. */
  invited: boolean;
  /** There is a widget or a mailbox. */
  connected: boolean;
  /** A customer has written. */
  received: boolean;
  /** A person has replied. */
  replied: boolean;
  /** Something was sent to a webhook. */
  webhook: boolean;
  /** A manager has hidden them. */
  hidden: boolean;
}

/** Looked at for a first message and a first reply: a workspace with more has long begun. */
const NEWEST = 1_000;

const readStatement = sql(
  "first_steps",
  `select
     (select count(*) from (select from memberships where workspace_id = $1 limit 2) members) > 1
       or exists (select from audit_logs where workspace_id = $1 and action = 'invitation.created') as invited,
     exists (select from widgets where workspace_id = $1)
       or exists (select from mailboxes where workspace_id = $1) as connected,
     exists (
       select
       from (select last_in_seq from conversations where workspace_id = $1 order by id desc limit ${NEWEST}) newest
       where last_in_seq > 0
     ) as received,
     exists (
       select
       from (
         select direction, private, sender_type
         from messages
         where workspace_id = $1
         order by id desc
         limit ${NEWEST}
       ) newest
       where direction = 'out'
         and not private
         and sender_type = 'user'
     ) as replied,
     exists (select from delivery_lanes where workspace_id = $1 and attempts_total > 0) as webhook,
     first_steps_hidden as hidden
   from workspaces
   where id = $1`,
);
const hideStatement = sql(
  "first_steps_hide",
  `update workspaces
   set first_steps_hidden = $2
   where id = $1
     and first_steps_hidden <> $2
   returning 1`,
);

export async function readFirstSteps(db: Queryable, workspaceId: number): Promise<FirstSteps> {
  const [steps] = await db.query<FirstSteps>(readStatement, [workspaceId]);
  return steps as FirstSteps;
}

/** For everybody in the workspace. */
export async function hideFirstSteps(tx: Tx, caller: Caller, hidden: boolean): Promise<FirstSteps> {
  const { workspaceId } = caller;
  const changed = await tx.query(hideStatement, [workspaceId, hidden]);
  if (changed.length > 0)
    await recordAudit(tx, caller, {
      action: "workspace.updated",
      resource: { type: "workspace", id: workspaceId },
      changes: { first_steps_hidden: { from: !hidden, to: hidden } },
    });
  return readFirstSteps(tx, workspaceId);
}
