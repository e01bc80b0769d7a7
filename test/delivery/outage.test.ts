import type { ServerResponse } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, proxyTo } from "../support/database-proxy.ts";
import { respondWith, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let database: TestDatabase;
let proxy: DatabaseProxy;
let fixture: WebhookFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await proxyTo(database);
  fixture = await startWebhookFixture({}, proxy.database);
});
afterAll(async () => {
  await fixture.close();
  await proxy.close();
  await database.drop();
});

describe("a database that becomes unavailable", () => {
  it("while the receiver responds loses nothing: its response is kept and written once it is back", async () => {
    const webhook = await fixture.createWebhook();
    const waiting: ServerResponse[] = [];
    fixture.receiver.behave((response) => waiting.push(response), webhook.path);
    for (let i = 0; i < 4; i++) await fixture.write(`m${i}`);
    await fixture.receiver.waitFor(4, webhook.path);
    await proxy.cut();
    for (const response of waiting) respondWith(200)(response, undefined as never);
    await until("the engine has tried to settle", () => fixture.parley.logs().includes("writing results failed"));
    await proxy.restore();
    await until("all is settled", async () => (await fixture.queued(webhook)).length === 0, { timeoutMs: 20_000 });
    expect(fixture.receiver.at(webhook.path)).toHaveLength(4);
    for (const arrival of fixture.receiver.at(webhook.path)) verify(arrival, webhook.secret);
    const { data, meta } = await until("the API responds again", async () => {
      const body = await fixture.logs(webhook);
      return body?.success ? body : null;
    });
    expect(data.map(({ status, attempt }: { status: string; attempt: number }) => [status, attempt])).toEqual(
      Array(4).fill(["success", 1]),
    );
    expect(meta.pagination.total).toBe(4);
  });

  it("is found again by the engine without help: what is written afterwards is delivered", async () => {
    const webhook = await fixture.createWebhook();
    await proxy.cut();
    const refused = await fixture.parley.call("GET", "/webhooks");
    expect(refused.status).toBe(503);
    await proxy.restore();
    await until("a message can be written", async () => {
      const { status } = await fixture.parley.call("POST", "/contacts", { body: {} });
      return status === 201;
    });
    await fixture.write("afterwards");
    await fixture.receiver.waitFor(1, webhook.path);
    await fixture.waitForLogs(webhook, 1, "?status=success");
  });

  it("with the response to a claim does not strand what was claimed: it is released and delivered", async () => {
    const webhook = await fixture.createWebhook();
    // The claim waits for the lane; its connection is cut meanwhile; then it goes through, and its response reaches nobody.
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query("begin");
    await blocker.query("select 1 from delivery_lanes where webhook_id = $1 for update", [webhook.id]);
    await fixture.write("stranded");
    const claimWaits = "select 1 from pg_stat_activity where query like '%planned as%' and wait_event_type = 'Lock'";
    await until("the claim waits", async () => (await database.query(claimWaits)).length > 0);
    await proxy.cut();
    await blocker.query("commit");
    await blocker.end();
    const claimed = "select 1 from deliveries where webhook_id = $1 and worker_id is not null";
    await until("the lost claim took effect", async () => (await database.query(claimed, [webhook.id])).length > 0);
    await proxy.restore();
    await fixture.receiver.waitFor(1, webhook.path, 20_000);
    expect(fixture.parley.logs()).toContain("released deliveries whose claim or result the database had lost");
    await fixture.waitForLogs(webhook, 1, "?status=success");
  });

  it("and loses a result in a crash does not strand the delivery: its worker notices and releases it", async () => {
    const webhook = await fixture.createWebhook();
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.parley.call("PATCH", `/webhooks/${webhook.id}`, { body: { retry_count: 10 } });
    await fixture.write("forgotten");
    await fixture.waitForLogs(webhook, 1, "?status=failed");
    // What the database has after such a crash: the claim as it was, and nothing of what came after.
    const forget = `
      with claimed as (
        update deliveries
        set worker_id = (select max(id) from workers), lease_token = 1, attempts_made = 0
        where webhook_id = $1 and worker_id is null
        returning webhook_id)
      update delivery_lanes lane
      set in_flight = in_flight + 1
      from claimed
      where lane.webhook_id = claimed.webhook_id
      returning 1`;
    await until("a result is forgotten", async () => (await database.query(forget, [webhook.id])).length > 0);
    fixture.receiver.behave(respondWith(200), webhook.path);
    await proxy.cut();
    await proxy.restore();
    await until("it is sent again", () => fixture.receiver.at(webhook.path).length > 1);
    await until("that is settled", async () => (await fixture.queued(webhook)).length === 0);
    expect(
      await database.query("select 1 from delivery_lanes where webhook_id = $1 and in_flight > 0", [webhook.id]),
    ).toEqual([]);
  });
});
