import { formatTimestamp } from "../../core/timestamps.ts";
import type { MessageRecord } from "../../resources/conversations.ts";
import type { ParsedMail, ParseResult } from "../parse/mail.ts";

type MessageEmail = NonNullable<MessageRecord["email"]>;

const SUBJECT_CHARS_MAX = 2_000;

interface Found {
  automatic: boolean;
  outsideSender: boolean;
  authentication: MessageEmail["authentication"];
  rawUrl: string;
  /** The bytes are only the beginning of the mail. */
  isCut: boolean;
}

interface MailRecord {
  body: string;
  quoted: string | null;
  email: MessageEmail;
}

/** A mail of which nothing could be read: it is shown with the reason, and its bytes are kept. */
export const EMPTY: ParsedMail = {
  headers: [],
  messageId: null,
  subject: null,
  from: null,
  to: [],
  cc: [],
  replyTo: [],
  date: null,
  inReplyTo: [],
  references: [],
  text: "",
  quoted: null,
  html: null,
  attachments: [],
  isCut: false,
};

/** The fields of the message that a mail becomes. */
export function recordOf(parsed: ParseResult, found: Found): MailRecord {
  const mail = parsed.mail ?? EMPTY;
  return {
    body: mail.text,
    quoted: mail.quoted,
    email: {
      message_id: mail.messageId,
      subject: mail.subject?.slice(0, SUBJECT_CHARS_MAX).toWellFormed() ?? null,
      from: mail.from,
      to: mail.to,
      cc: mail.cc,
      reply_to: mail.replyTo,
      date: mail.date && formatTimestamp(new Date(mail.date)),
      in_reply_to: mail.inReplyTo[0] ?? null,
      references: mail.references,
      automatic: found.automatic,
      outside_sender: found.outsideSender,
      authentication: found.authentication,
      has_html: mail.html !== null,
      parse_error: parsed.ok ? null : parsed.error,
      truncated: found.isCut || mail.isCut,
      raw_url: found.rawUrl,
    },
  };
}
