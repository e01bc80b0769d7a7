import { formatTimestamp } from "../../core/timestamps.ts";
import type { MessageRecord } from "../../resources/conversations.ts";
import { fold } from "../parse/fold.ts";
import type { ParsedMail, ParseResult } from "../parse/mail.ts";

type MessageEmail = NonNullable<MessageRecord["email"]>;

/** What a record holds of a mail at most; the whole is in its bytes. */
const TEXT_BYTES_MAX = 1_048_576;
const ADDRESSES_MAX = 1_000;
const REFERENCES_MAX = 100;
export const ATTACHMENTS_MAX = 200;
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
  html: null,
  attachments: [],
};

/** The fields of the message that a mail becomes. */
export function recordOf(parsed: ParseResult, found: Found): MailRecord {
  const mail = parsed.mail ?? EMPTY;
  const folded = fold(mail.text);
  const body = cutBytes(folded.body, TEXT_BYTES_MAX);
  const quoted = folded.quoted && cutBytes(folded.quoted, TEXT_BYTES_MAX - Buffer.byteLength(body));
  const to = mail.to.slice(0, ADDRESSES_MAX);
  const cc = mail.cc.slice(0, ADDRESSES_MAX - to.length);
  const replyTo = mail.replyTo.slice(0, ADDRESSES_MAX - to.length - cc.length);
  const truncated =
    found.isCut ||
    body !== folded.body ||
    quoted !== folded.quoted ||
    mail.to.length + mail.cc.length + mail.replyTo.length > to.length + cc.length + replyTo.length ||
    mail.references.length > REFERENCES_MAX ||
    mail.attachments.length > ATTACHMENTS_MAX;
  return {
    body,
    quoted: quoted || null,
    email: {
      message_id: mail.messageId,
      subject: mail.subject?.slice(0, SUBJECT_CHARS_MAX).toWellFormed() ?? null,
      from: mail.from,
      to,
      cc,
      reply_to: replyTo,
      date: mail.date && formatTimestamp(new Date(mail.date)),
      in_reply_to: mail.inReplyTo[0] ?? null,
      references: mail.references.slice(-REFERENCES_MAX),
      automatic: found.automatic,
      outside_sender: found.outsideSender,
      authentication: found.authentication,
      has_html: mail.html !== null,
      parse_error: parsed.ok ? null : parsed.error,
      truncated,
      raw_url: found.rawUrl,
    },
  };
}

/** Never within a character. */
function cutBytes(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const bytes = Buffer.from(text);
  let end = Math.max(0, bytesMax);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString("utf8");
}
