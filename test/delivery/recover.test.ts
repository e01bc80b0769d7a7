import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { runHousekeeping } from "../../src/delivery/worker/housekeeping.ts";
import { hang, respondWith } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "3600" });
});
afterAll(() => fixture.close());

const EVER = "2020-01-01T00:00:00Z";
const ask = (webhook: Any, body: object = {}) =>
  fixture.parley.call("POST", `/webhooks/${webhook.id}/recover`, { key: webhook.key, body: { since: EVER, ...body } });

/** The dry run's count, the real one's, which must be equal, and a second one's, which must be 0. */
async function recovered(webhook: Any, body: object = {}): Promise<number> {
  const dry = await ask(webhook, { ...body, dry_run: true });
  expect(dry.status, dry.text).toBe(202);
  const real = await ask(webhook, body);
  expect(real.status, real.text).toBe(202);
  expect(real.body.data.events).toBe(dry.body.data.events);
  expect((await ask(webhook, body)).body.data.events).toBe(0);
  return real.body.data.events;
}

const switchTo = (webhook: Any, state: "enable" | "disable") =>
  fixture.parley.call("POST", `/webhooks/${webhook.id}/${state}`, { key: webhook.key });
const bodies = (webhook: Any) => fixture.receiver.at(webhook.path).map(({ event }) => event.data.body);
const names = (webhook: Any) => fixture.receiver.at(webhook.path).map(({ event }) => event.data.name);

/** In a workspace of its own, and as if it had been made long ago. */
async function createAlone(): Promise<Any> {
  const { key } = await fixture.parley.createWorkspace();
  const webhook = { ...(await fixture.createWebhook({ events: ["contact.created"] }, { key })), key };
  await fixture.parley.database.query("update webhooks set created_at = now() - interval '1 year' where id = $1", [
    webhook.id,
  ]);
  return webhook;
}

const addContact = async (webhook: Any, name: string): Promise<Any> =>
  (await fixture.parley.call("POST", "/contacts", { key: webhook.key, body: { name } })).body.data;

/** Makes the event of a contact older. */
const moveEvent = (contact: Any, age: string) =>
  fixture.parley.database.query(
    "update events set created_at = now() - $2::interval where position($1 in payload) > 0",
    [contact.uuid, age],
  );

describe("POST /webhooks/{webhook}/recover", () => {
  it("responds with 202 with the count, the time and whether it was a dry run", async () => {
    const webhook = await fixture.createWebhook();
    const reply = await ask(webhook, { since: "2026-07-14T12:00:00+02:00", dry_run: true });
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({
      success: true,
      data: { events: 0, since: "2026-07-14T10:00:00+00:00", dry_run: true },
      // Not "again": some happened while the webhook was disabled, and were never sent.
      message: "0 events would be sent.",
    });
  });

  it("leaves out what was delivered", async () => {
    const webhook = await fixture.createWebhook();
    for (let i = 0; i < 3; i++) await fixture.write();
    await fixture.waitForLogs(webhook, 3, "?status=success");
    expect(await recovered(webhook)).toBe(0);
  });

  it("sends what will not be retried", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write("failed one");
    await fixture.write("failed two");
    await fixture.waitForLogs(webhook, 2);
    await until("both are finished", async () => (await fixture.queued(webhook)).length === 0);
    fixture.receiver.behave(respondWith(200), webhook.path);
    expect(await recovered(webhook)).toBe(2);
    await fixture.waitForLogs(webhook, 2, "?status=success");
    expect(bodies(webhook).slice(2).sort()).toEqual(["failed one", "failed two"]);
    expect(await recovered(webhook)).toBe(0);
  });

  it("sends what happened while the webhook was disabled, and only what it subscribes to", async () => {
    const webhook = await fixture.createWebhook({ events: ["message.created"] });
    await switchTo(webhook, "disable");
    await fixture.write("missed");
    await fixture.parley.call("POST", "/contacts", { body: { name: "not its business" } });
    await switchTo(webhook, "enable");
    expect(await recovered(webhook)).toBe(1);
    await fixture.receiver.waitFor(1, webhook.path);
    expect(bodies(webhook)).toEqual(["missed"]);
  });

  it("leaves out what happened before the webhook existed", async () => {
    await fixture.write("before");
    const webhook = await fixture.createWebhook();
    expect(await recovered(webhook)).toBe(0);
  });

  it("leaves out what happened before `since`", async () => {
    const webhook = await createAlone();
    await switchTo(webhook, "disable");
    await moveEvent(await addContact(webhook, "early"), "1 hour");
    await addContact(webhook, "late");
    await switchTo(webhook, "enable");
    expect(await recovered(webhook, { since: new Date(Date.now() - 60_000).toISOString() })).toBe(1);
    await fixture.receiver.waitFor(1, webhook.path);
    expect(names(webhook)).toEqual(["late"]);
    expect(await recovered(webhook)).toBe(1);
    await fixture.receiver.waitFor(2, webhook.path);
    expect(names(webhook)).toEqual(["late", "early"]);
  });

  it("leaves out what is past retention", async () => {
    const webhook = await createAlone();
    await switchTo(webhook, "disable");
    await moveEvent(await addContact(webhook, "old"), "31 days");
    await moveEvent(await addContact(webhook, "young"), "29 days");
    await switchTo(webhook, "enable");
    await runHousekeeping(fixture.parley.app.store.db, createLogger("silent"), 30);
    expect(await recovered(webhook)).toBe(1);
    await fixture.receiver.waitFor(1, webhook.path);
    expect(names(webhook)).toEqual(["young"]);
  });

  it("leaves out what waits for its retry or is in flight", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 5 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write("waiting");
    await fixture.waitForLogs(webhook, 1);
    fixture.receiver.behave(hang, webhook.path);
    await fixture.write("in flight");
    await fixture.receiver.waitFor(2, webhook.path);
    expect(await recovered(webhook)).toBe(0);
    expect(await fixture.queued(webhook)).toHaveLength(2);
    await switchTo(webhook, "disable");
  });

  it("sends what was canceled by disabling, in flight or waiting", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 5 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write("waiting");
    await fixture.waitForLogs(webhook, 1);
    fixture.receiver.behave(hang, webhook.path);
    await fixture.write("in flight");
    await fixture.receiver.waitFor(2, webhook.path);
    await switchTo(webhook, "disable");
    fixture.receiver.behave(respondWith(200), webhook.path);
    await switchTo(webhook, "enable");
    expect(await recovered(webhook)).toBe(2);
    await fixture.waitForLogs(webhook, 2, "?status=success");
  });

  it("leaves out tests, the key's own events when they are skipped, and key events not asked for", async () => {
    const own = await fixture.parley.createKey({ rate_limit_tier: "unlimited" });
    const narrow = await fixture.parley.createKey({ type: "webhook", rate_limit_tier: "unlimited" });
    const skipping = await fixture.createWebhook({ skip_own_events: true }, { key: own.key });
    const deaf = await fixture.createWebhook({ events: ["api_key.created", "message.created"] });
    await fixture.parley.call("PATCH", `/webhooks/${deaf.id}`, { key: narrow.key, body: { events: ["*"] } });
    for (const webhook of [skipping, deaf]) {
      await switchTo(webhook, "disable");
      fixture.receiver.behave(respondWith(500), webhook.path);
      await fixture.parley.call("POST", `/webhooks/${webhook.id}/test`);
    }
    await fixture.write("own", { key: own.key });
    await fixture.write("another's");
    await fixture.parley.createKey({ name: "unheard" });
    for (const webhook of [skipping, deaf]) {
      fixture.receiver.behave(respondWith(200), webhook.path);
      await switchTo(webhook, "enable");
    }
    expect(await recovered(skipping)).toBe(1);
    await recovered(deaf);
    await fixture.receiver.waitFor(2, skipping.path);
    expect(bodies(skipping).slice(1)).toEqual(["another's"]);
    await until("nothing waits", async () => (await fixture.queued(deaf)).length === 0);
    expect(fixture.receiver.at(deaf.path).map(({ event }) => event.type)).not.toContain("api_key.created");
  });

  it("is refused with 409 while the webhook is disabled; a dry run is not", async () => {
    const webhook = await fixture.createWebhook();
    await switchTo(webhook, "disable");
    await fixture.write();
    expect((await ask(webhook)).status).toBe(409);
    const dry = await ask(webhook, { dry_run: true });
    expect(dry.status).toBe(202);
    expect(dry.body.data.events).toBe(1);
  });

  it.each([
    [{ since: null }, "since"],
    [{ since: "yesterday" }, "since"],
    [{ since: 5 }, "since"],
    [{ dry_run: "yes" }, "dry_run"],
  ])("refuses %j with a 422", async (body, field) => {
    const webhook = await fixture.createWebhook();
    const reply = await ask(webhook, body);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details)).toEqual([field]);
    expect((await ask({ id: 987_654_321 }, body)).status).toBe(404);
  });

  it("of ten at once queues each event once", async () => {
    const webhook = await fixture.createWebhook();
    await switchTo(webhook, "disable");
    for (let i = 0; i < 20; i++) await fixture.write(`m${i}`);
    await switchTo(webhook, "enable");
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(webhook)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
    expect(replies.reduce((sum, { body }) => sum + body.data.events, 0)).toBe(20);
    await fixture.waitForLogs(webhook, 20, "?status=success");
    expect(fixture.receiver.at(webhook.path)).toHaveLength(20);
  });
});
