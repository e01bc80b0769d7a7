import { type Database, sql, type Tx } from "../../db/database.ts";
import type { Inbound } from "../../resources/mailbox.ts";
import { keyOf, type Lease, LeaseLost, requireLease } from "./lease.ts";

/** The last numbers of a folder that are listed again, because some servers show a number late. */
export const WINDOW = 500;

/** Older mail that is looked at next to new mail: at the first connection, and after a change of UIDVALIDITY. */
export interface Import {
  next_uid: number;
  last_uid: number;
  /** ISO 8601: what is older is not looked at. */
  since: string;
  total: number;
  done: number;
}

/** What a reader needs to know about its mailbox. */
export interface ReadMailbox {
  uuid: string;
  inbound: Inbound;
  inbound_sealed: string | null;
  authserv_id: string | null;
  own_lists: string[];
  uidvalidity: number | null;
  uid: number | null;
  started_at: string;
  import: Import | null;
}

const readStatement = sql(
  "mailbox_to_read",
  `select b.uuid, b.inbound, b.inbound_sealed, b.authserv_id, b.own_lists,
     s.uidvalidity, s.uid, s.started_at, s.import
   from mailbox_states s
   join mailboxes b
     on b.workspace_id = s.workspace_id
     and b.id = s.mailbox_id
   where s.workspace_id = $1
     and s.mailbox_id = $2
     and s.lease_owner = $3`,
);
const beginStatement = sql(
  "mailbox_cursor_begin",
  `update mailbox_states
   set uidvalidity = $3,
     uid = $4,
     import = $5
   where workspace_id = $1
     and mailbox_id = $2`,
);
const moveStatement = sql(
  "mailbox_cursor_move",
  `update mailbox_states
   set uid = greatest(uid, $3)
   where workspace_id = $1
     and mailbox_id = $2`,
);
const importStatement = sql(
  "mailbox_import_move",
  `update mailbox_states
   set import = $3
   where workspace_id = $1
     and mailbox_id = $2`,
);
const rememberStatement = sql(
  "mailbox_uids_insert",
  `insert into mailbox_uids (workspace_id, mailbox_id, uidvalidity, uid)
   select $1, $2, $3, uid
   from unnest($4::bigint[]) as uid
   on conflict do nothing`,
);
const forgetStatement = sql(
  "mailbox_uids_forget",
  `delete from mailbox_uids
   where workspace_id = $1
     and mailbox_id = $2
     and (uidvalidity <> $3 or uid <= $4)`,
);
const knownStatement = sql(
  "mailbox_uids_known",
  `select uid
   from mailbox_uids
   where workspace_id = $1
     and mailbox_id = $2
     and uidvalidity = $3
     and uid = any($4::bigint[])`,
);
const syncedStatement = sql(
  "mailbox_synced",
  `update mailbox_states
   set is_connected = true,
     error = null,
     failing_since = null,
     last_synced_at = now(),
     unseen_on_server = $4
   where workspace_id = $1
     and mailbox_id = $2
     and lease_owner = $3`,
);
const failedStatement = sql(
  "mailbox_failed",
  `update mailbox_states
   set is_connected = false,
     error = $4,
     failing_since = coalesce(failing_since, now())
   where workspace_id = $1
     and mailbox_id = $2
     and lease_owner = $3`,
);

export async function readMailbox(db: Database, lease: Lease): Promise<ReadMailbox> {
  const [row] = await db.query<ReadMailbox>(readStatement, keyOf(lease));
  if (!row) throw new LeaseLost("The mailbox is read by another process, or its settings have changed.");
  return row;
}

interface Beginning {
  uidvalidity: number;
  /** The last number there is; what comes after it is new mail. */
  uid: number;
  /** Those that are there now, of the window. */
  uids: readonly number[];
  import: Import | null;
}

/** At the first connection, and after a change of UIDVALIDITY. */
export async function beginFolder(db: Database, lease: Lease, begun: Beginning): Promise<void> {
  const { workspaceId, mailboxId } = lease;
  const key = [workspaceId, mailboxId];
  await db.transaction(async (tx) => {
    await requireLease(tx, lease);
    await tx.query(beginStatement, [...key, begun.uidvalidity, begun.uid, begun.import]);
    await tx.query(forgetStatement, [...key, begun.uidvalidity, 0]);
    await tx.query(rememberStatement, [...key, begun.uidvalidity, begun.uids]);
  });
}

/** In the transaction that stores the mail: both are written, or neither. */
export async function markRead(
  tx: Tx,
  lease: Lease,
  { uidvalidity, uid, readUpTo }: { uidvalidity: number; uid: number; readUpTo: number },
): Promise<void> {
  const { workspaceId, mailboxId } = lease;
  await requireLease(tx, lease);
  await tx.query(moveStatement, [workspaceId, mailboxId, readUpTo]);
  await tx.query(rememberStatement, [workspaceId, mailboxId, uidvalidity, [uid]]);
}

export async function markImported(tx: Tx, lease: Lease, next: Import | null): Promise<void> {
  await requireLease(tx, lease);
  await tx.query(importStatement, [lease.workspaceId, lease.mailboxId, next]);
}

/** The numbers that have not been read yet. */
export async function unreadOf(
  db: Database,
  { workspaceId, mailboxId }: Lease,
  { uidvalidity, uids }: { uidvalidity: number; uids: readonly number[] },
): Promise<number[]> {
  if (uids.length === 0) return [];
  const rows = await db.query<{ uid: number }>(knownStatement, [workspaceId, mailboxId, uidvalidity, uids]);
  const known = new Set(rows.map(({ uid }) => uid));
  return uids.filter((uid) => !known.has(uid));
}

/** Those before the window are not listed again. */
export async function forgetBefore(
  db: Database,
  { workspaceId, mailboxId }: Lease,
  { uidvalidity, uid }: { uidvalidity: number; uid: number },
): Promise<void> {
  await db.query(forgetStatement, [workspaceId, mailboxId, uidvalidity, uid]);
}

export const recordSynced = (db: Database, lease: Lease, unseen: number | null): Promise<unknown> =>
  db.query(syncedStatement, [...keyOf(lease), unseen]);

export const recordFailure = (db: Database, lease: Lease, error: string): Promise<unknown> =>
  db.query(failedStatement, [...keyOf(lease), error]);
