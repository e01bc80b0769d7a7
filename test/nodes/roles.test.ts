import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openStream } from "../support/event-stream.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

/** Well above what it takes (some 30 ms), well below what polling takes (some 500 ms). */
const WAKE_MEDIAN_MS_MAX = 250;
/** On a busy machine everything takes longer: as long as this many times what takes no node but one. */
const OF_ONE_NODE_MAX = 3;
const CHANGE_MS_MAX = 1_000;

let database: TestDatabase;
let receiver: Receiver;
/** `first` only serves the API; `second` does everything. */
let first: TestParley;
let second: TestParley;
let conversation: number;

async function created(parley: TestParley, path: string, body: object) {
  const reply = await parley.call("POST", path, { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

const write = (parley: TestParley) => created(parley, `/conversations/${conversation}/messages`, { body: "hello" });

const createWebhook = (path: string) =>
  created(first, "/webhooks", { name: path, url: receiver.url(path), events: ["message.created"] });

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  first = await startParley({}, database, { deliver: false, dashboard: "off" });
  conversation = (await created(first, "/conversations", {})).id;
});
afterAll(async () => {
  await receiver.close();
  await first.close();
  await second?.close();
  await database.drop();
});

describe("a node without a dashboard", () => {
  it("has neither its pages nor its API, and serves the API for keys", async () => {
    const page = await first.call("GET", "//", { headers: { accept: "text/html" } });
    expect([page.status, page.body?.error?.code]).toEqual([404, "NOT_FOUND"]);
    expect((await first.call("GET", "//dashboard-api/session")).status).toBe(404);
    expect((await first.call("GET", "/me")).status).toBe(200);
    expect(first.app.setupUrl).toBeNull();
  });
});

describe("a node without delivery", () => {
  it("sends tests of webhooks and leaves their deliveries to a node that delivers", async () => {
    const webhook = await createWebhook("/left");
    await write(first);
    const test = await first.call("POST", `/webhooks/${webhook.id}/test`);
    expect(test.body.success).toBe(true);
    expect(receiver.at("/left").map(({ event }) => event.type)).toEqual(["webhook.test"]);
    const [row] = await database.query("select worker_id, attempts_made from deliveries");
    expect(row).toMatchObject({ worker_id: null });
    expect(await database.query("select 1 from workers")).toEqual([]);

    second = await startParley({}, database);
    await receiver.waitFor(2, "/left");
    await first.call("DELETE", `/webhooks/${webhook.id}`);
  });

  it("wakes the nodes that deliver", async () => {
    const webhook = await createWebhook("/woken");
    await write(first);
    await receiver.waitFor(1, "/woken");
    const tookMs: Times = { one: [], two: [] };
    for (let count = 2; count <= 15; count++) {
      const startedAt = performance.now();
      await write(count % 2 === 0 ? first : second);
      const arrived = await receiver.waitFor(count, "/woken");
      tookMs[count % 2 === 0 ? "two" : "one"].push((arrived.at(-1)?.at ?? 0) - startedAt);
    }
    expect(median(tookMs.two)).toBeLessThan(barOf(tookMs));
    await first.call("DELETE", `/webhooks/${webhook.id}`);
  });
});

describe("two nodes", () => {
  it("send an event to a stream of one right after its commit on the other", async ({ annotate }) => {
    const stream = await openStream(second.url, { query: "?type=message.created" });
    await until("the nodes count each other", async () => {
      const [row] = await database.query<{ nodes: number }>("select count(*)::int as nodes from nodes");
      await write(first);
      return row?.nodes === 2 && stream.events.length > 0;
    });
    const tookMs: Times = { one: [], two: [] };
    for (let turn = 0; turn < 30; turn++) {
      const message = await write(turn % 2 === 0 ? first : second);
      const committedAt = performance.now();
      await until("the stream has the message", () => stream.events.some(({ data }) => data.data.id === message.id), {
        everyMs: 1,
      });
      tookMs[turn % 2 === 0 ? "two" : "one"].push(performance.now() - committedAt);
    }
    stream.close();
    await annotate(`p50 ${Math.round(median(tookMs.two))} ms, max ${Math.round(Math.max(...tookMs.two))} ms`);
    expect(median(tookMs.two)).toBeLessThan(barOf(tookMs));
  });

  it("send nothing to the former URL of a webhook 1 s after it was changed on either", async () => {
    const webhook = await createWebhook("/before");
    await write(second);
    await receiver.waitFor(1, "/before");
    const changed = await first.call("PATCH", `/webhooks/${webhook.id}`, { body: { url: receiver.url("/after") } });
    expect(changed.status).toBe(200);
    const changedAt = performance.now();
    await until("the time for the change has passed", async () => {
      await write(second);
      return performance.now() - changedAt > CHANGE_MS_MAX + 200;
    });
    const late = receiver.at("/before").filter(({ at }) => at > changedAt + CHANGE_MS_MAX);
    expect(late).toEqual([]);
    expect(receiver.at("/after").length).toBeGreaterThan(0);
  });
});

/** What a write took to be seen, where the node that wrote it serves who sees it, and where another does. */
interface Times {
  one: number[];
  two: number[];
}

const barOf = ({ one }: Times): number => Math.max(WAKE_MEDIAN_MS_MAX, OF_ONE_NODE_MAX * median(one));

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
