import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Dovecot, dovecotProgram, startDovecot, withDovecot } from "../support/dovecot.ts";
import { type NetworkProxy, networkProxyTo } from "../support/network-proxy.ts";
import { startOwnDatabase } from "../support/own-database.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { type Random, scale, seeded } from "../support/proof.ts";
import { until } from "../support/wait.ts";

const MAILS = scale(60, 2_000);
/** Something happens every time this many mails have come. */
const FAULT_EVERY = scale(8, 40);
const THREAD = 4;
const USER = "support";
const CALM_MS_MAX = scale(60_000, 900_000);

let database: Awaited<ReturnType<typeof startOwnDatabase>>;
let dovecot: Dovecot;
let network: NetworkProxy;
const nodes: ParleyProcess[] = [];
let mailboxId: number;

const settings = { PARLEY_MAIL_PORTS: "1-65535" };

beforeAll(async () => {
  if (!dovecotProgram) return;
  dovecot = await startDovecot();
  network = await networkProxyTo(`http://127.0.0.1:${dovecot.port}`);
  database = await startOwnDatabase();
  // One after the other: the first one writes the schema.
  for (let index = 0; index < 2; index++) nodes.push(await startProcess("serve", database, settings));
  const reply = await nodes[0]?.call("POST", "/mailboxes", {
    body: {
      name: "Support",
      address: "support@shop.example",
      outbound: { host: "127.0.0.1", port: 25, security: "none" },
      inbound: {
        type: "imap",
        host: "127.0.0.1",
        port: Number(new URL(network.url).port),
        security: "none",
        user: USER,
        password: dovecot.password,
      },
    },
  });
  expect(reply?.status, reply?.text).toBe(201);
  mailboxId = reply?.body.data.id;
});
afterAll(async () => {
  for (const node of nodes) if (node.isAlive()) await node.end("SIGKILL");
  await network?.close();
  await dovecot?.close();
  await database?.drop();
});

/** The first of each thread is what the others reply to. */
const mail = (index: number): string =>
  [
    `From: person${index % 7}@example.com`,
    `Subject: mail ${index}`,
    `Message-ID: <f${index}@example.com>`,
    ...(index % THREAD === 0 ? [] : [`In-Reply-To: <f${index - (index % THREAD)}@example.com>`]),
    "",
    `mail ${index}`,
    "",
  ].join("\r\n");

const FAULTS: ((random: Random) => Promise<void>)[] = [
  async () => network.reset(),
  async () => {
    await network.cut();
    await network.restore();
  },
  async () => {
    await dovecot.stop();
    await dovecot.start();
  },
  async (random) => {
    const index = Math.floor(random() * nodes.length);
    await nodes[index]?.end("SIGKILL");
    nodes[index] = await startProcess("serve", database, settings);
  },
  async () => database.crash(),
  async () => dovecot.renumber(USER),
  // Both believe that they own it: one of them is wrong, and finds out when it stores.
  async () =>
    void (await database.query("update mailbox_states set lease_until = now() - interval '1 second'").catch(() => [])),
];

interface Stored {
  body: string;
  conversation_id: string;
}

const readStored = (): Promise<Stored[]> =>
  database
    .query<Stored>(
      `select message.body, message.conversation_id
       from mails_in
       join messages message on message.workspace_id = mails_in.workspace_id and message.id = mails_in.message_id
       where mails_in.mailbox_id = $1`,
      [mailboxId],
    )
    .catch(() => []);

describe.skipIf(!dovecotProgram)(withDovecot("mail that arrives while everything fails"), () => {
  it("is stored once, each in its conversation", { timeout: CALM_MS_MAX + 300_000 }, async () => {
    const random = seeded("mail-imap");
    const files = new Map<string, number>();
    const elsewhere: number[] = [];
    let faults = 0;
    for (let index = 0; index < MAILS; index++) {
      files.set(dovecot.deliver(USER, mail(index)), index);
      // Another client: only replies, so that every thread keeps its beginning.
      const victim = [...files].find(([, number]) => number === index - 1 && number % THREAD !== 0);
      if (victim && random() < 0.1) {
        dovecot.removeMail(USER, victim[0]);
        files.delete(victim[0]);
        // It comes back, as if it had been moved out of the folder and in again.
        if (random() < 0.5) elsewhere.push(victim[1]);
      }
      if (index % FAULT_EVERY === FAULT_EVERY - 1) {
        await FAULTS[faults % FAULTS.length]?.(random);
        faults++;
      }
    }
    for (const index of elsewhere) files.set(dovecot.deliver(USER, mail(index)), index);
    const expected = [...files.values()].map((index) => `mail ${index}`);
    await until(
      "every mail of the folder is stored",
      async () => {
        const bodies = new Set((await readStored()).map(({ body }) => body));
        return expected.every((body) => bodies.has(body));
      },
      { timeoutMs: CALM_MS_MAX, everyMs: 200 },
    );
    const stored = await readStored();
    const bodies = stored.map(({ body }) => body);
    expect(bodies.filter((body, position) => bodies.indexOf(body) !== position)).toEqual([]);
    const threads = new Map<number, Set<string>>();
    for (const { body, conversation_id } of stored) {
      const thread = Math.floor(Number(body.slice(5)) / THREAD);
      threads.set(thread, (threads.get(thread) ?? new Set()).add(conversation_id));
    }
    expect([...threads].filter(([, conversations]) => conversations.size !== 1)).toEqual([]);
    expect(new Set(stored.map(({ conversation_id }) => conversation_id)).size).toBe(threads.size);
  });
});
