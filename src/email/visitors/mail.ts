import type { Attachment } from "../../conversations/attachments.ts";
import { type Queryable, sql, type Tx } from "../../db/database.ts";
import {
  ATTACHED_BYTES_MAX,
  newMessageId,
  queueReply,
  readAttachment,
  readParents,
  repliesToProgram,
} from "../outbound/compose.ts";
import { type ComposeOptions, dkimOf, readMailbox, storeMail } from "../outbound/mailbox-mail.ts";
import type { OutgoingMail, Person } from "../outbound/mime.ts";
import { suggestedRecipients } from "../outbound/recipients.ts";
import { subjectOf, threadOf } from "../outbound/thread-headers.ts";
import { readOwnAddresses } from "../sender.ts";

interface Due {
  workspaceId: number;
  conversationId: number;
  afterSeconds: number;
}

const MESSAGES_MAX = 50;
const QUOTED_CHARS_MAX = 2_000;

// The lock makes it once: another node skips the conversation, and then finds it mailed.
const lockStatement = sql(
  "visitor_mail_lock",
  `select c.uuid, c.subject, c.last_seq, greatest(c.contact_read_seq, c.visitor_mailed_seq) as done_seq,
     c.last_message_at <= now() - make_interval(secs => $3) as "isQuiet",
     w.mailbox_id, contact.name, coalesce(contact.email, contact.unverified_email) as email, contact.blocked
   from conversations c
   join widgets w
     on w.workspace_id = c.workspace_id
     and w.id = c.widget_id
   join contacts contact
     on contact.workspace_id = c.workspace_id
     and contact.id = c.contact_id
   where c.workspace_id = $1
     and c.id = $2
     and c.contact_read_seq < c.last_seq
     and c.visitor_mailed_seq < c.last_seq
   for no key update of c skip locked`,
);
const unseenStatement = sql(
  "visitor_mail_messages",
  `select id, seq, body, attachments,
     case when sender_type in ('user', 'bot') then sender_name end as sender, sender_type = 'bot' as "isByBot"
   from messages
   where workspace_id = $1
     and conversation_id = $2
     and seq > $3
     and direction = 'out'
     and not private
     and created_at <= now() - make_interval(secs => $4)
   order by seq
   limit ${MESSAGES_MAX}`,
);
const askedStatement = sql(
  "visitor_mail_asked",
  `select body
   from messages
   where workspace_id = $1
     and conversation_id = $2
     and seq < $3
     and direction = 'in'
   order by seq desc
   limit 1`,
);
const previousStatement = sql(
  "visitor_mail_previous",
  `select header_id
   from outgoing_mails
   where workspace_id = $1
     and conversation_id = $2
   order by id desc
   limit 1`,
);
const markStatement = sql(
  "visitor_mail_mark",
  `update conversations
   set visitor_mailed_seq = $3,
     visitor_reply_at = case when last_seq > $3 then visitor_reply_at end
   where workspace_id = $1
     and id = $2`,
);

interface Locked {
  uuid: string;
  subject: string | null;
  last_seq: number;
  done_seq: number;
  isQuiet: boolean;
  mailbox_id: number | null;
  name: string | null;
  email: string | null;
  blocked: boolean;
}

interface Unseen {
  id: number;
  seq: number;
  body: string;
  attachments: Attachment[];
  sender: string | null;
  isByBot: boolean;
}

/** Sends the replies that the visitor has not seen, in one mail, and remembers in the same transaction that it did. */
export async function mailVisitor(tx: Tx, options: ComposeOptions, due: Due): Promise<void> {
  const { workspaceId, conversationId, afterSeconds } = due;
  const [locked] = await tx.query<Locked>(lockStatement, [workspaceId, conversationId, afterSeconds]);
  if (!locked || locked.mailbox_id === null) return;
  const values = [workspaceId, conversationId, locked.done_seq, afterSeconds];
  const unseen = await tx.query<Unseen>(unseenStatement, values);
  const last = unseen.at(-1);
  const to = await recipientOf(tx, workspaceId, locked);
  const isAutomatic = unseen.every(({ isByBot }) => isByBot);
  const isLoop = isAutomatic && (await repliesToProgram(tx, workspaceId, conversationId));
  if (last && to && !isLoop)
    await writeMail(tx, options, due, { locked, mailboxId: locked.mailbox_id, unseen, last, to, isAutomatic });
  // Without an address, or with nothing but notes, there is nothing to look at again until the next message.
  const seq = last ? last.seq : locked.isQuiet ? locked.last_seq : locked.done_seq;
  await tx.query(markStatement, [workspaceId, conversationId, seq]);
}

/** Null: there is no address, or it must not be written to. */
async function recipientOf(tx: Queryable, workspaceId: number, { name, email, blocked }: Locked) {
  if (email === null || blocked) return null;
  const own = await readOwnAddresses(tx, workspaceId);
  return suggestedRecipients({ parent: null, contact: { name, email }, own }).to[0] ?? null;
}

interface Writing {
  locked: Locked;
  mailboxId: number;
  unseen: readonly Unseen[];
  last: Unseen;
  to: Person;
  isAutomatic: boolean;
}

async function writeMail(tx: Tx, options: ComposeOptions, due: Due, writing: Writing): Promise<void> {
  const { workspaceId, conversationId } = due;
  const { locked, mailboxId, unseen, last, to, isAutomatic } = writing;
  const mailbox = await readMailbox(tx, workspaceId, mailboxId);
  const { received: parent } = await readParents(tx, workspaceId, conversationId);
  const [previous] = await tx.query<{ header_id: string }>(previousStatement, [workspaceId, conversationId]);
  const [asked] = await tx.query<{ body: string }>(askedStatement, [workspaceId, conversationId, last.seq]);
  const { attachments, named } = await filesOf(tx, workspaceId, unseen);
  const mail: OutgoingMail = {
    messageId: newMessageId(options.secretBox, { workspaceId, uuid: locked.uuid, address: mailbox.address }),
    date: new Date(),
    from: { name: mailbox.from_name, address: mailbox.address },
    to: [to],
    cc: [],
    subject: subjectOf(null, { parent, conversation: locked.subject, mailbox }),
    text: textOf({ unseen, named, signature: mailbox.signature, asked: asked?.body ?? "", name: locked.name }),
    ...(parent || !previous ? threadOf(parent) : { inReplyTo: previous.header_id, references: [previous.header_id] }),
    attachments,
    isAutomatic,
    dkim: dkimOf(options.secretBox, mailbox),
  };
  const { id: rawFileId } = await storeMail(tx, options, workspaceId, mail);
  const message = { id: last.id, conversation_id: conversationId };
  await queueReply(tx, options, { workspaceId, mailbox, mail, rawFileId, message, recipients: null });
}

/** Uploaded files are attached as far as they fit; the others, and those that are elsewhere, are named. */
async function filesOf(tx: Tx, workspaceId: number, unseen: readonly Unseen[]) {
  const attachments: OutgoingMail["attachments"][number][] = [];
  const named: string[] = [];
  let bytes = 0;
  for (const file of unseen.flatMap((message) => message.attachments)) {
    bytes += file.file_id === undefined ? 0 : (file.size_bytes ?? 0);
    if (file.file_id === undefined) named.push(file.name ? `${file.name}: ${file.url}` : file.url);
    else if (bytes <= ATTACHED_BYTES_MAX) attachments.push(await readAttachment(tx, workspaceId, file));
    else named.push(file.name ?? "file");
  }
  return { attachments, named };
}

interface Text {
  unseen: readonly Unseen[];
  named: readonly string[];
  signature: string;
  /** What the visitor wrote last. */
  asked: string;
  name: string | null;
}

/** Without a sentence of our own: visitors read many languages. */
function textOf({ unseen, named, signature, asked, name }: Text): string {
  const isSeveral = new Set(unseen.map(({ sender }) => sender)).size > 1;
  const bodies = unseen.map(({ body, sender }) => (isSeveral && sender ? `${sender}:\n${body.trim()}` : body.trim()));
  const cut = asked.trim().slice(0, QUOTED_CHARS_MAX).toWellFormed();
  const quoted = cut === "" ? "" : [...(name ? [`${name}:`] : []), cut.replace(/^/gm, "> ")].join("\n");
  const parts = [...bodies, named.join("\n"), signature.trim() === "" ? "" : `-- \n${signature.trimEnd()}`, quoted];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
