import { createMessage } from "../conversations/message-writer.ts";
import type { ReplyMailer } from "../conversations/reply-mail.ts";
import { type Caller, systemCaller } from "../core/caller.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { formatTimestamp } from "../core/timestamps.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import { createMailCounts } from "../email/counts.ts";
import { ingestMail } from "../email/inbound/ingest.ts";
import { createMailbox } from "../email/mailboxes/mailboxes.ts";
import { createReplyMailer } from "../email/outbound/compose.ts";
import { deliveryOf } from "../email/outbound/delivery-record.ts";
import { createMailParser } from "../email/parse/parser.ts";
import type { Outbox } from "../events/outbox.ts";
import type { FileLinks } from "../files/links.ts";
import type { UploadLimits } from "../files/upload.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import type { DemoClock } from "./clock.ts";
import type { DemoContact } from "./contacts.ts";
import { MAILBOX } from "./content.ts";

const NOBODY = async () => {
  throw new Error("The demo connects to no mail server.");
};
/** It has no server of its own, and none of the installation: see `openLoopback`. */
const NO_SERVERS = { domains: [], ports: [], checkHost: NOBODY, checkUrl: NOBODY };

export const createDemoMailbox = async (tx: Tx, secretBox: SecretBox, workspaceId: number): Promise<number> =>
  (await createMailbox(tx, { secretBox, rules: NO_SERVERS }, systemCaller(workspaceId), MAILBOX)).id;

// Sent at that moment. Otherwise the server would send the mails of two months once the demo exists.
const settleSent = sql(
  "demo_mail_sent",
  `with settled as (
     update outgoing_mails
     set attempts = 1,
       next_attempt_at = null,
       created_at = $3,
       updated_at = $3
     where workspace_id = $1
       and message_id = $2
     returning id)

   update outgoing_recipients
   set state = 'sent',
     updated_at = $3
   where workspace_id = $1
     and mail_id in (select id from settled)`,
);

interface MailOptions {
  db: Database;
  secretBox: SecretBox;
  outbox: Outbox;
  links: FileLinks;
  fileLimits: UploadLimits;
  workspaceId: number;
  mailboxId: number;
  clock: DemoClock;
}

interface Received {
  moment: Date;
  contact: DemoContact;
  subject: string;
  text: string;
  /** What it replies to; null: it opens a conversation. */
  parent: MessageRecord | null;
}

export interface DemoMail {
  receive(mail: Received): Promise<MessageRecord>;
  reply(moment: Date, caller: Caller, id: number, body: string): Promise<MessageRecord>;
  close(): Promise<void>;
}

/** Conversations by mail, written by the code that stores and composes every other mail, and only their times set back. */
export function createDemoMail(options: MailOptions): DemoMail {
  const { db, secretBox, outbox, links, fileLimits, workspaceId, mailboxId, clock } = options;
  const parser = createMailParser();
  const shared = { secretBox, outbox, links, fileLimits, parser, counts: createMailCounts() };
  const mailer = createReplyMailer({ secretBox, fileLimits, onQueued: () => {} });
  return {
    async receive({ moment, parent, ...mail }) {
      const conversations = parent ? [parent.conversation_id] : [];
      const transaction = <T>(work: (tx: Tx) => Promise<T>) => clock.at(moment, work, conversations);
      const raw = Buffer.from(mailText({ moment, parent, ...mail }));
      const mailbox = { workspaceId, id: mailboxId, authservId: null, ownLists: [] };
      const { message } = await ingestMail({ ...shared, db: { query: db.query, transaction } }, mailbox, { raw });
      return message as MessageRecord;
    },
    reply(moment, caller, id, body) {
      const replyMailer = sentAt(mailer, moment);
      const work = (tx: Tx) =>
        createMessage({ tx, outbox, caller, links, replyMailer }, { id }, { direction: "out", body });
      return clock.at(moment, work, [id]);
    },
    close: parser.close,
  };
}

/** Replies that were sent long ago. */
const sentAt = (mailer: ReplyMailer, moment: Date): ReplyMailer => ({
  async compose(write, reply) {
    const { fields, queue } = await mailer.compose(write, reply);
    const { email, delivery } = fields;
    const sent = (delivery?.recipients ?? []).map(({ address }, position) => ({
      position,
      address,
      state: "sent" as const,
      error: null,
    }));
    return {
      fields: {
        ...fields,
        email: email && { ...email, date: formatTimestamp(moment) },
        delivery: deliveryOf({ attempts: 1, next_attempt_at: null, error: null }, sent, moment),
      },
      async queue(tx, message) {
        await queue(tx, message);
        await tx.query(settleSent, [write.caller.workspaceId, message.id, moment]);
      },
    };
  },
});

/** As the mail program of a customer writes it, with the history below a reply. */
function mailText({ moment, contact, subject, text, parent }: Received): string {
  const quoted = parent
    ? `\n\nOn ${moment.toUTCString().slice(0, 16)}, ${MAILBOX.from_name} <${MAILBOX.address}> wrote:\n${parent.body.replace(/^/gm, "> ")}`
    : "";
  const html = `<p>${escaped(text)}</p>${parent ? `<blockquote type="cite">${escaped(parent.body)}</blockquote>` : ""}`;
  const part = (type: string, content: string) =>
    `--=_demo\nContent-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString("base64")}\n`;
  const word = (value: string) => `=?utf-8?B?${Buffer.from(value).toString("base64")}?=`;
  const [, domain] = contact.email.split("@");
  const lines = [
    `From: ${word(contact.name)} <${contact.email}>`,
    `To: "${MAILBOX.from_name}" <${MAILBOX.address}>`,
    `Subject: ${word(parent ? `Re: ${subject}` : subject)}`,
    `Date: ${moment.toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${moment.getTime()}.${contact.external_id}@${domain}>`,
    ...(parent?.email?.message_id ? [`In-Reply-To: <${parent.email.message_id}>`] : []),
    "MIME-Version: 1.0",
    'Content-Type: multipart/alternative; boundary="=_demo"',
  ];
  return `${lines.join("\n")}\n\n${part("plain", text + quoted)}${part("html", html)}--=_demo--\n`;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
