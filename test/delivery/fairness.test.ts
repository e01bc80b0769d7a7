import { afterEach, describe, expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { startParley } from "../support/parley.ts";
import { scale } from "../support/proof.ts";
import { type Arrival, hang, type Receiver, respondWith, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(settings: Record<string, string> = {}): Promise<WebhookFixture> {
  const fixture = await startWebhookFixture(settings);
  closers.push(fixture.close);
  return fixture;
}

/** Runs work for each item, a few at a time. */
async function forEach<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

describe("a workspace whose receivers hang", () => {
  const SLOTS = 16;

  it("leaves slots for the others", async () => {
    const fixture = await open({ PARLEY_DELIVERY_CONCURRENCY: String(SLOTS), PARLEY_RETRY_SCHEDULE: "3600" });
    fixture.receiver.behave(hang, "/hang");
    const url = fixture.receiver.url("/hang");
    for (let i = 0; i < 2 * SLOTS; i++) await fixture.createWebhook({ url, timeout_seconds: 60 });
    await fixture.write("to all of them");
    const held = () => fixture.receiver.at("/hang").length;
    await until("the hanging ones hold all they get", () => held() >= (SLOTS * 7) / 8);
    const other = await fixture.parley.createWorkspace();
    const quiet = await fixture.createWebhook({ events: ["contact.created"] }, { key: other.key });
    await fixture.parley.call("POST", "/contacts", { key: other.key, body: {} });
    await fixture.receiver.waitFor(1, quiet.path);
    expect(held()).toBe((SLOTS * 7) / 8);
  });
});

describe("many webhooks on origins of their own, of which a tenth hang", () => {
  const WEBHOOKS = scale(300, 1_000);
  const MESSAGES = 3;
  const isHanging = (index: number) => index % 10 === 0;
  const originOf = (index: number) => `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;

  it("deliver to the healthy ones without waiting for the others", async () => {
    const fixture = await open({ PARLEY_ALLOWED_CIDRS: "127.0.0.0/8", PARLEY_RETRY_SCHEDULE: "3600" });
    const receiver: Receiver = await startReceiver({ host: "0.0.0.0" });
    closers.push(receiver.close);
    const { port } = new URL(receiver.url());
    const secrets = new Map<number, string>();
    await forEach(
      Array.from({ length: WEBHOOKS }, (_, index) => index),
      async (index) => {
        const url = `http://${originOf(index)}:${port}/${index}`;
        const webhook = await fixture.createWebhook({ url, timeout_seconds: 60 });
        secrets.set(index, webhook.secret);
        if (isHanging(index)) receiver.behave(hang, `/${index}`);
      },
    );
    for (let i = 0; i < MESSAGES; i++) await fixture.write(`m${i}`);
    const wellOnes = () => receiver.arrivals.filter(({ path }) => !isHanging(Number(path.slice(1))));
    await until("all healthy ones have everything", () => wellOnes().length >= MESSAGES * WEBHOOKS * 0.9, {
      timeoutMs: 45_000,
    });
    // Every hanging attempt is still in flight: nobody can have waited for one to end.
    const ended = await fixture.parley.database.query(
      "select 1 from delivery_attempts where not delivered or response_code <> 200",
    );
    expect(ended).toEqual([]);
    const hosts = new Set(receiver.arrivals.map(({ headers }) => headers.host));
    expect(hosts.size).toBe(WEBHOOKS);
    const ledger = new Set<string>();
    for (const arrival of wellOnes()) {
      const name = `${arrival.path} ${arrival.headers["webhook-id"]}`;
      expect(ledger.has(name), `${name} came twice`).toBe(false);
      ledger.add(name);
      verify(arrival, secrets.get(Number(arrival.path.slice(1))) as string);
    }
    expect(ledger.size).toBe(MESSAGES * WEBHOOKS * 0.9);
  });
});

describe("a workspace with a backlog", () => {
  it("does not keep a quiet one waiting: workspaces take turns", async () => {
    const fixture = await open({ PARLEY_DELIVERY_CONCURRENCY: "8" });
    const slow = (response: Parameters<ReturnType<typeof respondWith>>[0], arrival: Arrival) =>
      void setTimeout(() => respondWith(200)(response, arrival), 20);
    fixture.receiver.behave(slow);
    const quiet = await fixture.parley.createWorkspace();
    const its = await fixture.createWebhook({ events: ["contact.created"] }, { key: quiet.key });
    const busy: Any[] = [];
    for (let i = 0; i < 20; i++) busy.push(await fixture.createWebhook());
    for (let i = 0; i < 50; i++) await fixture.write();
    const backlogLeft = async () => {
      const [row] = await fixture.parley.database.query<{ left: number }>(
        "select count(*)::int as left from deliveries where webhook_id <> $1",
        [its.id],
      );
      return row?.left ?? 0;
    };
    const before = await backlogLeft();
    expect(before).toBeGreaterThan(300);
    await fixture.parley.call("POST", "/contacts", { key: quiet.key, body: { name: "quiet" } });
    await fixture.receiver.waitFor(1, its.path);
    expect(await backlogLeft()).toBeGreaterThan(before / 2);
  });
});

describe("a webhook's concurrency", () => {
  it("is never above PARLEY_WEBHOOK_CONCURRENCY at its receiver, over two engines", async () => {
    const database = await createTestDatabase();
    closers.push(database.drop);
    const settings = { PARLEY_WEBHOOK_CONCURRENCY: "6" };
    const first = await startParley(settings, database);
    const second = await startParley(settings, database);
    const receiver = await startReceiver();
    closers.push(first.close, second.close, receiver.close);
    let under = 0;
    let most = 0;
    receiver.behave((response, arrival) => {
      most = Math.max(most, ++under);
      setTimeout(() => {
        under--;
        respondWith(200)(response, arrival);
      }, 25);
    });
    const { data: webhook } = (
      await first.call("POST", "/webhooks", {
        body: { name: "capped", url: receiver.url(), events: ["contact.created"] },
      })
    ).body;
    await forEach(
      Array.from({ length: 150 }, (_, i) => i),
      (i) => (i % 2 ? first : second).call("POST", "/contacts", { body: { name: `${i}` } }),
    );
    const arrivals = await receiver.waitFor(150, undefined, 30_000);
    expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(150);
    for (const arrival of arrivals) verify(arrival, webhook.secret);
    expect(most).toBeLessThanOrEqual(6);
    expect(most).toBeGreaterThan(4);
    await until("all is settled", async () => {
      const [row] = await database.query<{ in_flight: number }>("select in_flight from delivery_lanes");
      return row?.in_flight === 0;
    });
    expect(arrivals).toHaveLength(150);
  });
});
