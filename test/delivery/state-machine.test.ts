import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureFirstWorkspace } from "../../src/auth/workspaces.ts";
import { SYSTEM } from "../../src/core/caller.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { createDatabase, type Database, type Tx } from "../../src/db/database.ts";
import { attemptDelivery } from "../../src/delivery/attempts/attempt.ts";
import { logReader } from "../../src/delivery/history/log-list.ts";
import { recover, redeliver } from "../../src/delivery/history/replay.ts";
import { createSettingsCache } from "../../src/delivery/pump/settings-cache.ts";
import { createSettler } from "../../src/delivery/pump/settler.ts";
import { createOutbox } from "../../src/events/outbox.ts";
import { type ClaimedDelivery, claimDeliveries } from "../../src/queue/claim.ts";
import { discoverLanes } from "../../src/queue/discover.ts";
import { createFanOut } from "../../src/queue/fan-out.ts";
import { unblockNext, unblockStranded } from "../../src/queue/ordered.ts";
import { release } from "../../src/queue/release.ts";
import { type Settlement, settle } from "../../src/queue/settle.ts";
import { LEASE_TIMEOUT_MS, registerWorker, rescueExpired, unregisterWorker } from "../../src/queue/workers.ts";
import type { Outbound } from "../../src/url-guard/index.ts";
import { readSettings } from "../../src/webhooks/settings.ts";
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  patchWebhook,
} from "../../src/webhooks/webhooks.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/wait.ts";

/**
 * The states of a delivery and who moves it, in the names of the code and of docs/delivery.md. Ready, waiting, blocked
 * and claimed deliveries have a row in `deliveries`; finished ones have left it: a success is in the log, anything else in
 * `dead_letters`.
 */
const EDGES = [
  ["fan-out", "(nothing)", "ready"],
  ["fan-out", "(nothing)", "claimed"],
  ["claim", "ready", "claimed"],
  ["settle", "claimed", "delivered"],
  ["settle", "claimed", "waiting"],
  ["settle", "claimed", "exhausted"],
  ["settle", "claimed", "gone"],
  ["due", "waiting", "ready"],
  ["claim", "ready", "blocked"],
  ["unblock", "blocked", "ready"],
  ["release", "claimed", "ready"],
  ["rescue", "claimed", "ready"],
  ["cancel", "ready", "canceled"],
  ["cancel", "waiting", "canceled"],
  ["cancel", "claimed", "canceled"],
  ["cancel", "blocked", "canceled"],
  ["redeliver", "delivered", "ready"],
  ["redeliver", "exhausted", "ready"],
  ["redeliver", "waiting", "ready"],
  ["recover", "exhausted", "ready"],
  ["recover", "canceled", "ready"],
] as const;

/** The subject of the sentence that names the test of an edge. */
const SUBJECTS = {
  "fan-out": "a fan-out",
  claim: "a claim",
  settle: "a settle",
  due: "its due time",
  unblock: "an unblocking",
  release: "a release",
  rescue: "a rescue",
  cancel: "a cancellation",
  redeliver: "a redelivery",
  recover: "a recovery",
} as const;

function titleOf([by, from, to]: (typeof EDGES)[number]): string {
  if (from === "(nothing)") return `${SUBJECTS[by]} creates a ${to} delivery`;
  return `${SUBJECTS[by]} moves ${from === "exhausted" ? "an" : "a"} ${from} delivery to ${to}`;
}

const STATE_MACHINE = "in the state machine,";

let database: TestDatabase;
let db: Database;
let workspaceId: number;
let webhookId: number;
let workerId: number;
const secretBox = createSecretBox(["a-secret-key-for-tests-of-32-characters-or-more"]);
const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
const options = { outbox, secretBox };
const discovered = async () => (await discoverLanes(db, { webhookConcurrency: 1_000, after: 0 })).lanes;
const caller = () => ({ ...SYSTEM, workspaceId, scopes: new Set(["api-keys:manage"]) });

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
  await db.close();
  await database.drop();
});

beforeEach(async () => {
  workerId = (await registerWorker(db, "test", 64)).workerId;
  const input = { name: "hook", url: "http://example.com/", events: ["contact.created"], retry_count: 1 };
  webhookId = (await db.transaction((tx) => createWebhook(tx, options, caller(), input))).id;
});
/** The names of the tests of edges that ran, to be compared with the table. */
const tested = new Set<string>();
afterEach(async ({ task }) => {
  if (task.suite?.name === STATE_MACHINE) tested.add(task.name);
  await db.transaction((tx) => deleteWebhook(tx, options, caller(), { id: webhookId })).catch(() => {});
});

async function append(): Promise<number> {
  const actor = SYSTEM.actor;
  return (await db.transaction((tx) => outbox.append(tx, { workspaceId, type: "contact.created", data: {}, actor })))
    .id;
}

/** A message of the given conversation, for a webhook that was made ordered. */
async function appendMessage(conversationId = 1): Promise<number> {
  const patch = { events: ["message.created"], ordered: true };
  await db.transaction((tx) => patchWebhook(tx, options, caller(), { ref: { id: webhookId }, patch }));
  const data = { conversation_id: conversationId };
  const event = { workspaceId, type: "message.created", data, actor: SYSTEM.actor } as const;
  return (await db.transaction((tx) => outbox.append(tx, event))).id;
}

const finished = (settlement: Settlement) => ({ ...settlement, orderKey: settlement.orderKey as number });

async function claim({ claimMax = 100, webhookConcurrency = 100 } = {}): Promise<ClaimedDelivery[]> {
  const lanes = [{ workspaceId, webhookId, readyFrom: 0, claimMax }];
  return (await claimDeliveries(db, { workerId, webhookConcurrency }, lanes)).deliveries;
}

const claimOne = async (options?: { claimMax: number }) => (await claim(options))[0] as ClaimedDelivery;

/** An attempt to which the destination responded with this status (0: not at all), up to the settlement. */
async function attempt(held: ClaimedDelivery, statusCode: number, schedule = [3_600]): Promise<Settlement> {
  const [settings] = await readSettings(db, secretBox, [{ workspaceId, webhookId }]);
  const outbound = {
    send: async () => ({
      statusCode,
      error: statusCode === 0 ? { code: "timeout", message: "no response" } : null,
      headers: [],
      body: Buffer.alloc(0),
      bodyTruncated: false,
      timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 1 },
      address: null,
      reusedConnection: false,
    }),
  } as unknown as Outbound;
  const outcome = await attemptDelivery(outbound, settings as never, held, schedule);
  if (!outcome) throw new Error("the attempt was aborted");
  return outcome.settlement;
}

const settleWith = async (held: ClaimedDelivery, statusCode: number, schedule?: number[]) =>
  settle(db, [await attempt(held, statusCode, schedule)], { repeated: false });

type State = (typeof EDGES)[number][1 | 2] | "finished without success";

async function stateOf(eventId: number): Promise<State> {
  const [row] = await database.query<{ state: State }>(
    `select case
       when worker_id is not null then 'claimed'
       when next_attempt_at <= now() then 'ready'
       when next_attempt_at = 'infinity' then 'blocked'
       else 'waiting'
     end as state
     from deliveries where event_id = $1 and webhook_id = $2`,
    [eventId, webhookId],
  );
  if (row) return row.state;
  const [outcome] = await database.query<{ state: State }>(
    `select 'delivered' as state from delivery_attempts where event_id = $1 and webhook_id = $2 and delivered
     union all
     select 'finished without success' from dead_letters where event_id = $1 and webhook_id = $2`,
    [eventId, webhookId],
  );
  return outcome?.state ?? "(nothing)";
}

async function lane() {
  const [row] = await database.query<{ in_flight: number; attempts_total: string }>(
    "select in_flight, attempts_total from delivery_lanes where webhook_id = $1",
    [webhookId],
  );
  return { inFlight: row?.in_flight, attempts: Number(row?.attempts_total) };
}

const waitForLocks = (count: number) =>
  until(`${count} statements wait for a lock`, async () => {
    const waiting = await database.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return waiting.length === count;
  });

const logs = async () => (await logReader(db, workspaceId, webhookId, {})).rows(100, 0, null);
const disable = () =>
  db.transaction((tx) => disableWebhook(tx, options, caller(), { ref: { id: webhookId }, reason: "test" }));
const enable = () => db.transaction((tx) => enableWebhook(tx, options, caller(), { id: webhookId }));
const recoverAll = () =>
  db.transaction((tx) => recover(tx, caller(), { webhookId, since: new Date(0), dryRun: false }));
const redeliverLatest = async () => {
  const [log] = await logs();
  return db.transaction((tx) => redeliver(tx, caller(), { webhookId, log: { id: log?.id as number } }));
};

describe(STATE_MACHINE, () => {
  it("a fan-out creates a ready delivery", async () => {
    const event = await append();
    expect(await stateOf(event)).toBe("ready");
    expect(await discovered()).toContainEqual(expect.objectContaining({ workspaceId, webhookId }));
  });

  it("a fan-out creates a claimed delivery", async () => {
    let claims: readonly ClaimedDelivery[] | null = null;
    const beginEarlyClaim = () => ({
      workerId,
      claimToken: 1,
      claimMax: 1,
      returned(claimed: typeof claims) {
        claims = claimed;
      },
    });
    const claiming = createOutbox({ fanOut: createFanOut(() => {}, beginEarlyClaim), onAppended: () => {} });
    const event = { workspaceId, type: "contact.created", data: {}, actor: SYSTEM.actor } as const;
    const { id } = await db.singleStatement((tx) => claiming.append(tx, event));
    expect(await stateOf(id)).toBe("claimed");
    expect((await lane()).inFlight).toBe(1);
    expect(await claim()).toEqual([]);
    const [held] = claims as unknown as [ClaimedDelivery];
    await release(db, [held]);
    // It is the same as what a claim returns.
    expect(await claimOne()).toMatchObject({ ...held, claimToken: expect.any(Number) });
  });

  it("a claim moves a ready delivery to claimed", async () => {
    const event = await append();
    const held = await claimOne();
    expect(held).toMatchObject({ eventId: event, attemptsMade: 0, claimToken: expect.any(Number) });
    expect(await stateOf(event)).toBe("claimed");
    expect((await lane()).inFlight).toBe(1);
    expect(await claim()).toEqual([]);
  });

  it("a settle moves a claimed delivery to delivered", async () => {
    const event = await append();
    await settleWith(await claimOne(), 200);
    expect(await stateOf(event)).toBe("delivered");
    expect(await lane()).toEqual({ inFlight: 0, attempts: 1 });
    expect(await logs()).toMatchObject([{ status: "success", attempt: 1, next_attempt_at: null }]);
  });

  it("a settle moves a claimed delivery to waiting", async () => {
    const event = await append();
    await settleWith(await claimOne(), 500);
    expect(await stateOf(event)).toBe("waiting");
    expect(await lane()).toEqual({ inFlight: 0, attempts: 1 });
    expect(await claim()).toEqual([]);
    expect(await logs()).toMatchObject([{ status: "failed", attempt: 1, next_attempt_at: expect.any(String) }]);
  });

  it("a settle moves a claimed delivery to exhausted", async () => {
    const event = await append();
    await settleWith(await claimOne(), 500, [0]);
    const second = await claimOne();
    expect(second.attemptsMade).toBe(1);
    await settleWith(second, 0, [0]);
    expect(await stateOf(event)).toBe("finished without success");
    expect((await logs()).map(({ attempt: number, next_attempt_at }) => [number, next_attempt_at === null])).toEqual([
      [2, true],
      [1, false],
    ]);
  });

  it("a settle moves a claimed delivery to gone", async () => {
    const event = await append();
    const settlement = await attempt(await claimOne(), 410);
    expect(settlement.retryInMs).toBeNull();
    await settle(db, [settlement], { repeated: false });
    expect(await stateOf(event)).toBe("finished without success");
    expect(await logs()).toMatchObject([{ response_code: 410, next_attempt_at: null }]);
  });

  it("its due time moves a waiting delivery to ready", async () => {
    const event = await append();
    await settleWith(await claimOne(), 500);
    expect(await stateOf(event)).toBe("waiting");
    expect(await discovered()).not.toContainEqual(expect.objectContaining({ workspaceId, webhookId }));
    await database.query("update deliveries set next_attempt_at = now() where event_id = $1", [event]);
    expect(await stateOf(event)).toBe("ready");
    expect(await discovered()).toContainEqual(expect.objectContaining({ workspaceId, webhookId }));
    expect((await claimOne()).attemptsMade).toBe(1);
  });

  it("a claim moves a ready delivery to blocked", async () => {
    const [first, second] = [await appendMessage(), await appendMessage()];
    expect(await claim()).toMatchObject([{ eventId: first }]);
    expect(await stateOf(second)).toBe("blocked");
    expect(await claim()).toEqual([]);
    expect((await lane()).inFlight).toBe(1);
  });

  it("an unblocking moves a blocked delivery to ready", async () => {
    const [, second, third] = [await appendMessage(), await appendMessage(), await appendMessage()];
    const held = await claimOne();
    const settlement = await attempt(held, 200);
    await settle(db, [settlement], { repeated: false });
    expect(await claim()).toEqual([]);
    await unblockNext(db, [finished(settlement)]);
    expect(await stateOf(second)).toBe("ready");
    expect(await stateOf(third)).toBe("blocked");
  });

  it("a release moves a claimed delivery to ready", async () => {
    const event = await append();
    const held = await claimOne();
    await release(db, [held]);
    expect(await stateOf(event)).toBe("ready");
    expect(await lane()).toEqual({ inFlight: 0, attempts: 0 });
    expect(await logs()).toEqual([]);
    await release(db, [held]);
    expect((await claimOne()).attemptsMade).toBe(0);
  });

  it("a rescue moves a claimed delivery to ready", async () => {
    const event = await append();
    await claimOne();
    const { workerId: other } = await registerWorker(db, "other", 64);
    expect(await rescueExpired(db, other)).toBe(0);
    expect(await stateOf(event)).toBe("claimed");
    await database.query(
      `update workers set heartbeat_at = now() - interval '${LEASE_TIMEOUT_MS / 1000 + 1} seconds' where id = $1`,
      [workerId],
    );
    // The worker that asks is running: the clock was set ahead.
    expect(await rescueExpired(db, workerId)).toBe(0);
    expect(await stateOf(event)).toBe("claimed");
    expect(await rescueExpired(db, other)).toBe(1);
    expect(await stateOf(event)).toBe("ready");
    expect(await lane()).toEqual({ inFlight: 0, attempts: 0 });
  });

  it("a cancellation moves a ready delivery to canceled", async () => {
    const event = await append();
    await disable();
    expect(await stateOf(event)).toBe("finished without success");
    expect(await claim()).toEqual([]);
  });

  it("a cancellation moves a waiting delivery to canceled", async () => {
    const event = await append();
    await settleWith(await claimOne(), 500);
    await disable();
    expect(await stateOf(event)).toBe("finished without success");
  });

  it("a cancellation moves a claimed delivery to canceled", async () => {
    const event = await append();
    const held = await claimOne();
    await disable();
    expect(await stateOf(event)).toBe("finished without success");
    expect((await lane()).inFlight).toBe(0);
    await settleWith(held, 500);
    expect(await stateOf(event)).toBe("finished without success");
    expect(await lane()).toEqual({ inFlight: 0, attempts: 1 });
  });

  it("a cancellation moves a blocked delivery to canceled", async () => {
    const [first, second] = [await appendMessage(), await appendMessage()];
    await claimOne();
    expect(await stateOf(second)).toBe("blocked");
    await disable();
    for (const event of [first, second]) expect(await stateOf(event)).toBe("finished without success");
  });

  it("a redelivery moves a delivered delivery to ready", async () => {
    const event = await append();
    await settleWith(await claimOne(), 200);
    await redeliverLatest();
    expect(await stateOf(event)).toBe("ready");
    expect((await claimOne()).attemptsMade).toBe(0);
  });

  it("a redelivery moves an exhausted delivery to ready", async () => {
    const event = await append();
    for (let i = 0; i < 2; i++) await settleWith(await claimOne(), 500, [0]);
    await redeliverLatest();
    expect(await stateOf(event)).toBe("ready");
    await settleWith(await claimOne(), 200);
    expect(await stateOf(event)).toBe("delivered");
  });

  it("a redelivery moves a waiting delivery to ready", async () => {
    const event = await append();
    const held = await claimOne();
    await settleWith(held, 500);
    expect(await redeliverLatest()).toBe(held.deliveryId);
    expect(await stateOf(event)).toBe("ready");
    expect((await claimOne()).attemptsMade).toBe(1);
  });

  it("a recovery moves an exhausted delivery to ready", async () => {
    const event = await append();
    for (let i = 0; i < 2; i++) await settleWith(await claimOne(), 500, [0]);
    expect(await recoverAll()).toBe(1);
    expect(await stateOf(event)).toBe("ready");
    expect(await recoverAll()).toBe(0);
  });

  it("a recovery moves a canceled delivery to ready", async () => {
    const event = await append();
    await disable();
    await enable();
    expect(await recoverAll()).toBe(1);
    expect(await stateOf(event)).toBe("ready");
  });
});

describe("results of which one was written though its response was lost", () => {
  it("are all logged once, also one whose delivery was canceled meanwhile", async () => {
    const [first, second] = [await append(), await append()];
    const settlements = await Promise.all((await claim()).map((held) => attempt(held, 200)));
    const of = (event: number) => settlements.find(({ eventId }) => eventId === event) as Settlement;
    let isLost = false;
    const lossy: Database = {
      ...db,
      async query(statement, values) {
        const rows = await db.query(statement, values);
        if (isLost) return rows as never;
        isLost = true;
        throw new Error("the connection was lost after the commit");
      },
    };
    const settler = createSettler({
      db: lossy,
      logger: createLogger("silent"),
      inFlight: () => 2,
      isWaitedFor: () => true,
      onSettled() {},
      onFailed() {
        void database.query("delete from deliveries where event_id = $1", [second]).then(() => settler.add(of(second)));
      },
    });
    settler.add(of(first));
    await until("both are logged", async () => (await logs()).length === 2);
    expect(await settler.close(5_000)).toBe(0);
    const rows = await database.query("select event_id from delivery_attempts where webhook_id = $1 order by 1", [
      webhookId,
    ]);
    expect(rows.map(({ event_id }) => Number(event_id))).toEqual([first, second]);
  });
});

describe("a batch of results that is written again", () => {
  it("logs the result of an event that was sent again, and not a second time that of the first time", async () => {
    const event = await append();
    const first = await attempt(await claimOne(), 200);
    await settle(db, [first], { repeated: false });
    await redeliverLatest();
    const second = await attempt(await claimOne(), 200);
    await settle(db, [first, second], { repeated: true });
    expect(await logs()).toHaveLength(2);
    expect(await stateOf(event)).toBe("delivered");
  });
});

describe("a claim", () => {
  const fullAfter = async (claimMax: number): Promise<unknown[]> => {
    const lanes = [{ workspaceId, webhookId, readyFrom: 0, claimMax }];
    return (await claimDeliveries(db, { workerId, webhookConcurrency: 2 }, lanes)).full;
  };

  it("reports a lane whose window it filled or found full, and not one that is empty", async () => {
    await append();
    expect(await fullAfter(100), "the lane is empty").toEqual([]);
    await append();
    await append();
    expect(await fullAfter(100), "one in flight, and one more now").toMatchObject([{ webhookId }]);
    expect(await fullAfter(100), "two in flight").toMatchObject([{ webhookId }]);
  });

  /** A claim that begins before the change is committed, and gets the lane after that. */
  async function claimDuring(change: (tx: Tx) => Promise<unknown>, meanwhile = async () => {}) {
    let claiming: Promise<ClaimedDelivery[]> = Promise.resolve([]);
    await db.transaction(async (tx) => {
      await change(tx);
      await meanwhile();
      claiming = claim();
      await waitForLocks(1);
    });
    return claiming;
  }

  it("claims nothing for the old url of a webhook that gets another one after the claim has begun", async () => {
    await append();
    const patch = { url: "http://example.org/" };
    const change = (tx: Tx) => patchWebhook(tx, options, caller(), { ref: { id: webhookId }, patch });
    expect(await claimDuring(change)).toEqual([]);
    const { deliveryId, webhookVersion } = await claimOne();
    const [webhook] = await readSettings(db, secretBox, [{ workspaceId, webhookId }]);
    expect([deliveryId > 0, webhook?.version]).toEqual([true, webhookVersion]);
  });

  it("claims nothing of a webhook that is disabled after the claim has begun", async () => {
    const disable = (tx: Tx) =>
      disableWebhook(tx, options, caller(), { ref: { id: webhookId }, reason: "no longer wanted" });
    // Queued by a transaction that does not see yet that the webhook is disabled.
    const meanwhile = async () => void (await append());
    expect(await claimDuring(disable, meanwhile)).toEqual([]);
  });

  it("does not wait for a webhook of which a backlog is being canceled", async () => {
    const event = await append();
    const input = { name: "other", url: "http://example.net/", events: ["contact.created"] };
    const other = await db.transaction((tx) => createWebhook(tx, options, caller(), input));
    await append();
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    try {
      // The cancellation waits for this row.
      await blocker.query("begin");
      await blocker.query("insert into dead_letters (workspace_id, webhook_id, event_id) values ($1, $2, $3)", [
        workspaceId,
        webhookId,
        event,
      ]);
      const disabling = disable();
      await waitForLocks(1);
      const lanes = [webhookId, other.id].map((id) => ({ workspaceId, webhookId: id, readyFrom: 0, claimMax: 9 }));
      const { deliveries } = await claimDeliveries(db, { workerId, webhookConcurrency: 9 }, lanes);
      expect(deliveries.map((delivery) => delivery.webhookId)).toEqual([other.id]);
      await blocker.query("rollback");
      await disabling;
    } finally {
      await blocker.end();
      await db.transaction((tx) => deleteWebhook(tx, options, caller(), { id: other.id }));
    }
  });

  it("does not report a lane as full where it took as many as were asked for", async () => {
    await append();
    await append();
    expect(await fullAfter(1)).toEqual([]);
  });
});

describe("a result", () => {
  const held = async () => attempt(await claimOne({ claimMax: 1 }), 200);
  const logged = async () => (await logs()).length;
  /** It would collect results for longer than a test runs. */
  const startSettler = (inFlight: number) => {
    const state = { inFlight, isWaitedFor: () => false };
    const settler = createSettler({
      db,
      logger: createLogger("silent"),
      inFlight: () => state.inFlight,
      isWaitedFor: () => state.isWaitedFor(),
      collectMs: 3_600_000,
      onSettled() {},
      onFailed() {},
    });
    return { state, settler };
  };

  it("waits for those of other attempts in flight, and is written with the last of them by one statement", async () => {
    for (let i = 0; i < 2; i++) await append();
    const { settler } = startSettler(2);
    settler.add(await held());
    settler.add(await held());
    await until("both are logged", async () => (await logged()) === 2);
    const [first, second] = await database.query("select created_at from delivery_attempts where webhook_id = $1", [
      webhookId,
    ]);
    expect(first).toEqual(second);
  });

  it("is written once something waits for it, although others are in flight", async () => {
    await append();
    const { settler, state } = startSettler(2);
    settler.add(await held());
    await new Promise((resolve) => setImmediate(resolve));
    expect(await logged()).toBe(0);
    state.isWaitedFor = () => true;
    settler.recheck();
    await until("it is logged", async () => (await logged()) === 1);
  });

  it("is written once the other attempts in flight were released", async () => {
    await append();
    const { settler, state } = startSettler(2);
    settler.add(await held());
    state.inFlight = 1;
    settler.recheck();
    await until("it is logged", async () => (await logged()) === 1);
  });
});

describe("settings that cannot be read", () => {
  it("are remembered as unreadable, so that their lane is not claimed from repeatedly", async () => {
    await append();
    const other = createSecretBox(["another-secret-key-for-tests-of-32-characters"]);
    const cache = createSettingsCache(db, other, createLogger("silent"));
    expect(await cache.load(await claim())).toEqual(new Map());
    expect(cache.peek({ workspaceId, webhookId })).toBe("unreadable");
  });
});

describe("an ordered lane", () => {
  it("claims only the first delivery of each conversation, and does not order conversations by each other", async () => {
    const events = [await appendMessage(1), await appendMessage(1), await appendMessage(2), await appendMessage(2)];
    const claimed = (await claim()).map(({ eventId }) => eventId);
    expect(claimed).toEqual([events[0], events[2]]);
  });

  it("keeps a delivery blocked while the one before it waits to retry, and unblocks it after a dead letter", async () => {
    const [first, second] = [await appendMessage(), await appendMessage()];
    await settleWith(await claimOne(), 500, [0]);
    await unblockStranded(db);
    const again = await claimOne();
    expect(again.eventId).toBe(first);
    const last = await attempt(again, 500, [0]);
    expect(last.retryInMs).toBeNull();
    await settle(db, [last], { repeated: false });
    await unblockNext(db, [finished(last)]);
    expect((await claimOne()).eventId).toBe(second);
  });

  it("keeps the retry time of a delivery when an older one of its conversation is sent again", async () => {
    const [first, second] = [await appendMessage(), await appendMessage()];
    const done = await attempt(await claimOne(), 200);
    await settle(db, [done], { repeated: false });
    await unblockNext(db, [finished(done)]);
    await settleWith(await claimOne(), 500, [3_600]);
    expect([await stateOf(first), await stateOf(second)]).toEqual(["delivered", "waiting"]);
    await unblockNext(db, [finished(done)]);
    expect(await stateOf(second)).toBe("waiting");
  });

  it("looks past blocked deliveries for those of other conversations", async () => {
    const blocked = [];
    for (let i = 0; i < 12; i++) blocked.push(await appendMessage(1));
    const other = await appendMessage(2);
    const claimed: number[] = [];
    // Each claim has room for one and looks at a few.
    for (let turn = 0; turn < 5; turn++) claimed.push(...(await claim({ claimMax: 1 })).map(({ eventId }) => eventId));
    expect(claimed).toEqual([blocked[0], other]);
  });

  it("unblocks a delivery whose worker ended between the settle and the unblocking", async () => {
    const [, second] = [await appendMessage(), await appendMessage()];
    await settleWith(await claimOne(), 200);
    expect(await claim()).toEqual([]);
    expect(await stateOf(second)).toBe("blocked");
    await unblockStranded(db);
    expect(await stateOf(second)).toBe("ready");
  });

  it("does not leave a delivery blocked by a claim that began before the previous one was settled", async () => {
    const [, second] = [await appendMessage(), await appendMessage()];
    const held = await attempt(await claimOne({ claimMax: 1 }), 200);
    await database.query("update deliveries set next_attempt_at = now() where event_id = $1", [second]);
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query("begin");
    await blocker.query("select 1 from delivery_lanes where webhook_id = $1 for update", [webhookId]);
    // The settle waits for the lane first, and the claim behind it, with a snapshot in which nothing is settled.
    const settling = settle(db, [held], { repeated: false });
    await waitForLocks(1);
    const claiming = claim();
    await waitForLocks(2);
    await blocker.query("commit");
    await blocker.end();
    await Promise.all([settling, claiming]);
    await unblockNext(db, [finished(held)]);
    expect(await stateOf(second)).toBe("ready");
  });

  it("does not wait for a blocked delivery that a transaction has locked which will wait for the lane", async () => {
    await appendMessage();
    await appendMessage();
    const done = await attempt(await claimOne(), 200);
    await settle(db, [done], { repeated: false });
    await db.transaction(async (tx) => {
      const text = "select id from deliveries where webhook_id = $1 for update";
      expect(await tx.query({ name: "", text }, [webhookId])).toHaveLength(1);
      await unblockNext(db, [finished(done)]);
    });
  });

  it("orders what was queued before the webhook became ordered, and unblocks it when it no longer is", async () => {
    const patch = (ordered: boolean) =>
      db.transaction((tx) =>
        patchWebhook(tx, options, caller(), {
          ref: { id: webhookId },
          patch: { ordered, events: ["message.created"] },
        }),
      );
    const append = () =>
      db.transaction((tx) => {
        const data = { conversation_id: 7 };
        return outbox.append(tx, { workspaceId, type: "message.created", data, actor: SYSTEM.actor });
      });
    await patch(false);
    const [first, second] = [(await append()).id, (await append()).id];
    await patch(true);
    expect(await claim()).toMatchObject([{ eventId: first }]);
    expect(await stateOf(second)).toBe("blocked");
    await patch(false);
    expect(await claim()).toMatchObject([{ eventId: second }]);
  });
});

it("a discovery that finds more lanes than it may return continues from there the next time", async () => {
  await append();
  const before = await discoverLanes(db, { webhookConcurrency: 1_000, after: webhookId - 1, max: 1 });
  expect(before).toMatchObject({ lanes: [{ workspaceId, webhookId }], next: webhookId });
  const rest = await discoverLanes(db, { webhookConcurrency: 1_000, after: before.next, max: 1 });
  expect(rest).toEqual({ lanes: [], next: 0 });
});

describe("the queue, by leases and claim tokens,", () => {
  it("logs a result that comes after a rescue, without changing the delivery", async () => {
    const event = await append();
    const late = await claimOne();
    await database.query("update workers set heartbeat_at = now() - interval '1 minute' where id = $1", [workerId]);
    await rescueExpired(db, (await registerWorker(db, "other", 64)).workerId);
    await settleWith(late, 500);
    const logged = await database.query("select next_attempt_at from delivery_attempts where delivery_id = $1", [
      late.deliveryId,
    ]);
    expect(logged, "a retry that does not happen is not announced").toEqual([{ next_attempt_at: null }]);
    expect(await stateOf(event)).toBe("ready");
    expect(await lane()).toEqual({ inFlight: 0, attempts: 1 });
  });

  it("keeps a delivered event delivered: a late failure changes nothing, and a late success is recorded", async () => {
    const event = await append();
    const late = await claimOne();
    await release(db, [late]);
    await settleWith(await claimOne(), 200);
    await settleWith(late, 500);
    expect(await stateOf(event)).toBe("delivered");
    const other = await append();
    const slow = await claimOne();
    await release(db, [slow]);
    await settleWith(slow, 200);
    for (let i = 0; i < 2; i++) await settleWith(await claimOne(), 500, [0]);
    expect(await stateOf(other)).toBe("delivered");
    expect(await recoverAll()).toBe(0);
  });

  it("refuses the claims of a worker that is not listed", async () => {
    const event = await append();
    await database.query("delete from workers where id = $1", [workerId]);
    expect(await claim()).toEqual([]);
    expect(await stateOf(event)).toBe("ready");
  });

  it("releases what a leaving worker still holds", async () => {
    const event = await append();
    await claimOne();
    await unregisterWorker(db, workerId);
    expect(await stateOf(event)).toBe("ready");
    expect(await lane()).toEqual({ inFlight: 0, attempts: 0 });
  });

  it("finds the claim that was in flight while its worker was removed from the list", async () => {
    const event = await append();
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query("begin");
    await blocker.query("select 1 from delivery_lanes where webhook_id = $1 for update", [webhookId]);
    const claiming = claim();
    await waitForLocks(1);
    const leaving = unregisterWorker(db, workerId);
    await waitForLocks(2);
    await blocker.query("commit");
    await blocker.end();
    expect(await claiming).toHaveLength(1);
    await leaving;
    expect(await stateOf(event)).toBe("ready");
  });

  it("lets only one of two workers claim a delivery", async () => {
    for (let i = 0; i < 20; i++) await append();
    const { workerId: other } = await registerWorker(db, "other", 64);
    const lanes = [{ workspaceId, webhookId, readyFrom: 0, claimMax: 4 }];
    const claimerOf = (i: number) => ({ workerId: i % 2 ? workerId : other, webhookConcurrency: 12 });
    await database.query("update delivery_lanes set window_size = 100 where webhook_id = $1", [webhookId]);
    const claims = await Promise.all(Array.from({ length: 10 }, (_, i) => claimDeliveries(db, claimerOf(i), lanes)));
    const ids = claims.flatMap(({ deliveries }) => deliveries).map(({ deliveryId }) => deliveryId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(12);
    expect((await lane()).inFlight).toBe(12);
  });
});

it("every edge of the state machine has its test, and every test its edge", () => {
  expect([...tested].sort()).toEqual(EDGES.map(titleOf).sort());
});
