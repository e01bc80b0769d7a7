import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestDatabase } from "../support/database.ts";
import { createEmbeddedHome } from "../support/embedded-home.ts";
import { type Audience, createAudience, type Ledger, openLedger } from "../support/ledger.ts";
import { makeForgetful, startOwnDatabase } from "../support/own-database.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale, seeded } from "../support/proof.ts";
import { type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

/** For each of the two servers. */
const CRASHES = scale(4, 100);
const WEBHOOKS = 2;
/** As many as a new lane's window holds: if all of them were forgotten, nothing more would be sent. */
const MESSAGES_PER_CRASH = 4;
const RETRY_SECONDS = 1;
/** Recovery of the database, reconnecting, comparing the claims, and the retry itself. */
const ON_TIME_MS = 12_000;

interface Crashable {
  database: TestDatabase;
  /** kill -9 of PostgreSQL. It starts again by itself. */
  crash(): Promise<void>;
}

async function startEmbeddedHome(): Promise<Crashable> {
  const home = createEmbeddedHome();
  // The first start creates the cluster.
  const first = await startProcess("serve", home);
  await first.end("SIGTERM");
  makeForgetful(join(home.dataDir, "postgres"));
  return { database: home, crash: async () => home.killPostmaster("SIGKILL") };
}

async function startExternal(): Promise<Crashable> {
  const database = await startOwnDatabase();
  return { database, crash: database.crash };
}

describe.each([
  ["embedded", startEmbeddedHome],
  ["external", startExternal],
])("PostgreSQL, %s,", (kind, start) => {
  let target: Crashable;
  let receiver: Receiver;
  let server: ParleyProcess;
  let audience: Audience;

  beforeAll(async () => {
    target = await start();
    receiver = await startReceiver();
    server = await startProcess("serve", target.database, { PARLEY_RETRY_SCHEDULE: String(RETRY_SECONDS) });
    audience = await createAudience(server.call, receiver, WEBHOOKS);
  });
  afterAll(async () => {
    await receiver?.close();
    await server?.end("SIGKILL");
    await target?.database.drop();
  });

  /** Pairs of webhook and event that got a 2xx. */
  const delivered = new Set<string>();

  /** The first attempt of each event waits and then fails, every later one succeeds. */
  function failFirstAttempts(ledger: Ledger) {
    const seen = new Set<string>();
    let waiting: (() => void)[] = [];
    receiver.behave((response, arrival) => {
      const name = ledger.nameOf(arrival);
      if (seen.has(name)) delivered.add(name);
      if (seen.has(name)) return respondWith(200)(response, arrival);
      seen.add(name);
      waiting.push(() => respondWith(500)(response, arrival));
    });
    return {
      waiting: () => waiting.length,
      respond() {
        for (const respond of waiting) respond();
        waiting = [];
      },
    };
  }

  async function writeMessages(ledger: Ledger, count: number): Promise<void> {
    await until("the API accepts writes", async () => (await ledger.write()).reply?.status === 201, {
      timeoutMs: 20_000,
      everyMs: 100,
    });
    for (let i = 1; i < count; i++) expect((await ledger.write()).reply?.status).toBe(201);
  }

  /** A commit that waits for the disk takes everything before it there: the claims, at this moment. */
  const flushClaims = () => target.database.query("update workers set name = name");

  const resultsWritten = async () =>
    (await target.database.query("select 1 from deliveries where worker_id is not null")).length === 0;

  it(`killed ${CRASHES} times after failed attempts were settled loses nothing and delays no retry`, {
    timeout: 300_000 + CRASHES * 30_000,
  }, async ({ annotate }) => {
    const random = seeded(`forgotten-settle-${kind}`);
    const ledger = openLedger(audience, server.call);
    const firsts = failFirstAttempts(ledger);
    let slowestMs = 0;
    for (let crash = 1; crash <= CRASHES; crash++) {
      await writeMessages(ledger, MESSAGES_PER_CRASH);
      await until("all first attempts wait", () => firsts.waiting() >= MESSAGES_PER_CRASH * WEBHOOKS);
      // The first crash, and most of the others, forget results and keep their claims.
      const keepsClaims = crash === 1 || random() < 0.75;
      if (keepsClaims) await flushClaims();
      firsts.respond();
      if (keepsClaims) await until("all results are written", resultsWritten, { everyMs: 5 });
      else await sleep(random() * 50);
      await target.crash();
      const crashedAt = performance.now();
      const all = ledger.acknowledged.size * WEBHOOKS;
      await until(`everything is delivered after crash ${crash}`, () => delivered.size >= all, {
        timeoutMs: ON_TIME_MS,
      });
      slowestMs = Math.max(slowestMs, performance.now() - crashedAt);
    }
    const verdict = await ledger.judge(target.database);
    const released = server.output().match(/"released deliveries/g)?.length ?? 0;
    await annotate(JSON.stringify({ ...verdict, crashes: CRASHES, forgotten: released, slowestMs }));
    expect(released, "crashes that forgot a result, without which this test shows nothing").toBeGreaterThan(0);
    const full = await target.database.query("select 1 from delivery_lanes where in_flight <> 0");
    expect(full, "lanes that count deliveries which nobody holds").toEqual([]);
  });
});
