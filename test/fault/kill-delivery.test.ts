import { randomInt } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { heldBy, type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { type Arrival, answer, hang, type Receiver, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

/** `SEED=… KILLS=20 npx vitest run test/fault/kill-delivery` repeats a run, or makes it longer. */
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));
const KILLS = Number(process.env.KILLS ?? 8);
const CLIENTS = 6;
const WEBHOOKS = 3;

/** Mulberry32: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

let database: TestDatabase;
let receiver: Receiver;
let server: ParleyProcess;
let conversation: number;
const webhooks = new Map<string, { id: number; secret: string }>();
/** The producer's ledger: every text that was sent, and the uuids that were acknowledged. */
let attempted: Set<string>;
let acknowledged: Set<string>;
let from = 0;

beforeAll(async () => {
  process.stderr.write(`kill-delivery: SEED=${SEED} KILLS=${KILLS}\n`);
  database = await createTestDatabase();
  receiver = await startReceiver();
  server = await startProcess("serve", database);
  conversation = (await server.call("POST", "/conversations", { body: { subject: "kill" } })).body.data.id;
  for (let i = 0; i < WEBHOOKS; i++) {
    const body = { name: `w${i}`, url: receiver.url(`/${i}`), events: ["message.created"], timeout_seconds: 60 };
    webhooks.set(`/${i}`, (await server.call("POST", "/webhooks", { body })).body.data);
  }
}, 180_000);
afterAll(async () => {
  await receiver?.close();
  await server?.end("SIGKILL");
  await database?.drop();
});

function openLedgers(): void {
  attempted = new Set();
  acknowledged = new Set();
  from = receiver.arrivals.length;
}

let texts = 0;
/** One message; true once it is acknowledged. A connection that breaks means that nobody knows. */
async function write(onAcknowledged: () => void = () => {}): Promise<boolean> {
  const text = `m${++texts}`;
  attempted.add(text);
  try {
    const reply = await server.call("POST", `/conversations/${conversation}/messages`, { body: { body: text } });
    if (reply.status !== 201) return false;
    acknowledged.add(reply.body.data.uuid);
    onAcknowledged();
    return true;
  } catch {
    return false;
  }
}

const since = () => receiver.arrivals.slice(from);
const nameOf = (arrival: Arrival) => `${webhooks.get(arrival.path)?.id}:${arrival.headers["webhook-id"]}`;

/** The judge: lost 0, ghost 0, every signature good, and no duplicate but of what was in flight. */
async function judge(mayRepeat: Set<string>): Promise<void> {
  const arrived = () => new Set(since().map((arrival) => `${arrival.path} ${arrival.event.data.uuid}`));
  const wanted = [...acknowledged].flatMap((uuid) => [...webhooks.keys()].map((path) => `${path} ${uuid}`));
  await until(
    "every acknowledged message has arrived everywhere",
    () => {
      const there = arrived();
      return wanted.every((name) => there.has(name));
    },
    { timeoutMs: 45_000, everyMs: 100 },
  );
  const queueEmpty = async () => (await database.query("select 1 from deliveries limit 1")).length === 0;
  await until("nothing is left in the queue", queueEmpty, { timeoutMs: 45_000 });
  const times = new Map<string, number>();
  for (const arrival of since()) {
    verify(arrival, webhooks.get(arrival.path)?.secret as string);
    expect(attempted.has(arrival.event.data.body), "ghost").toBe(true);
    times.set(nameOf(arrival), (times.get(nameOf(arrival)) ?? 0) + 1);
  }
  for (const [name, count] of times) if (count > 1) expect(mayRepeat, `${name} came ${count} times`).toContain(name);
}

afterEach(() => receiver.behave(answer(200)));

describe(`with seed ${SEED}`, () => {
  it(`loses no message that was acknowledged, though ${KILLS} times the server dies in the next instruction`, {
    timeout: 60_000 + KILLS * 15_000,
  }, async () => {
    const random = randomOf(SEED);
    openLedgers();
    const inFlight = new Set<string>();
    receiver.behave((response, arrival) => void setTimeout(() => answer(200)(response, arrival), random() * 40));
    for (let kill = 0; kill < KILLS; kill++) {
      const fatal = 1 + Math.floor(random() * 25);
      const workerId = await server.workerId();
      let count = 0;
      let alive = true;
      const onAcknowledged = () => {
        if (++count !== fatal) return;
        server.child.kill("SIGKILL");
        alive = false;
      };
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (alive) await write(onAcknowledged);
        }),
      );
      expect((await server.end("SIGKILL")).signal).toBe("SIGKILL");
      for (const name of await heldBy(database, workerId)) inFlight.add(name);
      server = await startProcess("serve", database);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS);
    await judge(inFlight);
  });

  it("takes up within 30 s what a killed server had in flight", { timeout: 90_000 }, async () => {
    openLedgers();
    receiver.behave(hang);
    await write();
    await until("the deliveries hang", () => since().length === WEBHOOKS);
    const orphans = new Set(since().map(nameOf));
    await server.end("SIGKILL");
    receiver.behave(answer(200));
    const killedAt = performance.now();
    server = await startProcess("serve", database);
    const isBack = (name: string) => since().filter((arrival) => nameOf(arrival) === name).length === 2;
    await until("every orphan is sent again", () => [...orphans].every(isBack), { timeoutMs: 40_000 });
    expect(performance.now() - killedAt).toBeLessThan(30_000);
    const [first, again] = since().filter((arrival) => arrival.path === "/0") as [Arrival, Arrival];
    expect(again.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(again.body).toBe(first.body);
    await judge(orphans);
  });

  it("at SIGTERM under load exits with 0 within 30 s, and loses nothing", { timeout: 120_000 }, async () => {
    openLedgers();
    const unanswered = new Set<string>();
    receiver.behave((response, arrival) => {
      const name = nameOf(arrival);
      unanswered.add(name);
      response.on("finish", () => unanswered.delete(name));
      setTimeout(() => answer(200)(response, arrival), 60);
    });
    let alive = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (alive) if (!(await write())) await new Promise((resolve) => setTimeout(resolve, 5));
    });
    await until("the load is on", () => since().length > 100, { timeoutMs: 30_000 });
    const askedAt = performance.now();
    const { code } = await server.end("SIGTERM");
    const tookMs = performance.now() - askedAt;
    alive = false;
    await Promise.all(clients);
    expect(code, server.output()).toBe(0);
    expect(tookMs).toBeLessThan(30_000);
    expect(await database.query("select 1 from deliveries where worker_id is not null"), "not given back").toEqual([]);
    const mayRepeat = new Set(unanswered);
    server = await startProcess("serve", database);
    await judge(mayRepeat);
  });

  it("at SIGTERM gives back what hangs, without counting an attempt", { timeout: 90_000 }, async () => {
    openLedgers();
    receiver.behave(hang);
    await write();
    await until("the deliveries hang", () => since().length === WEBHOOKS);
    const askedAt = performance.now();
    expect((await server.end("SIGTERM")).code).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(30_000);
    const rows = await database.query("select attempts_made, worker_id, lease_token from deliveries");
    expect(rows).toEqual(Array(WEBHOOKS).fill({ attempts_made: 0, worker_id: null, lease_token: null }));
    receiver.behave(answer(200));
    const hanging = new Set(since().map(nameOf));
    server = await startProcess("serve", database);
    await judge(hanging);
  });
});
