import { invalid } from "../core/errors.ts";
import type { Tx } from "../db/database.ts";
import type { FileLinks } from "../files/links.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import type { Attachment } from "./attachments.ts";
import type { MailFields, NewMessage, ReplyEmail } from "./new-message.ts";
import type { WriteContext } from "./write-context.ts";

/** A public message in a conversation with a mailbox. */
export interface Reply {
  conversation: { id: number; uuid: string; subject: string | null; contactId: number; mailboxId: number };
  body: string;
  attachments: readonly Attachment[];
  email: ReplyEmail | null;
  /** The field of the body that the message is in: empty, or `message`. */
  within: string;
}

interface ComposedReply {
  fields: MailFields;
  /** Queues the mail, once the message is written. */
  queue(tx: Tx, message: MessageRecord): Promise<void>;
}

/** What a change of messages or drafts also needs: how links to files are written. */
export interface AttachContext extends WriteContext {
  links: FileLinks;
  /** Needed wherever a public message may be written to a conversation with a mailbox. */
  replyMailer?: ReplyMailer;
}

/** Makes mail of such messages. Given by `src/email`; conversations does not know how mail is written. */
export interface ReplyMailer {
  compose(write: AttachContext, reply: Reply): Promise<ComposedReply>;
}

const ONLY_WITH_MAILBOX = "email is only for public messages of direction out in a conversation with a mailbox.";

interface Written {
  conversation: { id: number; uuid: string; subject: string | null; contact_id: number; mailbox_id: number | null };
  message: NewMessage;
  attachments: readonly Attachment[];
  within?: string;
}

/** The mail that a message is; null for other messages. */
export async function composeReply(
  write: AttachContext,
  { conversation, message, attachments, within = "" }: Written,
): Promise<ComposedReply | null> {
  const { id, uuid, subject, contact_id: contactId, mailbox_id: mailboxId } = conversation;
  if (mailboxId === null || message.direction === "in" || message.private) {
    if (message.email)
      throw invalid(within ? { [within]: [`${within}.${ONLY_WITH_MAILBOX}`] } : { email: [ONLY_WITH_MAILBOX] });
    return null;
  }
  if (!write.replyMailer) throw new Error("A reply by mail was written where none can be composed.");
  return write.replyMailer.compose(write, {
    conversation: { id, uuid, subject, contactId, mailboxId },
    body: message.body ?? "",
    attachments,
    email: message.email ?? null,
    within,
  });
}
