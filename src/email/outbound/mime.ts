import { type DkimKey, signMail } from "./dkim.ts";
import { htmlOf } from "./text-html.ts";

export interface Person {
  name: string | null;
  address: string;
}

/** A mail, before it is bytes. Ids are without their brackets. */
export interface OutgoingMail {
  messageId: string;
  date: Date;
  from: Person;
  to: readonly Person[];
  cc: readonly Person[];
  subject: string;
  text: string;
  inReplyTo: string | null;
  references: readonly string[];
  attachments: readonly { name: string; contentType: string; bytes: Buffer }[];
  /** A program wrote it, not a person. */
  isAutomatic: boolean;
  dkim: DkimKey | null;
}

/** The bytes of a mail, which are the same for every attempt to send it. Their lines end with CRLF. */
export async function buildMail(mail: OutgoingMail): Promise<Buffer> {
  // Loaded with the first mail: most processes never send one.
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const node = new MailComposer({
    from: addressOf(mail.from),
    to: mail.to.map(addressOf),
    cc: mail.cc.map(addressOf),
    subject: oneLine(mail.subject),
    date: mail.date,
    messageId: `<${mail.messageId}>`,
    ...(mail.inReplyTo === null ? {} : { inReplyTo: `<${mail.inReplyTo}>` }),
    ...(mail.references.length === 0 ? {} : { references: mail.references.map((id) => `<${id}>`) }),
    text: mail.text,
    html: htmlOf(mail.text),
    attachments: mail.attachments.map(({ name, contentType, bytes }) => ({
      filename: oneLine(name),
      // Such a part may not be encoded: its lines could be too long for servers, or be read as parts of this mail.
      contentType: /^(message|multipart)\//i.test(contentType) ? "application/octet-stream" : contentType,
      content: bytes,
    })),
    headers: mail.isAutomatic ? { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" } : {},
    // Texts hold names that others chose: nothing in them may make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const built = await node.compile().build();
  const raw = Buffer.from(built.toString("latin1").replace(/\r\n|\r|\n/g, "\r\n"), "latin1");
  return mail.dkim ? signMail(raw, mail.dkim) : raw;
}

const addressOf = ({ name, address }: Person) => ({ name: oneLine(name ?? ""), address });

/** Names and subjects are chosen by people: without line breaks or other control characters they start no header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
