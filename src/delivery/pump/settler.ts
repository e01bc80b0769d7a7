import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { Lane } from "../../queue/lane.ts";
import { type FailedLane, type Settlement, settle } from "../../queue/settle.ts";
import { createBatchWait } from "./batch-wait.ts";

const BATCH_MAX = 250;
const RETRY_MS = 250;
/**
 * A result may wait this long for those of other attempts in flight, if nothing waits for it: 60 in a batch cost the
 * database half as much for each as 20 do.
 */
const COLLECT_MS = 20;

/** Collects ended attempts and writes them in batches: while one batch is written the next one grows. */
export interface Settler {
  add(settlement: Settlement): void;
  /** To be called when a result may have become urgent, or fewer deliveries are in flight: the batch need not wait then. */
  recheck(): void;
  readonly pending: number;
  /** Writes what is left until the deadline and then stops trying. Returns how many results were not written. */
  close(deadlineMs: number): Promise<number>;
}

export interface SettlerOptions {
  db: Database;
  logger: Logger;
  inFlight: () => number;
  /** Whether the next attempts of the lane wait for results to be written. */
  isWaitedFor: (lane: Lane) => boolean;
  collectMs?: number;
  /** `failedTooLong` are lanes whose webhooks have to be disabled. */
  onSettled: (settlements: Settlement[], failedTooLong: FailedLane[]) => void;
  /** A batch could not be written, or its response was lost; it is tried again. */
  onFailed: () => void;
}

export function createSettler(options: SettlerOptions): Settler {
  const { db, logger, inFlight, isWaitedFor, collectMs = COLLECT_MS, onSettled, onFailed } = options;
  let queue: Settlement[] = [];
  let writing = 0;
  /** Results of a batch that failed, and may have been written despite that. */
  const tried = new WeakSet<Settlement>();
  let running: Promise<void> | null = null;
  let closed = false;
  const wait = createBatchWait(collectMs);
  /** There is no use in waiting for more: the batch is full, or every attempt in flight has ended. */
  const isComplete = (): boolean => queue.length >= BATCH_MAX || queue.length >= inFlight();
  /** The next delivery of its conversation waits for it, or of its lane. */
  const isUrgent = (result: Settlement): boolean => result.orderKey !== null || isWaitedFor(result);
  const recheck = (): void => {
    if (isComplete() || queue.some(isUrgent)) wait.end();
  };

  async function run(): Promise<void> {
    let failures = 0;
    let hasRest = false;
    while (queue.length > 0 && !closed) {
      recheck();
      // What is left of the last batch has waited long enough.
      if (!hasRest) await wait.over();
      const { batch, repeated } = nextBatch(queue, tried, failures);
      queue = queue.slice(batch.length);
      hasRest = queue.length > 0;
      writing = batch.length;
      let failedTooLong: FailedLane[] = [];
      try {
        failedTooLong = await settle(db, batch, { repeated });
        failures = 0;
      } catch (error) {
        failures++;
        for (const settlement of batch) tried.add(settlement);
        // The results stay here until they can be written. If that takes longer than the lease (queue/workers.ts), other
        // workers may have released the deliveries: their events are sent again, and these results are dropped without a
        // log row, because the try that failed may have written it.
        queue = batch.length === 1 ? [...queue, ...batch] : [...batch, ...queue];
        logger.warn({ err: (error as Error).message, pending: queue.length }, "writing results failed, retrying");
        hasRest = true;
        onFailed();
        await sleep(RETRY_MS);
        continue;
      } finally {
        writing = 0;
      }
      onSettled(batch, failedTooLong);
    }
    running = null;
  }

  return {
    get pending() {
      return queue.length + writing;
    },
    add(settlement) {
      queue.push(settlement);
      wait.begin();
      if (isComplete() || isUrgent(settlement)) wait.end();
      running ??= run();
    },
    recheck,
    async close(deadlineMs) {
      const deadline = performance.now() + deadlineMs;
      while (running && performance.now() < deadline) await Promise.race([running, sleep(20)]);
      closed = true;
      return queue.length + writing;
    },
  };
}

/**
 * Smaller after a failure, so that one result which cannot be written does not hold up the others forever. Results that
 * were tried before are not mixed with new ones: new ones are all logged, repeated ones only where they still hold
 * their delivery.
 */
function nextBatch(
  queue: readonly Settlement[],
  tried: WeakSet<Settlement>,
  failures: number,
): { batch: Settlement[]; repeated: boolean } {
  const candidates = queue.slice(0, Math.max(1, Math.floor(BATCH_MAX / 2 ** failures)));
  const repeated = candidates[0] !== undefined && tried.has(candidates[0]);
  const other = candidates.findIndex((settlement) => tried.has(settlement) !== repeated);
  return { batch: other === -1 ? candidates : candidates.slice(0, other), repeated };
}
