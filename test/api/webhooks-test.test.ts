import { createServer as createTcpServer, type Server } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { atMost } from "../support/proof.ts";
import { hang, respondWith, verify } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const call: WebhookFixture["parley"]["call"] = (...args) => fixture.parley.call(...args);
const test = (webhook: { id: number | string }, options = {}) => call("POST", `/webhooks/${webhook.id}/test`, options);

async function closedPort(): Promise<number> {
  const server: Server = createTcpServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

describe("POST /webhooks/{webhook}/test", () => {
  it("sends webhook.test to this webhook alone, signed, and responds with 201 with the outcome", async () => {
    const webhook = await fixture.createWebhook();
    const bystander = await fixture.createWebhook({ events: ["*"] });
    const reply = await test(webhook);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      success: true,
      data: { success: true, status_code: 200, response_time_ms: expect.any(Number), error: null },
    });
    expect(Number.isInteger(reply.body.data.response_time_ms)).toBe(true);
    const [arrival, ...more] = fixture.receiver.at(webhook.path);
    expect(more).toEqual([]);
    if (!arrival) throw new Error("nothing arrived before the response");
    verify(arrival, webhook.secret);
    expect(arrival.method).toBe("POST");
    expect(arrival.headers["content-type"]).toBe("application/json");
    expect(arrival.headers["webhook-id"]).toBe(arrival.event.id);
    expect(arrival.event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: "webhook.test",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      data: { webhook_id: webhook.id, message: expect.any(String) },
      actor: { type: "api_key", id: expect.any(Number), name: expect.anything() },
    });
    expect(fixture.receiver.at(bystander.path)).toEqual([]);
  });

  it("sends the example of a chosen event type, which is logged but no event of the workspace", async () => {
    const webhook = await fixture.createWebhook();
    const types = (await call("GET", "/event-types")).body.data;
    const { example } = types.find(({ name }: { name: string }) => name === "message.created");
    const reply = await call("POST", `/webhooks/${webhook.id}/test?event_type=message.created`);
    expect(reply.body.data).toMatchObject({ success: true, status_code: 200 });
    const [arrival] = fixture.receiver.at(webhook.path);
    if (!arrival) throw new Error("nothing arrived before the response");
    verify(arrival, webhook.secret);
    expect(arrival.event).toMatchObject({ type: "message.created", data: example.data ?? example });
    const [log] = await fixture.waitForLogs(webhook, 1);
    expect(log).toMatchObject({ event_type: "message.created", status: "success", event_id: arrival.event.id });
    const detail = await call("GET", `/webhooks/${webhook.id}/logs/${log.id}`);
    expect(detail.body.data.request.body).toBe(arrival.body);
    const again = await call("POST", `/webhooks/${webhook.id}/logs/${log.id}/redeliver`);
    expect(again.status).toBe(409);
    const events = await fixture.parley.database.query("select 1 from events where type = 'message.created'");
    expect(events).toEqual([]);
  });

  it("refuses an unknown event type with a suggestion, and sends nothing", async () => {
    const webhook = await fixture.createWebhook();
    const reply = await call("POST", `/webhooks/${webhook.id}/test?event_type=message.creatd`);
    expect(reply.status).toBe(422);
    expect(reply.body.error.details.event_type[0]).toContain("Did you mean message.created?");
    expect(fixture.receiver.at(webhook.path)).toEqual([]);
  });

  it("finds the webhook by uuid too", async () => {
    const webhook = await fixture.createWebhook();
    expect((await test({ id: webhook.uuid })).body.data.success).toBe(true);
  });

  it.each([200, 201, 202, 204, 299])("counts %i as success", async (status) => {
    const webhook = await fixture.createWebhook();
    fixture.receiver.behave(respondWith(status), webhook.path);
    expect((await test(webhook)).body.data).toMatchObject({ success: true, status_code: status, error: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 503])("counts %i as a failure and says so", async (status) => {
    const webhook = await fixture.createWebhook();
    fixture.receiver.behave(respondWith(status), webhook.path);
    const reply = await test(webhook);
    expect(reply.status).toBe(201);
    expect(reply.body.success).toBe(true);
    expect(reply.body.data).toMatchObject({ success: false, status_code: status, error: `HTTP ${status}` });
  });

  it("does not disable the webhook on 410", async () => {
    const webhook = await fixture.createWebhook();
    fixture.receiver.behave(respondWith(410), webhook.path);
    await test(webhook);
    expect((await call("GET", `/webhooks/${webhook.id}`)).body.data.is_active).toBe(true);
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect: %i is a failure", async (status) => {
    const webhook = await fixture.createWebhook();
    const target = fixture.freshPath();
    fixture.receiver.behave(respondWith(status, { location: fixture.receiver.url(target) }), webhook.path);
    expect((await test(webhook)).body.data).toMatchObject({
      success: false,
      status_code: status,
      error: `HTTP ${status}`,
    });
    expect(fixture.receiver.at(target)).toEqual([]);
  });

  it("reports a refused connection: no response, status_code 0, and why", async () => {
    const webhook = await fixture.createWebhook({ url: `http://127.0.0.1:${await closedPort()}/` });
    const reply = await test(webhook);
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      success: false,
      status_code: 0,
      response_time_ms: expect.any(Number),
      error: "connection refused",
    });
  });

  it("reports a name that does not resolve", async () => {
    const webhook = await fixture.createWebhook({ url: "http://nobody-has-this-name.invalid/" });
    const { data } = (await test(webhook)).body;
    expect(data).toMatchObject({ success: false, status_code: 0 });
    expect(data.error).toMatch(/name/);
  });

  it("reports a port that does not speak TLS", async () => {
    const webhook = await fixture.createWebhook({ url: fixture.receiver.url().replace("http:", "https:") });
    const { data } = (await test(webhook)).body;
    expect(data).toMatchObject({ success: false, status_code: 0 });
    expect(data.error).toContain("TLS");
  });

  it("reports a connection that ends without a response", async () => {
    const webhook = await fixture.createWebhook();
    fixture.receiver.behave((response) => response.socket?.destroy(), webhook.path);
    const { data } = (await test(webhook)).body;
    expect(data).toMatchObject({ success: false, status_code: 0 });
    expect(data.error).toMatch(/connection (closed|reset)/);
  });

  it("has an outcome and a log for whatever bytes come back", async () => {
    const webhook = await fixture.createWebhook({ timeout_seconds: 5 });
    const lines = fc.constantFrom("HTTP/1.1 200 OK\r\n", "HTTP/1.1 500 \xff\r\n", "HTTP/1.0 200\r\n", "");
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
    const header = fc.tuple(
      fc.stringMatching(/^[A-Za-z-]{1,8}$/),
      noise.map((text) => text.replaceAll(/[\r\n]/g, "")),
    );
    const headers = fc
      .array(header, { maxLength: 3 })
      .map((all) => all.map((pair) => `${pair.join(": ")}\r\n`).join(""));
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(lines, headers, fc.constantFrom("\r\n", ""), noise), async (parts) => {
        fixture.receiver.behave((response) => void response.socket?.end(parts.join(""), "latin1"), webhook.path);
        const reply = await test(webhook);
        expect(reply.status, reply.text).toBe(201);
        expect(reply.body.data.success).toBe(reply.body.data.error === null);
        const { data, meta } = await fixture.logs(webhook, "?per_page=1");
        expect(meta.pagination.total).toBe(++count);
        const detail = await call("GET", `/webhooks/${webhook.id}/logs/${data[0].id}`);
        expect(detail.status).toBe(200);
        expect(detail.body.data.response_code).toBe(reply.body.data.status_code);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it("waits timeout_seconds for the whole response and not longer", async () => {
    const silent = await fixture.createWebhook({ timeout_seconds: 5 });
    fixture.receiver.behave(hang, silent.path);
    const dripping = await fixture.createWebhook({ timeout_seconds: 5 });
    fixture.receiver.behave((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 200);
      response.on("close", () => clearInterval(timer));
    }, dripping.path);
    const startedAt = performance.now();
    const replies = await Promise.all([test(silent), test(dripping)]);
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(4_900);
    expect(tookMs).toBeLessThan(atMost(6_500));
    for (const { status, body } of replies) {
      expect(status).toBe(201);
      expect(body.data).toMatchObject({ success: false, status_code: 0 });
      expect(body.data.error).toMatch(/5 s|5000 ms|time/i);
      expect(body.data.response_time_ms).toBeGreaterThanOrEqual(4_900);
      expect(body.data.response_time_ms).toBeLessThan(atMost(6_500));
    }
  });

  it("works on a disabled webhook, which stays disabled", async () => {
    const webhook = await fixture.createWebhook();
    await call("POST", `/webhooks/${webhook.id}/disable`);
    expect((await test(webhook)).body.data).toMatchObject({ success: true, status_code: 200 });
    expect(fixture.receiver.at(webhook.path)).toHaveLength(1);
    expect((await call("GET", `/webhooks/${webhook.id}`)).body.data.is_active).toBe(false);
  });

  it("is recorded in the logs, success and failure alike, and never retried", async () => {
    const webhook = await fixture.createWebhook();
    const outcomes = [200, 500];
    fixture.receiver.behave(
      (response, arrival) => respondWith(outcomes.shift() ?? 200)(response, arrival),
      webhook.path,
    );
    await test(webhook);
    await test(webhook);
    const [failed, succeeded] = (await fixture.logs(webhook)).data;
    expect(succeeded).toMatchObject({ event_type: "webhook.test", status: "success", response_code: 200, attempt: 1 });
    expect(failed).toMatchObject({
      event_type: "webhook.test",
      status: "failed",
      response_code: 500,
      attempt: 1,
      error_message: "HTTP 500",
      next_attempt_at: null,
    });
    expect(failed.event_id).toBe(fixture.receiver.at(webhook.path)[1]?.headers["webhook-id"]);
    expect(await fixture.queued(webhook)).toEqual([]);
    // The retry schedule here is 0.1 s: a delivery written now would overtake any retry.
    await fixture.write();
    await fixture.waitForLogs(webhook, 3);
    expect(fixture.receiver.at(webhook.path).map(({ event }) => event.type)).toEqual([
      "webhook.test",
      "webhook.test",
      "message.created",
    ]);
  });

  it.each([
    ["none", {}],
    ["an empty one with a JSON content type", { rawBody: "", headers: { "content-type": "application/json" } }],
    ["{}", { body: {} }],
    ["something else", { body: { url: "http://10.0.0.1/", events: 5 } }],
    ["an array", { body: [1] }],
    ["broken JSON", { rawBody: "{", headers: { "content-type": "application/json" } }],
    ["a form", { rawBody: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }],
    ["text", { rawBody: "hi", headers: { "content-type": "text/plain" } }],
  ])("ignores the body: %s", async (_what, options) => {
    const webhook = await fixture.createWebhook();
    const reply = await test(webhook, options);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data.success).toBe(true);
  });

  it.each(["999999999", "00000000-0000-4000-8000-000000000000", "abc", "-1"])("responds with 404 to %s", async (id) => {
    const reply = await test({ id });
    expect(reply.status).toBe(404);
    expect(reply.body.error.code).toBe("NOT_FOUND");
  });

  it("asks for a key (401) with webhooks:manage (403)", async () => {
    const webhook = await fixture.createWebhook();
    expect((await test(webhook, { key: null })).status).toBe(401);
    const { key } = await fixture.parley.createKey({ type: "limited", abilities: ["messages:write"] });
    expect((await test(webhook, { key })).status).toBe(403);
    expect(fixture.receiver.at(webhook.path)).toEqual([]);
  });

  it("with an Idempotency-Key sends once and gives a repeat the same response", async () => {
    const webhook = await fixture.createWebhook();
    const once = () => test(webhook, { headers: { "idempotency-key": `test-${webhook.id}` } });
    const replies = await Promise.all([once(), once(), once()]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect(fixture.receiver.at(webhook.path)).toHaveLength(1);
    expect((await fixture.logs(webhook)).data).toHaveLength(1);
  });
});
