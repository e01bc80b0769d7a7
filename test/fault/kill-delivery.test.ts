import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type Audience, createAudience, keepWriting, type Ledger, openLedger } from "../support/ledger.ts";
import { heldBy, type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { atMost, scale, seeded } from "../support/proof.ts";
import { hang, type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const KILLS = scale(2, 20);
const CLIENTS = 6;
const CLIENTS_AT_FULL_LOAD = scale(12, 48);
const WEBHOOKS = 3;
/** From the death of a server to the taking up of what it had in flight. */
const TAKEN_UP_MS_MAX = atMost(30_000);
const STOPPED_MS_MAX = atMost(30_000);

let database: TestDatabase;
let receiver: Receiver;
let server: ParleyProcess;
let audience: Audience;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  server = await startProcess("serve", database);
  audience = await createAudience(server.call, receiver, WEBHOOKS);
});
afterAll(async () => {
  await receiver?.close();
  await server?.end("SIGKILL");
  await database?.drop();
});
afterEach(() => receiver.behave(respondWith(200)));

const open = () => openLedger(audience, (...request) => server.call(...request));

function requireRepeatsOnlyOf(inFlight: Set<string>, ledger: Ledger): void {
  for (const name of ledger.repeated()) expect(inFlight, `${name} came again`).toContain(name);
}

it(`${KILLS} kill -9 under load lose nothing, and only what was in flight is repeated, within 30 s`, {
  timeout: 300_000 + KILLS * 15_000,
}, async ({ annotate }) => {
  const random = seeded("kill-delivery");
  const ledger = open();
  const inFlight = new Set<string>();
  async function killed(): Promise<void> {
    const workerId = await server.workerId();
    expect((await server.end("SIGKILL")).signal).toBe("SIGKILL");
    for (const name of await heldBy(database, workerId)) inFlight.add(name);
  }

  receiver.behave((response, arrival) => void setTimeout(() => respondWith(200)(response, arrival), random() * 40));
  for (let kill = 1; kill < KILLS; kill++) {
    const fatal = ledger.acknowledged.size + 1 + Math.floor(random() * 25);
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (server.isAlive()) {
          await ledger.write();
          // In the very turn in which the client learns of it.
          if (ledger.acknowledged.size >= fatal) server.child.kill("SIGKILL");
        }
      }),
    );
    await killed();
    server = await startProcess("serve", database);
  }

  // What the others left behind is taken up first: it would fill the windows of its lanes, and hang there in its turn.
  await until("nothing is left to do", async () => (await database.query("select 1 from deliveries")).length === 0, {
    timeoutMs: 60_000,
  });
  // The last one dies with deliveries that were sent and have no response yet.
  const sent = ledger.arrivals().length;
  receiver.behave(hang);
  const { reply } = await ledger.write();
  const orphans = () =>
    ledger
      .arrivals()
      .slice(sent)
      .filter(({ event }) => event.data.uuid === reply?.body.data.uuid);
  await until("its deliveries hang", () => orphans().length === WEBHOOKS);
  await killed();
  const killedAt = performance.now();
  receiver.behave(respondWith(200));
  server = await startProcess("serve", database);
  await until("every orphan is sent again", () => orphans().length === 2 * WEBHOOKS, { timeoutMs: 40_000 });
  const takenUpMs = Math.round(performance.now() - killedAt);
  expect(takenUpMs).toBeLessThan(TAKEN_UP_MS_MAX);

  const verdict = await ledger.judge(database);
  await annotate(
    `${JSON.stringify(verdict)}, ${inFlight.size} were in flight at the kills; taken up after ${takenUpMs} ms`,
  );
  expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(KILLS);
  requireRepeatsOnlyOf(inFlight, ledger);
});

it("SIGTERM at full load ends the process with 0 within 30 s, and repeats only what had no response", {
  timeout: 300_000,
}, async ({ annotate }) => {
  const ledger = open();
  const withoutResponse = new Set<string>();
  receiver.behave((response, arrival) => {
    const name = ledger.nameOf(arrival);
    withoutResponse.add(name);
    response.on("finish", () => withoutResponse.delete(name));
    setTimeout(() => respondWith(200)(response, arrival), 60);
  });
  const writers = keepWriting(ledger, CLIENTS_AT_FULL_LOAD);
  await until("the load is on", () => ledger.arrivals().length > scale(200, 2_000), { timeoutMs: 60_000 });
  const askedAt = performance.now();
  const { code } = await server.end("SIGTERM");
  const tookMs = Math.round(performance.now() - askedAt);
  await writers.stop();
  expect(code, server.output()).toBe(0);
  expect(tookMs).toBeLessThan(STOPPED_MS_MAX);
  expect(await database.query("select 1 from deliveries where worker_id is not null"), "not released").toEqual([]);
  const mayRepeat = new Set(withoutResponse);
  server = await startProcess("serve", database);
  const verdict = await ledger.judge(database);
  await annotate(`stopped after ${tookMs} ms; ${JSON.stringify(verdict)}, ${mayRepeat.size} had no response`);
  requireRepeatsOnlyOf(mayRepeat, ledger);
});

it("SIGTERM releases what hangs, without counting an attempt", async () => {
  const ledger = open();
  receiver.behave(hang);
  await ledger.write();
  await until("the deliveries hang", () => ledger.arrivals().length === WEBHOOKS);
  const hanging = new Set(ledger.arrivals().map(ledger.nameOf));
  const askedAt = performance.now();
  expect((await server.end("SIGTERM")).code).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(STOPPED_MS_MAX);
  const rows = await database.query("select attempts_made, worker_id, lease_token from deliveries");
  expect(rows).toEqual(Array(WEBHOOKS).fill({ attempts_made: 0, worker_id: null, lease_token: null }));
  receiver.behave(respondWith(200));
  server = await startProcess("serve", database);
  await ledger.judge(database);
  requireRepeatsOnlyOf(hanging, ledger);
});
