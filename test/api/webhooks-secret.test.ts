import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Arrival, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const call: WebhookFixture["parley"]["call"] = (...args) => fixture.parley.call(...args);
const signaturesOf = (arrival: Arrival) => String(arrival.headers["webhook-signature"]).split(" ");

/** The next delivery to a webhook. */
async function deliver(webhook: { path: string }): Promise<Arrival> {
  const before = fixture.receiver.at(webhook.path).length;
  await fixture.write();
  return (await fixture.receiver.waitFor(before + 1, webhook.path))[before] as Arrival;
}

/** The delivery with one of its signatures only. */
const withSignature = (arrival: Arrival, signature: string | undefined): Arrival => ({
  ...arrival,
  headers: { ...arrival.headers, "webhook-signature": signature },
});

describe("the signing secret", () => {
  it("is returned by create, rotate-secret and GET secret, and by nothing else", async () => {
    const webhook = await fixture.createWebhook();
    const read = await call("GET", `/webhooks/${webhook.id}/secret`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({ success: true, data: { secret: webhook.secret } });
    const silent = [
      await call("GET", `/webhooks/${webhook.id}`),
      await call("GET", "/webhooks"),
      await call("PATCH", `/webhooks/${webhook.id}`, { body: { name: "x" } }),
      await call("POST", `/webhooks/${webhook.id}/disable`),
      await call("POST", `/webhooks/${webhook.id}/enable`),
      await call("POST", `/webhooks/${webhook.id}/test`),
      await call("GET", `/webhooks/${webhook.id}/logs`),
      await call("GET", `/audit-logs`),
      await call("GET", `/events`),
      await call("DELETE", `/webhooks/${webhook.id}`),
    ];
    for (const { text } of silent) expect(text).not.toContain(webhook.secret.slice(6));
  });

  it("is nowhere in the database or the log in plain text", async () => {
    const webhook = await fixture.createWebhook();
    const tables = await fixture.parley.database.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const { name } of tables) {
      const found = await fixture.parley.database.query(
        `select 1 from ${name} t where position($1 in t::text) > 0 limit 1`,
        [webhook.secret.slice(6)],
      );
      expect(found, name).toEqual([]);
    }
    expect(fixture.parley.logs()).not.toContain(webhook.secret.slice(6));
  });
});

describe("POST /webhooks/{webhook}/rotate-secret", () => {
  it("responds with 200 with the record and a new secret, which GET secret then gives", async () => {
    const webhook = await fixture.createWebhook();
    const reply = await call("POST", `/webhooks/${webhook.uuid}/rotate-secret`);
    expect(reply.status).toBe(200);
    const { path: _, ...record } = webhook;
    expect(reply.body.data).toEqual({ ...record, secret: expect.any(String), updated_at: expect.any(String) });
    expect(reply.body.data.secret).toMatch(/^whsec_/);
    expect(reply.body.data.secret).not.toBe(webhook.secret);
    expect((await call("GET", `/webhooks/${webhook.id}/secret`)).body.data.secret).toBe(reply.body.data.secret);
  });

  it("signs with both secrets during the overlap, newest first, and each verifies on its own", async () => {
    const webhook = await fixture.createWebhook();
    expect(signaturesOf(await deliver(webhook))).toHaveLength(1);
    const { secret } = (await call("POST", `/webhooks/${webhook.id}/rotate-secret`)).body.data;
    const arrival = await deliver(webhook);
    const signatures = signaturesOf(arrival);
    expect(signatures).toHaveLength(2);
    verify(arrival, secret);
    verify(arrival, webhook.secret);
    verify(withSignature(arrival, signatures[0]), secret);
    verify(withSignature(arrival, signatures[1]), webhook.secret);
    expect(() => verify(withSignature(arrival, signatures[0]), webhook.secret)).toThrow();
  });

  it("keeps every secret of an overlap that has not ended, when it is rotated again", async () => {
    const webhook = await fixture.createWebhook();
    const second = (await call("POST", `/webhooks/${webhook.id}/rotate-secret`)).body.data.secret;
    const third = (await call("POST", `/webhooks/${webhook.id}/rotate-secret`)).body.data.secret;
    const arrival = await deliver(webhook);
    expect(signaturesOf(arrival)).toHaveLength(3);
    for (const secret of [webhook.secret, second, third]) verify(arrival, secret);
    const last = (await call("POST", `/webhooks/${webhook.id}/rotate-secret`, { body: { overlap_seconds: 0 } })).body
      .data;
    const alone = await deliver(webhook);
    expect(signaturesOf(alone)).toHaveLength(1);
    verify(alone, last.secret);
  });

  it("keeps the old secret for 86,400 seconds by default", async () => {
    const webhook = await fixture.createWebhook();
    await call("POST", `/webhooks/${webhook.id}/rotate-secret`);
    const [row] = await fixture.parley.database.query<{ seconds: number }>(
      "select extract(epoch from (previous_secrets -> 0 ->> 'ends_at')::timestamptz - now())::int as seconds from webhooks where id = $1",
      [webhook.id],
    );
    expect(row?.seconds).toBeGreaterThan(86_300);
    expect(row?.seconds).toBeLessThanOrEqual(86_400);
  });

  it("drops the old secret when the overlap ends, without any further change", async () => {
    const webhook = await fixture.createWebhook();
    const rotated = await call("POST", `/webhooks/${webhook.id}/rotate-secret`, { body: { overlap_seconds: 1 } });
    const { secret } = rotated.body.data;
    const last = await until("one signature is left", async () => {
      const arrival = await deliver(webhook);
      return signaturesOf(arrival).length === 1 ? arrival : null;
    });
    verify(last, secret);
    expect(() => verify(last, webhook.secret)).toThrow();
  });

  it("without overlap signs with the new secret alone, at once", async () => {
    const webhook = await fixture.createWebhook();
    const rotated = await call("POST", `/webhooks/${webhook.id}/rotate-secret`, { body: { overlap_seconds: 0 } });
    const arrival = await deliver(webhook);
    expect(signaturesOf(arrival)).toHaveLength(1);
    verify(arrival, rotated.body.data.secret);
  });

  it("signs the test payload with both too", async () => {
    const webhook = await fixture.createWebhook();
    const { secret } = (await call("POST", `/webhooks/${webhook.id}/rotate-secret`)).body.data;
    await call("POST", `/webhooks/${webhook.id}/test`);
    const [arrival] = fixture.receiver.at(webhook.path) as [Arrival];
    verify(arrival, secret);
    verify(arrival, webhook.secret);
  });

  it.each([
    [{ overlap_seconds: -1 }],
    [{ overlap_seconds: "60" }],
    [{ overlap_seconds: 1.5 }],
    [{ overlap_seconds: 1e9 }],
  ])("refuses %j", async (body) => {
    const webhook = await fixture.createWebhook();
    const reply = await call("POST", `/webhooks/${webhook.id}/rotate-secret`, { body });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details)).toEqual(["overlap_seconds"]);
    expect((await call("GET", `/webhooks/${webhook.id}/secret`)).body.data.secret).toBe(webhook.secret);
  });
});

describe("creating with an Idempotency-Key", () => {
  const create = (body: object, idempotencyKey: string) =>
    call("POST", "/webhooks", { body, headers: { "idempotency-key": idempotencyKey } });

  it("gives a repeat the same response, including the secret, and creates one webhook", async () => {
    const body = fixture.valid({ name: "once" });
    const first = await create(body, "create-1");
    const again = await create(body, "create-1");
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.body.data.secret).toMatch(/^whsec_/);
    expect((await call("GET", "/webhooks?search=once")).body.data).toHaveLength(1);
  });

  it("stores the response without a readable secret", async () => {
    const { data } = (await create(fixture.valid(), "create-2")).body;
    const rows = await fixture.parley.database.query<{ text: string }>(
      "select i::text as text from idempotency_keys i",
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain(data.secret.slice(6));
  });

  it("creates one webhook for a hundred concurrent repeats", async () => {
    const body = fixture.valid({ name: "hundred" });
    const replies = await Promise.all(Array.from({ length: 100 }, () => create(body, "create-3")));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await call("GET", "/webhooks?search=hundred")).body.data).toHaveLength(1);
  });

  it("responds with 409 to another body, and keeps no error", async () => {
    await create(fixture.valid({ name: "a" }), "create-4");
    const other = await create(fixture.valid({ name: "b" }), "create-4");
    expect(other.status).toBe(409);
    expect(other.body.error.code).toBe("CONFLICT");
    expect((await create(fixture.valid({ retry_count: 99 }), "create-5")).status).toBe(422);
    expect((await create(fixture.valid(), "create-5")).status).toBe(201);
  });
});
