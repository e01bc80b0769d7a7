import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { consumerRecords } from "../../src/consumers/consumer-reader.ts";
import { listConsumers } from "../../src/consumers/consumers.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_DATABASE_POOL: "6" });
});
afterAll(() => parley.close());

let workspace: { id: number; key: string };
beforeEach(async () => {
  workspace = await parley.createWorkspace();
});

const call = (method: string, path: string, body?: object) =>
  parley.call(method, path, { key: workspace.key, ...(body ? { body } : {}) });
const addContact = (name: string) => call("POST", "/contacts", { name });
const RARE = { data: { name: "rare" } };

/** What the pool was asked to run of the statement that looks at events, and how much of it at once. */
async function examinedDuring(
  work: (above: readonly number[]) => Promise<unknown>,
): Promise<{ above: number[]; most: number }> {
  const { pool } = parley.app.store.db;
  const original = pool.query;
  const above: number[] = [];
  let running = 0;
  let most = 0;
  pool.query = (async (...args: unknown[]) => {
    const [statement, values] = args as [{ name?: string; values?: unknown[] }, unknown[] | undefined];
    const isOne = statement.name?.startsWith("event_examine") ?? false;
    if (isOne) {
      most = Math.max(most, ++running);
      above.push(Number((statement.values ?? values)?.[1]));
    }
    try {
      return await (original as (...all: unknown[]) => unknown).apply(pool, args);
    } finally {
      if (isOne) running--;
    }
  }) as unknown as typeof original;
  try {
    await work(above);
  } finally {
    pool.query = original;
  }
  return { above, most };
}

it("readers of consumers and previews use two thirds of their workspace's connections, not all", async () => {
  for (let n = 0; n < 20; n++) await addContact(`${n}`);
  await call("PUT", "/consumers/rare", { start: "beginning", filter: RARE });
  const statuses: number[] = [];
  const { above, most } = await examinedDuring(async () => {
    const replies = Array.from({ length: 60 }, (_, n) =>
      n % 2 === 0
        ? call("GET", "/consumers/rare/events?wait=1")
        : call("POST", "/webhooks/preview", { events: ["*"], filter: RARE }),
    );
    for (const { status } of await Promise.all(replies)) statuses.push(status);
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(above.length).toBeGreaterThanOrEqual(60);
  expect(most).toBeLessThanOrEqual(4);
});

it("a reader that waits looks at each event once, and at all again when the filter has changed", async () => {
  await call("PUT", "/consumers/rare", { start: "now", filter: RARE });
  const namesIn = ({ body }: Any) => body.data.map(({ data }: Any) => data.name);
  const { above } = await examinedDuring(async (seen) => {
    const reading = call("GET", "/consumers/rare/events?wait=20");
    for (const [index, name] of ["a", "b", "c", "rare"].entries()) {
      await addContact(name);
      await until(`it has looked at ${name}`, () => seen.length > index);
    }
    expect(namesIn(await reading)).toEqual(["rare"]);
  });
  expect(new Set(above).size).toBe(above.length);

  await call("POST", "/consumers/rare/reset", { start: "now" });
  await examinedDuring(async (seen) => {
    const reading = call("GET", "/consumers/rare/events?wait=20");
    await addContact("d");
    await until("it has looked at d", () => seen.length > 0);
    await call("PUT", "/consumers/rare", { filter: { data: { name: ["d", "e"] } } });
    await addContact("e");
    expect(namesIn(await reading)).toEqual(["d", "e"]);
  });
});

it("a list of consumers stops counting what lies before them when that takes too long, and says so", async () => {
  for (const name of ["a", "b"]) await call("PUT", `/consumers/${name}`, { start: "beginning", types: ["contact.*"] });
  await addContact("Ada");
  await call("PUT", "/consumers/c", { start: "now" });
  const { db } = parley.app.store;
  const consumers = await listConsumers(db, workspace.id);
  const lags = async (msMax?: number) =>
    (await consumerRecords(db, workspace.id, consumers, { showsLag: () => true, msMax })).map(({ lag }) => lag);
  const uncounted = { events: 0, complete: false, oldest_at: null };
  const none = { events: 0, complete: true, oldest_at: null };
  expect(await lags(0)).toEqual([uncounted, uncounted, none]);
  const counted = { events: 1, complete: true, oldest_at: expect.any(String) };
  expect(await lags()).toEqual([counted, counted, none]);
});
