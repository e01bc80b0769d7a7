import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

const QUOTA = 67_108_864;

let database: TestDatabase;
let parley: TestParley;
let counter = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  parley = await startParley({ PARLEY_FILE_BYTES_PER_WORKSPACE_MAX: String(QUOTA) }, database);
});
afterAll(async () => {
  await parley?.app.close();
  await database?.drop();
});

async function createMailbox(address: string): Promise<number> {
  const outbound = { host: "127.0.0.1", port: 25, security: "none" };
  const reply = await parley.call("POST", "/mailboxes", { body: { name: "a", address, outbound } });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

const ingest = (mailbox: number, raw: string) =>
  parley.call("POST", `/mailboxes/${mailbox}/messages`, {
    rawBody: raw,
    headers: { "content-type": "message/rfc822" },
  });

const mail = (text: string, headers: string[] = []): string =>
  [`From: c${++counter}@example.com`, `Message-ID: <q${counter}@example.com>`, ...headers, "", text, ""].join("\r\n");

const usedBytes = async (): Promise<number> =>
  Number((await database.query<{ bytes: string }>("select bytes from file_usage"))[0]?.bytes);

/** Runs the work while the conversation of a first mail is locked; returns that mail's Message-ID for replies to it. */
async function whileLocked(mailbox: number, work: (messageId: string) => Promise<() => Promise<void>>): Promise<void> {
  const first = await ingest(mailbox, mail("first"));
  expect(first.status, first.text).toBe(201);
  const messageId = `<q${counter}@example.com>`;
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select 1 from conversations where id = $1 for update", [first.body.data.conversation_id]);
  try {
    const finish = await work(messageId);
    await holder.query("commit");
    await finish();
  } finally {
    await holder.end();
  }
}

const waitFor = (count: number) =>
  until(`${count} transactions wait`, async () => {
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    return (await database.query(waiting)).length >= count;
  });

it("a mail whose transaction takes long keeps no other mail of its workspace waiting", async () => {
  const mailbox = await createMailbox("slow@shop.example");
  await whileLocked(mailbox, async (messageId) => {
    const slow = ingest(mailbox, mail("slow", [`In-Reply-To: ${messageId}`]));
    await waitFor(1);
    expect((await ingest(mailbox, mail("quick"))).status).toBe(201);
    return async () => expect((await slow).status).toBe(201);
  });
});

it("large mails that take long keep no small mail of their workspace waiting", async () => {
  const mailbox = await createMailbox("large@shop.example");
  await whileLocked(mailbox, async (messageId) => {
    let ended = 0;
    const large = Array.from({ length: 4 }, () =>
      ingest(mailbox, mail(`${"x".repeat(70)}\r\n`.repeat(17_000), [`In-Reply-To: ${messageId}`])).finally(
        () => ended++,
      ),
    );
    await waitFor(1);
    expect((await ingest(mailbox, mail("small"))).status).toBe(201);
    expect(ended).toBe(0);
    return async () => expect((await Promise.all(large)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });
});

it("of mails that arrive at once, those are stored that the quota of the workspace has room for", async () => {
  const mailbox = await createMailbox("full@shop.example");
  const fitting = 3;
  const mails = Array.from({ length: 12 }, (_, n) => mail("x".repeat(50_000), [`X-Number: ${String(n).padStart(9)}`]));
  const sizeBytes = Math.max(...mails.map(({ length }) => length));
  // What a workspace uses is counted from its first file on.
  expect((await ingest(mailbox, mail("first"))).status).toBe(201);
  await database.query("update file_usage set bytes = $1", [QUOTA - fitting * sizeBytes]);
  const replies = await Promise.all(mails.map((raw) => ingest(mailbox, raw)));
  const refused = replies.filter(({ status }) => status === 422);
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(fitting);
  expect(refused).toHaveLength(mails.length - fitting);
  for (const { body } of refused) expect(Object.keys(body.error.details)).toEqual(["files"]);
  expect(await usedBytes()).toBeLessThanOrEqual(QUOTA);
});
