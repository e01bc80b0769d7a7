import { isDeepStrictEqual } from "node:util";
import { auditOf, changesBetween } from "../../audit/audit.ts";
import type { Caller } from "../../core/caller.ts";
import { conflict, type FieldErrors, found, invalid } from "../../core/errors.ts";
import { newUuid, type Ref, refValues } from "../../core/ids.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../../db/database.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { requireQuota } from "../../db/quota.ts";
import type { MailboxRecord } from "../../resources/mailbox.ts";
import { type MailboxInput, nextMailbox, type ShownSettings, type StoredMailbox } from "./next.ts";
import { MAILBOX_COLUMNS, MAILBOX_STATE_JOIN, type MailboxRow, toMailbox } from "./row.ts";
import { type MailboxRules, mailboxProblems, readsElsewhere } from "./rules.ts";
import { openSecrets, type SealedSecrets, sealSecrets } from "./secrets.ts";

const audit = auditOf("mailbox");

export interface MailboxOptions {
  secretBox: SecretBox;
  rules: MailboxRules;
}

/** Each that is read has a connection of its own: a quarter of those of one process. */
const MAILBOXES_MAX = 250;

const FROM_NAMED = `from mailboxes b
   ${MAILBOX_STATE_JOIN}
   where b.workspace_id = $1
     and (b.id = $2 or b.uuid = $3)`;
const findStatement = sql("mailbox_find", `select ${MAILBOX_COLUMNS} ${FROM_NAMED}`);
const WITH_SECRETS = `select ${MAILBOX_COLUMNS}, b.inbound_sealed, b.outbound_sealed, b.dkim_sealed ${FROM_NAMED}`;
const secretsStatement = sql("mailbox_with_secrets", WITH_SECRETS);
const lockStatement = sql("mailbox_lock", `${WITH_SECRETS} for update of b`);
// Whether another workspace has mailboxes must still be true at the commit.
const lockAll = sql("mailbox_lock_all", "select pg_advisory_xact_lock(hashtext('parley.mailboxes'))");
const insertStatement = sql(
  "mailbox_insert",
  `with stored as (
     insert into mailboxes (workspace_id, uuid, name, address, from_name, inbound, outbound, dkim, authserv_id,
       signature, own_lists, inbound_sealed, outbound_sealed, dkim_sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     returning workspace_id, id),

   state as (
     insert into mailbox_states (workspace_id, mailbox_id)
     select workspace_id, id
     from stored)

   select id
   from stored`,
);
const updateStatement = sql(
  "mailbox_update",
  `update mailboxes
   set name = $3,
     address = $4,
     from_name = $5,
     inbound = $6,
     outbound = $7,
     dkim = $8,
     authserv_id = $9,
     signature = $10,
     own_lists = $11,
     inbound_sealed = $12,
     outbound_sealed = $13,
     dkim_sealed = $14,
     version = version + 1,
     updated_at = greatest(updated_at, now())
   where workspace_id = $1
     and id = $2`,
);
const restartStatement = sql(
  "mailbox_restart",
  `update mailbox_states
   set uidvalidity = null,
     uid = null,
     started_at = now(),
     import = null,
     unseen_on_server = null
   where workspace_id = $1
     and mailbox_id = $2`,
);
const pauseStatement = sql(
  "mailbox_pause",
  `update mailboxes
   set paused = $3,
     version = version + 1,
     updated_at = greatest(updated_at, now())
   where workspace_id = $1
     and id = $2`,
);
// Without its lease no reader that began before can store anything: each begins again with the new settings.
const clearErrorStatement = sql(
  "mailbox_clear_error",
  `update mailbox_states
   set is_connected = false,
     error = null,
     failing_since = null,
     sending_error = null,
     sending_failing_since = null,
     lease_owner = null,
     lease_until = null
   where workspace_id = $1
     and mailbox_id = $2`,
);
const findUnsent = sql(
  "mailbox_unsent",
  `select 1
   from outgoing_mails mail
   join outgoing_recipients recipient
     on recipient.workspace_id = mail.workspace_id
     and recipient.mail_id = mail.id
   where mail.workspace_id = $1
     and mail.mailbox_id = $2
     and recipient.state in ('pending', 'sending')
   limit 1`,
);
const deleteStatement = sql("mailbox_delete", "delete from mailboxes where workspace_id = $1 and id = $2");

export async function findMailbox(db: Queryable, workspaceId: number, ref: Ref): Promise<MailboxRecord> {
  return toMailbox(found("mailbox", await db.query<MailboxRow>(findStatement, [workspaceId, ...refValues(ref)])));
}

/** What is wrong with a body for a new mailbox, or for the one that `ref` names. */
export async function checkMailbox(
  db: Queryable,
  { secretBox, rules }: MailboxOptions,
  { workspaceId, ref }: { workspaceId: number; ref: Ref | null },
  body: MailboxInput,
): Promise<FieldErrors> {
  const stored = ref && (await readStored(db, secretBox, secretsStatement, [workspaceId, ...refValues(ref)]));
  return mailboxProblems(db, rules, { workspaceId, stored }, body);
}

export async function createMailbox(
  tx: Tx,
  options: MailboxOptions,
  caller: Caller,
  input: MailboxInput,
): Promise<MailboxRecord> {
  const { workspaceId } = caller;
  await tx.query(lockAll);
  await requireQuota(tx, { workspaceId, collection: "mailboxes", max: MAILBOXES_MAX });
  await requireRight(tx, options, { workspaceId, stored: null }, input);
  const { shown, secrets } = nextMailbox(input, null);
  const uuid = newUuid();
  const values = [workspaceId, uuid, ...columnsOf(shown), ...sealSecrets(options.secretBox, uuid, secrets)];
  const { id } = found("mailbox", await unlessTaken(() => tx.query<{ id: number }>(insertStatement, values)));
  await audit(tx, caller, { action: "mailbox.created", id });
  return findMailbox(tx, workspaceId, { id });
}

/** Changes the given fields. A patch that changes nothing writes nothing. */
export async function patchMailbox(
  tx: Tx,
  options: MailboxOptions,
  caller: Caller,
  { ref, patch }: { ref: Ref; patch: MailboxInput },
): Promise<MailboxRecord> {
  const { workspaceId } = caller;
  await tx.query(lockAll);
  const stored = await lockMailbox(tx, options.secretBox, workspaceId, ref);
  await requireRight(tx, options, { workspaceId, stored }, patch);
  const { shown, secrets } = nextMailbox(patch, stored);
  const { id, uuid } = stored.record;
  const changed = changesBetween<ShownSettings>(stored.record, shown);
  const renewed = (["inbound", "outbound", "dkim"] as const).filter(
    (part) => !isDeepStrictEqual(secrets[part], stored.secrets[part]),
  );
  if (Object.keys(changed).length === 0 && renewed.length === 0) return stored.record;
  const values = [workspaceId, id, ...columnsOf(shown), ...sealSecrets(options.secretBox, uuid, secrets)];
  await unlessTaken(() => tx.query(updateStatement, values));
  if (readsElsewhere(stored.record.inbound, shown.inbound)) await tx.query(restartStatement, [workspaceId, id]);
  await tx.query(clearErrorStatement, [workspaceId, id]);
  const changes = { ...changed, ...(renewed.length > 0 ? { secrets: renewed } : {}) };
  await audit(tx, caller, { action: "mailbox.updated", id, changes });
  return findMailbox(tx, workspaceId, { id });
}

/** Its conversations stay. */
export async function deleteMailbox(tx: Tx, options: MailboxOptions, caller: Caller, ref: Ref): Promise<MailboxRecord> {
  const { workspaceId } = caller;
  const { record } = await lockMailbox(tx, options.secretBox, workspaceId, ref);
  const [unsent] = await tx.query(findUnsent, [workspaceId, record.id]);
  if (unsent) throw conflict("Mail of this mailbox is still being sent. Wait until it is, or delete those messages.");
  await tx.query(deleteStatement, [workspaceId, record.id]);
  await audit(tx, caller, { action: "mailbox.deleted", id: record.id });
  return record;
}

/** Paused: nothing is fetched or sent. */
export async function setPaused(
  tx: Tx,
  options: MailboxOptions,
  caller: Caller,
  { ref, paused }: { ref: Ref; paused: boolean },
): Promise<MailboxRecord> {
  const { workspaceId } = caller;
  const { record } = await lockMailbox(tx, options.secretBox, workspaceId, ref);
  if ((record.status.state === "paused") === paused) return record;
  await tx.query(pauseStatement, [workspaceId, record.id, paused]);
  await tx.query(clearErrorStatement, [workspaceId, record.id]);
  await audit(tx, caller, { action: paused ? "mailbox.paused" : "mailbox.resumed", id: record.id });
  return findMailbox(tx, workspaceId, { id: record.id });
}

async function lockMailbox(tx: Tx, box: SecretBox, workspaceId: number, ref: Ref): Promise<StoredMailbox> {
  return readStored(tx, box, lockStatement, [workspaceId, ...refValues(ref)]);
}

async function readStored(
  db: Queryable,
  box: SecretBox,
  statement: typeof lockStatement,
  values: readonly unknown[],
): Promise<StoredMailbox> {
  const row = found("mailbox", await db.query<MailboxRow & SealedSecrets>(statement, values));
  const { inbound_sealed, outbound_sealed, dkim_sealed, ...rest } = row;
  return { record: toMailbox(rest), secrets: openSecrets(box, row.uuid, row) };
}

/** The same check as before the transaction: what it depends on may have changed since. */
async function requireRight(
  tx: Tx,
  { rules }: MailboxOptions,
  subject: { workspaceId: number; stored: StoredMailbox | null },
  input: MailboxInput,
): Promise<void> {
  // Names have been looked up already; no transaction waits for a name server.
  const settled = { ...rules, checkHost: async () => null, checkUrl: async () => ({ ok: true }) as const };
  const wrong = await mailboxProblems(tx, settled, subject, input);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
}

const columnsOf = (shown: ShownSettings): unknown[] => [
  shown.name,
  shown.address,
  shown.from_name,
  shown.inbound && JSON.stringify(shown.inbound),
  shown.outbound && JSON.stringify(shown.outbound),
  shown.dkim && JSON.stringify(shown.dkim),
  shown.authserv_id,
  shown.signature,
  shown.own_lists,
];

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, "mailboxes_address"))
      throw conflict("Another mailbox of this workspace has this address.");
    if (isUniqueViolation(error, "mailboxes_smtp_address") || isUniqueViolation(error, "mailboxes_shared_outbound"))
      throw conflict("Another mailbox of this installation has this address.");
    throw error;
  }
}
