import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale, seeded } from "../support/proof.ts";
import { type Fault, type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { createWidget, openVisitor } from "../support/visitor.ts";
import { until } from "../support/wait.ts";

const VISITORS = scale(12, 100);
const ROUNDS = scale(2, 5);
const REPLIES = 3;
const SETTINGS = {
  PARLEY_MAIL_PORTS: "1024-65535",
  PARLEY_MAIL_RETRY_SCHEDULE: "0.1,0.3,1",
  PARLEY_MAIL_TIMEOUT_SECONDS: "1",
  PARLEY_MAIL_PER_HOUR: "100000",
  PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "100000",
  PARLEY_WIDGET_SESSIONS_PER_WIDGET: "100000",
  PARLEY_WIDGET_MAIL_MINUTES: "30",
};
const FAULTS: (Fault | null)[] = [
  null,
  null,
  { at: "connect", how: "drop" },
  { at: "mail", how: 451 },
  { at: "body", how: "drop" },
  { at: "dot", how: 451 },
  { at: "dot", how: "drop-accepted" },
];

let database: TestDatabase;
let receiver: SmtpReceiver;
let nodes: ParleyProcess[];

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startSmtpReceiver();
  nodes = [await startProcess("serve", database, SETTINGS), await startProcess("serve", database, SETTINGS)];
});
afterAll(async () => {
  for (const node of nodes ?? []) await node.end("SIGKILL");
  await receiver?.close();
  await database?.drop();
});

interface Chat {
  id: number;
  email: string;
}

const call = async (method: string, path: string, body?: object) => {
  const reply = await (nodes[0] as ParleyProcess).call(method, path, body ? { body } : {});
  if (reply.status >= 300) throw new Error(`${method} ${path} responded with ${reply.status}: ${reply.text}`);
  return reply.body.data;
};

async function openChats(): Promise<{ chats: Chat[]; mailboxId: number }> {
  const outbound = { host: "127.0.0.1", port: receiver.port, security: "none" };
  const mailbox = await call("POST", "/mailboxes", { name: "a", address: "a@shop.example", outbound });
  const node = nodes[0] as ParleyProcess;
  const widget = await createWidget(node, { mailbox_id: mailbox.id });
  const chats: Chat[] = [];
  for (let n = 0; n < VISITORS; n++) {
    const email = `v${n}@visitor.example`;
    const sent = await openVisitor(node, widget).send("Where is it?", { email });
    const { id } = await call("GET", `/conversations/${sent.body.data.conversation.id}`);
    chats.push({ id, email });
  }
  return { chats, mailboxId: mailbox.id };
}

/** Half an hour passes for all conversations at once. */
const age = () =>
  database.query(
    `with messages_aged as (update messages set created_at = created_at - interval '31 minutes')

     update conversations set last_message_at = last_message_at - interval '31 minutes'`,
  );

async function killAtRandom(random: () => number): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    await sleep(random() * 4_000);
    await node.end("SIGKILL");
    nodes[index] = await startProcess("serve", database, SETTINGS);
  }
}

interface Mailed {
  header_id: string;
  state: string;
}

const mailed = () =>
  database.query<Mailed>(
    `select mail.header_id, recipient.state
     from outgoing_mails mail
     join outgoing_recipients recipient on recipient.workspace_id = mail.workspace_id and recipient.mail_id = mail.id`,
  );

it(`replies that ${VISITORS} visitors have not seen are in one mail each, whenever a node is killed`, {
  timeout: scale(600_000, 1_800_000),
}, async ({ annotate }) => {
  const random = seeded("mail to visitors");
  receiver.behave({ fault: () => FAULTS[Math.floor(random() * FAULTS.length)] ?? null });
  const { chats, mailboxId } = await openChats();
  const written: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const { id } of chats)
      for (let number = 0; number < REPLIES; number++) {
        const body = `[${id}-${round}-${number}]`;
        await call("POST", `/conversations/${id}/messages`, { body });
        written.push(body);
      }
    await age();
    await killAtRandom(random);
    const mails = (round + 1) * VISITORS;
    await until(`${mails} mails are queued`, async () => (await mailed()).length >= mails, { timeoutMs: 120_000 });
  }
  const isSettled = async () => (await mailed()).every(({ state }) => state !== "pending" && state !== "sending");
  await until("every mail has a final state", isSettled, { timeoutMs: 240_000, everyMs: 200 });

  const ledger = await mailed();
  expect(ledger).toHaveLength(ROUNDS * VISITORS);
  const copies = (id: string) => receiver.accepted.filter((one) => one.id === id);
  const wrong = ledger.filter(({ header_id, state }) => {
    const { length } = copies(header_id);
    return state === "sent" ? length !== 1 : length > 1;
  });
  expect(wrong).toEqual([]);
  // Of what arrived: each reply once, and those of a round together.
  const arrived = receiver.accepted.flatMap(({ raw }) => plainText(raw).match(/\[\d+-\d+-\d+\]/g) ?? []);
  expect(arrived).toHaveLength(new Set(arrived).size);
  expect(arrived).toHaveLength(receiver.accepted.length * REPLIES);
  const lost = ledger.filter(({ header_id }) => copies(header_id).length === 0);
  expect(lost.filter(({ state }) => state !== "unknown")).toEqual([]);
  expect(written.length - arrived.length).toBe(lost.length * REPLIES);
  await writeBack(chats, mailboxId);
  await annotate(`${ledger.length} mails, ${ledger.filter(({ state }) => state === "unknown").length} unknown`);
});

/** Without the HTML, which says the same again. */
const plainText = (raw: string): string => raw.slice(0, raw.search(/^Content-Type: text\/html/im));

async function writeBack(chats: readonly Chat[], mailboxId: number): Promise<void> {
  for (const { id, email } of chats) {
    const last = receiver.accepted.filter(({ to }) => to.includes(email)).at(-1);
    if (!last) continue;
    const rawBody = `From: ${email}\r\nTo: a@shop.example\r\nIn-Reply-To: <${last.id}>\r\n\r\nThank you, ${id}.\r\n`;
    const options = { rawBody, headers: { "content-type": "message/rfc822" } };
    const stored = await (nodes[0] as ParleyProcess).call("POST", `/mailboxes/${mailboxId}/messages`, options);
    expect([stored.status, stored.body.data.conversation_id]).toEqual([201, id]);
  }
}
