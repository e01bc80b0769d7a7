import { createConversation } from "../../conversations/conversations.ts";
import { createMessage } from "../../conversations/message-writer.ts";
import { findMessageById } from "../../conversations/messages.ts";
import type { Caller } from "../../core/caller.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import { type Database, sql, type Tx } from "../../db/database.ts";
import { isRefusedData } from "../../db/errors.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { FileLinks } from "../../files/links.ts";
import { holdOne, storeWhole } from "../../files/store-whole.ts";
import type { UploadLimits } from "../../files/upload.ts";
import type { MessageRecord } from "../../resources/conversations.ts";
import type { MailCounts } from "../counts.ts";
import { applyBounce, findBounce, readReport, referringMail } from "../outbound/bounce.ts";
import { testThatCameBack } from "../outbound/test-mail.ts";
import type { ParsedMail, ParseResult } from "../parse/mail.ts";
import type { MailParser } from "../parse/parser.ts";
import { authorOf, findOrCreateSender, findVisitorOf, isOwnAddress, readOwnAddresses, type Sender } from "../sender.ts";
import { findThread, isParticipant, recipientsOf, rememberMessageId, rememberParticipants } from "../thread.ts";
import { readTokens } from "../token.ts";
import { isAutomatic, verdictsOf } from "./automatic.ts";
import { mailDigest } from "./digest.ts";
import { EMPTY, recordOf } from "./record.ts";

/** What storing a mail takes. */
interface IngestOptions {
  db: Pick<Database, "query" | "transaction">;
  outbox: Outbox;
  secretBox: SecretBox;
  parser: MailParser;
  /** How the links of events are written. */
  links: FileLinks;
  fileLimits: UploadLimits;
  counts: MailCounts;
}

export interface InboundOptions extends IngestOptions {
  db: Database;
}

/** What a mailbox decides about the mail that it gets. */
export interface ReceivingMailbox {
  workspaceId: number;
  id: number;
  authservId: string | null;
  ownLists: readonly string[];
}

interface ReceivedMail {
  raw: Buffer;
  /** The recipients of the envelope, where the way in knows them. */
  recipients?: readonly string[];
  /** Only its beginning: the whole is larger than a mail may be. */
  isCut?: boolean;
}

interface Stored {
  /** Null: it was deleted since. */
  message: MessageRecord | null;
  isNew: boolean;
}

const SUBJECT_CHARS_MAX = 500;
const RAW_NAME = "message.eml";

const findKnown = sql(
  "mail_known",
  `select message_id
   from mails_in
   where workspace_id = $1
     and mailbox_id = $2
     and digest = $3`,
);
// The first statement of the transaction: another one that stores the same mail waits here, and then finds it stored.
const claim = sql(
  "mail_claim",
  `insert into mails_in (workspace_id, mailbox_id, digest)
   values ($1, $2, $3)
   on conflict do nothing
   returning 1 as claimed`,
);
const settle = sql(
  "mail_settle",
  `update mails_in
   set message_id = $4,
     raw_file_id = $5,
     content_ids = $6
   where workspace_id = $1
     and mailbox_id = $2
     and digest = $3`,
);
const touch = sql(
  "mailbox_received",
  `update mailbox_states
   set last_message_at = now()
   where workspace_id = $1
     and mailbox_id = $2`,
);
// A file has a byte.
const NOTHING = Buffer.from("\n");

/**
 * The one way in for mail, whichever way it came. Everything that follows from a mail is stored in one transaction, with
 * `also`, in which a reader of a folder moves its cursor. The same mail is stored once. A mail that cannot be stored as it
 * is stops nothing: its bytes are stored, with the reason.
 */
export async function ingestMail(
  options: IngestOptions,
  mailbox: ReceivingMailbox,
  given: ReceivedMail,
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<Stored> {
  const received = given.raw.length > 0 ? given : { ...given, raw: NOTHING };
  try {
    return await ingestOnce(options, mailbox, received, also);
  } catch (error) {
    const isOfTheMail = isRefusedData(error) || error instanceof TypeError || error instanceof RangeError;
    if (!isOfTheMail) throw error;
    const reason = `It could not be stored as it is: ${(error as Error).message.slice(0, 300)}`;
    const parser = { ...options.parser, parse: async () => ({ ok: false as const, error: reason }) };
    return ingestOnce({ ...options, parser }, mailbox, received, also);
  }
}

async function ingestOnce(
  options: IngestOptions,
  mailbox: ReceivingMailbox,
  received: ReceivedMail,
  also: (tx: Tx) => Promise<void>,
): Promise<Stored> {
  const digest = await mailDigest(received.raw);
  const key = [mailbox.workspaceId, mailbox.id, digest];
  const [known] = await options.db.query<{ message_id: number | null }>(findKnown, key);
  const parsed = known ? null : await options.parser.parse(received.raw);
  const stored = await options.db.transaction(async (tx): Promise<Stored> => {
    const [claimed] = parsed ? await tx.query(claim, key) : [];
    const found =
      parsed && claimed
        ? { message: await store(options, tx, { mailbox, received, parsed, key }), isNew: true }
        : { message: await findStored(tx, key), isNew: false };
    await also(tx);
    return found;
  });
  options.counts.in[stored.isNew ? "stored" : "known"]++;
  return stored;
}

async function findStored(tx: Tx, key: readonly unknown[]): Promise<MessageRecord | null> {
  const [row] = await tx.query<{ message_id: number | null }>(findKnown, key);
  return row?.message_id ? findMessageById(tx, key[0] as number, row.message_id) : null;
}

interface Work {
  mailbox: ReceivingMailbox;
  received: ReceivedMail;
  parsed: ParseResult;
  key: readonly unknown[];
}

async function store(options: IngestOptions, tx: Tx, { mailbox, received, parsed, key }: Work): Promise<MessageRecord> {
  const { workspaceId } = mailbox;
  const mail = parsed.mail ?? EMPTY;
  // Before anything is locked that another mail needs: the bytes of a large mail take long.
  const raw = await storeWhole(
    tx,
    workspaceId,
    { name: RAW_NAME, contentType: "message/rfc822", bytes: received.raw },
    options.fileLimits,
  );
  const files = await storeAttachments(options, tx, workspaceId, mail);
  const own = await readOwnAddresses(tx, workspaceId);
  const author = authorOf(mail, own);
  const system = callerOf(workspaceId, { id: null, name: null });
  const recipients = [...recipientsOf(mail), ...(received.recipients ?? [])];
  const mailboxOf = { workspaceId, mailboxId: mailbox.id };
  const report = readReport(options.secretBox, workspaceId, mail, received.raw);
  const bounce = await findBounce(tx, mailboxOf, report);
  const referring = referringMail(mail, report);
  const conversationId = await findThread(tx, options.secretBox, mailboxOf, { mail: referring, recipients });
  const outsideSender =
    conversationId !== null &&
    (author === null || !(await isParticipant(tx, { workspaceId, conversationId }, author.address)));
  const visitor =
    conversationId === null || outsideSender ? null : await findVisitorOf(tx, { workspaceId, conversationId }, author);
  const sender = visitor ?? (await findOrCreateSender({ tx, outbox: options.outbox, caller: system }, author));
  const test = await testThatCameBack(tx, mailboxOf, mail);
  const record = recordOf(parsed, {
    automatic: isAutomatic(mail, { ownLists: mailbox.ownLists, isOwnMail: isOwnMail(options, workspaceId, mail, own) }),
    outsideSender,
    authentication: verdictsOf(mail, mailbox.authservId),
    rawUrl: options.links.forEvent(raw),
    isCut: received.isCut ?? false,
  });
  const message = await write(options, tx, {
    mailbox,
    mail,
    sender,
    record,
    attachments: files.attachments,
    conversationId,
    isBounce: bounce !== null,
    isTest: test !== null,
  });
  if (bounce) await applyBounce(tx, options.outbox, bounce);
  await holdOne(tx, workspaceId, raw.id, message.id);
  await rememberMessageId(tx, mailboxOf, { headerId: mail.messageId, messageId: message.id });
  await rememberMessageId(tx, mailboxOf, { headerId: test, messageId: message.id });
  // Those whom an outsider names do not take part: only a participant, or a reply of ours, can add someone.
  if (!outsideSender)
    await rememberParticipants(tx, { workspaceId, conversationId: message.conversation_id }, peopleOf(mail, author));
  await tx.query(settle, [...key, message.id, raw.id, JSON.stringify(files.contentIds)]);
  await tx.query(touch, [workspaceId, mailbox.id]);
  return message;
}

const peopleOf = (mail: ParsedMail, author: ParsedMail["from"]): string[] =>
  [author, mail.from, ...mail.to, ...mail.cc].flatMap((person) => person?.address ?? []).slice(0, 1_000);

function isOwnMail(
  { secretBox }: IngestOptions,
  workspaceId: number,
  mail: ParsedMail,
  own: ReadonlySet<string>,
): boolean {
  if (mail.from === null || !isOwnAddress(own, mail.from.address)) return false;
  return readTokens(secretBox, workspaceId, mail.messageId ?? "").length > 0;
}

interface StoredFiles {
  attachments: { file_id: number; isInline: boolean }[];
  contentIds: Record<string, number>;
}

async function storeAttachments(
  options: IngestOptions,
  tx: Tx,
  workspaceId: number,
  mail: ParsedMail,
): Promise<StoredFiles> {
  const stored: StoredFiles = { attachments: [], contentIds: {} };
  for (const { name, contentType, bytes, contentId, isInline } of mail.attachments) {
    const file = await storeWhole(tx, workspaceId, { name, contentType, bytes }, options.fileLimits);
    stored.attachments.push({ file_id: file.id, isInline });
    if (contentId !== null) stored.contentIds[contentId] = file.id;
  }
  return stored;
}

interface Writing {
  mailbox: ReceivingMailbox;
  mail: ParsedMail;
  sender: Sender;
  record: ReturnType<typeof recordOf>;
  attachments: StoredFiles["attachments"];
  conversationId: number | null;
  isBounce: boolean;
  /** The mailbox has sent it to itself: nobody has to read it. */
  isTest: boolean;
}

/** By the functions that write every other message: events and webhooks are the same. */
async function write(options: IngestOptions, tx: Tx, work: Writing): Promise<MessageRecord> {
  const { mailbox, mail, sender, record, attachments, conversationId, isBounce, isTest } = work;
  const { outbox, links } = options;
  const context = { tx, outbox, links, caller: callerOf(mailbox.workspaceId, sender) };
  const asks = !record.email.automatic && !sender.blocked;
  const fields = { email: record.email, quoted: record.quoted, startsWaiting: asks, reopens: asks || isBounce };
  const message = { body: record.body, direction: "in" as const, attachments };
  if (conversationId !== null) {
    const mailFields = { ...fields, contactId: sender.id };
    return createMessage(context, { id: conversationId }, message, { mail: mailFields });
  }
  const opened = await createConversation(
    context,
    {
      contact_id: sender.id,
      channel: "email",
      subject: mail.subject?.slice(0, SUBJECT_CHARS_MAX).toWellFormed(),
      message,
      ...(sender.blocked ? { status: "resolved" as const, labels: ["blocked"] } : {}),
      ...(isTest ? { status: "resolved" as const } : {}),
    },
    { mailboxId: mailbox.id, mail: fields },
  );
  return opened.message as MessageRecord;
}

/** The sender acts; the files of the mail are the sender's own. */
const callerOf = (workspaceId: number, { id, name }: { id: number | null; name: string | null }): Caller => ({
  workspaceId,
  actor: id === null ? { type: "system", id: null, name: null } : { type: "contact", id, name },
  ip: null,
  requestId: null,
  scopes: new Set(["messages:read", "contacts:write"]),
});
