import { randomUUID } from "node:crypto";
import { type Database, type Queryable, sql, type Tx } from "../../db/database.ts";

/** The queue of mail that goes out: every statement that adds to it and that claims from it. */

export interface DueMailbox {
  workspaceId: number;
  mailboxId: number;
}

interface NewMail extends DueMailbox {
  messageId: number | null;
  /** Of a mail without a message of its own. */
  conversationId?: number;
  rawFileId: number;
  headerId: string;
  /** A program wrote it: the limit per address and hour holds. */
  isAutomatic: boolean;
  recipients: readonly { address: string; kind: "to" | "cc" | "bcc" }[];
}

/** A mail that this process is sending. A change of its state counts only while it has the token. */
export interface ClaimedMail extends DueMailbox {
  id: number;
  messageId: number | null;
  rawFileId: number;
  attempts: number;
  token: string;
}

const RENEW_SECONDS = 3;
/** A claim that was not renewed for this long belongs to a process that has crashed. */
const CLAIM_SECONDS = 15;
export const RENEW_MS = RENEW_SECONDS * 1_000;
const EXPIRED_BATCH = 50;
/** To one address of one workspace: where a program replies to a program, this is all that comes of it. */
const AUTOMATIC_PER_HOUR = 5;

const insertStatement = sql(
  "mail_out_insert",
  `with stored as (
     insert into outgoing_mails (workspace_id, mailbox_id, message_id, raw_file_id, header_id, is_automatic,
       next_attempt_at, conversation_id)
     values ($1, $2, $3, $4, $5, $6, now(), $9)
     returning workspace_id, id)

   insert into outgoing_recipients (workspace_id, mail_id, position, address, kind)
   select stored.workspace_id, stored.id, wanted.position, wanted.address, wanted.kind
   from stored
   cross join unnest($7::text[], $8::text[]) with ordinality as wanted (address, kind, position)
   returning mail_id`,
);
// Mailboxes are few and each is one look into the index; the mails that wait may be many.
const DUE = `select mailbox.workspace_id as "workspaceId", mailbox.id as "mailboxId"
   from mailboxes mailbox
   join workspaces workspace on workspace.id = mailbox.workspace_id
   where not mailbox.paused
     and workspace.move_state is null
     and exists (
       select
       from outgoing_mails mail
       where mail.workspace_id = mailbox.workspace_id
         and mail.mailbox_id = mailbox.id
         and mail.next_attempt_at <= now()
         and mail.claim_token is null)`;
const findDue = sql("mail_out_due", DUE);
// Claims of one workspace wait for each other, so that all nodes together stay within the limits per hour: that of a mailbox,
// and that of an address over all mailboxes. A move of the workspace waits here for claims in progress (src/cells/move.ts).
// Nothing was sent yet: a claim that a crash of the database forgets needs no wait for the disk.
const lockClaims = sql(
  "mail_out_claims_lock",
  `select pg_advisory_xact_lock(hashtextextended('mail-out', $1)),
     set_config('synchronous_commit', 'off', true)`,
);
const claimStatement = sql(
  "mail_out_claim",
  `with recent as (
     select count(*) as mails
     from (
       select
       from outgoing_mails mail
       where mail.workspace_id = $1
         and mail.mailbox_id = $2
         and (mail.begun_at > now() - interval '1 hour' or mail.claim_token is not null)
       limit $4) counted),

   due as (
     select mail.workspace_id, mail.id
     from outgoing_mails mail
     cross join recent
     where mail.workspace_id = $1
       and mail.mailbox_id = $2
       and mail.next_attempt_at <= now()
       and mail.claim_token is null
       and recent.mails < $4
       and (
         not mail.is_automatic
         or not exists (
           select
           from outgoing_recipients recipient
           where recipient.workspace_id = mail.workspace_id
             and recipient.mail_id = mail.id
             and recipient.state = 'pending'
             and (
               select count(*)
               from outgoing_mails earlier
               join outgoing_recipients reached
                 on reached.workspace_id = earlier.workspace_id
                 and reached.mail_id = earlier.id
               where earlier.workspace_id = $1
                 and earlier.is_automatic
                 and (earlier.begun_at > now() - interval '1 hour' or earlier.claim_token is not null)
                 and lower(reached.address) = lower(recipient.address)
             ) >= ${AUTOMATIC_PER_HOUR}))
       and exists (
         select
         from mailboxes mailbox
         join workspaces workspace on workspace.id = mailbox.workspace_id
         where mailbox.workspace_id = $1
           and mailbox.id = $2
           and not mailbox.paused
           and workspace.move_state is null)
     order by mail.next_attempt_at, mail.id
     limit 1
     for update of mail skip locked)

   update outgoing_mails mail
   set claim_token = $3,
     claimed_at = now(),
     attempts = mail.attempts + 1
   from due
   where mail.workspace_id = due.workspace_id
     and mail.id = due.id
   returning mail.workspace_id as "workspaceId", mail.mailbox_id as "mailboxId", mail.id,
     mail.message_id as "messageId", mail.raw_file_id as "rawFileId", mail.attempts, mail.claim_token as token`,
);
const renewStatement = sql(
  "mail_out_renew",
  `update outgoing_mails
   set claimed_at = now()
   where claim_token = any($1::uuid[])
     and claimed_at > now() - make_interval(secs => ${CLAIM_SECONDS})`,
);
const EXPIRED = `claim_token is not null
     and claimed_at < now() - make_interval(secs => ${CLAIM_SECONDS})`;
const findExpired = sql(
  "mail_out_expired",
  `select workspace_id as "workspaceId", mailbox_id as "mailboxId", id, message_id as "messageId",
     raw_file_id as "rawFileId", attempts, claim_token as token
   from outgoing_mails
   where ${EXPIRED}
   order by claimed_at
   limit ${EXPIRED_BATCH}`,
);

export async function insertMail(tx: Tx, mail: NewMail): Promise<number> {
  const { workspaceId, mailboxId, messageId, rawFileId, headerId, isAutomatic, recipients } = mail;
  const [row] = await tx.query<{ mail_id: number }>(insertStatement, [
    ...[workspaceId, mailboxId, messageId, rawFileId, headerId, isAutomatic],
    recipients.map(({ address }) => address),
    recipients.map(({ kind }) => kind),
    mail.conversationId ?? null,
  ]);
  return row?.mail_id ?? 0;
}

/** Mailboxes with mail whose time has come. */
export const findDueMailboxes = async (db: Database): Promise<DueMailbox[]> =>
  (await db.isDue(`exists (${DUE})`)) ? db.query<DueMailbox>(findDue) : [];

/** The next mail of a mailbox; null where none is due, or its limit per hour is reached. */
export const claimMail = (
  db: Database,
  { workspaceId, mailboxId }: DueMailbox,
  perHour: number,
): Promise<ClaimedMail | null> =>
  db.transaction(async (tx) => {
    await tx.query(lockClaims, [workspaceId]);
    const values = [workspaceId, mailboxId, randomUUID(), perHour];
    return (await tx.query<ClaimedMail>(claimStatement, values))[0] ?? null;
  });

export const renewClaims = (db: Queryable, tokens: readonly string[]): Promise<unknown> =>
  db.query(renewStatement, [tokens]);

/** Claims of processes that have crashed. */
export const findExpiredClaims = async (db: Database): Promise<ClaimedMail[]> =>
  (await db.isDue(`exists (select from outgoing_mails where ${EXPIRED})`)) ? db.query<ClaimedMail>(findExpired) : [];
