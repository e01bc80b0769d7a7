import { randomBytes } from "node:crypto";
import { conflict } from "../../core/errors.ts";
import { type Queryable, sql, type Tx } from "../../db/database.ts";
import type { MailboxRecord, MailboxTest } from "../../resources/mailbox.ts";
import { domainOf } from "../mailboxes/rules.ts";
import type { ParsedMail } from "../parse/mail.ts";
import { idDigest } from "../thread.ts";
import { type ComposeOptions, dkimOf, readMailbox, storeMail } from "./mailbox-mail.ts";
import { insertMail } from "./queue.ts";

/** A mail that a mailbox sends to itself, to see that both ways work. */
const TEST_ID = /^test\.[0-9a-f]{24}@/;

const findLast = sql(
  "mail_test_last",
  `select mail.header_id, mail.error, mail.created_at, recipient.state, recipient.error as refusal
   from outgoing_mails mail
   join outgoing_recipients recipient
     on recipient.workspace_id = mail.workspace_id
     and recipient.mail_id = mail.id
   where mail.workspace_id = $1
     and mail.mailbox_id = $2
     and mail.message_id is null
     and mail.header_id like 'test.%'
   order by mail.id desc
   limit 1`,
);
const findSeen = sql(
  "mail_test_seen",
  `select message.created_at, message.conversation_id
   from mail_ids known
   join messages message
     on message.workspace_id = known.workspace_id
     and message.id = known.message_id
   where known.workspace_id = $1
     and known.mailbox_id = $2
     and known.id_digest = $3
   order by message.id
   limit 1`,
);
const findOwn = sql(
  "mail_test_own",
  `select header_id
   from outgoing_mails
   where workspace_id = $1
     and mailbox_id = $2
     and header_id = any($3::text[])
     and message_id is null
   limit 1`,
);

/** Queues the mail. It is sent by the queue of all mail, with the same attempts. */
export async function sendTestMail(
  tx: Tx,
  options: ComposeOptions,
  { workspaceId, mailbox }: { workspaceId: number; mailbox: MailboxRecord },
): Promise<MailboxTest> {
  if (mailbox.status.state === "paused") throw conflict("The mailbox is paused: resume it first.");
  const sending = await readMailbox(tx, workspaceId, mailbox.id);
  const { address } = sending;
  const messageId = `test.${randomBytes(12).toString("hex")}@${domainOf(address)}`;
  const own = { name: sending.from_name, address };
  const raw = await storeMail(tx, options, workspaceId, {
    messageId,
    date: new Date(),
    from: own,
    to: [own],
    cc: [],
    subject: `Test of the mailbox ${sending.name}`,
    text: "This mailbox sent this mail to itself, to see that mail goes out and comes in. It can be deleted.\n",
    inReplyTo: null,
    // Some servers replace the Message-ID.
    references: [messageId],
    attachments: [],
    isAutomatic: true,
    dkim: dkimOf(options.secretBox, sending),
  });
  await insertMail(tx, {
    workspaceId,
    mailboxId: mailbox.id,
    messageId: null,
    rawFileId: raw.id,
    headerId: messageId,
    // A person asked for it, and it goes to no other address.
    isAutomatic: false,
    recipients: [{ address, kind: "to" }],
  });
  tx.afterCommit(options.onQueued);
  return (await readTestMail(tx, workspaceId, mailbox.id)) as MailboxTest;
}

interface LastTest {
  header_id: string;
  error: string | null;
  refusal: string | null;
  created_at: string;
  state: MailboxTest["state"];
}

/** The last one; null: none was sent. */
export async function readTestMail(db: Queryable, workspaceId: number, mailboxId: number): Promise<MailboxTest | null> {
  const [last] = await db.query<LastTest>(findLast, [workspaceId, mailboxId]);
  if (!last) return null;
  const values = [workspaceId, mailboxId, idDigest(last.header_id)];
  const [seen] = await db.query<{ created_at: string; conversation_id: number }>(findSeen, values);
  return {
    state: last.state,
    error: last.refusal ?? last.error,
    created_at: last.created_at,
    seen_at: seen?.created_at ?? null,
    conversation_id: seen?.conversation_id ?? null,
  };
}

/** The id of the test that has come back; null: the mail is none. */
export async function testThatCameBack(
  tx: Tx,
  { workspaceId, mailboxId }: { workspaceId: number; mailboxId: number },
  { messageId, references }: Pick<ParsedMail, "messageId" | "references">,
): Promise<string | null> {
  const ids = [messageId ?? "", ...references.slice(0, 5)].filter((id) => TEST_ID.test(id));
  if (ids.length === 0) return null;
  const [own] = await tx.query<{ header_id: string }>(findOwn, [workspaceId, mailboxId, ids]);
  return own?.header_id ?? null;
}
