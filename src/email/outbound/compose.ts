import { randomBytes } from "node:crypto";
import type { Attachment } from "../../conversations/attachments.ts";
import type { AttachContext, Reply, ReplyMailer } from "../../conversations/reply-mail.ts";
import { conflict, type FieldErrors, forbidden, invalid } from "../../core/errors.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import { formatTimestamp } from "../../core/timestamps.ts";
import { type Queryable, sql, type Tx } from "../../db/database.ts";
import { readStoredFile } from "../../files/download.ts";
import { holdOne } from "../../files/store-whole.ts";
import type { MessageRecord } from "../../resources/conversations.ts";
import { domainOf } from "../mailboxes/rules.ts";
import { readOwnAddresses } from "../sender.ts";
import { rememberMessageId, rememberParticipants } from "../thread.ts";
import { createToken } from "../token.ts";
import { deliveryOf } from "./delivery-record.ts";
import { type ComposeOptions, dkimOf, readMailbox, type SendingMailbox, storeMail } from "./mailbox-mail.ts";
import type { OutgoingMail } from "./mime.ts";
import { insertMail } from "./queue.ts";
import { type Known, type Recipients, recipientsOf, suggestedRecipients } from "./recipients.ts";
import { subjectOf, threadOf } from "./thread-headers.ts";

/** Of all attached files. Encoded they are a third larger, and few servers take more than 25 to 35 MB. */
export const ATTACHED_BYTES_MAX = 20 * 1024 * 1024;

// Automatic mail and mail of outsiders do not decide where a reply goes.
const findParent = sql(
  "mail_out_parent",
  `select email
   from messages
   where workspace_id = $1
     and conversation_id = $2
     and direction = $3
     and email is not null
     and (direction = 'out' or email ->> 'automatic' = 'false')
     and email ->> 'outside_sender' = 'false'
   order by seq desc
   limit 1`,
);
const findLast = sql(
  "mail_out_last_received",
  `select email ->> 'automatic' = 'true' as "isAutomatic"
   from messages
   where workspace_id = $1
     and conversation_id = $2
     and direction = 'in'
   order by seq desc
   limit 1`,
);
const findContact = sql("mail_out_contact", "select name, email from contacts where workspace_id = $1 and id = $2");
const findNew = sql(
  "mail_out_new_addresses",
  `select wanted.address
   from unnest($3::text[]) as wanted (address)
   where not exists (
     select
     from conversation_addresses known
     where known.workspace_id = $1
       and known.conversation_id = $2
       and known.address = wanted.address)`,
);

/** Makes mail of public replies. Its bytes are stored in the transaction of the message. */
export const createReplyMailer = (options: ComposeOptions): ReplyMailer => ({
  compose: (write, reply) => compose(options, write, reply),
});

async function compose(options: ComposeOptions, write: AttachContext, reply: Reply) {
  const { tx, caller, links } = write;
  const { workspaceId } = caller;
  const { conversation } = reply;
  const mailbox = await readMailbox(tx, workspaceId, conversation.mailboxId);
  const { known, parent } = await readKnown(tx, workspaceId, conversation);
  const recipients = recipientsOf(reply.email, known);
  requireRecipient(recipients, reply, known.contact);
  await requireKnown(write, reply, { recipients, known });
  const isAutomatic = caller.actor.type === "bot";
  if (isAutomatic && !reply.email?.to) await requirePerson(tx, workspaceId, conversation.id);
  const mail: OutgoingMail = {
    messageId: newMessageId(options.secretBox, { workspaceId, uuid: conversation.uuid, address: mailbox.address }),
    date: new Date(),
    from: { name: mailbox.from_name, address: mailbox.address },
    to: recipients.to,
    cc: recipients.cc,
    subject: subjectOf(reply.email?.subject ?? null, { parent, conversation: conversation.subject, mailbox }),
    text: textOf(reply, mailbox.signature),
    ...threadOf(parent),
    attachments: await readAttached(tx, workspaceId, reply),
    isAutomatic,
    dkim: dkimOf(options.secretBox, mailbox),
  };
  const stored = await storeMail(tx, options, workspaceId, mail);
  return {
    fields: {
      email: emailOf(mail, links.forEvent(stored)),
      delivery: deliveryOf(
        { attempts: 0, next_attempt_at: mail.date, error: null },
        everyone(recipients).map(({ address }, position) => ({ position, address, state: "pending", error: null })),
      ),
    },
    queue: (own: Tx, message: MessageRecord) =>
      queueReply(own, options, { workspaceId, mailbox, mail, recipients, rawFileId: stored.id, message }),
  };
}

/** What the recipients of a reply follow from, and the mail that it continues. */
export async function readKnown(
  db: Queryable,
  workspaceId: number,
  { id, contactId }: { id: number; contactId: number },
): Promise<{ known: Known; parent: MessageRecord["email"] }> {
  const [contact = { name: null, email: null }] = await db.query<Known["contact"]>(findContact, [
    workspaceId,
    contactId,
  ]);
  const { received, sent } = await readParents(db, workspaceId, id);
  const own = await readOwnAddresses(db, workspaceId);
  return { known: { parent: received, contact, own }, parent: received ?? sent };
}

/** The last mail of a person, and the last of ours. */
export async function readParents(tx: Queryable, workspaceId: number, conversationId: number) {
  const read = async (direction: "in" | "out") =>
    (await tx.query<{ email: MessageRecord["email"] }>(findParent, [workspaceId, conversationId, direction]))[0]
      ?.email ?? null;
  const received = await read("in");
  return { received, sent: received ? null : await read("out") };
}

const within = ({ within: path }: Pick<Reply, "within">, field: string, message: string): FieldErrors =>
  path === "" ? { [field]: [`${field} ${message}`] } : { [path]: [`${path}.${field} ${message}`] };

function requireRecipient(recipients: Recipients, reply: Reply, contact: Known["contact"]): void {
  const { to, cc, bcc } = recipients;
  const count = to.length + cc.length + bcc.length;
  if (count > 50) throw invalid(within(reply, "email", "must not have more than 50 recipients together."));
  if (count > 0) return;
  if (reply.within !== "" && contact.email === null && !reply.email)
    throw invalid({
      contact_id: ["contact_id must be a contact with an e-mail address, to whom the message is sent."],
    });
  throw invalid(within(reply, "email", "must name a recipient: nobody of this conversation has an address."));
}

/** A caller who may not create contacts may not write to new people either. */
async function requireKnown(
  { tx, caller }: AttachContext,
  reply: Reply,
  { recipients, known }: { recipients: Recipients; known: Known },
): Promise<void> {
  if (!reply.email || caller.scopes.has("contacts:write")) return;
  const suggested = everyone(suggestedRecipients(known)).map(({ address }) => address.toLowerCase());
  const named = everyone(recipients)
    .map(({ address }) => address.toLowerCase())
    .filter((address) => !suggested.includes(address) && address !== known.contact.email?.toLowerCase());
  if (named.length === 0) return;
  const rows = await tx.query(findNew, [caller.workspaceId, reply.conversation.id, named]);
  if (rows.length > 0)
    throw forbidden("Writing to an address that is new to the conversation needs the scope contacts:write.");
}

/** Two programs that reply to each other never end. */
async function requirePerson(tx: Tx, workspaceId: number, conversationId: number): Promise<void> {
  if (await repliesToProgram(tx, workspaceId, conversationId))
    throw conflict("A bot does not reply to automatic mail. Name the recipients in email.to to write to a person.");
}

/** Whether the last message that came in was written by a program. */
export async function repliesToProgram(db: Queryable, workspaceId: number, conversationId: number) {
  const [last] = await db.query<{ isAutomatic: boolean | null }>(findLast, [workspaceId, conversationId]);
  return last?.isAutomatic === true;
}

const everyone = ({ to, cc, bcc }: Recipients) => [
  ...to.map(({ address }) => ({ address, kind: "to" as const })),
  ...cc.map(({ address }) => ({ address, kind: "cc" as const })),
  ...bcc.map(({ address }) => ({ address, kind: "bcc" as const })),
];

/** The token in it leads a reply to its conversation, wherever it arrives. */
export function newMessageId(
  box: SecretBox,
  { workspaceId, uuid, address }: { workspaceId: number; uuid: string; address: string },
): string {
  return `${randomBytes(12).toString("hex")}.${createToken(box, workspaceId, uuid)}@${domainOf(address)}`;
}

function textOf({ body, attachments }: Reply, signature: string): string {
  const linked = attachments.filter(({ file_id }) => file_id === undefined);
  const links = linked.map(({ name, url }) => (name ? `${name}: ${url}` : url)).join("\n");
  const parts = [body.trimEnd(), links, signature.trim() === "" ? "" : `-- \n${signature.trimEnd()}`];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

async function readAttached(tx: Tx, workspaceId: number, reply: Reply): Promise<OutgoingMail["attachments"]> {
  const files = reply.attachments.filter((attachment) => attachment.file_id !== undefined);
  const bytes = files.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0);
  if (bytes > ATTACHED_BYTES_MAX)
    throw invalid(
      within(
        reply,
        "attachments",
        `must not be larger than ${ATTACHED_BYTES_MAX / 1024 ** 2} MiB together in a mail: send a link instead.`,
      ),
    );
  const read: { name: string; contentType: string; bytes: Buffer }[] = [];
  for (const file of files) read.push(await readAttachment(tx, workspaceId, file));
  return read;
}

export const readAttachment = async (
  tx: Tx,
  workspaceId: number,
  { file_id, name, content_type, size_bytes }: Attachment,
) => ({
  name: name ?? "file",
  contentType: content_type ?? "application/octet-stream",
  bytes: await readStoredFile(tx, { workspace_id: workspaceId, id: file_id ?? 0, size_bytes: size_bytes ?? 0 }),
});

const emailOf = (mail: OutgoingMail, rawUrl: string): NonNullable<MessageRecord["email"]> => ({
  message_id: mail.messageId,
  subject: mail.subject,
  from: mail.from,
  to: [...mail.to],
  cc: [...mail.cc],
  reply_to: [],
  date: formatTimestamp(mail.date),
  in_reply_to: mail.inReplyTo,
  references: [...mail.references],
  automatic: mail.isAutomatic,
  outside_sender: false,
  authentication: null,
  has_html: true,
  parse_error: null,
  truncated: false,
  raw_url: rawUrl,
});

interface Queued {
  workspaceId: number;
  mailbox: SendingMailbox;
  mail: OutgoingMail;
  rawFileId: number;
  /** What it says, or the last of what it says. */
  message: Pick<MessageRecord, "id" | "conversation_id">;
  /** Whose state the message shows; null: those of a mail without a message of its own, which goes to `mail.to`. */
  recipients: Recipients | null;
}

/** A reply to it, and from whom it goes to, finds the conversation. */
export async function queueReply(tx: Tx, options: ComposeOptions, queued: Queued): Promise<void> {
  const { workspaceId, mailbox, mail, recipients, rawFileId, message } = queued;
  const conversationId = message.conversation_id;
  await holdOne(tx, workspaceId, rawFileId, message.id);
  const mailboxOf = { workspaceId, mailboxId: mailbox.id };
  await rememberMessageId(tx, mailboxOf, { headerId: mail.messageId, messageId: message.id });
  const visible = [...mail.to, ...mail.cc].map(({ address }) => address);
  await rememberParticipants(tx, { workspaceId, conversationId }, [mailbox.address, ...visible]);
  await insertMail(tx, {
    ...mailboxOf,
    ...(recipients ? { messageId: message.id } : { messageId: null, conversationId }),
    rawFileId,
    headerId: mail.messageId,
    isAutomatic: mail.isAutomatic,
    recipients: everyone(recipients ?? { to: [...mail.to], cc: [], bcc: [] }),
  });
  tx.afterCommit(options.onQueued);
}
