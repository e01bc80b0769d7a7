/** A mail as the worker has read it. Texts are well-formed and without NUL: the database takes them as they are. */
export interface ParsedMail {
  headers: { name: string; value: string }[];
  messageId: string | null;
  subject: string | null;
  from: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  replyTo: MailAddress[];
  /** ISO 8601; null where the header is missing or not a date. */
  date: string | null;
  inReplyTo: string[];
  references: string[];
  /** Of a mail that is stored without its history. */
  text: string;
  quoted: string | null;
  /** Null: there is none. Sanitised for a view; empty otherwise. */
  html: string | null;
  attachments: ParsedAttachment[];
  /** Not everything that it has is here. */
  isCut: boolean;
}

export interface MailAddress {
  name: string | null;
  address: string;
}

export interface ParsedAttachment {
  name: string;
  contentType: string;
  /** Without its brackets. */
  contentId: string | null;
  isInline: boolean;
  bytes: Uint8Array;
}

/** What the worker gets. */
export interface ParseTask {
  raw: Uint8Array;
  /**
   * `message`: what is stored, without the HTML. `view`: everything that is shown, without the attachments.
   * `head`: the headers only.
   */
  wants: "message" | "view" | "head";
  /** For a view: pictures elsewhere keep their address, for a proxy to fetch them. Absent: they are dropped. */
  images?: boolean;
}

/** Where the headers of a mail are looked for that is refused: more than any mail program writes before the text. */
export const HEAD_BYTES_MAX = 65_536;

/** What the worker sends back: of a mail that is refused only its headers. */
export type ParseResult = { ok: true; mail: ParsedMail } | { ok: false; error: string; mail?: ParsedMail | undefined };

/** The values of a header, in their order. */
export const headerValues = ({ headers }: Pick<ParsedMail, "headers">, name: string): string[] =>
  headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value);
