import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, respondWith, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let receiver: Receiver;
let conversation: { id: number };

beforeAll(async () => {
  parley = await startParley({ PARLEY_RETRY_SCHEDULE: "0.2,0.3,0.2" });
  receiver = await startReceiver();
  conversation = (await parley.call("POST", "/conversations", { body: { subject: "delivery" } })).body.data;
});
afterAll(async () => {
  await parley.close();
  await receiver.close();
});

let path = "";
let count = 0;
beforeEach(() => {
  path = `/hook-${++count}`;
});

async function createWebhook(input: object = {}) {
  const reply = await parley.call("POST", "/webhooks", {
    body: { name: "hook", url: receiver.url(path), events: ["message.created"], ...input },
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

const write = (body = "hello") => parley.call("POST", `/conversations/${conversation.id}/messages`, { body: { body } });

const logs = async (webhook: { id: number }, query = "") =>
  (await parley.call("GET", `/webhooks/${webhook.id}/logs${query}`)).body;

describe("a message that was written", () => {
  it("is delivered once, signed, with the event's body", async () => {
    const webhook = await createWebhook();
    const message = (await write()).body.data;
    const [arrival] = await receiver.waitFor(1, path);
    verify(arrival as never, webhook.secret);
    expect(arrival?.event).toMatchObject({ type: "message.created", data: message });
    expect(arrival?.headers["webhook-id"]).toBe(arrival?.event.id);
    const page = await until("it is logged", async () => {
      const found = await logs(webhook);
      return found.data.length > 0 ? found : null;
    });
    expect(page.data[0]).toMatchObject({ status: "success", response_code: 200, attempt: 1, error_message: null });
    expect(page.meta.pagination.total).toBe(1);
  });

  it("is retried after failures until it is accepted, then never again", async () => {
    const webhook = await createWebhook();
    let calls = 0;
    receiver.behave((response) => respondWith(++calls < 3 ? 500 : 200)(response, undefined as never), path);
    await write();
    const arrivals = await receiver.waitFor(3, path);
    expect(new Set(arrivals.map((arrival) => arrival.headers["webhook-id"])).size).toBe(1);
    for (const arrival of arrivals) verify(arrival, webhook.secret);
    const page = await until("three attempts are logged", async () => {
      const found = await logs(webhook);
      return found.data.length === 3 ? found : null;
    });
    expect(
      page.data.map((log: { attempt: number; status: string; response_code: number; error_message: string }) => [
        log.attempt,
        log.status,
        log.response_code,
        log.error_message,
      ]),
    ).toEqual([
      [3, "success", 200, null],
      [2, "failed", 500, "HTTP 500"],
      [1, "failed", 500, "HTTP 500"],
    ]);
    expect(page.data[0].next_attempt_at).toBeNull();
    expect(page.data[1].next_attempt_at).not.toBeNull();
  });
});
