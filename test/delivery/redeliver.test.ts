import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hang, respondWith, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "3600" });
});
afterAll(() => fixture.close());

interface Ids {
  id: number;
  eventId: string;
}

const redeliver = (webhook: { id: number }, log: { id: number | string }) =>
  fixture.parley.call("POST", `/webhooks/${webhook.id}/logs/${log.id}/redeliver`);

describe("POST /webhooks/{webhook}/logs/{log}/redeliver", () => {
  it("sends a delivered event once more: 202, the same webhook-id and body, a new log", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    const reply = await redeliver(webhook, log);
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({
      success: true,
      data: { delivery_id: expect.any(Number) },
      message: expect.any(String),
    });
    const [first, second] = await fixture.receiver.waitFor(2, webhook.path);
    verify(second as never, webhook.secret);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    const [latest] = await fixture.waitForLogs(webhook, 2);
    expect(latest).toMatchObject({
      event_id: log.event_id,
      attempt: 1,
      status: "success",
      delivery_id: reply.body.data.delivery_id,
    });
    expect(latest.delivery_id).not.toBe(log.delivery_id);
  });

  it("sends one that will not be retried, also by the log's uuid", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    fixture.receiver.behave(respondWith(200), webhook.path);
    expect((await redeliver(webhook, { id: log.uuid })).status).toBe(202);
    const [latest] = await fixture.waitForLogs(webhook, 2);
    expect(latest).toMatchObject({ status: "success", event_id: log.event_id });
  });

  it("brings one that waits for its retry forward, and duplicates nothing", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 5 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    // No response before both have asked: afterwards the second would be a delivery of its own.
    let bothAsked = () => {};
    const gate = new Promise<void>((resolve) => {
      bothAsked = resolve;
    });
    fixture.receiver.behave(
      (response, arrival) => void gate.then(() => respondWith(200)(response, arrival)),
      webhook.path,
    );
    const replies = await Promise.all([redeliver(webhook, log), redeliver(webhook, log)]);
    expect(replies.map(({ status }) => status)).toEqual([202, 202]);
    expect(replies.map(({ body }) => body.data.delivery_id)).toEqual([log.delivery_id, log.delivery_id]);
    bothAsked();
    const [latest] = await fixture.waitForLogs(webhook, 2);
    expect(latest).toMatchObject({ attempt: 2, status: "success", delivery_id: log.delivery_id });
    expect(await fixture.queued(webhook)).toEqual([]);
  });

  it("leaves one that is in flight as it is", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/test`);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1, "?event_type=message.created");
    fixture.receiver.behave(hang, webhook.path);
    await redeliver(webhook, log);
    await fixture.receiver.waitFor(3, webhook.path);
    const [before] = await until("it is claimed", async () => {
      const rows = await fixture.queued(webhook);
      return rows[0]?.worker_id ? rows : null;
    });
    expect((await redeliver(webhook, log)).body.data.delivery_id).toBe(Number(before.id));
    const [after] = await fixture.queued(webhook);
    expect(after).toEqual(before);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/disable`);
  });

  it("can repeat a test, and retries a repeat that fails", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 2 });
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/test`);
    const [log] = await fixture.waitForLogs(webhook, 1);
    fixture.receiver.behave(respondWith(500), webhook.path);
    await redeliver(webhook, log);
    const [latest] = await fixture.waitForLogs(webhook, 2);
    expect(latest).toMatchObject({ event_type: "webhook.test", status: "failed", attempt: 1 });
    expect(latest.next_attempt_at).not.toBeNull();
  });

  it("that fails leaves a delivered event delivered: recover does not count it", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    fixture.receiver.behave(respondWith(500), webhook.path);
    await redeliver(webhook, log);
    await fixture.waitForLogs(webhook, 2);
    const { body } = await fixture.parley.call("POST", `/webhooks/${webhook.id}/recover`, {
      body: { since: "2020-01-01T00:00:00Z", dry_run: true },
    });
    expect(body.data.events).toBe(0);
  });

  it("responds with 409 while the webhook is disabled, and queues nothing", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/disable`);
    const reply = await redeliver(webhook, log);
    expect(reply.status).toBe(409);
    expect(reply.body.error.code).toBe("CONFLICT");
    expect(await fixture.queued(webhook)).toEqual([]);
  });

  it("responds with 409 once the event is past retention", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    await fixture.parley.database.query("delete from events where uuid = $1::uuid", [log.event_id.slice(4)]);
    const reply = await redeliver(webhook, log);
    expect(reply.status).toBe(409);
    expect(reply.body.error.message).toContain("retention");
    expect(fixture.receiver.at(webhook.path)).toHaveLength(1);
  });

  it.each([
    ["the webhook", "delete from webhooks where id = $1", ({ id }: Ids) => id, 404, "The webhook does not exist."],
    ["the event", "delete from events where uuid = $1::uuid", ({ eventId }: Ids) => eventId, 409, "retention"],
  ])(
    "that races with the deletion of %s is refused as one that comes after it",
    async (_what, deletion, idOf, status, message) => {
      const webhook = await fixture.createWebhook();
      await fixture.write();
      const [log] = await fixture.waitForLogs(webhook, 1);
      const deleter = new pg.Client({ connectionString: fixture.parley.database.url });
      await deleter.connect();
      try {
        // Everything has been found when the delivery is about to be written.
        await deleter.query("begin");
        await deleter.query("lock table deliveries in share row exclusive mode");
        const asked = redeliver(webhook, log);
        const waits = `select
        from pg_stat_activity
        where datname = current_database()
          and wait_event_type = 'Lock'
          and query like 'insert into deliveries as delivery%'`;
        await until("it waits", async () => (await fixture.parley.database.query(waits)).length > 0);
        await deleter.query(deletion, [idOf({ id: webhook.id, eventId: log.event_id.slice(4) })]);
        await deleter.query("commit");
        const reply = await asked;
        expect([reply.status, reply.body.error.message]).toEqual([status, expect.stringContaining(message)]);
      } finally {
        await deleter.end();
      }
    },
  );

  it("asks for webhooks:manage, and for a log of this webhook", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    const path = `/webhooks/${webhook.id}/logs/${log.id}/redeliver`;
    expect((await fixture.parley.call("POST", path, { key: null })).status).toBe(401);
    const { key } = await fixture.parley.createKey({ type: "limited", abilities: ["events:read"] });
    expect((await fixture.parley.call("POST", path, { key })).status).toBe(403);
    expect((await redeliver(webhook, { id: 987_654_321 })).status).toBe(404);
    expect((await redeliver({ id: 987_654_321 }, log)).status).toBe(404);
  });

  it("with an Idempotency-Key is done once", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    const once = () =>
      fixture.parley.call("POST", `/webhooks/${webhook.id}/logs/${log.id}/redeliver`, {
        headers: { "idempotency-key": "again" },
      });
    const first = await once();
    await fixture.waitForLogs(webhook, 2);
    const second = await once();
    expect(second.body).toEqual(first.body);
    expect(await fixture.queued(webhook)).toEqual([]);
    expect(fixture.receiver.at(webhook.path)).toHaveLength(2);
  });
});
