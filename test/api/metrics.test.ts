import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { proxyTo } from "../support/database-proxy.ts";
import { openStream } from "../support/event-stream.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { hang, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_METRICS_PORT: "0" });
});
afterAll(() => parley.close());

/** Kubernetes and Prometheus give up later. */
const SCRAPE_MS_MAX = 3_500;
const OF_THE_DATABASE =
  /^parley_(?:delivery_(?:pending|oldest_pending|webhooks_failing|breakers)|database_(?:size|oldest))/m;

const scrape = async (): Promise<string> => (await fetch(parley.app.metrics?.url ?? "")).text();

const numberOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);

describe("metrics", () => {
  it("are served on a port of their own, and count requests by route and status", async () => {
    await parley.call("GET", "/me");
    await parley.call("GET", "/webhooks/424242");
    const response = await fetch(parley.app.metrics?.url ?? "");
    const text = await response.text();
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(text).toMatch(/parley_http_request_seconds_count\{method="GET",route="\/api\/v1\/me",status="200"\} 1/);
    expect(text).toMatch(/route="\/api\/v1\/webhooks\/:webhook",status="404"/);
    for (const name of [
      "parley_delivery_in_flight",
      "parley_delivery_attempts_total",
      "parley_delivery_pending 0",
      "parley_delivery_webhooks_failing 0",
      "parley_delivery_oldest_pending_seconds 0",
      "parley_delivery_dead_letters_total 0",
      "parley_delivery_rescued_total 0",
      "parley_delivery_leases_lost_total 0",
      "parley_rate_limit_nodes 1",
      "parley_rate_limit_fallbacks_total 0",
      "parley_event_streams 0",
      'parley_notifications_total{channel="slack",outcome="sent"} 0',
      "parley_database_connections",
      "parley_database_up 1",
      "parley_workspaces_half_moved 0",
      "parley_consumers_late 0",
      "parley_consumers_missed 0",
      'parley_mail_in_total{result="stored"} 0',
      'parley_mail_out_total{state="unknown"} 0',
      "parley_mail_pending 0",
      "parley_mail_oldest_pending_seconds 0",
      'parley_mailboxes{state="error"} 0',
      "parley_node_outdated 0",
    ])
      expect(text).toContain(name);
  });

  it("count a workspace whose mover was killed, and not one that is being moved", async () => {
    const { id } = await parley.createWorkspace();
    const halfMoved = async () => numberOf(await scrape(), "parley_workspaces_half_moved");
    const mover = new pg.Client({ connectionString: parley.database.url });
    await mover.connect();
    await mover.query("select pg_advisory_lock(hashtextextended('parley.move', $1))", [id]);
    await mover.query("update workspaces set move_state = 'moving', moved_to_cell = 7 where id = $1", [id]);
    expect(await halfMoved()).toBe(0);
    await mover.end();
    await until("it is counted", async () => (await halfMoved()) === 1);
    await parley.database.query("update workspaces set move_state = null, moved_to_cell = null where id = $1", [id]);
    expect(await halfMoved()).toBe(0);
  });

  it("follow a delivery from pending to dead letter, and count open streams", async () => {
    const receiver = await startReceiver();
    receiver.behave(hang);
    const body = { name: "m", url: receiver.url(), events: ["contact.created"], retry_count: 0 };
    expect((await parley.call("POST", "/webhooks", { body })).status).toBe(201);
    const stream = await openStream(parley.url);
    await parley.call("POST", "/contacts", { body: { name: "a" } });
    const pending = await until("the delivery is pending", async () => {
      const text = await scrape();
      return text.includes("parley_delivery_pending 1") ? text : null;
    });
    expect(numberOf(pending, "parley_delivery_oldest_pending_seconds")).toBeGreaterThan(0);
    expect(numberOf(pending, "parley_event_streams")).toBe(1);
    expect(numberOf(pending, "parley_database_size_bytes")).toBeGreaterThan(1_000_000);
    stream.close();
    await receiver.close();
    await until(
      "it is a dead letter",
      async () => numberOf(await scrape(), "parley_delivery_dead_letters_total") === 1,
    );
    const after = await scrape();
    expect(numberOf(after, "parley_delivery_oldest_pending_seconds")).toBe(0);
    expect(after).not.toMatch(/(?:webhook|workspace|key)(?:_id)?="/);
  });

  it("count no request that waits for a connection while the process is idle", async () => {
    for (let scrapes = 0; scrapes < 3; scrapes++) expect(numberOf(await scrape(), "parley_database_waiting")).toBe(0);
  });

  it("are all documented", async () => {
    const names = new Set([...(await scrape()).matchAll(/^# HELP (parley_\w+)/gm)].map(([, name]) => name));
    const page = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    expect(names.size).toBeGreaterThan(15);
  });

  it("are not served by the API's port, and hold no key", async () => {
    expect((await parley.call("GET", "//metrics", { key: null })).status).toBe(404);
    expect(await (await fetch(parley.app.metrics?.url ?? "")).text()).not.toContain(parley.key);
  });

  it("respond in time while the database hangs, without its figures, and have them again afterwards", async () => {
    const proxy = await proxyTo(await createTestDatabase());
    const hanging = await startParley({ PARLEY_METRICS_PORT: "0" }, proxy.database);
    const url = hanging.app.metrics?.url ?? "";
    const read = async () => (await fetch(url)).text();
    expect(await read()).toMatch(/^parley_delivery_pending 0$/m);
    proxy.freeze();
    for (let scrapes = 0; scrapes < 2; scrapes++) {
      const startedAt = performance.now();
      const text = await read();
      expect(performance.now() - startedAt).toBeLessThan(atMost(SCRAPE_MS_MAX));
      expect(text).toMatch(/^parley_database_up 0$/m);
      expect(text).toMatch(/^parley_delivery_in_flight 0$/m);
      expect(text).not.toMatch(OF_THE_DATABASE);
    }
    const startedAt = performance.now();
    expect(await (await fetch(new URL("/health/live", url))).json()).toEqual({
      success: true,
      data: { status: "live" },
    });
    expect(performance.now() - startedAt).toBeLessThan(atMost(1_000));
    proxy.thaw();
    const after = await until("the database is up again", async () => {
      const text = await read();
      return text.includes("parley_database_up 1") && /^parley_delivery_pending/m.test(text) ? text : null;
    });
    expect(after).toMatch(OF_THE_DATABASE);
    await hanging.close();
    await proxy.close();
  });

  it("are off unless a port is given", async () => {
    const plain = await startParley();
    expect(plain.app.metrics).toBeNull();
    await plain.close();
  });
});
