import { Queue, Worker } from "bullmq";
import PgBoss from "pg-boss";

const ATTEMPTS = 10;

/** What is needed of a queue: `fill` it while no worker runs, `work` on it, `rest` again. */
export async function bullmq({ name, deliver, redisPort, concurrency }) {
  const connection = { host: "127.0.0.1", port: redisPort, maxRetriesPerRequest: null };
  const queue = new Queue(name, { connection });
  const worker = new Worker(name, (job) => deliver(job.data), { connection, concurrency, autorun: false });
  worker.on("error", (error) => console.error(error));
  let running = false;
  return {
    async fill(jobs) {
      const options = { attempts: ATTEMPTS, backoff: { type: "exponential", delay: 5_000 }, removeOnComplete: true };
      for (const part of slices(jobs, 1_000))
        await queue.addBulk(part.map((data) => ({ name: "send", data, opts: options })));
    },
    async work() {
      if (running) return worker.resume();
      running = true;
      worker.run().catch((error) => console.error(error));
    },
    rest: () => worker.pause(),
  };
}

// A pg-boss worker fetches a batch, waits for all of it and looks again after half a second at the earliest, so big
// batches are what makes it fast; two workers, so that one sends while the other fetches.
const BATCH = 2_000;
const WORKERS = 2;

export async function pgBoss({ name, deliver, database, concurrency }) {
  const boss = new PgBoss({ ...database, ssl: false, max: 10 });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  await boss.createQueue(name);
  return {
    async fill(jobs) {
      for (const part of slices(jobs, 1_000))
        await boss.insert(part.map((data) => ({ name, data, retryLimit: ATTEMPTS, retryBackoff: true })));
    },
    async work() {
      const options = { batchSize: BATCH, pollingIntervalSeconds: 0.5 };
      for (let i = 0; i < WORKERS; i++)
        await boss.work(name, options, (jobs) => inParallel(jobs, concurrency / WORKERS, ({ data }) => deliver(data)));
    },
    rest: () => boss.offWork(name),
  };
}

async function inParallel(items, callers, handle) {
  let next = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < items.length) await handle(items[next++]);
    }),
  );
}

function* slices(items, size) {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
