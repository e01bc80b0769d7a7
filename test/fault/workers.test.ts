import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { heldBy, type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { answer, type Receiver, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const WEBHOOKS = 50;

let database: TestDatabase;
let receiver: Receiver;
let server: ParleyProcess;
let workers: ParleyProcess[] = [];
let conversation: number;
/** Signing secret by webhook id; the path of a webhook is its number, which its deliveries name. */
const secrets = new Map<string, string>();
const idOfPath = new Map<string, number>();

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  // The server delivers too, but hardly: the work is the workers'.
  server = await startProcess("serve", database, { PARLEY_DELIVERY_CONCURRENCY: "1" });
  workers = await Promise.all([startProcess("worker", database), startProcess("worker", database)]);
  conversation = (await server.call("POST", "/conversations", { body: { subject: "many" } })).body.data.id;
  for (let i = 0; i < WEBHOOKS; i++) {
    const body = { name: `w${i}`, url: receiver.url(`/${i}`), events: ["message.created"] };
    const { data } = (await server.call("POST", "/webhooks", { body })).body;
    secrets.set(`/${i}`, data.secret);
    idOfPath.set(`/${i}`, data.id);
  }
}, 180_000);
afterAll(async () => {
  await receiver?.close();
  for (const worker of workers) worker.child.kill("SIGCONT");
  await Promise.all([...workers, server].map((process) => process?.end("SIGKILL")));
  await database?.drop();
}, 60_000);

/** Writes messages, eight at a time, and gives the uuids of the acknowledged ones. */
async function writeMessages(count: number): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  let left = count;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (left-- > 0) {
        const reply = await server.call("POST", `/conversations/${conversation}/messages`, { body: { body: "hello" } });
        expect(reply.status, reply.text).toBe(201);
        acknowledged.add(reply.body.data.uuid);
      }
    }),
  );
  return acknowledged;
}

/** How often each (webhook, event) pair has arrived since `from`. */
function ledgerSince(from: number): Map<string, number> {
  const ledger = new Map<string, number>();
  for (const arrival of receiver.arrivals.slice(from)) {
    const name = `${idOfPath.get(arrival.path)}:${arrival.headers["webhook-id"]}`;
    ledger.set(name, (ledger.get(name) ?? 0) + 1);
  }
  return ledger;
}

/** A claim that was under way at the stop may commit a moment later: what a stopped worker holds, once it stands still. */
async function heldWhenStill(workerId: number): Promise<Set<string>> {
  const all = new Set<string>();
  await until(
    "the stopped worker's claims stand still",
    async () => {
      const before = all.size;
      for (const name of await heldBy(database, workerId)) all.add(name);
      return all.size > 0 && all.size === before;
    },
    { everyMs: 200 },
  );
  return all;
}

/** Why something was sent twice, as far as the logs know. */
async function explain(): Promise<string> {
  const failures = await database.query(
    "select error_message, count(*)::int from delivery_attempts where not delivered group by 1",
  );
  const said = [server, ...workers].map((process) => process.output().split("\n").slice(0, 20).join("\n"));
  return `${JSON.stringify(failures)}\n${said.join("\n")}`;
}

const queueIsEmpty = async () => (await database.query("select 1 from deliveries limit 1")).length === 0;

describe("two workers on one database", () => {
  it("deliver 10,000 events to 50 webhooks with no duplicate and no loss", { timeout: 240_000 }, async () => {
    const acknowledged = await writeMessages(200);
    const expected = 200 * WEBHOOKS;
    await until("all has arrived", () => ledgerSince(0).size >= expected, { timeoutMs: 180_000, everyMs: 250 });
    await until("all is settled", queueIsEmpty, { timeoutMs: 20_000 });
    const ledger = ledgerSince(0);
    expect(ledger.size, "lost").toBe(expected);
    expect(receiver.arrivals.length - ledger.size, `duplicates: ${await explain()}`).toBe(0);
    for (const arrival of receiver.arrivals) {
      verify(arrival, secrets.get(arrival.path) as string);
      expect(acknowledged.has(arrival.event.data.uuid), "ghost").toBe(true);
    }
    const [outcomes] = await database.query<{ delivered: number; failed: number }>(
      "select count(*) filter (where delivered)::int as delivered, count(*) filter (where not delivered)::int as failed from delivery_outcomes",
    );
    expect(outcomes).toEqual({ delivered: expected, failed: 0 });
  });

  it("of which one is stopped past its lease and continued: nothing is lost, a delivered one never goes back", {
    timeout: 240_000,
  }, async () => {
    const [stopped] = workers as [ParleyProcess];
    const from = receiver.arrivals.length;
    receiver.behave((response, arrival) => void setTimeout(() => answer(200)(response, arrival), 150));
    const writing = writeMessages(40);
    const held = await until("the worker holds deliveries", async () => {
      const claimed = await heldBy(database, await stopped.workerId());
      return claimed.length > 10 ? claimed : null;
    });
    expect(held.length).toBeGreaterThan(0);
    stopped.child.kill("SIGSTOP");
    const inFlight = await heldWhenStill(await stopped.workerId());
    await writing;
    const expected = 40 * WEBHOOKS;
    await until("all has arrived without it", () => ledgerSince(from).size >= expected, {
      timeoutMs: 120_000,
      everyMs: 250,
    });
    await until("all is settled without it", queueIsEmpty, { timeoutMs: 30_000 });
    stopped.child.kill("SIGCONT");
    await until("it has noticed that it was given up", () => stopped.output().includes("taken for dead"), {
      timeoutMs: 20_000,
    });
    await until("it has logged its late results", async () => {
      const [row] = await database.query<{ open: number }>(
        "select count(*)::int as open from workers where name like '%:' || $1",
        [String(stopped.child.pid)],
      );
      return row?.open === 1;
    });
    expect(await queueIsEmpty()).toBe(true);
    const ledger = ledgerSince(from);
    expect(ledger.size, "lost").toBe(expected);
    for (const [name, times] of ledger) if (times > 1) expect(inFlight, `${name} came ${times} times`).toContain(name);
    const failed = await database.query("select 1 from delivery_outcomes where not delivered");
    expect(failed).toEqual([]);
    // It works again.
    const before = receiver.arrivals.length;
    await writeMessages(2);
    await until("it goes on", () => ledgerSince(before).size >= 2 * WEBHOOKS, { timeoutMs: 30_000 });
  });

  it("stop at SIGTERM with exit code 0", { timeout: 60_000 }, async () => {
    for (const { code } of await Promise.all(workers.map((worker) => worker.end("SIGTERM")))) expect(code).toBe(0);
    expect(await database.query("select 1 from deliveries where worker_id is not null")).toEqual([]);
  });
});
