import { notFound } from "../core/errors.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql } from "../db/database.ts";
import { findLinkedFile, readStoredFile } from "../files/download.ts";
import { type FileLinks, fileOfLink } from "../files/links.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { imageLink } from "./images/links.ts";
import type { MailParser } from "./parse/parser.ts";

interface MailView {
  headers: { name: string; value: string }[];
  text: string;
  html: string | null;
}

const findContentIds = sql(
  "mail_content_ids",
  `select content_ids
   from mails_in
   where workspace_id = $1
     and message_id = $2`,
);

interface ViewOptions {
  db: Queryable;
  parser: MailParser;
  links: FileLinks;
  secretBox: SecretBox;
}

interface Viewed {
  workspaceId: number;
  message: MessageRecord;
  /** Whether pictures elsewhere are shown, by links to a proxy of ours. */
  images: boolean;
}

/**
 * The whole mail behind a message, read again from its bytes. Nothing in the HTML runs, and nothing is loaded from
 * elsewhere: of pictures, only those inside the mail, or those that our proxy fetches.
 */
export async function readMailView(
  { db, parser, links, secretBox }: ViewOptions,
  { workspaceId, message, images }: Viewed,
): Promise<MailView> {
  if (message.email === null) throw notFound("mail");
  const parsed = await parser.parse(await readRaw(db, message.email.raw_url), "view", images);
  if (!parsed.ok)
    return { headers: parsed.mail?.headers ?? [], text: message.body + (message.quoted ?? ""), html: null };
  const { headers, text, html } = parsed.mail;
  const ids = [workspaceId, message.id];
  const [row] = await db.query<{ content_ids: Record<string, number> | null }>(findContentIds, ids);
  const linkTo = (url: string) => imageLink(secretBox, links.baseUrl(), { workspaceId, url });
  const shown = html && images ? withProxiedImages(html, linkTo) : html;
  return { headers, text, html: shown && withLinks(shown, { links, message, contentIds: row?.content_ids ?? {} }) };
}

/** By the link that is stored in the message: the same for mail that came in and for mail that went out. */
async function readRaw(db: Queryable, url: string): Promise<Buffer> {
  const { uuid, name } = fileOfLink(url);
  const file = await findLinkedFile(db, uuid, name);
  if (!file) throw notFound("mail");
  return readStoredFile(db, file);
}

interface Pictures {
  links: FileLinks;
  message: MessageRecord;
  contentIds: Record<string, number>;
}

/** Pictures inside the mail are shown by links to their files; one that is missing has no source. */
const withLinks = (html: string, { links, message, contentIds }: Pictures): string =>
  html.replace(/ src="cid:([^"]*)"/g, (_, id: string) => {
    const fileId = contentIds[decoded(id)];
    const attachment = message.attachments.find(({ file_id }) => file_id !== undefined && file_id === fileId);
    return attachment ? ` src="${links.renewForResponse(attachment.url).replaceAll("&", "&amp;")}"` : "";
  });

/** At most this many per mail: each may be a request of ours. */
const IMAGES_MAX = 500;

/** The sanitiser has left such a source only on pictures, and has written it with `&amp;`. */
function withProxiedImages(html: string, linkTo: (url: string) => string): string {
  let count = 0;
  return html.replace(/(<img[^>]*?) src="(https?:[^"]*)"/g, (_, before: string, source: string) => {
    const url = source
      .replaceAll("&amp;", "&")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">");
    const link = ++count > IMAGES_MAX ? "" : linkTo(url);
    return link === "" ? before : `${before} src="${link.replaceAll("&", "&amp;")}"`;
  });
}

function decoded(id: string): string {
  const text = id.replaceAll("&amp;", "&");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
