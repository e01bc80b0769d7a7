import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PLAN_FOR_QUEUE } from "../../src/app/delivery-parts.ts";
import { ensureFirstWorkspace } from "../../src/auth/workspaces.ts";
import { SYSTEM } from "../../src/core/caller.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { createOutbox } from "../../src/events/outbox.ts";
import { type ClaimedDelivery, claimDeliveries } from "../../src/queue/claim.ts";
import { createFanOut } from "../../src/queue/fan-out.ts";
import { settle } from "../../src/queue/settle.ts";
import { registerWorker } from "../../src/queue/workers.ts";
import { createWebhook } from "../../src/webhooks/webhooks.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/wait.ts";

const secretBox = createSecretBox(["a-secret-key-for-tests-of-32-characters-or-more"]);
const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
const SENT_WHILE_HELD = 500;
const MEASURED = 25;

let database: TestDatabase;
let db: Database;
let workspaceId: number;
let webhookId: number;
let workerId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const connection = { connectionString: database.url, options: PLAN_FOR_QUEUE };
  // One connection, so that the pages it has read are reported together.
  db = createDatabase({ connection, poolSize: 1, logger: createLogger("silent"), applicationName: "queue" });
  workspaceId = (await ensureFirstWorkspace(db)).id;
  workerId = (await registerWorker(db, "test", 64)).workerId;
  const caller = { ...SYSTEM, workspaceId, scopes: new Set<string>() };
  const input = { name: "hook", url: "http://example.com/", events: ["contact.created"] };
  webhookId = (await db.transaction((tx) => createWebhook(tx, { outbox, secretBox }, caller, input))).id;
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const append = () =>
  db.transaction((tx) => outbox.append(tx, { workspaceId, type: "contact.created", data: {}, actor: SYSTEM.actor }));

async function claim(): Promise<ClaimedDelivery[]> {
  const lane = { workspaceId, webhookId, readyFrom: Date.now() / 1_000 - 5, claimMax: 10 };
  return (await claimDeliveries(db, { workerId, webhookConcurrency: 10 }, [lane])).deliveries;
}

async function deliverOne(): Promise<void> {
  await append();
  const claimed = await claim();
  expect(claimed).toHaveLength(1);
  const success = {
    attempt: 1,
    judgesReceiver: true,
    retryInMs: null,
    responseCode: 200,
    responseTimeMs: 1,
    errorMessage: null,
    detail: "{}",
  };
  await settle(
    db,
    claimed.map((delivery) => ({ ...delivery, ...success })),
    { repeated: false },
  );
}

/** Pages of lanes and their index that a delivery touches, from claim to settle. */
async function pagesPerDelivery(): Promise<number> {
  const before = await pagesSoFar();
  for (let i = 0; i < MEASURED; i++) await deliverOne();
  return ((await pagesSoFar()) - before) / MEASURED;
}

async function pagesSoFar(): Promise<number> {
  // Its counts are visible once the transaction that asks for them has ended.
  await db.query({ name: "", text: "select pg_stat_force_next_flush()" });
  const [row] = await db.query<{ pages: number }>({
    name: "",
    text: `select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages
           from pg_statio_user_tables
           where relname = 'delivery_lanes'`,
  });
  return row?.pages ?? 0;
}

it("a claim and a settle read at most half as many pages of a lane again while a snapshot is held open", async () => {
  for (let i = 0; i < MEASURED; i++) await deliverOne();
  const before = await pagesPerDelivery();
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    await holder.query("begin isolation level repeatable read");
    await holder.query("select count(*) from deliveries");
    for (let i = 0; i < SENT_WHILE_HELD; i++) await deliverOne();
    const during = await pagesPerDelivery();
    expect(before, "pages are counted").toBeGreaterThan(5);
    expect(during / before).toBeLessThanOrEqual(1.5);
  } finally {
    await holder.end();
  }
});

it("a claim that waits while another one begins a new generation of the lane counts on from there", async () => {
  await append();
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  try {
    await other.query("begin");
    await other.query(
      `update delivery_lanes
       set in_flight = in_flight + 2, changes = (generation + 2) * 32
       where webhook_id = $1`,
      [webhookId],
    );
    const claiming = claim();
    await until("the claim waits for the lane", async () => {
      const waiting = "select 1 from pg_stat_activity where application_name = 'queue' and wait_event_type = 'Lock'";
      return (await database.query(waiting)).length > 0;
    });
    await other.query("commit");
    expect(await claiming).toHaveLength(1);
  } finally {
    await other.end();
  }
  const [lane] = await database.query<{ in_flight: number }>("select in_flight from delivery_lanes");
  expect(lane?.in_flight).toBe(3);
});
