import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureFirstWorkspace } from "../../src/auth/workspaces.ts";
import { SYSTEM } from "../../src/core/caller.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { createOutbox } from "../../src/events/outbox.ts";
import type { ClaimedDelivery } from "../../src/queue/claim.ts";
import { createFanOut } from "../../src/queue/fan-out.ts";
import { registerWorker, unregisterWorker } from "../../src/queue/workers.ts";
import { createWebhook, deleteWebhook, disableWebhook, patchWebhook } from "../../src/webhooks/webhooks.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { proxyTo } from "../support/database-proxy.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture } from "../support/webhook-fixture.ts";

describe("a statement that writes deliveries and may claim them", () => {
  const secretBox = createSecretBox(["a-secret-key-for-tests-of-32-characters-or-more"]);
  let database: TestDatabase;
  let db: Database;
  let workspaceId: number;
  let workerId: number;
  let webhookIds: number[];

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase({
      connection: { connectionString: database.url },
      poolSize: 3,
      logger: createLogger("silent"),
      applicationName: "test",
    });
    workspaceId = (await ensureFirstWorkspace(db)).id;
  });
  afterAll(async () => {
    await db?.close();
    await database?.drop();
  });

  const caller = () => ({ ...SYSTEM, workspaceId, scopes: new Set<string>() });
  const options = { secretBox, outbox: createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} }) };
  const addWebhook = async () => {
    const input = { name: "hook", url: "http://example.com/", events: ["contact.created"] };
    webhookIds.push((await db.transaction((tx) => createWebhook(tx, options, caller(), input))).id);
  };

  beforeEach(async () => {
    for (const id of webhookIds ?? []) await db.transaction((tx) => deleteWebhook(tx, options, caller(), { id }));
    webhookIds = [];
    await addWebhook();
    workerId = (await registerWorker(db, "test", 64)).workerId;
  });

  /** Appends an event, and returns the webhooks whose deliveries were claimed and those whose deliveries were queued. */
  async function append({ claimMax = 4, inTransaction = false } = {}) {
    const claimed: number[] = [];
    const queued: number[] = [];
    const returned = (claims: readonly ClaimedDelivery[] | null) =>
      claimed.push(...(claims ?? []).map(({ webhookId }) => webhookId));
    const fanOut = createFanOut(
      (_, ids) => queued.push(...ids),
      () => ({ workerId, claimToken: 1, claimMax, returned }),
    );
    const outbox = createOutbox({ fanOut, onAppended: () => {} });
    const event = { workspaceId, type: "contact.created", data: {}, actor: SYSTEM.actor } as const;
    await db[inTransaction ? "transaction" : "singleStatement"]((tx) => outbox.append(tx, event));
    return { claimed, queued };
  }

  const inFlight = async () => {
    const lanes = await database.query<{ in_flight: number }>("select in_flight from delivery_lanes");
    return lanes.map((lane) => lane.in_flight);
  };

  it("claims the delivery of an idle webhook, and the worker holds it like any other", async () => {
    expect(await append()).toEqual({ claimed: webhookIds, queued: [] });
    expect(await inFlight()).toEqual([1]);
    await unregisterWorker(db, workerId);
    expect(await inFlight()).toEqual([0]);
    expect(await database.query("select 1 from deliveries where worker_id is null")).toHaveLength(1);
  });

  it("claims one delivery of a webhook, however many statements run at once", async () => {
    const results = await Promise.all(Array.from({ length: 30 }, () => append()));
    expect(results.flatMap(({ claimed }) => claimed)).toEqual(webhookIds);
    expect(results.flatMap(({ queued }) => queued)).toHaveLength(29);
    expect(await inFlight()).toEqual([1]);
  });

  it("claims the deliveries of several webhooks, and none of an event that has more than it may claim", async () => {
    await addWebhook();
    await addWebhook();
    const { claimed, queued } = await append({ claimMax: 3 });
    expect([claimed.sort(), queued]).toEqual([webhookIds, []]);
    await database.query("update delivery_lanes set in_flight = 0");
    expect((await append({ claimMax: 2 })).claimed).toEqual([]);
    expect(await inFlight()).toEqual([0, 0, 0]);
  });

  it("claims the idle ones of several webhooks, and queues the others", async () => {
    await addWebhook();
    const [busy, idle] = webhookIds as [number, number];
    await database.query("update delivery_lanes set in_flight = 1 where webhook_id = $1", [busy]);
    expect(await append()).toEqual({ claimed: [idle], queued: [busy] });
    expect(await inFlight()).toEqual([1, 1]);
  });

  /** Runs `change` after the statement has begun and before it looks for idle lanes: it waits for its worker. */
  async function appendWhile(change: () => Promise<unknown>) {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query("begin");
      await other.query("select 1 from workers where id = $1 for update", [workerId]);
      const appending = append();
      await until("the statement waits", async () => {
        const waits = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        return (await database.query(waits)).length > 0;
      });
      await change();
      await other.query("commit");
      return await appending;
    } finally {
      await other.end();
    }
  }

  const patch = (fields: object) =>
    db.transaction((tx) =>
      patchWebhook(tx, options, caller(), { ref: { id: webhookIds[0] as number }, patch: fields }),
    );
  const disable = () => {
    const disabling = { ref: { id: webhookIds[0] as number }, reason: "test" };
    return db.transaction((tx) => disableWebhook(tx, options, caller(), disabling));
  };
  const changeLanes = (change: string) => database.query(`update delivery_lanes set ${change}`);

  it.for([
    ["is disabled", disable],
    ["gets another url", () => patch({ url: "http://example.org/" })],
    ["becomes ordered", () => patch({ ordered: true })],
    ["is paused", () => changeLanes("paused = true")],
    ["gets a delivery in flight", () => changeLanes("in_flight = 1")],
  ] as const)("queues the delivery of a webhook that %s after the statement has begun", async ([, change]) => {
    expect(await appendWhile(change)).toEqual({ claimed: [], queued: webhookIds });
  });

  it("counts on from what other statements left in the lane after it began", async () => {
    const result = await appendWhile(() => changeLanes("changes = (generation + 2) * 32, attempts_total = 9"));
    expect(result).toEqual({ claimed: webhookIds, queued: [] });
    const [lane] = await database.query("select in_flight, attempts_total, changes from delivery_lanes");
    expect(lane).toMatchObject({ in_flight: 1, attempts_total: "9", changes: "65" });
  });

  it.for([
    ["has a delivery in flight", "in_flight = 1"],
    ["is failing", "failing_since = now()"],
    ["has an open breaker, although a test has reached it", "failures_without_response = 10"],
    ["is paused", "paused = true"],
    ["has a rate limit", "rate_limit = 1"],
  ])("queues the delivery of a webhook that %s", async ([, change]) => {
    await database.query(`update delivery_lanes set ${change}`);
    const before = await inFlight();
    expect(await append()).toEqual({ claimed: [], queued: webhookIds });
    expect(await inFlight()).toEqual(before);
  });

  it("queues the delivery of an ordered webhook", async () => {
    await patch({ ordered: true });
    expect(await append()).toEqual({ claimed: [], queued: webhookIds });
  });

  it("queues the delivery of a lane that another statement has locked, and does not wait for it", async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query("begin");
      await other.query("select 1 from delivery_lanes for update");
      expect(await append()).toEqual({ claimed: [], queued: webhookIds });
    } finally {
      await other.end();
    }
  });

  it("claims nothing for a worker that is not listed", async () => {
    await unregisterWorker(db, workerId);
    expect(await append()).toEqual({ claimed: [], queued: webhookIds });
  });

  it("claims nothing in a transaction of several statements", async () => {
    expect(await append({ inTransaction: true })).toEqual({ claimed: [], queued: webhookIds });
  });
});

describe("a message to an idle webhook", () => {
  it("arrives without a claim, and is queued for a claim once there are several workers", async () => {
    const fixture = await startWebhookFixture();
    try {
      const webhook = await fixture.createWebhook();
      const { database } = fixture.parley;
      await database.query(`
        create function refuse_claim() returns trigger language plpgsql as
          $$begin raise exception 'nothing can be claimed'; end$$`);
      await database.query(`
        create trigger refuse_claim before update on deliveries for each row
        when (old.worker_id is null and new.worker_id is not null) execute function refuse_claim()`);
      for (let message = 1; message <= 5; message++) {
        await fixture.write();
        await fixture.waitForLogs(webhook, message, "?status=success");
      }
      expect(fixture.parley.logs()).not.toContain("nothing can be claimed");

      await database.query(
        "insert into workers (name, concurrency, heartbeat_at) values ('other', 1, now() + interval '1 hour')",
      );
      const untilIdle = () => until("the webhook is idle", async () => (await fixture.queued(webhook)).length === 0);
      await until("the engine knows the other worker", async () => {
        await untilIdle();
        await fixture.write();
        return (await fixture.queued(webhook)).some((delivery) => delivery.worker_id === null);
      });
      await database.query("drop trigger refuse_claim on deliveries");
      await untilIdle();
      await database.query(`
        create table stored as select worker_id from deliveries;
        create function remember() returns trigger language plpgsql as
          $$begin insert into stored values (new.worker_id); return null; end$$;
        create trigger remember after insert on deliveries for each row execute function remember()`);
      for (let message = 1; message <= 5; message++) {
        await fixture.write();
        await untilIdle();
      }
      expect(await database.query("select worker_id from stored")).toEqual(Array(5).fill({ worker_id: null }));
    } finally {
      await fixture.close();
    }
  });

  it("whose statement commits without a response is released and delivered", async () => {
    const database = await createTestDatabase();
    const proxy = await proxyTo(database);
    const fixture = await startWebhookFixture({}, proxy.database);
    try {
      const webhook = await fixture.createWebhook();
      const { conversation_id: conversation } = await fixture.write("before");
      await fixture.waitForLogs(webhook, 1, "?status=success");
      // The message waits for its conversation; its connection is cut meanwhile; then it goes through, and nobody knows.
      const blocker = new pg.Client({ connectionString: database.url });
      await blocker.connect();
      await blocker.query("begin");
      await blocker.query("select 1 from conversations where id = $1 for update", [conversation]);
      const writing = fixture.parley.call("POST", `/conversations/${conversation}/messages`, {
        body: { body: "after" },
      });
      const messageWaits =
        "select 1 from pg_stat_activity where query like '%lock_wait as%named as%' and wait_event_type = 'Lock'";
      await until("the message waits", async () => (await database.query(messageWaits)).length > 0);
      await proxy.cut();
      await blocker.query("commit");
      await blocker.end();
      expect((await writing).status).toBe(503);
      const claimed = "select 1 from deliveries where webhook_id = $1 and worker_id is not null";
      await until("the lost claim took effect", async () => (await database.query(claimed, [webhook.id])).length > 0);
      await proxy.restore();
      await fixture.receiver.waitFor(2, webhook.path, 20_000);
      await until("that is settled", async () => (await fixture.queued(webhook)).length === 0);
      expect(fixture.receiver.at(webhook.path)).toHaveLength(2);
    } finally {
      await fixture.close();
      await proxy.close();
      await database.drop();
    }
  });
});
