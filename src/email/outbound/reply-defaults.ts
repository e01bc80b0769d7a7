import { type Queryable, sql } from "../../db/database.ts";
import { readKnown } from "./compose.ts";
import type { Person } from "./mime.ts";
import { recipientsOf, suggestedRecipients } from "./recipients.ts";
import { subjectOf } from "./thread-headers.ts";

interface ReplyDefaults {
  mailbox: SendingAddress;
  to: Person[];
  cc: Person[];
  /** With everybody who got the mail that is replied to. */
  everyone: { to: Person[]; cc: Person[] };
  subject: string;
}

/** A mailbox, as everybody who may write through it sees it. */
interface SendingAddress {
  id: number;
  name: string;
  address: string;
  from_name: string | null;
}

const ADDRESSES = "select id, name, address, from_name from mailboxes where workspace_id = $1";
const findAddress = sql("mail_out_address", `${ADDRESSES} and id = $2`);
const listAddresses = sql("mail_out_addresses", `${ADDRESSES} order by name, id`);

/** Those from which a conversation can begin; a workspace has at most 250 mailboxes. */
export const listSendingAddresses = (db: Queryable, workspaceId: number): Promise<SendingAddress[]> =>
  db.query<SendingAddress>(listAddresses, [workspaceId]);

interface Conversation {
  id: number;
  subject: string | null;
  contactId: number;
  mailboxId: number | null;
}

/** From where and to whom a reply without `email` goes; null: it is not mail. */
export async function readReplyDefaults(
  db: Queryable,
  workspaceId: number,
  { id, subject, contactId, mailboxId }: Conversation,
): Promise<ReplyDefaults | null> {
  if (mailboxId === null) return null;
  const [mailbox] = await db.query<SendingAddress>(findAddress, [workspaceId, mailboxId]);
  if (!mailbox) return null;
  const { known, parent } = await readKnown(db, workspaceId, { id, contactId });
  const { to, cc } = suggestedRecipients(known);
  const copied = [...(known.parent?.to ?? []), ...(known.parent?.cc ?? [])];
  const everyone = recipientsOf({ to, cc: copied }, known);
  return {
    mailbox,
    to,
    cc,
    everyone: { to: everyone.to, cc: everyone.cc },
    subject: subjectOf(null, { parent, conversation: subject, mailbox }),
  };
}
