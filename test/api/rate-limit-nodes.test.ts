import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { createLeaseStore, type PostgresLeaseStore } from "../../src/db/lease-store.ts";
import type { Limiter } from "../../src/rate-limit/limiter.ts";
import { createSharedLimiter, type Lease, type LeaseStore } from "../../src/rate-limit/shared-limiter.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

const logger = createLogger("silent");
const LIMIT = { requests: 1_000, windowSeconds: 3_600 };

let database: TestDatabase;
const pools: Database[] = [];
const stores: PostgresLeaseStore[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  for (let node = 0; node < 3; node++) {
    const connection = { connectionString: database.url };
    const db = createDatabase({ connection, poolSize: 2, logger, applicationName: `node ${node}` });
    pools.push(db);
    stores.push(await createLeaseStore(db, logger));
  }
  await until("the nodes know each other", () => stores.every((store) => store.nodes() === 3));
});
afterAll(async () => {
  for (const store of stores) await store.close();
  for (const pool of pools) await pool.close();
  await database.drop();
});

/** Sends requests to the node that `nodeOf` names, 20 at a time, and counts those admitted. */
async function admitted(limiters: Limiter[], key: string, nodeOf: (request: number) => number): Promise<number> {
  let count = 0;
  for (let sent = 0; sent < 1_500; sent += 20)
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const verdict = await limiters[nodeOf(sent + index)]?.consume(key);
        if (verdict?.allowed) count++;
        else expect(verdict?.resetMs).toBeGreaterThan(0);
      }),
    );
  return count;
}

describe("three nodes with one limit", () => {
  it.each([
    ["evenly", (request: number) => request % 3],
    ["unevenly", (request: number) => (request % 50 === 0 ? 1 : request % 75 === 0 ? 2 : 0)],
  ])("admit at least 98 % of it and never more when requests are spread %s", async (how, nodeOf) => {
    // A slow database must not turn this into a test of the fallback.
    const limiters = stores.map((store) => createSharedLimiter(LIMIT, "standard", store, { waitMs: 5_000 }));
    const count = await admitted(limiters, how, nodeOf);
    expect(count).toBeLessThanOrEqual(1_000);
    expect(count).toBeGreaterThanOrEqual(980);
  });
});

describe("a limit that was lowered within its window", () => {
  it("grants nothing more, and does not fail", async () => {
    const [store] = stores as [PostgresLeaseStore];
    expect(await store.lease("lowered", 500, LIMIT)).toMatchObject({ granted: 500, left: 500 });
    const lowered = { ...LIMIT, requests: 100 };
    expect(await store.lease("lowered", 50, lowered)).toMatchObject({ granted: 0, left: 0 });
    expect(await store.lease("lowered", 50, LIMIT)).toMatchObject({ granted: 50, left: 450 });
  });
});

describe("three nodes whose database becomes slow", () => {
  /** A window in memory; once half of it is granted, each further lease takes some time. */
  function slowingStore(ms: number): LeaseStore {
    let granted = 0;
    return {
      nodes: () => 3,
      async lease(_, want) {
        if (granted > LIMIT.requests / 2) await new Promise((resolve) => setTimeout(resolve, ms));
        const now = Math.min(want, LIMIT.requests - granted);
        granted += now;
        return { granted: now, left: LIMIT.requests - granted, endsInMs: 3_600_000 };
      },
    };
  }

  it("do not add what they admit meanwhile to what they lease", async () => {
    const store = slowingStore(10);
    const limiters = Array.from({ length: 3 }, () => createSharedLimiter(LIMIT, "standard", store, { waitMs: 1 }));
    const count = await admitted(limiters, "late", (request) => request % 3);
    expect(count).toBeLessThanOrEqual(1_000);
    expect(count).toBeGreaterThanOrEqual(980);
  });
});

describe("a node whose database does not respond", () => {
  const frozen = (nodes: number): LeaseStore => ({ nodes: () => nodes, lease: () => new Promise(() => {}) });

  it("admits its part of the limit, and only the first request waits, and not for long", async () => {
    const limiter = createSharedLimiter(LIMIT, "standard", frozen(4));
    await limiter.consume("key");
    const startedAt = performance.now();
    const verdicts = await Promise.all(Array.from({ length: 400 }, () => limiter.consume("key")));
    expect(performance.now() - startedAt).toBeLessThan(atMost(1_000));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(249);
    expect(verdicts[0]?.limit).toEqual(LIMIT);
  });

  it("shares the limit again once the database responds", async () => {
    let isDown = true;
    const lease = async (): Promise<Lease> => {
      if (isDown) throw new Error("down");
      return { granted: 0, left: 0, endsInMs: 60_000 };
    };
    const limiter = createSharedLimiter(LIMIT, "standard", { nodes: () => 2, lease });
    expect((await limiter.consume("key")).allowed).toBe(true);
    isDown = false;
    await until("the exhausted window is known", async () => !(await limiter.consume("key")).allowed);
  });

  it("alone leases nothing", async () => {
    const limiter = createSharedLimiter({ requests: 2, windowSeconds: 60 }, "two", frozen(1));
    const allowed = [];
    for (let i = 0; i < 3; i++) allowed.push((await limiter.consume("key")).allowed);
    expect(allowed).toEqual([true, true, false]);
  });
});
