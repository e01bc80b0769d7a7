import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let fixture: WebhookFixture;
let receiver: Receiver;
let witness: Any;
let origins = 0;
beforeAll(async () => {
  fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "3600" });
  receiver = await startReceiver({ host: "0.0.0.0" });
  witness = await fixture.createWebhook();
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

const THRESHOLD = 10;

interface LaneRow {
  failures_without_response: number;
  window_size: number;
  in_flight: number;
  opens_in: number | null;
}

async function laneOf(webhook: Any): Promise<LaneRow> {
  const [row] = await fixture.parley.database.query<Any>(
    `select failures_without_response, window_size, in_flight, extract(epoch from breaker_open_until - now())::float8 as opens_in
     from delivery_lanes where webhook_id = $1`,
    [webhook.id],
  );
  return row;
}
const isOpen = async (webhook: Any) => ((await laneOf(webhook)).opens_in ?? -1) > 0;
const letProbe = (webhook: Any) =>
  fixture.parley.database.query("update delivery_lanes set breaker_open_until = now() where webhook_id = $1", [
    webhook.id,
  ]);

/** On an origin of its own: a request on a kept connection that was closed is sent once more on a new one, which would count. */
async function createOnItsOwn(): Promise<Any> {
  const path = fixture.freshPath();
  const { port } = new URL(receiver.url());
  const url = `http://127.9.0.${++origins}:${port}${path}`;
  return { ...(await fixture.createWebhook({ url, retry_count: 10 })), path };
}

/** A webhook whose destination is unreachable, with this many messages sent to it and its breaker open. */
async function createDead(messages: number): Promise<Any> {
  const webhook = await createOnItsOwn();
  receiver.behave((response) => response.socket?.destroy(), webhook.path);
  for (let i = 0; i < messages; i++) await fixture.write(`m${i}`);
  await until("the breaker is open and nothing is in flight", async () => {
    return (await isOpen(webhook)) && (await laneOf(webhook)).in_flight === 0;
  });
  return webhook;
}

describe("the breaker of an unreachable destination", () => {
  it("opens after ten attempts in a row without a response, and then nothing is sent", async () => {
    const webhook = await createDead(30);
    const tried = receiver.at(webhook.path).length;
    expect(tried).toBeGreaterThanOrEqual(THRESHOLD);
    // At most the window (of four at first) beyond the tenth was already in flight.
    expect(tried).toBeLessThan(THRESHOLD + 4);
    const seen = fixture.receiver.at(witness.path).length;
    await fixture.write("after");
    await fixture.receiver.waitFor(seen + 1, witness.path);
    expect(receiver.at(webhook.path)).toHaveLength(tried);
    expect((await laneOf(webhook)).opens_in).toBeLessThanOrEqual(5);
  });

  it("lets one probe through when its time is over, and opens again for longer when that fails", async () => {
    const webhook = await createDead(30);
    for (let probe = 1; probe <= 3; probe++) {
      const tried = receiver.at(webhook.path).length;
      const before = await laneOf(webhook);
      await letProbe(webhook);
      await until("the probe has failed", async () => {
        const { failures_without_response } = await laneOf(webhook);
        return failures_without_response > before.failures_without_response && (await isOpen(webhook));
      });
      expect(receiver.at(webhook.path)).toHaveLength(tried + 1);
      expect((await laneOf(webhook)).failures_without_response).toBe(before.failures_without_response + 1);
      expect((await laneOf(webhook)).opens_in).toBeLessThanOrEqual(60);
    }
    expect((await laneOf(webhook)).opens_in).toBeGreaterThan(5);
  });

  it("closes with the first success, and what waited is sent", async () => {
    const webhook = await createDead(30);
    const tried = receiver.at(webhook.path).length;
    receiver.behave(respondWith(200), webhook.path);
    await letProbe(webhook);
    await until("all that was ready is delivered", async () => {
      const { data } = await fixture.logs(webhook, "?status=success&per_page=100");
      return data.length === 30 - tried;
    });
    expect(await laneOf(webhook)).toMatchObject({ failures_without_response: 0, opens_in: null });
    expect((await laneOf(webhook)).window_size).toBeGreaterThan(1);
  });

  it("does not open for responses: a destination that responds with 500 is tried each time", async () => {
    const webhook = await createOnItsOwn();
    receiver.behave(respondWith(500), webhook.path);
    for (let i = 0; i < 15; i++) await fixture.write();
    await fixture.waitForLogs(webhook, 15);
    expect(await laneOf(webhook)).toMatchObject({ failures_without_response: 0, opens_in: null });
  });

  it("is closed by enabling the webhook again", async () => {
    const webhook = await createDead(12);
    receiver.behave(respondWith(200), webhook.path);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/disable`);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/enable`);
    expect(await laneOf(webhook)).toMatchObject({ failures_without_response: 0, opens_in: null });
    await fixture.write("fresh");
    await fixture.waitForLogs(webhook, 1, "?status=success");
  });
});

it("an attempt that is still in flight to the former url does not count as a failure of the new one", async () => {
  const webhook = await createOnItsOwn();
  let endLate = () => {};
  receiver.behave((response) => {
    endLate = () => response.socket?.destroy();
  }, webhook.path);
  await fixture.write("to the former url");
  await receiver.waitFor(1, webhook.path);
  const before = await laneOf(webhook);
  const path = fixture.freshPath();
  receiver.behave(respondWith(500), path);
  const url = new URL(path, webhook.url).href;
  const changed = await fixture.parley.call("PATCH", `/webhooks/${webhook.id}`, { body: { url } });
  expect(changed.status, changed.text).toBe(200);
  endLate();
  await fixture.waitForLogs(webhook, 1);
  const healthOf = async () => (await fixture.parley.call("GET", `/webhooks/${webhook.id}`)).body.data.health;
  expect(await healthOf()).toMatchObject({ failing_since: null, failed_24h: 1, pending: 1 });
  expect(await laneOf(webhook)).toEqual({ ...before, in_flight: 0 });
  await fixture.write("to the new url");
  await fixture.waitForLogs(webhook, 2);
  expect((await healthOf()).failing_since).not.toBeNull();
});
