import type { SecretBox } from "../../core/secret-box.ts";
import { sql, type Tx } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { headerValues, type ParsedMail } from "../parse/mail.ts";
import { readTokens } from "../token.ts";
import { changeStates, type MailRef } from "./states.ts";

/** A delivery report (RFC 3464): the ids of ours that it returns, and whom the mail did not reach. */
interface Report {
  ids: string[];
  failed: { address: string; error: string }[];
}

const SCANNED_BYTES_MAX = 2 * 1024 * 1024;
const IDS_MAX = 20;
const RECIPIENTS_MAX = 1_000;
const ERROR_CHARS_MAX = 500;
const OUR_ID = /[0-9a-f]{24}\.p[a-z2-7]{42}@[a-z0-9.-]{1,253}/gi;

const findReported = sql(
  "mail_out_reported",
  `select mail.workspace_id as "workspaceId", mail.id, mail.message_id as "messageId"
   from outgoing_mails mail
   where mail.workspace_id = $1
     and mail.mailbox_id = $2
     and mail.header_id = any($3::text[])
   order by mail.id desc
   limit 1`,
);

/** Null: the mail is not a report, or returns nothing that we signed. */
export function readReport(box: SecretBox, workspaceId: number, mail: ParsedMail, raw: Buffer): Report | null {
  if (!/^\s*multipart\/report\b/i.test(headerValues(mail, "content-type")[0] ?? "")) return null;
  const text = raw.subarray(0, SCANNED_BYTES_MAX).toString("latin1");
  const ids = [...new Set(text.match(OUR_ID) ?? [])]
    .slice(0, IDS_MAX)
    .filter((id) => readTokens(box, workspaceId, id).length > 0);
  return ids.length === 0 ? null : { ids, failed: failuresOf(mail) };
}

/** What a report returns says which conversation it is about: few reports refer to the mail themselves. */
export const referringMail = (mail: ParsedMail, report: Report | null): ParsedMail =>
  report ? { ...mail, inReplyTo: [...report.ids, ...mail.inReplyTo] } : mail;

/** Whom a report says that a mail did not reach. */
export const failuresOf = (mail: ParsedMail): Report["failed"] => failedIn(statusOf(mail));

/** The part that programs read. */
function statusOf(mail: ParsedMail): string {
  const parts = mail.attachments.filter(({ contentType }) => /^message\/(global-)?delivery-status$/i.test(contentType));
  return parts.map(({ bytes }) => Buffer.from(bytes).toString("utf8")).join("\n\n");
}

/** One block per recipient; those that were only delayed are left out. */
function failedIn(status: string): Report["failed"] {
  const blocks = status
    .replace(/\r\n?/g, "\n")
    .replace(/\n[ \t]+/g, " ")
    .split(/\n\s*\n/);
  return blocks.slice(0, RECIPIENTS_MAX).flatMap((block) => {
    const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, "im").exec(block)?.[1]?.trim() ?? "";
    if (!/^failed\b/i.test(field("Action"))) return [];
    const error = (field("Diagnostic-Code").replace(/^\s*[\w-]+\s*;\s*/, "") || field("Status") || "It came back.")
      .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
      .slice(0, ERROR_CHARS_MAX);
    return ["Original-Recipient", "Final-Recipient"]
      .map((name) => addressOf(field(name)))
      .filter((address) => address !== "")
      .map((address) => ({ address, error }));
  });
}

const addressOf = (value: string): string =>
  value
    .replace(/^[\w-]+\s*;/, "")
    .trim()
    .replace(/^<|>$/g, "")
    .toLowerCase();

interface Bounce {
  mail: MailRef;
  failed: Report["failed"];
}

/** The mail of this mailbox that did not reach a recipient; null for a report of anything else. */
export async function findBounce(
  tx: Tx,
  { workspaceId, mailboxId }: { workspaceId: number; mailboxId: number },
  report: Report | null,
): Promise<Bounce | null> {
  if (!report || report.failed.length === 0) return null;
  const [mail] = await tx.query<MailRef>(findReported, [workspaceId, mailboxId, report.ids]);
  return mail ? { mail, failed: report.failed } : null;
}

/** Only of those to whom it was sent, or may have been: a report may be faster than the response to the final dot. */
export async function applyBounce(tx: Tx, outbox: Outbox, { mail, failed }: Bounce): Promise<void> {
  await changeStates(tx, outbox, mail, ({ position, address, state }) => {
    const report = failed.find((one) => one.address === address.toLowerCase());
    return report && ["sending", "sent", "unknown"].includes(state)
      ? { position, state: "bounced", error: report.error }
      : null;
  });
}
