import { createContact } from "../conversations/contacts.ts";
import type { WriteContext } from "../conversations/write-context.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { MailAddress, ParsedMail } from "./parse/mail.ts";

// Two mails of a new sender that are stored at the same time must not create two contacts.
const lockSender = sql("mail_sender_lock", "select pg_advisory_xact_lock(hashtextextended('mail:' || lower($2), $1))");
// The oldest, and pinned: it cannot be deleted before the transaction ends.
const findSender = sql(
  "mail_sender_find",
  `select id, name, blocked
   from contacts
   where workspace_id = $1
     and lower(email) = lower($2)
   order by id
   limit 1
   for key share`,
);
const ownAddresses = sql(
  "mail_own_addresses",
  "select lower(address) as address from mailboxes where workspace_id = $1",
);

// Only by a mail that proves to continue a conversation with this visitor: a typed address leads to nobody.
const findVisitor = sql(
  "mail_visitor_find",
  `select contact.id, contact.name, contact.blocked
   from conversations conversation
   join contacts contact
     on contact.workspace_id = conversation.workspace_id
     and contact.id = conversation.contact_id
   where conversation.workspace_id = $1
     and conversation.id = $2
     and conversation.widget_id is not null
     and lower($3) in (lower(contact.email), lower(contact.unverified_email))
   for key share of contact`,
);

export interface Sender {
  id: number;
  name: string | null;
  /** Absent: a new contact, whom nobody has blocked. */
  blocked?: boolean;
}

/** The addresses of all mailboxes of the workspace, in lower case. */
export async function readOwnAddresses(db: Queryable, workspaceId: number): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ address: string }>(ownAddresses, [workspaceId]);
  return new Set(rows.map(({ address }) => address));
}

/**
 * What the mailbox of an address may be called, in lower case: as it stands, and without each of its plus-tags. The longest
 * first: a mailbox may have a plus in its own address.
 */
export function mailboxNames(address: string): string[] {
  const folded = address.toLowerCase();
  const at = folded.lastIndexOf("@");
  const parts = folded.slice(0, at).split("+").slice(0, TAGS_MAX);
  return [folded, ...parts.map((_, index) => parts.slice(0, index + 1).join("+") + folded.slice(at)).reverse()];
}

const TAGS_MAX = 20;

/** Whether it is the address of one of our mailboxes, with or without plus-tags. */
export const isOwnAddress = (own: ReadonlySet<string>, address: string): boolean =>
  mailboxNames(address).some((name) => own.has(name));

/** Whose mail it is: From, or Reply-To where From is an address of ours, as in mail of our own forms. */
export function authorOf(mail: ParsedMail, own: ReadonlySet<string>): MailAddress | null {
  const isOwn = mail.from !== null && isOwnAddress(own, mail.from.address);
  return isOwn ? (mail.replyTo[0] ?? mail.from) : mail.from;
}

/** The visitor of a widget whom we have written to, and who writes back from that address. Null: it is another person. */
export async function findVisitorOf(
  tx: Queryable,
  { workspaceId, conversationId }: { workspaceId: number; conversationId: number },
  author: MailAddress | null,
): Promise<Sender | null> {
  if (author === null) return null;
  return (await tx.query<Sender>(findVisitor, [workspaceId, conversationId, author.address]))[0] ?? null;
}

/** The contact with this address, or a new one. A mail renames nobody. Without an address the sender is anonymous. */
export async function findOrCreateSender(write: WriteContext, author: MailAddress | null): Promise<Sender> {
  const { tx, caller } = write;
  if (author === null) return createContact(write, {});
  const values = [caller.workspaceId, author.address];
  const find = async () => (await tx.query<Sender>(findSender, values))[0];
  // Mails of known senders do not wait for each other.
  const known = await find();
  if (known) return known;
  await tx.query(lockSender, values);
  return (await find()) ?? createContact(write, { email: author.address, name: author.name ?? undefined });
}
