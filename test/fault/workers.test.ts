import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type Audience, createAudience, type Ledger, openLedger } from "../support/ledger.ts";
import { heldBy, type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { full, scale } from "../support/proof.ts";
import { type Arrival, type Behaviour, type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const WORKERS = scale(2, 4);
const WEBHOOKS = 50;
const MESSAGES = scale(60, 1_000);
const MESSAGES_AT_STOP = 4;

let database: TestDatabase;
let receiver: Receiver;
let server: ParleyProcess;
let workers: ParleyProcess[] = [];
let audience: Audience;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  // The server delivers too, but hardly: the work is the workers'.
  server = await startProcess("serve", database, { PARLEY_DELIVERY_CONCURRENCY: "1" });
  // One receiver for all of them: with more in flight it is the receiver that would be late.
  const settings = { PARLEY_DELIVERY_CONCURRENCY: "32" };
  workers = await Promise.all(Array.from({ length: WORKERS }, () => startProcess("worker", database, settings)));
  audience = await createAudience(server.call, receiver, WEBHOOKS);
});
afterAll(async () => {
  await receiver?.close();
  for (const worker of workers) worker.child.kill("SIGCONT");
  await Promise.all([...workers, server].map((process) => process?.end("SIGKILL")));
  await database?.drop();
});

/** Writes messages, eight at a time; every one is acknowledged. */
async function writeMessages(ledger: Ledger, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (left-- > 0) await ledger.write();
    }),
  );
  expect(ledger.acknowledged.size).toBe(ledger.written.length);
}

/** Waits until this many messages have arrived at every webhook, at least as often as they should. */
const arrived = (ledger: Ledger, messages: number) =>
  until(`${messages} messages have arrived everywhere`, () => ledger.arrivals().length >= messages * WEBHOOKS, {
    timeoutMs: 180_000,
    everyMs: 250,
  });

/** A claim that was in flight at the stop may commit a moment later: what a stopped worker holds, once it stands still. */
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

/** In the short form the eighteen seconds after which the lease of a silent worker expires are not waited for: its heartbeat is set back. */
async function letLeasePass(workerId: number): Promise<void> {
  if (full) return;
  await database.query("update workers set heartbeat_at = heartbeat_at - interval '18 seconds' where id = $1", [
    workerId,
  ]);
}

/** From now on no request gets a response but those that are picked out. */
function holdResponses(receiver: Receiver) {
  const held = new Map<Arrival, Parameters<Behaviour>[0]>();
  receiver.behave((response, arrival) => void held.set(arrival, response));
  return {
    waiting: () => [...held.keys()],
    /** How many that were. */
    respondWhere(which: (arrival: Arrival) => boolean, status: number): number {
      const picked = [...held].filter(([arrival]) => which(arrival));
      for (const [arrival, response] of picked) respondWith(status)(response, arrival);
      for (const [arrival] of picked) held.delete(arrival);
      return picked.length;
    },
  };
}

/** Why something was sent twice, as far as the logs know. */
async function explain(): Promise<string> {
  const failures = await database.query(
    "select error_message, count(*)::int from delivery_attempts where not delivered group by 1",
  );
  const said = [server, ...workers].map((process) => process.output().split("\n").slice(0, 20).join("\n"));
  return `${JSON.stringify(failures)}\n${said.join("\n")}`;
}

describe(`${WORKERS} workers on one database`, () => {
  it(`deliver ${MESSAGES} messages to ${WEBHOOKS} webhooks with no duplicate and no loss`, {
    timeout: 300_000,
  }, async ({ annotate }) => {
    const ledger = openLedger(audience, server.call);
    const startedAt = performance.now();
    await writeMessages(ledger, MESSAGES);
    await arrived(ledger, MESSAGES);
    const seconds = (performance.now() - startedAt) / 1_000;
    const { arrivals, duplicates } = await ledger.judge(database);
    await annotate(`${arrivals} deliveries in ${seconds.toFixed(1)} s, ${duplicates} duplicates`);
    expect(duplicates, await explain()).toBe(0);
    const logged = await database.query("select delivered, count(*)::int from delivery_attempts group by 1");
    expect(logged).toEqual([{ delivered: true, count: MESSAGES * WEBHOOKS }]);
    const busy = await database.query("select 1 from delivery_lanes where in_flight <> 0");
    expect(busy, "lanes that believe something is in flight").toEqual([]);
  });

  it("of which one is stopped past its lease and continued lose nothing, and its late results move nothing", {
    timeout: 300_000,
  }, async ({ annotate }) => {
    const [stopped] = workers as [ParleyProcess];
    const workerId = await stopped.workerId();
    const ledger = openLedger(audience, server.call);
    const open = holdResponses(receiver);
    await writeMessages(ledger, MESSAGES_AT_STOP);
    await until("the receiver has many of its requests", async () => {
      const its = new Set(await heldBy(database, workerId));
      return open.waiting().filter((arrival) => its.has(ledger.nameOf(arrival))).length > 10;
    });
    stopped.child.kill("SIGSTOP");
    const stoppedAt = performance.now();
    const inFlight = await heldWhenStill(workerId);
    // What it will read when it continues: by then all of these are in flight elsewhere, or delivered.
    const isIts = (arrival: Arrival) => inFlight.has(ledger.nameOf(arrival));
    const late = open.respondWhere(isIts, 500);
    expect(late).toBeGreaterThan(10);
    const free = () => database.query("select 1 from deliveries where worker_id is null");
    // Before the lease passes: what it held then fills the slots of the others, and gets no response.
    await until("others have taken what nobody held", async () => {
      open.respondWhere((arrival) => !isIts(arrival), 200);
      return (await free()).length === 0;
    });
    await letLeasePass(workerId);
    const again = () => new Set(open.waiting().filter(isIts).map(ledger.nameOf));
    await until(
      "others have taken up all it held",
      () => {
        open.respondWhere((arrival) => !isIts(arrival), 200);
        return again().size === inFlight.size;
      },
      { timeoutMs: 40_000 },
    );

    stopped.child.kill("SIGCONT");
    const stoppedMs = performance.now() - stoppedAt;
    const lateLogged = () => database.query("select 1 from delivery_attempts where response_code = 500");
    await until("its late results are logged", async () => (await lateLogged()).length === late, { timeoutMs: 20_000 });
    await until("it is a worker again", async () => (await stopped.workerId()) > workerId, { timeoutMs: 20_000 });
    expect(await free(), "deliveries that went back to the queue under the hands of others").toEqual([]);

    receiver.behave(respondWith(200));
    open.respondWhere(() => true, 200);
    await writeMessages(ledger, MESSAGES_AT_STOP);
    await ledger.judge(database, { stoppedMs });
    const repeated = ledger.repeated();
    await annotate(`${inFlight.size} in flight at the stop, ${late} late results, ${repeated.length} duplicates`);
    for (const name of repeated) expect(inFlight, `${name} came again`).toContain(name);
    expect(repeated.length, "each at most once more").toBe(new Set(repeated).size);
    expect(await database.query("select 1 from dead_letters")).toEqual([]);
  });

  it("stop at SIGTERM with exit code 0", async () => {
    for (const { code } of await Promise.all(workers.map((worker) => worker.end("SIGTERM")))) expect(code).toBe(0);
    expect(await database.query("select 1 from deliveries where worker_id is not null")).toEqual([]);
  });
});
