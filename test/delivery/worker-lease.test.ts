import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { createWorkerLease, type WorkerLease } from "../../src/delivery/worker-lease.ts";
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

const createLease = () =>
  createWorkerLease({
    db,
    heartbeatDb: db,
    logger,
    workerName: "test",
    concurrency: 64,
    claimReturned: async () => {},
    onReleased: () => {},
    onRescued: () => {},
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
