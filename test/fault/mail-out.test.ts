import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale, seeded } from "../support/proof.ts";
import { type Fault, type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/wait.ts";

const REPLIES = scale(40, 1_000);
const KILLS = scale(1, 15);
const CONVERSATIONS = 10;
const SETTINGS = {
  PARLEY_MAIL_PORTS: "1024-65535",
  PARLEY_MAIL_RETRY_SCHEDULE: "0.1,0.3,1",
  PARLEY_MAIL_TIMEOUT_SECONDS: "1",
  PARLEY_MAIL_PER_HOUR: "100000",
};
/** Each step of the dialogue, and each way to fail there. */
const FAULTS: Fault[] = [
  ...(["connect", "ehlo", "mail", "rcpt", "data"] as const).flatMap((at) => [
    { at, how: "drop" as const },
    { at, how: 451 },
  ]),
  { at: "mail", how: 550 },
  { at: "rcpt", how: 550 },
  { at: "data", how: 554 },
  { at: "body", how: "drop" },
  { at: "dot", how: "drop" },
  { at: "dot", how: "drop-accepted" },
  { at: "dot", how: 451 },
  { at: "dot", how: 554 },
];
const HANGS: Fault[] = (["connect", "ehlo", "mail", "rcpt", "data", "body", "dot"] as const).map((at) => ({
  at,
  how: "hang",
}));

let database: TestDatabase;
let receiver: SmtpReceiver;
let server: ParleyProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startSmtpReceiver();
  server = await startProcess("serve", database, SETTINGS);
});
afterAll(async () => {
  await server?.end("SIGKILL");
  await receiver?.close();
  await database?.drop();
});

interface Recipient {
  header_id: string;
  address: string;
  state: string;
}

const recipients = () =>
  database.query<Recipient>(
    `select mail.header_id, recipient.address, recipient.state
     from outgoing_mails mail
     join outgoing_recipients recipient on recipient.workspace_id = mail.workspace_id and recipient.mail_id = mail.id`,
  );

async function openConversations(): Promise<number[]> {
  const outbound = { host: "127.0.0.1", port: receiver.port, security: "none" };
  const mailbox = await server.call("POST", "/mailboxes", { body: { name: "a", address: "a@shop.example", outbound } });
  const ids: number[] = [];
  for (let index = 0; index < CONVERSATIONS; index++) {
    const body = { mailbox_id: mailbox.body.data.id, contact: { email: `c${index}@example.com` } };
    ids.push((await server.call("POST", "/conversations", { body })).body.data.id);
  }
  return ids;
}

it(`${REPLIES} replies under failures and ${KILLS} kills arrive once each, or are failed or unknown`, {
  timeout: scale(600_000, 1_800_000),
}, async ({ annotate }) => {
  const random = seeded("mail out");
  const pick = (faults: readonly Fault[]): Fault | null => faults[Math.floor(random() * faults.length)] ?? null;
  receiver.behave({
    fault: () => (random() < 0.02 ? pick(HANGS) : random() < 0.4 ? pick(FAULTS) : null),
    rcpt: (address) => (address.startsWith("slow") && random() < 0.5 ? 450 : address.startsWith("bad") ? 550 : 250),
  });
  const conversations = await openConversations();
  const extra = ["slow@example.com", "bad@example.com"];
  const writeOne = async (number: number) => {
    const id = conversations[number % conversations.length];
    const to = [
      { address: `c${number % CONVERSATIONS}@example.com` },
      ...(number % 5 === 0 ? [{ address: extra[number % 2] }] : []),
    ];
    // A request that a kill interrupts may have been stored or not: the database says which.
    await server
      .call("POST", `/conversations/${id}/messages`, { body: { body: `reply ${number}`, email: { to } } })
      .catch(() => {});
  };
  const every = Math.ceil(REPLIES / (KILLS + 1));
  for (let number = 0; number < REPLIES; number++) {
    await writeOne(number);
    if (number % every !== every - 1 || number === REPLIES - 1) continue;
    await sleep(random() * 1_500);
    await server.end("SIGKILL");
    server = await startProcess("serve", database, SETTINGS);
  }
  const isSettled = async () => (await recipients()).every(({ state }) => state !== "pending" && state !== "sending");
  await until("every mail has a final state", isSettled, { timeoutMs: scale(90_000, 600_000), everyMs: 200 });

  const all = await recipients();
  const copies = (row: Recipient) =>
    receiver.accepted.filter(({ id, to }) => id === row.header_id && to.includes(row.address)).length;
  const wrong = all.filter((row) => {
    const arrived = copies(row);
    return row.state === "sent" ? arrived !== 1 : row.state === "failed" ? arrived !== 0 : arrived > 1;
  });
  expect(wrong.map((row) => ({ ...row, copies: copies(row) }))).toEqual([]);
  const known = new Set(all.map(({ header_id }) => header_id));
  expect(receiver.accepted.filter(({ id }) => !known.has(id))).toEqual([]);
  const bytes = new Map(receiver.accepted.map(({ id, raw }) => [id, raw]));
  expect(receiver.accepted.filter(({ id, raw }) => bytes.get(id) !== raw)).toEqual([]);
  const shown = await database.query<{ wrong: number }>(
    `select count(*)::integer as wrong
     from messages message
     join outgoing_mails mail on mail.workspace_id = message.workspace_id and mail.message_id = message.id
     where (select array_agg(recipient.state order by recipient.position)
            from outgoing_recipients recipient
            where recipient.workspace_id = mail.workspace_id and recipient.mail_id = mail.id)
       <> (select array_agg(shown.value ->> 'state' order by shown.ordinality)
           from jsonb_array_elements(message.delivery -> 'recipients') with ordinality shown)`,
  );
  expect(shown[0]?.wrong).toBe(0);
  const count = (state: string) => all.filter((row) => row.state === state).length;
  await annotate(
    `${all.length} recipients: ${count("sent")} sent, ${count("failed")} failed, ${count("unknown")} unknown`,
  );
  expect(count("sent")).toBeGreaterThan(all.length / 4);
});
