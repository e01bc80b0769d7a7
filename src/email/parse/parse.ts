import PostalMime, { type Address, type Attachment, decodeWords } from "postal-mime";
import { withoutControlCharacters } from "../../core/control-characters.ts";
import { htmlToText } from "./html-text.ts";
import { HEAD_BYTES_MAX, type MailAddress, type ParsedAttachment, type ParsedMail } from "./mail.ts";

const PARTS_MAX = 1_000;
const LIMITS = { maxNestingDepth: 64, maxHeadersSize: 1_048_576, maxRfc822NestingDepth: 2 } as const;
const HEADERS_MAX = 1_000;
const HEADER_CHARS_MAX = 16_384;
const NAME_CHARS_MAX = 255;
const ADDRESS_CHARS_MAX = 320;
const ID_CHARS_MAX = 998;
/** It repeats addresses that the sender chose: decoded, one could be "; dmarc=pass". */
const VERBATIM = /^authentication-results$/i;
/** Control characters, path separators, and the marks that change the direction of text and so hide an extension. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Runs in the worker. Throws a sentence for a mail that is refused. */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  requireFewParts(bufferOf(raw));
  return read(raw);
}

/** Who wrote a mail that is refused, about what, and in which conversation. */
export async function parseHead(raw: Uint8Array): Promise<ParsedMail> {
  const bytes = bufferOf(raw).subarray(0, HEAD_BYTES_MAX);
  const [end = bytes.length] = ["\r\n\r\n", "\n\n"].map((mark) => bytes.indexOf(mark)).filter((at) => at >= 0);
  return { ...(await read(bytes.subarray(0, end))), text: "", html: null, attachments: [] };
}

const bufferOf = (raw: Uint8Array): Buffer => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);

async function read(raw: Uint8Array): Promise<ParsedMail> {
  const email = await PostalMime.parse(raw, { ...LIMITS, forceRfc822Attachments: true });
  const html = email.html === undefined ? null : clean(email.html);
  const text = email.text === undefined ? "" : clean(email.text);
  return {
    headers: email.headers.slice(0, HEADERS_MAX).map(({ originalKey, value }) => ({
      name: clean(originalKey),
      value: cut(clean(VERBATIM.test(originalKey) ? value : decodeWords(value)), HEADER_CHARS_MAX),
    })),
    messageId: idsOf(email.messageId)[0] ?? null,
    subject: email.subject === undefined ? null : oneLine(email.subject),
    from: addressesOf(email.from ? [email.from] : [])[0] ?? null,
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    replyTo: addressesOf(email.replyTo),
    date: dateOf(email.date),
    inReplyTo: idsOf(email.inReplyTo),
    references: idsOf(email.references),
    text: normalised(text.trim() === "" && html !== null ? htmlToText(html) : text),
    quoted: null,
    html,
    attachments: email.attachments.flatMap(attachmentOf),
    isCut: false,
  };
}

const BOUNDARY = /boundary\s*=\s*(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/gi;

/** The parser limits how deep parts are nested, not how many there are. */
function requireFewParts(raw: Buffer): void {
  const boundaries = new Set<string>();
  for (const [, quoted, plain] of raw.toString("latin1").matchAll(BOUNDARY)) {
    boundaries.add(quoted ?? plain ?? "");
    if (boundaries.size > PARTS_MAX) break;
  }
  let parts = 0;
  for (let at = raw.indexOf("\n--"); at !== -1; at = raw.indexOf("\n--", at + 3)) {
    const end = raw.indexOf("\n", at + 1);
    if (end === -1) return;
    const line = raw
      .subarray(at + 3, Math.min(end, at + 80))
      .toString("latin1")
      .trimEnd();
    const following = raw.subarray(end + 1, end + 9).toString("latin1");
    // A delimiter is followed by the headers of its part, or at least named by one; a line of a text is not.
    if (boundaries.has(line) || (/^[^\s-]/.test(line) && /^(content-|\r?\n)/i.test(following))) parts++;
    if (parts > PARTS_MAX) throw new Error(`The mail has more than ${PARTS_MAX} parts.`);
  }
}

// Node 20.18.3 to 20.20 decodes windows-1252 as latin1: what should be a quotation mark or € is a control character, which no
// text has.
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const clean = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("\0", "\ufffd")
    .replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80] ?? char);

/** Never half a character: the database would refuse the mail. */
const cut = (text: string, charsMax: number): string => text.slice(0, charsMax).toWellFormed();

/** Without a pattern for the end: one that repeats is tried from every empty line. */
function normalised(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n");
  let end = lines.length;
  while (lines[end - 1] === "\n") end--;
  return lines.slice(0, end);
}

const oneLine = (text: string): string =>
  clean(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();

const addressesOf = (given: readonly Address[] | undefined): MailAddress[] =>
  (given ?? []).flatMap((item): MailAddress[] => {
    if (item.group) return addressesOf(item.group);
    const address = oneLine(item.address ?? "");
    // One that is too long for any mail server is left out: cut off, it would be the address of another person.
    if (!address.includes("@") || address.length > ADDRESS_CHARS_MAX) return [];
    return [{ name: cut(withoutControlCharacters(oneLine(item.name)), NAME_CHARS_MAX) || null, address }];
  });

function idsOf(text: string | undefined): string[] {
  const bracketed = [...(text ?? "").matchAll(/<([^<>\s]{1,998})>/g)].map(([, id = ""]) => id);
  const ids = bracketed.length > 0 ? bracketed : (text ?? "").trim().split(/\s+/);
  return ids.map((id) => cut(clean(id), ID_CHARS_MAX)).filter((id) => id !== "");
}

function dateOf(text: string | undefined): string | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  const year = new Date(time).getUTCFullYear();
  return Number.isNaN(time) || year < 1 || year > 9999 ? null : new Date(time).toISOString();
}

function attachmentOf(given: Attachment): ParsedAttachment[] {
  const bytes = typeof given.content === "string" ? Buffer.from(given.content) : new Uint8Array(given.content);
  if (bytes.length === 0) return [];
  const named = cut(
    clean(given.filename ?? "")
      .replace(UNSAFE, "_")
      .trim(),
    NAME_CHARS_MAX,
  );
  const contentId = idsOf(given.contentId)[0] ?? null;
  const isPicture = /^image\/(png|jpeg|gif|webp)$/.test(given.mimeType);
  return [
    {
      name: named === "" || named === "." || named === ".." ? defaultName(given.mimeType) : named,
      contentType: /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/.test(given.mimeType)
        ? given.mimeType
        : "application/octet-stream",
      contentId,
      isInline: isPicture && contentId !== null && (given.related === true || given.disposition === "inline"),
      bytes,
    },
  ];
}

const EXTENSIONS: Record<string, string> = {
  "message/rfc822": "message.eml",
  "text/calendar": "invite.ics",
  "image/png": "image.png",
  "image/jpeg": "image.jpg",
  "image/gif": "image.gif",
  "text/html": "message.html",
  "text/plain": "text.txt",
  "message/delivery-status": "delivery-status.txt",
  "text/rfc822-headers": "headers.txt",
};
const defaultName = (type: string): string => EXTENSIONS[type] ?? "attachment";
