import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { atMost } from "../support/proof.ts";
import { hang, respondWith, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "0.3,0.6,0.3" });
});
afterAll(() => fixture.close());

const settled = (webhook: Any) => until("nothing is queued", async () => (await fixture.queued(webhook)).length === 0);

describe("the body of a delivery", () => {
  it("is the event: id, type, timestamp, data as the API returns it, and the actor", async () => {
    const webhook = await fixture.createWebhook();
    const message = await fixture.write("Grüße 👋");
    const [arrival] = await fixture.receiver.waitFor(1, webhook.path);
    verify(arrival as never, webhook.secret);
    expect(Object.keys(arrival?.event)).toEqual(["id", "type", "timestamp", "data", "actor"]);
    expect(arrival?.event).toEqual({
      id: arrival?.headers["webhook-id"],
      type: "message.created",
      timestamp: message.created_at,
      data: message,
      actor: { type: "api_key", id: expect.any(Number), name: expect.anything() },
    });
    expect(arrival?.headers["content-type"]).toBe("application/json");
    expect(arrival?.headers["webhook-timestamp"]).toMatch(/^\d{10}$/);
  });

  it("is a snapshot of the change: what happens later does not alter it, whenever it is sent", async () => {
    const webhook = await fixture.createWebhook();
    let calls = 0;
    fixture.receiver.behave(
      (response, arrival) => respondWith(++calls === 1 ? 500 : 200)(response, arrival),
      webhook.path,
    );
    const message = await fixture.write("as written");
    const path = `/conversations/${message.conversation_id}/messages/${message.id}`;
    await fixture.parley.call("PATCH", path, { body: { body: "changed" } });
    const arrivals = await fixture.receiver.waitFor(2, webhook.path);
    for (const { event } of arrivals) expect(event.data).toEqual(message);
    expect(arrivals[0]?.body).toBe(arrivals[1]?.body);
  });

  it("names the bot, the contact's key or the system as the actor", async () => {
    const bot = await fixture.parley.createKey({ name: "Robo", type: "bot" });
    const webhook = await fixture.createWebhook();
    await fixture.write("beep", { key: bot.key });
    const [arrival] = await fixture.receiver.waitFor(1, webhook.path);
    expect(arrival?.event.actor).toEqual({ type: "bot", id: bot.id, name: "Robo" });
  });
});

describe("a delivery that fails", () => {
  it("is tried retry_count times more, on schedule, and then no more", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 3 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    const logs = await fixture.waitForLogs(webhook, 4);
    await settled(webhook);
    expect(logs.map((log: Any) => [log.attempt, log.status, log.error_message, log.next_attempt_at === null])).toEqual([
      [4, "failed", "HTTP 500", true],
      [3, "failed", "HTTP 500", false],
      [2, "failed", "HTTP 500", false],
      [1, "failed", "HTTP 500", false],
    ]);
    const at = fixture.receiver.at(webhook.path).map((arrival) => arrival.at);
    expect(at).toHaveLength(4);
    // ±20 % of the schedule at the least; at the most the poll and a busy machine on top.
    for (const [index, seconds] of [0.3, 0.6, 0.3].entries()) {
      const gapMs = (at[index + 1] as number) - (at[index] as number);
      expect(gapMs).toBeGreaterThanOrEqual(seconds * 800 - 5);
      expect(gapMs).toBeLessThan(atMost(seconds * 1_200 + 2_000));
    }
  });

  it("with retry_count 0 is tried once", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    fixture.receiver.behave(respondWith(503, { "retry-after": "0" }), webhook.path);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    expect(log).toMatchObject({ attempt: 1, status: "failed", response_code: 503, next_attempt_at: null });
    await settled(webhook);
  });

  it("keeps its webhook-id across all attempts, signs each of them again, and each verifies", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 3 });
    let calls = 0;
    fixture.receiver.behave(
      (response, arrival) => respondWith(++calls < 4 ? 500 : 200)(response, arrival),
      webhook.path,
    );
    await fixture.write();
    const arrivals = await fixture.receiver.waitFor(4, webhook.path);
    expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    for (const arrival of arrivals) verify(arrival, webhook.secret);
    const stamps = arrivals.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(stamps).toEqual([...stamps].sort());
    expect((stamps.at(-1) as number) - (stamps[0] as number)).toBeGreaterThanOrEqual(1);
    expect(Math.abs((stamps.at(-1) as number) - Date.now() / 1_000)).toBeLessThan(atMost(5));
  });

  it.each([429, 503])("with %i and Retry-After waits as long as it is asked to", async (status) => {
    const webhook = await fixture.createWebhook({ retry_count: 1 });
    fixture.receiver.behave(respondWith(status, { "retry-after": "2" }), webhook.path);
    await fixture.write();
    const logs = await fixture.waitForLogs(webhook, 2);
    const { created_at, next_attempt_at } = logs.find((log) => log.next_attempt_at !== null);
    const waitMs = Date.parse(next_attempt_at) - Date.parse(created_at);
    expect(waitMs).toBeGreaterThanOrEqual(2_000);
    expect(waitMs).toBeLessThanOrEqual(2_010);
    const [first, second] = fixture.receiver.at(webhook.path).map((arrival) => arrival.at) as [number, number];
    expect(second - first).toBeGreaterThanOrEqual(1_990);
    expect(second - first).toBeLessThan(atMost(4_000));
  });

  it("with a Retry-After of a week waits 24 hours", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 1 });
    fixture.receiver.behave(respondWith(503, { "retry-after": "604800" }), webhook.path);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    const waitMs = Date.parse(log.next_attempt_at) - Date.parse(log.created_at);
    expect(waitMs).toBeGreaterThanOrEqual(86_399_000);
    expect(waitMs).toBeLessThanOrEqual(86_401_000);
  });

  it.each([301, 307, 308, 304, 400, 404])("because of %i is a failure like any other", async (status) => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    const target = fixture.freshPath();
    fixture.receiver.behave(respondWith(status, { location: fixture.receiver.url(target) }), webhook.path);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    expect(log).toMatchObject({ status: "failed", response_code: status, error_message: `HTTP ${status}` });
    expect(fixture.receiver.at(target)).toEqual([]);
  });

  it("because there was no response in time says so: code 0, the time spent, a reason", async () => {
    const silent = await fixture.createWebhook({ retry_count: 0 });
    const dripping = await fixture.createWebhook({ retry_count: 0 });
    for (const webhook of [silent, dripping]) await fixture.setTimeoutSeconds(webhook, 1);
    fixture.receiver.behave(hang, silent.path);
    fixture.receiver.behave((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 50);
      response.on("close", () => clearInterval(timer));
    }, dripping.path);
    await fixture.write();
    for (const webhook of [silent, dripping]) {
      const [log] = await fixture.waitForLogs(webhook, 1);
      expect(log).toMatchObject({ status: "failed", response_code: 0 });
      expect(log.error_message).toMatch(/time|1 s|1000/i);
      expect(log.response_time_ms).toBeGreaterThanOrEqual(990);
      expect(log.response_time_ms).toBeLessThan(atMost(2_000));
    }
  });

  it("because the connection broke is retried and then delivered", async () => {
    // On an origin of its own: a kept connection that breaks is replaced at once, within the attempt.
    const receiver = await startReceiver();
    const webhook = await fixture.createWebhook({ url: receiver.url(), retry_count: 3 });
    let calls = 0;
    receiver.behave((response, arrival) => {
      if (++calls === 1) response.socket?.destroy();
      else respondWith(200)(response, arrival);
    });
    await fixture.write();
    const [second, first] = await fixture.waitForLogs(webhook, 2);
    expect(first).toMatchObject({ status: "failed", response_code: 0 });
    expect(first.error_message).toMatch(/connection/);
    expect(second).toMatchObject({ status: "success", response_code: 200, attempt: 2 });
    await receiver.close();
  });

  it.each([
    ["HTML", Buffer.from("<html><script>alert(1)</script>")],
    ["NUL", Buffer.from("a\0b")],
    ["20 KiB", Buffer.alloc(20 * 1024, "z")],
    ["invalid UTF-8", Buffer.from([0xc3, 0x28, 0xff])],
  ])("with a hostile response is still logged: %s", async (_what, bytes) => {
    const webhook = await fixture.createWebhook({ retry_count: 1 });
    fixture.receiver.behave((response) => response.writeHead(500).end(bytes), webhook.path);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 2);
    const { body } = await fixture.parley.call("GET", `/webhooks/${webhook.id}/logs/${log.id}`);
    expect(Buffer.byteLength(body.data.response.body)).toBeLessThanOrEqual(3 * 16_384);
    expect(body.data.response.body).not.toContain("\0");
  });
});

describe("a webhook that hangs and one that fails", () => {
  it("do not delay the deliveries of one that succeeds", async () => {
    const hanging = await fixture.createWebhook({ retry_count: 0 });
    const failing = await fixture.createWebhook({ retry_count: 0 });
    const well = await fixture.createWebhook();
    fixture.receiver.behave(hang, hanging.path);
    fixture.receiver.behave(respondWith(500), failing.path);
    for (let i = 0; i < 10; i++) await fixture.write();
    await fixture.receiver.waitFor(10, well.path, 3_000);
    await fixture.waitForLogs(failing, 10);
    await fixture.parley.call("POST", `/webhooks/${hanging.id}/disable`);
  });
});

describe("a webhook whose secret cannot be opened", () => {
  it("holds no other webhook up, and gets its deliveries once the secret can be opened", async () => {
    const broken = await fixture.createWebhook();
    const others = [await fixture.createWebhook(), await fixture.createWebhook()];
    const setSecret = (sealed: string) =>
      fixture.parley.database.query<{ was: string }>(
        `update webhooks w set secret_sealed = $2, version = w.version + 1
         from (select id, secret_sealed as was from webhooks where id = $1) old where w.id = old.id returning old.was`,
        [broken.id, sealed],
      );
    const [row] = await setSecret("sealed with a key that is lost");
    await fixture.write();
    for (const webhook of others) await fixture.receiver.waitFor(1, webhook.path);
    expect(fixture.receiver.at(broken.path)).toEqual([]);
    await setSecret(row?.was as string);
    const [arrival] = await fixture.receiver.waitFor(1, broken.path);
    verify(arrival as never, broken.secret);
  });
});
