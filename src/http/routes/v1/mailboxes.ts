import { Type } from "typebox";
import { problems } from "../../../core/errors.ts";
import { createRowLock } from "../../../db/row-lock.ts";
import { mailboxReader } from "../../../email/mailboxes/list.ts";
import {
  checkMailbox,
  createMailbox,
  deleteMailbox,
  findMailbox,
  patchMailbox,
  setPaused,
} from "../../../email/mailboxes/mailboxes.ts";
import { NullableString, nullableString } from "../../../resources/common.ts";
import { MailboxRecord } from "../../../resources/mailbox.ts";
import { tooMany } from "../../pipeline/access.ts";
import { PageQuery, readPage } from "../../pipeline/paging.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { IF_MATCH, requireMatch, withEtag } from "../../pipeline/versions.ts";
import { MailboxFields } from "./mailbox-fields.ts";
import { route } from "./services.ts";

const ITEM = "/mailboxes/{mailbox}";
const access = "mailboxes:manage";

const CreateBody = Type.Object(MailboxFields, {
  examples: [
    {
      name: "Support",
      address: "support@shop.example",
      inbound: { type: "http" },
      outbound: { host: "smtp.shop.example", port: 465, user: "support@shop.example", password: "a password" },
    },
  ],
});
const PatchBody = Type.Object({
  ...MailboxFields,
  name: Type.Optional(MailboxFields.name),
  address: Type.Optional(MailboxFields.address),
});

const Connection = Type.Object({
  ok: Type.Boolean(),
  error: nullableString("What is wrong, in a sentence."),
  steps: Type.Array(Type.String(), {
    description: "What has succeeded, in order: `found`, `connected`, `signed_in`, `opened` (the folder).",
  }),
});
const DnsRecord = Type.Object({
  ok: Type.Boolean(),
  found: NullableString,
  expected: nullableString("The record that would be right; null where any is."),
});
const CheckData = Type.Object(
  {
    inbound: Connection,
    outbound: Connection,
    dns: Type.Object({ spf: DnsRecord, dkim: DnsRecord, dmarc: DnsRecord, mx: DnsRecord }),
  },
  { title: "MailboxCheck" },
);

/** It changes by itself and is not part of the version. */
const VOLATILE = ["status"];

const lockRow = createRowLock("mailboxes");

export const mailboxRoutes = [
  route({
    method: "GET",
    path: "/mailboxes",
    summary: "List mailboxes",
    description: "Newest first.",
    access,
    query: Type.Object(PageQuery),
    success: { status: 200, data: Type.Array(MailboxRecord), paged: "always" },
    handler: ({ caller, query }, { db }) =>
      readPage(mailboxReader(db, caller.workspaceId), query, `${API_BASE}/mailboxes`),
  }),
  route({
    method: "POST",
    path: "/mailboxes",
    summary: "Connect a mailbox",
    description:
      "Passwords, tokens and private keys are sealed and never shown again. An address that another mailbox has is a 409.",
    access,
    body: CreateBody,
    errors: ["CONFLICT"],
    success: { status: 201, data: MailboxRecord },
    check: async ({ caller: { workspaceId }, body }, { db, mailboxes }) =>
      problems(await checkMailbox(db, mailboxes, { workspaceId, ref: null }, body)),
    handler: ({ caller, body, write }, { mailboxes }) =>
      write(async (tx) => ({ data: await createMailbox(tx, mailboxes, caller, body) })),
  }),
  route({
    method: "GET",
    path: ITEM,
    summary: "Get a mailbox",
    access,
    success: { status: 200, data: MailboxRecord },
    handler: async ({ caller, params, reply }, { db }) => ({
      data: withEtag(reply, await findMailbox(db, caller.workspaceId, params.mailbox), VOLATILE),
    }),
  }),
  route({
    method: "PATCH",
    path: ITEM,
    summary: "Update a mailbox",
    description: `\`inbound\`, \`outbound\` and \`dkim\` are replaced as a whole. A secret that is left out is kept for the same host and user. ${IF_MATCH}`,
    access,
    body: PatchBody,
    errors: ["CONFLICT", "PRECONDITION_FAILED"],
    success: { status: 200, data: MailboxRecord },
    exists: ({ caller, params }, { db }) => findMailbox(db, caller.workspaceId, params.mailbox),
    check: ({ caller: { workspaceId }, params, body }, { db, mailboxes }) =>
      checkMailbox(db, mailboxes, { workspaceId, ref: params.mailbox }, body),
    handler: ({ caller, params, body, request, reply, write }, { mailboxes }) => {
      const { workspaceId } = caller;
      return write(async (tx) => {
        const readLocked = async () => {
          await lockRow(tx, workspaceId, params.mailbox);
          return findMailbox(tx, workspaceId, params.mailbox);
        };
        await requireMatch(request, readLocked, VOLATILE);
        const data = await patchMailbox(tx, mailboxes, caller, { ref: params.mailbox, patch: body });
        return { data: withEtag(reply, data, VOLATILE) };
      });
    },
  }),
  route({
    method: "DELETE",
    path: ITEM,
    summary: "Delete a mailbox",
    description: "Its conversations stay. A 409 while mail of it is still being sent.",
    access,
    errors: ["CONFLICT"],
    success: { status: 200, data: MailboxRecord },
    handler: ({ caller, params, write }, { mailboxes }) =>
      write(async (tx) => ({ data: await deleteMailbox(tx, mailboxes, caller, params.mailbox) })),
  }),
  route({
    method: "POST",
    path: `${ITEM}/pause`,
    summary: "Pause a mailbox",
    description: "Nothing is fetched or sent until it is resumed. Mail that is handed over by HTTP is still stored.",
    access,
    success: { status: 200, data: MailboxRecord },
    handler: ({ caller, params, write }, { mailboxes }) =>
      write(async (tx) => ({ data: await setPaused(tx, mailboxes, caller, { ref: params.mailbox, paused: true }) })),
  }),
  route({
    method: "POST",
    path: `${ITEM}/resume`,
    summary: "Resume a mailbox",
    description: "Fetches what has arrived meanwhile, and sends what waits.",
    access,
    success: { status: 200, data: MailboxRecord },
    handler: ({ caller, params, write }, { mailboxes }) =>
      write(async (tx) => ({ data: await setPaused(tx, mailboxes, caller, { ref: params.mailbox, paused: false }) })),
  }),
  route({
    method: "POST",
    path: `${ITEM}/check`,
    summary: "Check a mailbox",
    description:
      "Connects and signs in both ways and looks the DNS of the domain up, within 15 seconds. Sends nothing. At most 10 per minute and mailbox.",
    access,
    errors: ["RATE_LIMIT_EXCEEDED"],
    success: { status: 200, data: CheckData },
    handler: async ({ caller: { workspaceId }, params }, { db, mailboxes }) => {
      const mailbox = await findMailbox(db, workspaceId, params.mailbox);
      const verdict = await mailboxes.checks.consume(`${workspaceId}:${mailbox.id}`);
      if (!verdict.allowed) throw tooMany(verdict, "Too many checks of this mailbox.");
      return { data: await mailboxes.check(workspaceId, mailbox) };
    },
  }),
];
