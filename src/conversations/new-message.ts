import type { MessageRecord } from "../resources/conversations.ts";
import type { Attachment, AttachmentInput } from "./attachments.ts";
import type { Named } from "./named-resources.ts";

/** Null and absent are the same. */
export interface NewMessage {
  body?: string | null | undefined;
  direction?: MessageRecord["direction"] | null | undefined;
  private?: boolean | null | undefined;
  attachments?: AttachmentInput[] | null | undefined;
  /** Only for a public reply in a conversation with a mailbox, which is mail. */
  email?: ReplyEmail | null | undefined;
  /** Members whom a note mentions, by id or uuid. */
  mentions?: Named[] | null | undefined;
}

/** The same once its attachments are those that will be stored. */
export interface ResolvedMessage extends Omit<NewMessage, "attachments" | "email" | "mentions"> {
  attachments: Attachment[];
}

/** What a message that is mail has in addition (src/email). */
export interface MailFields {
  email: MessageRecord["email"];
  quoted?: string | null;
  delivery?: MessageRecord["delivery"];
  /** Who wrote it, where that is not the contact of the conversation. */
  contactId?: number | undefined;
  /** False: a snoozed or resolved conversation stays so. */
  reopens?: boolean;
  /** False: the contact does not wait for a reply to it. */
  startsWaiting?: boolean;
}

/** To whom a reply goes by mail, as a body names them. Null and absent are the same. */
export interface ReplyEmail {
  to?: ReplyAddress[] | null | undefined;
  cc?: ReplyAddress[] | null | undefined;
  bcc?: ReplyAddress[] | null | undefined;
  subject?: string | null | undefined;
}

export interface ReplyAddress {
  address: string;
  name?: string | null | undefined;
}
