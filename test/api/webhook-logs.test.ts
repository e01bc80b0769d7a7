import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { respondWith } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let fixture: WebhookFixture;
/** Eight logs: five tests, three of them failed with 500, 500 and 404; then a message retried twice and delivered. */
let webhook: Any;
let logs: Any[];

beforeAll(async () => {
  fixture = await startWebhookFixture();
  webhook = await fixture.createWebhook();
  const outcomes = [200, 500, 200, 500, 404, 500, 500, 200];
  fixture.receiver.behave((response, arrival) => respondWith(outcomes.shift() ?? 200)(response, arrival), webhook.path);
  for (let i = 0; i < 5; i++) await fixture.parley.call("POST", `/webhooks/${webhook.id}/test`);
  await fixture.write();
  logs = await fixture.waitForLogs(webhook, 8);
});
afterAll(() => fixture.close());

const call: WebhookFixture["parley"]["call"] = (...args) => fixture.parley.call(...args);
const list = async (query = "", ref: number | string = webhook.id) => {
  const reply = await call("GET", `/webhooks/${ref}/logs${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
const ids = (rows: Any[]) => rows.map(({ id }) => id);
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

describe("GET /webhooks/{webhook}/logs", () => {
  it("returns success, data, meta and links, and nothing else", async () => {
    const body = await list();
    expect(Object.keys(body).sort()).toEqual(["data", "links", "meta", "success"]);
    expect(body.success).toBe(true);
    expect(body.meta).toEqual({
      pagination: { total: 8, per_page: 25, current_page: 1, last_page: 1, from: 1, to: 8 },
    });
    expect(Object.keys(body.links).sort()).toEqual(["first", "last", "next", "prev"]);
  });

  it("has every field in its type, for successes and failures", () => {
    for (const log of logs) {
      expect(log).toEqual({
        id: expect.any(Number),
        uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        event_type: expect.stringMatching(/^(webhook\.test|message\.created)$/),
        status: expect.stringMatching(/^(success|failed)$/),
        response_code: expect.any(Number),
        response_time_ms: expect.any(Number),
        attempt: expect.any(Number),
        error_message: log.status === "success" ? null : `HTTP ${log.response_code}`,
        delivery_id: expect.any(Number),
        next_attempt_at: log.next_attempt_at === null ? null : expect.stringMatching(TIMESTAMP),
        created_at: expect.stringMatching(TIMESTAMP),
      });
      for (const field of ["id", "response_code", "response_time_ms", "attempt", "delivery_id"])
        expect(Number.isInteger(log[field]), field).toBe(true);
    }
  });

  it("is one record per attempt, highest id first, attempts counted from 1", () => {
    expect(ids(logs)).toEqual([...ids(logs)].sort((a, b) => b - a));
    expect(logs.map(({ attempt, response_code }) => [attempt, response_code])).toEqual([
      [3, 200],
      [2, 500],
      [1, 500],
      [1, 404],
      [1, 500],
      [1, 200],
      [1, 500],
      [1, 200],
    ]);
    const [third, second, first] = logs;
    expect(new Set([first.event_id, second.event_id, third.event_id]).size).toBe(1);
    expect(new Set([first.delivery_id, second.delivery_id, third.delivery_id]).size).toBe(1);
    expect([first, second].every(({ next_attempt_at }) => next_attempt_at !== null)).toBe(true);
    expect(third.next_attempt_at).toBeNull();
  });

  it("is found by uuid too, with links that hold the numeric id", async () => {
    const body = await list("?per_page=3", webhook.uuid);
    expect(body.data).toEqual(logs.slice(0, 3));
    for (const link of [body.links.first, body.links.last, body.links.next])
      expect(link).toContain(`/api/v1/webhooks/${webhook.id}/logs?`);
  });
});

describe("a filter of GET /webhooks/{webhook}/logs", () => {
  it.each([
    ["status=success", (log: Any) => log.status === "success"],
    ["status=failed", (log: Any) => log.status === "failed"],
    ["event_type=webhook.test", (log: Any) => log.event_type === "webhook.test"],
    ["event_type=message.created", (log: Any) => log.event_type === "message.created"],
    ["event_type=conversation.created", () => false],
    [
      "status=failed&event_type=message.created",
      (log: Any) => log.status === "failed" && log.attempt < 3 && log.event_type === "message.created",
    ],
    ["status=&event_type=", () => true],
    ["created_after=2020-01-01T00:00:00Z", () => true],
    ["created_before=2020-01-01T00:00:00Z", () => false],
    ["created_after=2020-01-01&created_before=2999-01-01&status=failed", (log: Any) => log.status === "failed"],
  ])("lets through exactly what it says, and counts it: %s", async (query, matches) => {
    const body = await list(`?${query}`);
    const expected = logs.filter(matches);
    expect(body.data).toEqual(expected);
    expect(body.meta.pagination.total).toBe(expected.length);
  });

  it("by time includes the second itself in created_after, and excludes it in created_before", async () => {
    const other = await fixture.createWebhook();
    for (let i = 0; i < 3; i++) await call("POST", `/webhooks/${other.id}/test`);
    await fixture.parley.database.query(
      `update delivery_attempts a set created_at = date_trunc('hour', now()) + n * interval '1 second'
       from (select id, row_number() over (order by id) as n from delivery_attempts where webhook_id = $1) o
       where a.id = o.id`,
      [other.id],
    );
    const [third, second, first] = (await list("", other.id)).data;
    const at = encodeURIComponent(second.created_at);
    expect(ids((await list(`?created_after=${at}`, other.id)).data)).toEqual([third.id, second.id]);
    expect(ids((await list(`?created_before=${at}`, other.id)).data)).toEqual([first.id]);
    // An unencoded + arrives as a space.
    expect(ids((await list(`?created_after=${second.created_at}`, other.id)).data)).toEqual([third.id, second.id]);
  });

  it.each([
    ["per_page=0", "per_page"],
    ["per_page=101", "per_page"],
    ["per_page=-1", "per_page"],
    ["per_page=abc", "per_page"],
    ["per_page=2.5", "per_page"],
    ["page=0", "page"],
    ["page=x", "page"],
    ["status=pending", "status"],
    ["event_type=nope", "event_type"],
    ["created_after=yesterday", "created_after"],
    ["created_before=2026-13-01", "created_before"],
  ])("that is not valid gets a 422 that names it: ?%s", async (query, field) => {
    const reply = await call("GET", `/webhooks/${webhook.id}/logs?${query}`);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details)).toEqual([field]);
  });

  it("may come with a per_page of 1 and of 100", async () => {
    expect((await list("?per_page=1")).data).toHaveLength(1);
    expect((await list("?per_page=100")).meta.pagination.per_page).toBe(100);
  });
});

describe("the pages of GET /webhooks/{webhook}/logs", () => {
  it("follow one another by their links, which are absolute and keep the other parameters", async () => {
    const first = await list("?per_page=2&status=failed&created_after=2020-01-01T00%3A00%3A00%2B00%3A00");
    expect(first.links.prev).toBeNull();
    const seen: Any[] = [];
    let body = first;
    for (let page = 1; ; page++) {
      seen.push(...body.data);
      expect(body.meta.pagination).toMatchObject({ total: 5, per_page: 2, current_page: page, last_page: 3 });
      expect(body.meta.pagination).toMatchObject({ from: 2 * page - 1, to: Math.min(5, 2 * page) });
      for (const [name, link] of Object.entries(body.links)) {
        if (link === null) continue;
        const url = new URL(link as string);
        expect(url.origin).toBe(fixture.parley.url);
        expect(url.searchParams.get("status")).toBe("failed");
        expect(url.searchParams.get("per_page")).toBe("2");
        expect(url.searchParams.get("created_after")).toBe("2020-01-01T00:00:00+00:00");
        const target = { first: 1, last: 3, prev: page - 1, next: page + 1 }[name];
        expect(url.searchParams.get("page")).toBe(String(target));
      }
      if (!body.links.next) break;
      body = (await call("GET", `/${body.links.next.slice(fixture.parley.url.length)}`)).body;
    }
    expect(seen).toEqual(logs.filter(({ status }) => status === "failed"));
    expect(body.links.next).toBeNull();
  });

  it("of an empty list have total 0, from 0, to 0, last page 1, and first and last on page 1", async () => {
    const empty = await fixture.createWebhook();
    const body = await list("", empty.id);
    expect(body.data).toEqual([]);
    expect(body.meta.pagination).toEqual({ total: 0, per_page: 25, current_page: 1, last_page: 1, from: 0, to: 0 });
    expect(body.links.first).toBe(`${fixture.parley.url}/api/v1/webhooks/${empty.id}/logs?page=1`);
    expect(body.links.last).toBe(body.links.first);
    expect([body.links.prev, body.links.next]).toEqual([null, null]);
  });

  it("past the end have no data, from and to 0, next null, and the last page as prev", async () => {
    for (const page of [4, 5, 999_999_999]) {
      const body = await list(`?per_page=3&page=${page}`);
      expect(body.data).toEqual([]);
      expect(body.meta.pagination).toEqual({
        total: 8,
        per_page: 3,
        current_page: page,
        last_page: 3,
        from: 0,
        to: 0,
      });
      expect(body.links.next).toBeNull();
      expect(new URL(body.links.prev).searchParams.get("page")).toBe("3");
    }
  });

  it("do not drift while attempts are added", async () => {
    const busy = await fixture.createWebhook();
    const send = () => call("POST", `/webhooks/${busy.id}/test`);
    for (let i = 0; i < 6; i++) await send();
    const before = ids((await list("", busy.id)).data);
    const seen: number[] = [];
    let url = `//api/v1/webhooks/${busy.id}/logs?per_page=2`;
    for (let pages = 0; url; pages++) {
      expect(pages).toBeLessThan(5);
      const { body } = await call("GET", url);
      seen.push(...ids(body.data));
      expect(body.meta.pagination.total).toBe(6);
      url = body.links.next ? `/${body.links.next.slice(fixture.parley.url.length)}` : "";
      await send();
    }
    expect(seen).toEqual(before);
  });

  it("have links on PARLEY_PUBLIC_URL where it is set, else on the request's host", async () => {
    const reply = await fetch(
      `${fixture.parley.url.replace("127.0.0.1", "localhost")}/api/v1/webhooks/${webhook.id}/logs`,
      {
        headers: { authorization: `Bearer ${fixture.parley.key}` },
      },
    ).catch(() => null);
    if (reply) expect(((await reply.json()) as Any).links.first).toMatch(/^http:\/\/localhost:\d+\/api\/v1\//);
    const behind = await startWebhookFixture({ PARLEY_PUBLIC_URL: "https://chat.example.com/parley/" });
    try {
      const made = await behind.createWebhook();
      const { links } = await behind.logs(made, "?per_page=5");
      expect(links.first).toBe(`https://chat.example.com/parley/api/v1/webhooks/${made.id}/logs?per_page=5&page=1`);
    } finally {
      await behind.close();
    }
  });
});

describe("access to the logs", () => {
  it("requires webhooks:manage; an unknown webhook is a 404, before any 422", async () => {
    const path = `/webhooks/${webhook.id}/logs`;
    expect((await call("GET", path, { key: null })).status).toBe(401);
    const { key } = await fixture.parley.createKey({ type: "limited", abilities: ["events:read"] });
    expect((await call("GET", path, { key })).status).toBe(403);
    for (const ref of ["999999999", "abc", "00000000-0000-4000-8000-000000000000"]) {
      expect((await call("GET", `/webhooks/${ref}/logs`)).status).toBe(404);
      expect((await call("GET", `/webhooks/${ref}/logs?per_page=0`)).status).toBe(404);
    }
  });
});
