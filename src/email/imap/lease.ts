import { type Database, type Queryable, sql, type Tx } from "../../db/database.ts";

/** How long a reader owns a mailbox after its last heartbeat. */
const LEASE_SECONDS = 20;
const CLAIMS_MAX = 20;

// Each claim has a token of its own. Workspaces that move to another cell are left out: their rows refuse every write, and
// with them the statement. A change of the settings, and a pause, take it away.
const claimStatement = sql(
  "mailbox_claim",
  `update mailbox_states state
   set lease_owner = gen_random_uuid(),
     lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
   from (
     select free.workspace_id, free.mailbox_id
     from mailbox_states free
     join mailboxes mailbox
       on mailbox.workspace_id = free.workspace_id
       and mailbox.id = free.mailbox_id
     join workspaces workspace on workspace.id = free.workspace_id
     where mailbox.inbound ->> 'type' = 'imap'
       and workspace.move_state is null
       and not mailbox.paused
       and (free.lease_until is null or free.lease_until < clock_timestamp())
     order by free.lease_until nulls first
     limit least($1::int, ${CLAIMS_MAX})
     for update of free skip locked) claimed
   where state.workspace_id = claimed.workspace_id
     and state.mailbox_id = claimed.mailbox_id
   returning state.workspace_id as "workspaceId", state.mailbox_id as "mailboxId", state.lease_owner as token`,
);
const renewStatement = sql(
  "mailbox_lease_renew",
  `update mailbox_states
   set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
   where lease_owner = any($1::uuid[])
     and not exists (
       select
       from workspaces
       where id = mailbox_states.workspace_id
         and move_state is not null)
   returning lease_owner as token`,
);
const releaseStatement = sql(
  "mailbox_lease_release",
  `update mailbox_states
   set lease_owner = null,
     lease_until = null,
     is_connected = false
   where workspace_id = $1
     and mailbox_id = $2
     and lease_owner = $3`,
);
// The fence. It locks the row to the end of the transaction: nobody can claim the mailbox in between.
const holdStatement = sql(
  "mailbox_lease_hold",
  `select 1 as held
   from mailbox_states
   where workspace_id = $1
     and mailbox_id = $2
     and lease_owner = $3
     and lease_until > clock_timestamp()
   for update`,
);

/** A mailbox that this process reads, until another one does. */
export interface Lease {
  workspaceId: number;
  mailboxId: number;
  token: string;
}

/** The mailbox belongs to another reader, or its settings have changed. */
export class LeaseLost extends Error {}

const ANY_TO_READ = `exists (select from mailboxes where inbound ->> 'type' = 'imap' and not paused)`;

export const claimMailboxes = async (db: Database, max: number): Promise<Lease[]> =>
  (await db.isDue(ANY_TO_READ)) ? db.query<Lease>(claimStatement, [max]) : [];

/** The tokens that are still valid. */
export async function renewLeases(db: Queryable, tokens: readonly string[]): Promise<ReadonlySet<string>> {
  if (tokens.length === 0) return new Set();
  const rows = await db.query<{ token: string }>(renewStatement, [tokens]);
  return new Set(rows.map(({ token }) => token));
}

export const keyOf = ({ workspaceId, mailboxId, token }: Lease): unknown[] => [workspaceId, mailboxId, token];

export async function releaseLease(db: Queryable, lease: Lease): Promise<void> {
  await db.query(releaseStatement, keyOf(lease));
}

/** In the transaction of every write of a reader. */
export async function requireLease(tx: Tx, lease: Lease): Promise<void> {
  const [held] = await tx.query(holdStatement, keyOf(lease));
  if (!held) throw new LeaseLost("The mailbox is read by another process, or its settings have changed.");
}
