import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { createLaneScheduler } from "../../src/delivery/lanes/lane-scheduler.ts";
import { createDestinations } from "../../src/delivery/pump/destinations.ts";
import { createPump } from "../../src/delivery/pump/pump.ts";
import { createSettingsCache } from "../../src/delivery/pump/settings-cache.ts";
import { createWorkerLease, type WorkerLease } from "../../src/delivery/worker/worker-lease.ts";
import type { Lane } from "../../src/queue/lane.ts";
import { createAddressPolicy, createOutbound } from "../../src/url-guard/index.ts";
import { SECRET_KEY, startParley, type TestParley } from "../support/parley.ts";
import { hang, type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

// The pump with its real neighbours and without the engine: each test moves it by hand.

let parley: TestParley;
let receiver: Receiver;
let db: Database;
let conversation: number;
let lane: Lane;
let open: { close(): Promise<unknown> }[] = [];
const logger = createLogger("silent");

beforeAll(async () => {
  parley = await startParley({}, undefined, { deliver: false });
  db = createDatabase({
    connection: { connectionString: parley.database.url },
    poolSize: 4,
    logger,
    applicationName: "pump",
  });
  conversation = (await create("/conversations", {})).id;
});
afterAll(async () => {
  await db.close();
  await parley.close();
});

beforeEach(async () => {
  receiver = await startReceiver();
  const { id } = await create("/webhooks", { name: "hook", url: receiver.url(), events: ["message.created"] });
  const [{ workspace_id } = { workspace_id: 0 }] = await parley.database.query<{ workspace_id: number }>(
    "select workspace_id::int from webhooks where id = $1",
    [id],
  );
  lane = { workspaceId: workspace_id, webhookId: id };
});
afterEach(async () => {
  for (const { close } of open.reverse()) await close();
  open = [];
  await parley.call("DELETE", `/webhooks/${lane.webhookId}`);
  await receiver.close();
});

async function create(path: string, body: object): Promise<{ id: number }> {
  const reply = await parley.call("POST", path, { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

const write = () => create(`/conversations/${conversation}/messages`, { body: "hello" });

/** Of the webhook, as the database has it: its deliveries and how many attempts its lane counts as in flight. */
const queued = () =>
  parley.database.query(
    `select delivery.worker_id, lane.in_flight
     from deliveries delivery
     join delivery_lanes lane using (workspace_id, webhook_id)
     where delivery.webhook_id = $1`,
    [lane.webhookId],
  );
const READY = { worker_id: null, in_flight: 0 };

async function startPump(change: (lease: WorkerLease) => WorkerLease = (lease) => lease) {
  let lease: WorkerLease | null = null;
  const calls: string[] = [];
  const destinations = createDestinations({ workers: () => 1 });
  const scheduler = createLaneScheduler({ slots: 8, admits: () => true, isOwn: () => true });
  const pump = createPump({
    db,
    logger,
    outbound: createOutbound({
      policy: createAddressPolicy({ allowedCidrs: ["127.0.0.0/8"] }),
      userAgent: "Parley/test",
    }),
    scheduler,
    lease: () => lease as WorkerLease,
    settings: createSettingsCache(db, createSecretBox([SECRET_KEY]), logger),
    destinations,
    disabler: {
      scheduleDisable: ({ webhookId }, reason) => calls.push(`disable ${webhookId}: ${reason}`),
      close: async () => {},
    },
    schedule: [60],
    webhookConcurrency: 8,
    onClaimFailed: () => calls.push("claim failed"),
    onUnblockFailed: () => calls.push("unblock failed"),
  });
  lease = change(
    await createWorkerLease({
      db,
      heartbeatDb: db,
      logger,
      workerName: "pump",
      concurrency: 8,
      claimReturned: pump.claimReturned,
      onReleased: () => {},
      onRescued: () => {},
    }),
  );
  open = [lease, { close: () => pump.close(0) }];
  const wake = () => {
    scheduler.wake([lane]);
    pump.run();
  };
  return { pump, scheduler, calls, wake };
}

it("the pump claims from a lane that was woken, sends the event and writes the result", async () => {
  const { pump, scheduler, wake } = await startPump();
  await write();
  wake();
  await receiver.waitFor(1);
  await until("the result is written", () => pump.stats().delivered === 1);
  expect(await queued()).toEqual([]);
  expect(scheduler.inFlight).toBe(0);
});

it("the pump claims nothing while the heartbeat is late", async () => {
  const held: number[] = [];
  const hold: WorkerLease["hold"] = (claims) => void held.push(claims.length);
  const { pump, wake } = await startPump((lease) => ({ ...lease, hold, heartbeatIsLate: () => true }));
  await write();
  wake();
  await pump.claimReturned();
  expect(held).toEqual([]);
  expect(await queued()).toEqual([READY]);
});

it("the pump releases what it has claimed if the heartbeat becomes late before the attempt", async () => {
  let isLate = false;
  const { scheduler, wake } = await startPump((lease) => ({
    ...lease,
    workerId: lease.workerId,
    heartbeatIsLate: () => isLate,
    hold(claims) {
      lease.hold(claims);
      isLate = true;
    },
  }));
  await write();
  wake();
  await until("it was claimed and released", async () => isLate && scheduler.inFlight === 0);
  expect(await queued()).toEqual([READY]);
  expect(receiver.arrivals).toEqual([]);
});

it("the pump claims again after a failed claim once a discovery has succeeded, and not before", async () => {
  const { pump, calls, wake } = await startPump();
  await write();
  await parley.database.query("alter table delivery_lanes rename to delivery_lanes_away");
  wake();
  await until("the claim has failed", () => calls.length > 0);
  await parley.database.query("alter table delivery_lanes_away rename to delivery_lanes");
  expect(calls).toEqual(["claim failed"]);
  wake();
  await pump.claimReturned();
  expect(await queued()).toEqual([READY]);
  pump.resume();
  await receiver.waitFor(1);
});

it("the pump has a webhook disabled whose destination responds with 410", async () => {
  receiver.behave(respondWith(410));
  const { pump, calls, wake } = await startPump();
  await write();
  wake();
  await until("the result is written", () => pump.stats().failed === 1);
  expect(calls).toEqual([`disable ${lane.webhookId}: The destination responded with 410 Gone.`]);
});

it("the pump releases an attempt that is still in flight when its time to close is over", async () => {
  receiver.behave(hang);
  const { pump, wake } = await startPump();
  await write();
  wake();
  await receiver.waitFor(1);
  await pump.close(0);
  expect(await queued()).toEqual([READY]);
  expect(pump.stats()).toEqual({ unsettled: 0, delivered: 0, failed: 0, deadLetters: 0 });
});
