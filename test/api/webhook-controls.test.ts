import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scale, seeded } from "../support/proof.ts";
import { randomFilters } from "../support/random-filters.ts";
import { verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

/** As many events as a preview shows. */
const PREVIEWED_MAX = 20;
const WEBHOOKS = scale(30, 300);

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const call: WebhookFixture["parley"]["call"] = (...args) => fixture.parley.call(...args);
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;
const bodiesAt = (webhook: Any): Any[] => fixture.receiver.at(webhook.path).map(({ body }) => JSON.parse(body));

const laneOf = async (webhook: Any): Promise<Any> =>
  (await fixture.parley.database.query<Any>("select * from delivery_lanes where webhook_id = $1", [webhook.id]))[0];

const FILTER = { data: { body: { $startsWith: "yes" } } };

describe("filter", () => {
  it("is null by default, is shown as it was given, and is cleared by null", async () => {
    const webhook = await fixture.createWebhook();
    expect(webhook).toMatchObject({ filter: null, template: null, rate_limit: null });
    const filter = { type: ["message.created"], data: { private: false, direction: "in" } };
    const set = await call("PATCH", `/webhooks/${webhook.id}`, { body: { filter } });
    expect(JSON.stringify(set.body.data.filter)).toBe(JSON.stringify(filter));
    const cleared = await call("PATCH", `/webhooks/${webhook.id}`, { body: { filter: null } });
    expect(cleared.body.data.filter).toBeNull();
  });

  it("decides which events cause a delivery, for messages that are written one by one and in a batch", async () => {
    const webhook = await fixture.createWebhook({ filter: FILTER });
    const all = await fixture.createWebhook();
    await fixture.write("no 1");
    await fixture.write("yes 1");
    await Promise.all(Array.from({ length: 20 }, (_, n) => fixture.write(`${n % 2 ? "yes" : "no"} ${n}`)));
    await until("all have arrived", () => fixture.receiver.at(all.path).length >= 22);
    await until("nothing is queued", async () => (await fixture.queued(webhook)).length === 0);
    const bodies = bodiesAt(webhook).map(({ data }) => data.body);
    expect(bodies).toHaveLength(11);
    expect(bodies.every((body: string) => body.startsWith("yes"))).toBe(true);
  });

  it("applies to recover, and not to redeliver and test", async () => {
    const webhook = await fixture.createWebhook({ filter: FILTER });
    await fixture.write("yes again");
    await fixture.waitForLogs(webhook, 1);
    const [log] = (await call("GET", `/webhooks/${webhook.id}/logs`)).body.data;
    await call("PATCH", `/webhooks/${webhook.id}`, { body: { filter: { data: { body: "nothing" } } } });
    expect((await call("POST", `/webhooks/${webhook.id}/test`)).body.data.success).toBe(true);
    expect((await call("POST", `/webhooks/${webhook.id}/logs/${log.id}/redeliver`)).status).toBe(202);
    await until("it is sent again", () => fixture.receiver.at(webhook.path).length === 3);
    await call("POST", `/webhooks/${webhook.id}/disable`);
    await fixture.write("nothing");
    await fixture.write("something");
    await call("POST", `/webhooks/${webhook.id}/enable`);
    const since = "2020-01-01T00:00:00Z";
    const recovered = await call("POST", `/webhooks/${webhook.id}/recover`, { body: { since } });
    expect(recovered.body.data.events).toBe(1);
  });

  it("of 100 webhooks, each as expensive as can be, lets a contact with 7,900 values be created at once", async () => {
    const others = (n: number) => ({ value: { $nin: [2, 3, 4, 5, 6, 7, 8, n] } });
    const mostExpensive = (n: number) => ({
      data: { attributes: { $and: Array.from({ length: 48 }, (_, leaf) => others(9 + n + leaf)) } },
    });
    const settings = { events: ["contact.created"] };
    const expensive: Any[] = [];
    for (let n = 0; n < 100; n++)
      expensive.push(await fixture.createWebhook({ ...settings, filter: mostExpensive(n) }));
    const unlike = await fixture.createWebhook({ ...settings, filter: { $not: mostExpensive(0) } });
    const attributes = { value: Array.from({ length: 7_900 }, () => 1) };
    const begunAt = performance.now();
    const stored = await call("POST", "/contacts", { body: { attributes } });
    expect(stored.status).toBe(201);
    // 100 times 2.5 s when each value was compared with each condition.
    expect(performance.now() - begunAt).toBeLessThan(5_000);
    await until("each of them has got it", () => expensive.every(({ path }) => fixture.receiver.at(path).length === 1));
    expect(await fixture.queued(unlike)).toHaveLength(0);
    expect(fixture.receiver.at(unlike.path)).toHaveLength(0);
    const ids = [...expensive, unlike].map(({ id }) => id);
    await fixture.parley.database.query("update webhooks set is_active = false where id = any($1)", [ids]);
  }, 60_000);

  it.each([
    [{ filter: { data: { priority: { $gtt: 1 } } } }, "filter", /^filter\.data\.priority\.\$gtt is not an operator/],
    [{ filter: [] }, "filter", /object/],
    [{ template: "{{ nope }}" }, "template", /no event has/],
    [{ rate_limit: 0 }, "rate_limit", /1/],
    [{ rate_limit: 1_001 }, "rate_limit", /1,?000/],
  ])("%j is a 422 that names the field", async (body, field, message) => {
    const webhook = await fixture.createWebhook();
    const reply = await call("PATCH", `/webhooks/${webhook.id}`, { body });
    expect(reply.status).toBe(422);
    expect(reply.body.error.details[field].join(" ")).toMatch(message);
  });
});

describe("template", () => {
  it("replaces the body, which is signed as it is sent, and the log shows it", async () => {
    const template = { text: "New: {{ data.body }}", id: "{{ data.id }}", channel: null };
    const webhook = await fixture.createWebhook({ template });
    const message = await fixture.write("hello");
    await fixture.waitForLogs(webhook, 1);
    const [arrival] = fixture.receiver.at(webhook.path);
    const expected = { text: "New: hello", id: message.id, channel: null };
    expect(JSON.parse(arrival?.body ?? "")).toEqual(expected);
    verify(arrival as Any, webhook.secret);
    const [log] = (await call("GET", `/webhooks/${webhook.id}/logs`)).body.data;
    const detail = (await call("GET", `/webhooks/${webhook.id}/logs/${log.id}`)).body.data;
    expect(JSON.parse(detail.request.body)).toEqual(expected);
    expect(arrival?.headers["webhook-id"]).toBe(log.event_id);
  });

  it("is used by a test too", async () => {
    const webhook = await fixture.createWebhook({ template: ["{{ type }}"] });
    await call("POST", `/webhooks/${webhook.id}/test?event_type=contact.created`);
    expect(bodiesAt(webhook)).toEqual([["contact.created"]]);
  });

  it("that makes a body above 256 KiB fails the attempt without a retry, and says why", async () => {
    const webhook = await fixture.createWebhook({ template: Array(10).fill("{{ data.body }}") });
    await fixture.write("x".repeat(60_000));
    await fixture.waitForLogs(webhook, 1);
    const [log] = (await call("GET", `/webhooks/${webhook.id}/logs`)).body.data;
    expect(log).toMatchObject({ status: "failed", response_code: 0, next_attempt_at: null });
    expect(log.error_message).toMatch(/template/);
    expect(fixture.receiver.at(webhook.path)).toHaveLength(0);
  });

  it("that makes bodies too large does not count against the receiver", async () => {
    const webhook = await fixture.createWebhook({ template: Array(10).fill("{{ data.body }}") });
    for (let n = 0; n < 12; n++) await fixture.write("x".repeat(60_000));
    await fixture.waitForLogs(webhook, 12);
    const unharmed = { failures_without_response: 0, breaker_open_until: null, failing_since: null, window_size: 4 };
    expect(await laneOf(webhook)).toMatchObject(unharmed);
    await fixture.write("short");
    await until("the next event is sent", () => fixture.receiver.at(webhook.path).length === 1);
  });
});

describe("rate_limit", () => {
  it("bounds the deliveries of any second and of any ten, and loses none", async () => {
    const limit = 5;
    const webhook = await fixture.createWebhook({ rate_limit: limit });
    await Promise.all(Array.from({ length: 30 }, () => fixture.write()));
    const arrived = () => fixture.receiver.at(webhook.path).map(({ at }) => at);
    await until("all have arrived", () => arrived().length === 30, { timeoutMs: 30_000 });
    const times = arrived().sort((one, other) => one - other);
    const most = (ms: number) =>
      Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length));
    expect(most(1_000)).toBeLessThanOrEqual(2 * limit);
    expect(most(10_000)).toBeLessThanOrEqual(11 * limit);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(4_000);
  });

  it("also holds for messages that are written one after the other, each while the webhook is idle", async () => {
    const webhook = await fixture.createWebhook({ rate_limit: 1 });
    for (let n = 0; n < 4; n++) {
      await fixture.write();
      await until("nothing is in flight", async () => (await laneOf(webhook)).in_flight === 0, { everyMs: 5 });
    }
    await until("all have arrived", () => fixture.receiver.at(webhook.path).length === 4, { timeoutMs: 15_000 });
    const times = fixture.receiver.at(webhook.path).map(({ at }) => at);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2_000);
  });

  it("that is removed lets the rest go at once", async () => {
    const webhook = await fixture.createWebhook({ rate_limit: 1 });
    await Promise.all(Array.from({ length: 30 }, () => fixture.write()));
    await call("PATCH", `/webhooks/${webhook.id}`, { body: { rate_limit: null } });
    await until("all have arrived", () => fixture.receiver.at(webhook.path).length === 30, { timeoutMs: 15_000 });
  });
});

describe("POST /webhooks/preview", () => {
  it("tells what a filter and a template would have done with the stored events", async () => {
    const { key } = await fixture.parley.createWorkspace();
    for (const name of ["yes 1", "no", "yes 2"]) await call("POST", "/contacts", { key, body: { name } });
    const filter = { data: { name: { $startsWith: "yes" } } };
    const body = { events: ["contact.*"], filter, template: { text: "{{ data.name }}" }, limit: 1 };
    const reply = await call("POST", "/webhooks/preview", { key, body });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ matched: 2, examined: 3, complete: true });
    expect(reply.body.data.examples).toEqual([
      { event: expect.objectContaining({ type: "contact.created" }), body: { text: "yes 2" } },
    ]);
  });

  it("says which events a template makes too large to be sent, and stays small itself", async () => {
    await fixture.write("x".repeat(60_000));
    const body = { events: ["message.created"], template: Array(1_000).fill("{{ data }}"), limit: 1 };
    const reply = await call("POST", "/webhooks/preview", { body });
    expect(reply.status).toBe(200);
    expect(reply.body.data.examples[0]).toMatchObject({ body: null, error: expect.stringMatching(/262144 bytes/) });
    expect(JSON.stringify(reply.body).length).toBeLessThan(100_000);
  });

  it("without filter and template shows the events themselves, and nothing of before `since`", async () => {
    const { key } = await fixture.parley.createWorkspace();
    await call("POST", "/contacts", { key, body: { name: "Ada" } });
    const all = (await call("POST", "/webhooks/preview", { key, body: { events: ["contact.*"] } })).body.data;
    expect(all).toMatchObject({ matched: 1, examined: 1 });
    expect(all.examples[0].body).toEqual(all.examples[0].event);
    const since = new Date(Date.now() + 3_600_000).toISOString();
    const later = (await call("POST", "/webhooks/preview", { key, body: { events: ["contact.*"], since } })).body.data;
    expect(later).toEqual({ matched: 0, examined: 0, complete: true, examples: [] });
  });

  it("shows exactly the events that a webhook with the same filter gets, whatever both are", async () => {
    const { key } = await fixture.parley.createWorkspace();
    const random = seeded("preview");
    const events = ["message.created"];
    const webhooks: Any[] = [];
    for (const filter of randomFilters(WEBHOOKS, Math.floor(random() * 2 ** 31)))
      webhooks.push(await fixture.createWebhook({ events, filter }, { key }));
    const opened = await call("POST", "/conversations", { key, body: {} });
    const path = `/conversations/${opened.body.data.id}/messages`;
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    // At once, so that some are written one by one and others in a batch.
    await Promise.all(
      Array.from({ length: PREVIEWED_MAX }, async () => {
        const direction = pick(["in", "out"]);
        const body = { direction, private: direction === "out" && pick([true, false]), body: pick(["hello", "other"]) };
        expect((await call("POST", path, { key, body })).status).toBe(201);
      }),
    );
    const idle = "select 1 from deliveries where webhook_id = any($1)";
    const ids = webhooks.map(({ id }) => id);
    await until("all is delivered", async () => (await fixture.parley.database.query(idle, [ids])).length === 0);
    let sent = 0;
    for (const { filter, path: at } of webhooks) {
      const body = { events, filter, limit: PREVIEWED_MAX };
      const { examples } = (await call("POST", "/webhooks/preview", { key, body })).body.data;
      const arrived = fixture.receiver.at(at).map(({ event }) => event.id);
      expect(arrived.sort(), JSON.stringify(filter)).toEqual(examples.map(({ event }: Any) => event.id).sort());
      sent += arrived.length;
    }
    expect(sent).toBeGreaterThan(PREVIEWED_MAX);
  });
});
