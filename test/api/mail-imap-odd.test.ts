import { afterAll, beforeAll, expect, it } from "vitest";
import { type OddImap, startOddImap } from "../support/odd-imap.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
const servers: OddImap[] = [];
let counter = 0;

beforeAll(async () => {
  parley = await startParley({ PARLEY_MAIL_PORTS: "1-65535", PARLEY_DNS_SERVERS: "127.0.0.1:1" });
});
afterAll(async () => {
  await parley.close();
  for (const server of servers) await server.close();
});

async function start(oddities: Parameters<typeof startOddImap>[0]): Promise<OddImap> {
  const server = await startOddImap(oddities);
  servers.push(server);
  return server;
}

async function connect({ port }: OddImap, key = parley.key): Promise<number> {
  const account = { host: "127.0.0.1", port, security: "none", user: "odd", password: "secret" };
  const body = {
    name: "odd",
    address: `odd${++counter}@shop.example`,
    inbound: { type: "imap", ...account, since: "2020-01-01" },
    outbound: account,
  };
  const { status, text, body: reply } = await parley.call("POST", "/mailboxes", { key, body });
  expect(status, text).toBe(201);
  return reply.data.id;
}

/** With a slow server each. */
const WORKSPACES = 40;

const mail = (text: string, more = ""): string =>
  `From: ada@example.com\r\nSubject: a\r\nMessage-ID: <o${++counter}@example.com>\r\n\r\n${text}\r\n${more}`;
const largeMail = (text: string): string => mail(text, `${"x".repeat(76)}\r\n`.repeat(20_000));

async function bodiesOf(mailboxId: number): Promise<string[]> {
  const rows = await parley.database.query<{ line: string }>(
    `select split_part(message.body, E'\\n', 1) as line
     from mails_in
     join messages message on message.workspace_id = mails_in.workspace_id and message.id = mails_in.message_id
     where mails_in.mailbox_id = $1
     order by message.id`,
    [mailboxId],
  );
  return rows.map(({ line }) => line.trim());
}

const errorOf = async (id: number): Promise<string | null> =>
  (await parley.call("GET", `/mailboxes/${id}`)).body.data.status.error;

const stored = (id: number, bodies: string[], timeoutMs = 15_000) =>
  until(
    `these are stored: ${bodies.join(", ")}`,
    async () => {
      const found = new Set(await bodiesOf(id));
      return bodies.every((body) => found.has(body));
    },
    { timeoutMs },
  );

it("large mail of a server that sends the whole of each mail is stored, and what comes after it", {
  timeout: 200_000,
}, async () => {
  const server = await start({ ignoresParts: true });
  for (const raw of [mail("one"), largeMail("two"), mail("three")]) server.deliver(raw);
  const id = await connect(server);
  await stored(id, ["one", "two", "three"]);
  const [row] = await parley.database.query<{ size_bytes: number }>(
    `select max(files.size_bytes)::int as size_bytes
     from mails_in join files on files.id = mails_in.raw_file_id
     where mails_in.mailbox_id = $1`,
    [id],
  );
  expect(row?.size_bytes).toBeGreaterThan(1_500_000);
});

it.each([
  ["speaks IMAP4rev2 only", { isRev2Only: true }],
  ["does not say the next number", { hasNoUidNext: true }],
])("mail of a server that %s is stored", { timeout: 200_000 }, async (_what, oddities) => {
  const server = await start(oddities);
  server.deliver(mail("older"));
  const id = await connect(server);
  await stored(id, ["older"]);
  server.deliver(mail("new"));
  await stored(id, ["older", "new"]);
});

it("mail of a server that hangs up when the folder is opened is stored later, and its reason is shown", {
  timeout: 200_000,
}, async () => {
  const server = await start({ isFull: true });
  server.deliver(mail("patient"));
  const id = await connect(server);
  await until("it is shown", async () => /Too many connections/.test((await errorOf(id)) ?? ""));
  server.makeRoom();
  await stored(id, ["patient"]);
});

it("mail of a server that closes each connection after some commands is stored without long pauses", {
  timeout: 400_000,
}, async () => {
  const server = await start({ commandsMax: 50 });
  const bodies = Array.from({ length: 150 }, (_, index) => `mail ${index}`);
  for (const body of bodies.slice(0, 60)) server.deliver(mail(body));
  const id = await connect(server);
  await stored(id, bodies.slice(0, 60));
  for (const body of bodies.slice(60)) server.deliver(mail(body));
  await stored(id, bodies, 40_000);
  expect(await bodiesOf(id)).toHaveLength(bodies.length);
});

it("new mail waits for the part of a large mail that is on its way, and not for the next ones", {
  timeout: 200_000,
}, async () => {
  const server = await start({ partMs: 500 });
  const id = await connect(server);
  await until(
    "it is connected",
    async () => (await parley.call("GET", `/mailboxes/${id}`)).body.data.status.state === "ok",
  );
  server.deliver(mail("large", `${"x".repeat(76)}\r\n`.repeat(300_000)));
  await until("its parts come", () => server.parts() >= 3);
  const bodies = ["one", "two", "three", "four", "five", "six"];
  for (const body of bodies) server.deliver(mail(body));
  const before = server.parts();
  await until("the new mail is stored", async () => (await bodiesOf(id)).includes("six"), { everyMs: 20 });
  // Two that come until the folder is looked at again, and the one that is on its way.
  expect(server.parts() - before).toBeLessThan(5);
  expect(await bodiesOf(id)).toEqual(bodies);
  await stored(id, ["large"], 60_000);
});

it("mail servers that send a few bytes at a time keep no mail of other workspaces waiting", {
  timeout: 400_000,
}, async () => {
  const slow = await start({ dribbles: true });
  for (let index = 0; index < 2; index++) {
    slow.deliver(mail("slow", "x".repeat(10_000)));
    const { key } = await parley.createWorkspace();
    for (let number = 0; number < 4; number++) await connect(slow, key);
  }
  await until("they have their turns", () => slow.sending() >= 4);
  const server = await start({});
  server.deliver(mail("quick"));
  const { key } = await parley.createWorkspace();
  await stored(await connect(server, key), ["quick"]);
});

it("mail servers of many workspaces that take long for each mail keep no mail of another one waiting", {
  timeout: 400_000,
}, async () => {
  const slow = await start({ mailMs: 1_900 });
  for (let index = 0; index < 40; index++) slow.deliver(mail("slow"));
  const quick = await start({});
  const { key } = await parley.createWorkspace();
  const id = await connect(quick, key);
  const isConnected = async () =>
    (await parley.call("GET", `/mailboxes/${id}`, { key })).body.data.status.state === "ok";
  await until("it is connected", isConnected, { timeoutMs: 45_000 });
  for (let index = 0; index < WORKSPACES; index++) await connect(slow, (await parley.createWorkspace()).key);
  const reading = "select 1 from mailbox_states where last_message_at > now() - interval '10 seconds'";
  const isRead = async () => (await parley.database.query(reading)).length >= WORKSPACES / 2;
  await until("they are read", isRead, { timeoutMs: 60_000 });
  const begunAt = performance.now();
  quick.deliver(mail("quick"));
  await stored(id, ["quick"]);
  // If each of them kept its turn for as long as it takes, it would be more than 15 seconds.
  expect(performance.now() - begunAt).toBeLessThan(8_000);
});
