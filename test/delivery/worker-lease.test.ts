import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { createWorkerLease, type WorkerLease } from "../../src/delivery/worker/worker-lease.ts";
import { registerWorker } from "../../src/queue/workers.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/wait.ts";

let database: TestDatabase;
let db: Database;
let lease: WorkerLease;
const logger = createLogger("silent");

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({
    connection: { connectionString: database.url },
    poolSize: 2,
    logger,
    applicationName: "test",
  });
});

afterEach(async () => {
  await lease.close();
  await database.query("delete from workers");
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const createLease = (options: Partial<Parameters<typeof createWorkerLease>[0]> = {}) =>
  createWorkerLease({
    db,
    heartbeatDb: db,
    logger,
    workerName: "test",
    concurrency: 64,
    claimReturned: async () => {},
    onReleased: () => {},
    onRescued: () => {},
    ...options,
  });

it("a worker knows that it is alone before its first heartbeat", async () => {
  lease = await createLease();
  expect(lease.workers).toBe(1);
  expect(lease.claimers).toEqual([{ workerId: lease.workerId, concurrency: 64 }]);
});

it("a worker counts every listed worker before its first heartbeat, and names those that claim", async () => {
  const { workerId: responsive } = await registerWorker(db, "responsive", 32);
  const { workerId: silent } = await registerWorker(db, "silent", 32);
  const { workerId: stopping } = await registerWorker(db, "stopping", 32);
  await database.query("update workers set heartbeat_at = now() - interval '10 seconds' where id = $1", [silent]);
  await database.query("update workers set is_stopping = true where id = $1", [stopping]);
  lease = await createLease();
  expect(lease.workers).toBe(4);
  expect(lease.claimers).toEqual([
    { workerId: responsive, concurrency: 32 },
    { workerId: lease.workerId, concurrency: 64 },
  ]);
});

it("a worker whose lease has expired counts the workers again as it registers", async () => {
  lease = await createLease();
  const { workerId: expired } = lease;
  await database.query("delete from workers");
  await until("the worker is registered again", () => lease.workerId !== expired);
  expect(lease.workers).toBe(1);
  expect(lease.claimers).toEqual([{ workerId: lease.workerId, concurrency: 64 }]);
});

/** What the database has after a crash that lost a result: a claim of this worker which it does not know. */
async function claimUnknown(workerId: number): Promise<void> {
  await database.query(
    "alter table delivery_lanes drop constraint if exists delivery_lanes_workspace_id_webhook_id_fkey",
  );
  await database.query("delete from deliveries");
  await database.query("delete from delivery_lanes");
  await database.query("insert into delivery_lanes (workspace_id, webhook_id, in_flight) values (1, 1, 1)");
  await database.query(
    "insert into deliveries (workspace_id, webhook_id, event_id, worker_id, lease_token) values (1, 1, 1, $1, 1)",
    [workerId],
  );
}

const SLEEP = { name: "", text: "select pg_sleep(60)" };

it.each([
  ["statement", (only: Database) => only.query(SLEEP)],
  ["transaction", (only: Database) => only.transaction((tx) => tx.query(SLEEP))],
])("a crash in the middle of the only %s in progress has the claims reconciled", async (_what, sleep) => {
  const connection = { connectionString: database.url };
  const only = createDatabase({ connection, poolSize: 1, logger, applicationName: "only" });
  const released: number[] = [];
  lease = await createLease({
    db: only,
    onReleased: (claims) => released.push(...claims.map(({ webhookId }) => webhookId)),
  });
  try {
    await until("the worker's first statements are done", () => only.pool.idleCount === 1);
    await claimUnknown(lease.workerId);
    const refused = expect(sleep(only)).rejects.toThrow("The database is not available.");
    const terminate =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'only' and query = $1";
    await until("it is lost", async () => (await database.query(terminate, [SLEEP.text])).length > 0);
    await refused;
    await until("the claim is released", () => {
      lease.reconcileIfDue();
      return released.length > 0;
    });
    expect(released).toEqual([1]);
    expect(await database.query("select 1 from delivery_lanes where in_flight > 0")).toEqual([]);
  } finally {
    await lease.close();
    await only.close();
  }
});
