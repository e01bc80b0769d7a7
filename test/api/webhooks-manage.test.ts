import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { respondWith } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const call: WebhookFixture["parley"]["call"] = (...args) => fixture.parley.call(...args);
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
const recordOf = ({ path: _, secret: __, ...record }: any) => record;
const HEALTHY = {
  pending: 0,
  oldest_pending_at: null,
  breaker: "closed",
  breaker_until: null,
  failing_since: null,
  attempts_24h: 0,
  delivered_24h: 0,
  failed_24h: 0,
};
/** The record alone, as every response but GET's has it. */
const readRecord = async (webhook: { id: number }) => {
  const { health: _, ...record } = (await call("GET", `/webhooks/${webhook.id}`)).body.data;
  return record;
};
const UNKNOWN = ["999999999", "00000000-0000-4000-8000-000000000000", "abc", "-1", "0", "1e3", "9".repeat(30), "1.5"];

describe("GET /webhooks/{webhook}", () => {
  it("returns the record with its health and without the secret, by id and by uuid in any case", async () => {
    const webhook = await fixture.createWebhook({ headers: { A: "1" } });
    for (const ref of [webhook.id, webhook.uuid, webhook.uuid.toUpperCase()]) {
      const reply = await call("GET", `/webhooks/${ref}`);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ success: true, data: { ...recordOf(webhook), health: HEALTHY } });
    }
  });

  it("shows in its health what waits, what failed and since when", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 10 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    await fixture.waitForLogs(webhook, 1, "?status=failed&per_page=1");
    const { health } = (await call("GET", `/webhooks/${webhook.id}`)).body.data;
    expect(health).toMatchObject({ pending: 1, breaker: "closed", breaker_until: null, delivered_24h: 0 });
    expect(health.failed_24h).toBeGreaterThan(0);
    expect(health.attempts_24h).toBe(health.failed_24h);
    for (const time of [health.oldest_pending_at, health.failing_since])
      expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(60_000);
    fixture.receiver.behave(respondWith(200), webhook.path);
    await until("it is delivered", async () => (await fixture.queued(webhook)).length === 0);
    const after = (await call("GET", `/webhooks/${webhook.id}`)).body.data.health;
    expect(after).toMatchObject({ pending: 0, oldest_pending_at: null, failing_since: null, delivered_24h: 1 });
  });

  it("shows in its health an open breaker and until when", async () => {
    const webhook = await fixture.createWebhook();
    const open = (until: string) =>
      fixture.parley.database.query(
        `update delivery_lanes set failures_without_response = 10, breaker_open_until = ${until} where webhook_id = $1`,
        [webhook.id],
      );
    await open("now() + interval '1 hour'");
    const { health } = (await call("GET", `/webhooks/${webhook.id}`)).body.data;
    expect(health.breaker).toBe("open");
    expect(Date.parse(health.breaker_until)).toBeGreaterThan(Date.now() + 3_500_000);
    await open("now()");
    const halfOpen = (await call("GET", `/webhooks/${webhook.id}`)).body.data.health;
    expect(halfOpen).toMatchObject({ breaker: "half_open", breaker_until: null });
  });

  it.each(UNKNOWN)("responds with 404 to %s", async (ref) => {
    const reply = await call("GET", `/webhooks/${ref}`);
    expect(reply.status).toBe(404);
    expect(reply.body.error).toEqual({ code: "NOT_FOUND", message: "The webhook does not exist." });
  });
});

describe("PATCH /webhooks/{webhook}", () => {
  it("changes what is given, leaves the rest, and null changes nothing", async () => {
    const webhook = await fixture.createWebhook({ headers: { A: "1" }, retry_count: 3 });
    const reply = await call("PATCH", `/webhooks/${webhook.uuid}`, {
      body: { name: " New ", events: ["message.*", "message.*"], timeout_seconds: 30, retry_count: null, url: null },
    });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.data).toEqual({
      ...recordOf(webhook),
      name: "New",
      events: ["message.*"],
      timeout_seconds: 30,
      updated_at: expect.any(String),
    });
    expect(reply.body.data).not.toHaveProperty("secret");
    expect(await readRecord(webhook)).toEqual(reply.body.data);
  });

  it("replaces headers as a whole; an empty list removes them", async () => {
    const webhook = await fixture.createWebhook({ headers: { A: "1", B: "2" } });
    const patch = async (headers: unknown) =>
      (await call("PATCH", `/webhooks/${webhook.id}`, { body: { headers } })).body.data.headers;
    expect(await patch([["C", "3"]])).toEqual([{ key: "C", value: "3" }]);
    expect(await patch([])).toEqual([]);
  });

  it("follows the rules of create, all wrong fields at once, and then changes nothing", async () => {
    const webhook = await fixture.createWebhook();
    const reply = await call("PATCH", `/webhooks/${webhook.id}`, {
      body: { name: "", url: "ftp://x", events: ["nope"], headers: { Host: "x" }, retry_count: 11, timeout_seconds: 1 },
    });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details).sort()).toEqual(
      ["events", "headers", "name", "retry_count", "timeout_seconds", "url"].sort(),
    );
    expect(await readRecord(webhook)).toEqual(recordOf(webhook));
  });

  it("disables and enables by is_active, like the operations of that name", async () => {
    const webhook = await fixture.createWebhook();
    const patch = async (body: object) => (await call("PATCH", `/webhooks/${webhook.id}`, { body })).body.data;
    expect(await patch({ is_active: false, name: "paused" })).toMatchObject({
      name: "paused",
      is_active: false,
      disabled_reason: "Disabled through the API.",
    });
    await fixture.write("missed");
    expect(await fixture.queued(webhook)).toEqual([]);
    expect(await patch({ is_active: true })).toMatchObject({ is_active: true, disabled_reason: null });
    await fixture.write("sent");
    const [arrival] = await fixture.receiver.waitFor(1, webhook.path);
    expect(arrival?.event.data.body).toBe("sent");
  });

  it("that changes nothing leaves updated_at and writes no audit entry", async () => {
    const webhook = await fixture.createWebhook({ headers: { A: "1" } });
    await fixture.parley.database.query(
      "update webhooks set updated_at = updated_at - interval '1 day' where id = $1",
      [webhook.id],
    );
    const before = await readRecord(webhook);
    const { name, url, events, headers, retry_count, timeout_seconds, is_active } = before;
    const body = { name, url, events, headers, retry_count, timeout_seconds, is_active };
    expect((await call("PATCH", `/webhooks/${webhook.id}`, { body })).body.data).toEqual(before);
    expect((await call("PATCH", `/webhooks/${webhook.id}`, { body: {} })).body.data).toEqual(before);
    const entries = await fixture.parley.database.query(
      "select action from audit_logs where resource_type = 'webhook' and resource_id = $1",
      [webhook.id],
    );
    expect(entries).toEqual([{ action: "webhook.created" }]);
  });

  it("cannot set a secret or an id", async () => {
    const webhook = await fixture.createWebhook();
    const reply = await call("PATCH", `/webhooks/${webhook.id}`, { body: { secret: "whsec_x", id: 1 } });
    expect(reply.body.data).toMatchObject({ id: webhook.id });
    expect((await call("GET", `/webhooks/${webhook.id}/secret`)).body.data.secret).toBe(webhook.secret);
  });

  it("of several at once loses none: each changes its own field", async () => {
    const webhook = await fixture.createWebhook();
    const patches = [
      { name: "concurrent" },
      { retry_count: 1 },
      { timeout_seconds: 33 },
      { events: ["contact.*"] },
      { headers: { A: "1" } },
      { skip_own_events: true },
      { ordered: true },
      { url: fixture.receiver.url("/elsewhere") },
    ];
    const replies = await Promise.all(patches.map((body) => call("PATCH", `/webhooks/${webhook.id}`, { body })));
    expect(replies.map(({ status }) => status)).toEqual(patches.map(() => 200));
    expect((await call("GET", `/webhooks/${webhook.id}`)).body.data).toMatchObject({
      name: "concurrent",
      retry_count: 1,
      timeout_seconds: 33,
      events: ["contact.*"],
      headers: [{ key: "A", value: "1" }],
      skip_own_events: true,
      ordered: true,
      url: fixture.receiver.url("/elsewhere"),
    });
  });

  it("counts from the next delivery on", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.write();
    await fixture.receiver.waitFor(1, webhook.path);
    const next = fixture.freshPath();
    await call("PATCH", `/webhooks/${webhook.id}`, {
      body: { url: fixture.receiver.url(next), headers: { "X-New": "1" } },
    });
    await fixture.write();
    const [arrival] = await fixture.receiver.waitFor(1, next);
    expect(arrival?.headers["x-new"]).toBe("1");
    expect(fixture.receiver.at(webhook.path)).toHaveLength(1);
  });

  it("receives a 404 before a 422", async () => {
    expect((await call("PATCH", "/webhooks/999999", { body: { name: "" } })).status).toBe(404);
  });
});

describe("DELETE /webhooks/{webhook}", () => {
  it("responds with 200 with the record; afterwards it is unknown, and nothing more is sent to it", async () => {
    const webhook = await fixture.createWebhook();
    const witness = await fixture.createWebhook();
    const reply = await call("DELETE", `/webhooks/${webhook.id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ success: true, data: recordOf(webhook) });
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/logs"],
      ["POST", "/test"],
      ["GET", "/secret"],
    ] as const)
      expect((await call(method, `/webhooks/${webhook.id}${path}`)).status, path).toBe(404);
    await fixture.write();
    await fixture.receiver.waitFor(1, witness.path);
    expect(fixture.receiver.at(webhook.path)).toEqual([]);
    expect(await fixture.queued(webhook)).toEqual([]);
  });
});

describe("POST /webhooks/{webhook}/disable and /enable", () => {
  it("switch the webhook, say why, and may be repeated", async () => {
    const webhook = await fixture.createWebhook();
    const disable = (body?: object) => call("POST", `/webhooks/${webhook.id}/disable`, { body });
    const enable = () => call("POST", `/webhooks/${webhook.uuid}/enable`);
    const first = await disable({ reason: " maintenance " });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({ id: webhook.id, is_active: false, disabled_reason: "maintenance" });
    expect((await disable({ reason: "again" })).body.data.disabled_reason).toBe("maintenance");
    const enabled = await enable();
    expect(enabled.status).toBe(200);
    expect(enabled.body.data).toMatchObject({ is_active: true, disabled_reason: null });
    expect(await enable().then(({ body }) => body.data.is_active)).toBe(true);
    const bare = await disable();
    expect(bare.status).toBe(200);
    expect(typeof bare.body.data.disabled_reason).toBe("string");
  });

  it.each(["", "{}"])("accept the body %j", async (rawBody) => {
    const webhook = await fixture.createWebhook();
    for (const path of ["disable", "enable"]) {
      const headers = { "content-type": "application/json" };
      expect((await call("POST", `/webhooks/${webhook.id}/${path}`, { rawBody, headers })).status).toBe(200);
    }
  });

  it.each(["disable", "rotate-secret", "recover"])(
    "refuse a malformed body and change nothing, as other operations do: %s",
    async (path) => {
      const webhook = await fixture.createWebhook();
      const send = (rawBody: string, type = "application/json") =>
        call("POST", `/webhooks/${webhook.id}/${path}`, { rawBody, headers: { "content-type": type } });
      for (const rawBody of ["not json", "[1]", '{"reason": 1, "overlap_seconds": "1", "since": 1}'])
        expect((await send(rawBody)).status, rawBody).toBe(422);
      expect((await send("a=b", "application/x-www-form-urlencoded")).status).toBe(415);
      expect(await readRecord(webhook)).toEqual(recordOf(webhook));
      expect((await call("GET", `/webhooks/${webhook.id}/secret`)).body.data.secret).toBe(webhook.secret);
    },
  );

  it("ignore the body of /enable", async () => {
    const webhook = await fixture.createWebhook();
    const options = { rawBody: "not json", headers: { "content-type": "application/json" } };
    expect((await call("POST", `/webhooks/${webhook.id}/enable`, options)).status).toBe(200);
  });
});

describe("GET /webhooks", () => {
  it("lists newest first, with the secret nowhere, and pages like the logs", async () => {
    const workspace = await fixture.parley.createWorkspace();
    const key = workspace.key;
    const made = [];
    for (let i = 1; i <= 5; i++) made.unshift(recordOf(await fixture.createWebhook({ name: `hook ${i}` }, { key })));
    const all = await call("GET", "/webhooks", { key });
    expect(all.status).toBe(200);
    expect(all.body.data).toEqual(made);
    expect(all.body.meta.pagination).toEqual({ total: 5, per_page: 25, current_page: 1, last_page: 1, from: 1, to: 5 });
    const page = await call("GET", "/webhooks?per_page=2&page=2", { key });
    expect(page.body.data).toEqual(made.slice(2, 4));
    expect(page.body.meta.pagination).toMatchObject({ total: 5, last_page: 3, from: 3, to: 4 });
  });

  it("filters by is_active and by a part of name or url, alone and together", async () => {
    const { key } = await fixture.parley.createWorkspace();
    await fixture.createWebhook({ name: "Orders 100%" }, { key });
    const billing = await fixture.createWebhook({ name: "Billing", url: fixture.receiver.url("/ORDERS_x") }, { key });
    await fixture.createWebhook({ name: "Other" }, { key });
    await call("POST", `/webhooks/${billing.id}/disable`, { key });
    const names = async (query: string) =>
      (await call("GET", `/webhooks?${query}`, { key })).body.data.map(({ name }: { name: string }) => name);
    expect(await names("is_active=true")).toEqual(["Other", "Orders 100%"]);
    expect(await names("is_active=0")).toEqual(["Billing"]);
    expect(await names("search=orders")).toEqual(["Billing", "Orders 100%"]);
    expect(await names("search=orders&is_active=TRUE")).toEqual(["Orders 100%"]);
    expect(await names("search=100%25")).toEqual(["Orders 100%"]);
    expect(await names("search=%25")).toEqual(["Orders 100%"]);
    expect(await names("search=&is_active=")).toHaveLength(3);
    for (const query of ["is_active=maybe", "per_page=0", "per_page=101", "page=0"])
      expect((await call("GET", `/webhooks?${query}`, { key })).status, query).toBe(422);
  });

  it("does not drift from page to page while webhooks are added", async () => {
    const { key } = await fixture.parley.createWorkspace();
    for (let i = 0; i < 5; i++) await fixture.createWebhook({ name: `${i}` }, { key });
    const seen: string[] = [];
    for (let url: string | null = "//api/v1/webhooks?per_page=2"; url; ) {
      const { body }: Awaited<ReturnType<typeof call>> = await call("GET", url, { key });
      seen.push(...body.data.map(({ name }: { name: string }) => name));
      url = body.links.next && `/${body.links.next.slice(fixture.parley.url.length)}`;
      await fixture.createWebhook({ name: "late" }, { key });
    }
    expect(seen).toEqual(["4", "3", "2", "1", "0"]);
  });
});

describe("another workspace", () => {
  it("finds nothing of ours, and gets the response of an unknown id, whatever it requests", async () => {
    const webhook = await fixture.createWebhook();
    await call("POST", `/webhooks/${webhook.id}/test`);
    const [log] = await fixture.waitForLogs(webhook, 1);
    const { key } = await fixture.parley.createWorkspace();
    const routes = ["GET ", "PATCH ", "DELETE ", "POST /enable", "POST /disable", "GET /secret", "POST /rotate-secret"];
    routes.push("POST /test", "GET /logs", `GET /logs/${log.id}`, `POST /logs/${log.id}/redeliver`, "POST /recover");
    for (const ref of [webhook.id, webhook.uuid])
      for (const entry of routes) {
        const [method = "", path = ""] = entry.split(" ");
        const body = method === "GET" ? {} : { body: { since: "2026-01-01T00:00:00Z" } };
        const theirs = await call(method, `/webhooks/${ref}${path}`, { key, ...body });
        const unknown = await call(method, `/webhooks/987654321${path}`, { key, ...body });
        expect(theirs.status, entry).toBe(404);
        expect(theirs.body, entry).toEqual(unknown.body);
      }
    expect((await call("GET", "/webhooks", { key })).body.data).toEqual([]);
    expect(await readRecord(webhook)).toEqual(recordOf(webhook));
    expect(fixture.receiver.at(webhook.path)).toHaveLength(1);
  });

  it("causes no deliveries here: its events reach its own webhooks only", async () => {
    const { key } = await fixture.parley.createWorkspace();
    const theirs = await fixture.createWebhook({ events: ["*"] }, { key });
    const ours = await fixture.createWebhook({ events: ["*"] });
    const { data } = (await call("POST", "/contacts", { key, body: { name: "Theirs" } })).body;
    await fixture.write();
    await fixture.receiver.waitFor(1, theirs.path);
    await fixture.receiver.waitFor(1, ours.path);
    expect(fixture.receiver.at(theirs.path).map(({ event }) => event.data.id)).toEqual([data.id]);
    expect(fixture.receiver.at(ours.path).map(({ event }) => event.type)).not.toContain("contact.created");
  });
});

describe("the audit log", () => {
  it("has an entry for each change of a webhook with both values and each look at its secret, without it", async () => {
    const webhook = await fixture.createWebhook({ headers: { Authorization: "Bearer audit-me-not" } });
    const patch = { name: "renamed", url: "https://example.com/audit-me-not", headers: { Cookie: "audit-me-not" } };
    await call("PATCH", `/webhooks/${webhook.id}`, { body: patch });
    await call("GET", `/webhooks/${webhook.id}/secret`);
    await call("POST", `/webhooks/${webhook.id}/rotate-secret`);
    await call("POST", `/webhooks/${webhook.id}/disable`, { body: { reason: "why not" } });
    await call("POST", `/webhooks/${webhook.id}/enable`);
    await call("DELETE", `/webhooks/${webhook.id}`);
    const entries = await until("seven entries", async () => {
      const { body } = await call("GET", `/audit-logs?resource_type=webhook&resource_id=${webhook.id}`);
      return body.data.length >= 7 ? body.data : null;
    });
    expect(entries.map(({ action }: { action: string }) => action).reverse()).toEqual([
      "webhook.created",
      "webhook.updated",
      "webhook.secret_read",
      "webhook.secret_rotated",
      "webhook.disabled",
      "webhook.enabled",
      "webhook.deleted",
    ]);
    expect(entries[5].changes).toEqual({
      name: { from: webhook.name, to: "renamed" },
      url: { from: expect.stringMatching(/^https?:\/\/[^/]+\/…$/), to: "https://example.com/…" },
      headers: { from: ["Authorization"], to: ["Cookie"] },
    });
    expect(entries[2].changes).toEqual({ reason: "why not" });
    for (const entry of entries) expect(entry.actor.type).toBe("api_key");
    expect(JSON.stringify(entries)).not.toMatch(/audit-me-not|whsec_/);
  });
});
