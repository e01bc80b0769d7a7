import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { full, scale, seeded } from "../support/proof.ts";
import { type Arrival, type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const WORKERS = scale(2, 4);
const CONVERSATIONS = scale(20, 200);
const MESSAGES = scale(10, 50);
const ALL = CONVERSATIONS * MESSAGES;
const WRITERS = 16;
const FAILED = 0.15;
const RESET = 0.02;

let database: TestDatabase;
let receiver: Receiver;
let server: ParleyProcess;
let workers: ParleyProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  const settings = { PARLEY_RETRY_SCHEDULE: "0.05" };
  // The server delivers too, but hardly: the work is the workers'.
  server = await startProcess("serve", database, { ...settings, PARLEY_DELIVERY_CONCURRENCY: "1" });
  workers = await Promise.all(Array.from({ length: WORKERS }, () => startProcess("worker", database, settings)));
});
afterAll(async () => {
  await receiver?.close();
  await Promise.all([...workers, server].map((process) => process?.end("SIGKILL")));
  await database?.drop();
});

async function create(path: string, body: object): Promise<{ id: number }> {
  const reply = await server.call("POST", path, { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

/** Writes every message; several writers work on each conversation at once. */
async function writeAll(conversations: readonly { id: number }[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let index = next++; index < ALL; index = next++) {
        const { id } = conversations[Math.floor(index / 2) % conversations.length] as { id: number };
        await create(`/conversations/${id}/messages`, { body: `message ${index}` });
      }
    }),
  );
}

/** The receiver's ledger: what it accepted of each conversation, and whatever came before its turn. */
function keepOrder(random: () => number) {
  const accepted = new Map<number, Set<number>>();
  const early: string[] = [];
  let acceptedAll = 0;
  receiver.behave((response, arrival: Arrival) => {
    const { conversation_id, seq } = arrival.event.data;
    const before = accepted.get(conversation_id) ?? new Set();
    accepted.set(conversation_id, before);
    for (let earlier = 1; earlier < seq; earlier++)
      if (!before.has(earlier)) early.push(`${conversation_id}: ${seq} before ${earlier}`);
    const chance = random();
    if (chance < RESET) return void response.destroy();
    if (chance < RESET + FAILED) return respondWith(500)(response, arrival);
    if (!before.has(seq)) acceptedAll++;
    before.add(seq);
    respondWith(200)(response, arrival);
  });
  return { early, accepted: () => acceptedAll };
}

/** In the short form the seconds until a lease expires are not waited for, but written down. */
async function letLeaseExpire(workerId: number): Promise<void> {
  if (full) return;
  await database.query("update workers set heartbeat_at = heartbeat_at - interval '18 seconds' where id = $1", [
    workerId,
  ]);
}

it(`an ordered webhook gets ${CONVERSATIONS} conversations in order from ${WORKERS} workers that fail`, {
  timeout: scale(90_000, 300_000),
}, async ({ annotate }) => {
  const ledger = keepOrder(seeded("ordered"));
  await create("/webhooks", { name: "w", url: receiver.url(), events: ["message.created"], ordered: true });
  const conversations = [];
  for (let i = 0; i < CONVERSATIONS; i++) conversations.push(await create("/conversations", { subject: `c${i}` }));
  const startedAt = performance.now();
  const writing = writeAll(conversations);
  await until("a part has arrived", () => ledger.accepted() > ALL / 4, { timeoutMs: 120_000, everyMs: 5 });
  const [victim] = workers as [ParleyProcess];
  const workerId = await victim.workerId();
  expect((await victim.end("SIGKILL")).signal).toBe("SIGKILL");
  await letLeaseExpire(workerId);
  await writing;
  await until("every message was accepted", () => ledger.accepted() === ALL, { timeoutMs: 180_000, everyMs: 50 });
  const seconds = (performance.now() - startedAt) / 1_000;
  await annotate(`${ALL} messages, ${receiver.arrivals.length} requests, ${seconds.toFixed(1)} s`);
  expect(ledger.early, "messages that came before the one before them was accepted").toEqual([]);
  expect(await database.query("select 1 from dead_letters")).toEqual([]);
  await until("the queue is empty", async () => (await database.query("select 1 from deliveries")).length === 0);
  const busy = await database.query("select 1 from delivery_lanes where in_flight <> 0");
  expect(busy, "lanes that count something as in flight").toEqual([]);
});
