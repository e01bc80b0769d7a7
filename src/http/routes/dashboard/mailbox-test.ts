import { findMailbox } from "../../../email/mailboxes/mailboxes.ts";
import { readTestMail, sendTestMail } from "../../../email/outbound/test-mail.ts";
import { nullable } from "../../../resources/common.ts";
import { MailboxTest } from "../../../resources/mailbox.ts";
import { tooMany } from "../../pipeline/access.ts";
import { route } from "./services.ts";

const PATH = "/mailboxes/{mailbox}/test";
const access = "mailboxes:manage";

/** A mail that a mailbox sends to itself: whether it was sent, and whether it has come in again. */
export const mailboxTestRoutes = [
  route({
    method: "POST",
    path: PATH,
    summary: "Send a test mail from a mailbox to itself",
    access,
    errors: ["CONFLICT", "RATE_LIMIT_EXCEEDED"],
    success: { status: 202, data: MailboxTest },
    handler: async ({ caller: { workspaceId }, params, write }, { db, mailboxTests }) => {
      const { id } = await findMailbox(db, workspaceId, params.mailbox);
      const verdict = await mailboxTests.limit.consume(`${workspaceId}:${id}`);
      if (!verdict.allowed) throw tooMany(verdict, "Too many test mails of this mailbox.");
      return write(async (tx) => {
        const mailbox = await findMailbox(tx, workspaceId, { id });
        return { data: await sendTestMail(tx, mailboxTests.compose, { workspaceId, mailbox }) };
      });
    },
  }),
  route({
    method: "GET",
    path: PATH,
    summary: "See what became of the last test mail of a mailbox",
    access,
    success: { status: 200, data: nullable(MailboxTest) },
    handler: async ({ caller: { workspaceId }, params }, { db }) => {
      const { id } = await findMailbox(db, workspaceId, params.mailbox);
      return { data: await readTestMail(db, workspaceId, id) };
    },
  }),
];
