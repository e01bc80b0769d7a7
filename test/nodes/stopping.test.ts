import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownSchemaVersion } from "../../src/db/migrate.ts";
import { callApi } from "../support/parley.ts";
import { respondWith } from "../support/receiver.ts";
import { startImpatient } from "../support/slow-limits.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

const RETRY_SECONDS = 1;
const SLOW_MS_MAX = 200;

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: String(RETRY_SECONDS) });
});
afterAll(() => fixture.close());

const ready = (url: string) => callApi(url, "GET", "//health/ready", { key: null });

describe("a node that has announced its stop", () => {
  it("is not ready, and still serves requests, each on a connection that ends with it", async () => {
    const node = await startImpatient(fixture.parley, {});
    expect((await ready(node.url)).status).toBe(200);
    node.server.announceStop();
    const unready = await ready(node.url);
    expect([unready.status, unready.body.error.message]).toEqual([503, "The server is stopping."]);
    const reply = await callApi(node.url, "POST", "/contacts", { body: { name: "served" } });
    expect([reply.status, reply.headers.get("connection")]).toEqual([201, "close"]);
    await node.close();
  });
});

describe("a node that stops", () => {
  it("finishes a long request in progress and disconnects a client that is slow to send its own", async () => {
    const node = await startImpatient(fixture.parley, { drain: { slowMsMax: SLOW_MS_MAX } });
    const webhook = await fixture.createWebhook();
    let respond = () => {};
    fixture.receiver.behave((response) => {
      respond = () => response.writeHead(200).end();
    }, webhook.path);
    const long = callApi(node.url, "POST", `/webhooks/${webhook.id}/test`);
    await fixture.receiver.waitFor(1, webhook.path);
    const slow = connect(Number(new URL(node.url).port), "127.0.0.1");
    slow.write("POST /api/v1/contacts HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
    await until("both requests have come", async () => (await node.connections()) === 2);

    const closing = node.close();
    slow.resume();
    await once(slow, "close");
    respond();
    const reply = await long;
    expect([reply.status, reply.body.success]).toEqual([201, true]);
    await closing;
    await fixture.parley.call("DELETE", `/webhooks/${webhook.id}`);
  });
});

describe("a node that is too old for the database", () => {
  it("says so, refuses writes, serves reads and claims no more deliveries", async () => {
    const { parley, receiver } = fixture;
    const webhook = await fixture.createWebhook();
    receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    await receiver.waitFor(1, webhook.path);
    await parley.database.query(
      `insert into schema_migrations (version, name, checksum, compatible_from)
       values (999999, '999999_contract', 'x', $1)`,
      [ownSchemaVersion() + 1],
    );

    const unready = await until("the node is not ready", async () => {
      const reply = await ready(parley.url);
      return reply.status === 503 ? reply : null;
    });
    // On a busy machine a retry may have been sent before the node noticed.
    const sent = receiver.at(webhook.path).length;
    expect(unready.body.error.message).toMatch(/older version of Parley.*999999_contract.*Upgrade the node/);
    const write = await parley.call("POST", "/contacts", { body: { name: "refused" } });
    expect([write.status, write.body.error.message]).toEqual([503, unready.body.error.message]);
    expect(write.headers.get("retry-after")).not.toBeNull();
    expect((await parley.call("GET", "/contacts")).status).toBe(200);

    await until("it has left the list of workers", async () => {
      return (await parley.database.query("select 1 from workers")).length === 0;
    });
    const [delivery] = await fixture.queued(webhook);
    await until("the retry is due", () => Date.now() > new Date(delivery.next_attempt_at).getTime() + 500);
    expect(receiver.at(webhook.path)).toHaveLength(sent);
  });
});
