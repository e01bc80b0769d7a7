import { fold } from "./fold.ts";
import type { ParsedMail } from "./mail.ts";

/** What a record holds of a mail at most; the whole is in its bytes. */
const TEXT_BYTES_MAX = 1_048_576;
const ADDRESSES_MAX = 1_000;
const REFERENCES_MAX = 100;
const ATTACHMENTS_MAX = 200;

/**
 * A mail as far as it is stored. In the thread that has read it: the other one would take hundreds of milliseconds to get
 * ten megabytes of text or tens of thousands of addresses, and to leave them out.
 */
export function bounded(mail: ParsedMail): ParsedMail {
  const folded = fold(mail.text);
  const text = cutBytes(folded.body, TEXT_BYTES_MAX);
  const quoted = folded.quoted && cutBytes(folded.quoted, TEXT_BYTES_MAX - Buffer.byteLength(text));
  const to = mail.to.slice(0, ADDRESSES_MAX);
  const cc = mail.cc.slice(0, ADDRESSES_MAX - to.length);
  const replyTo = mail.replyTo.slice(0, ADDRESSES_MAX - to.length - cc.length);
  return {
    ...mail,
    text,
    quoted: quoted || null,
    to,
    cc,
    replyTo,
    inReplyTo: mail.inReplyTo.slice(0, REFERENCES_MAX),
    references: mail.references.slice(-REFERENCES_MAX),
    attachments: mail.attachments.slice(0, ATTACHMENTS_MAX),
    isCut:
      text !== folded.body ||
      quoted !== folded.quoted ||
      mail.to.length + mail.cc.length + mail.replyTo.length > to.length + cc.length + replyTo.length ||
      mail.references.length > REFERENCES_MAX ||
      mail.attachments.length > ATTACHMENTS_MAX,
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
