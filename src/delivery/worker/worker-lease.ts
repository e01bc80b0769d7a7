import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../core/logger.ts";
import { startLoop } from "../../core/loop.ts";
import type { Database } from "../../db/database.ts";
import { isUnavailable } from "../../db/errors.ts";
import { type HeldDelivery, listHeld, release } from "../../queue/release.ts";
import {
  HEARTBEAT_MS,
  type ListedWorker,
  registerWorker,
  rescueExpired,
  unregisterWorker,
  writeHeartbeat,
} from "../../queue/workers.ts";

/**
 * This process as a worker: its heartbeat, what it holds, and what others held whose lease has expired. The list of workers
 * is as of its registration or its last heartbeat. One whose lease has expired registers again and gets a new id.
 */
export interface WorkerLease extends ListedWorker {
  /** Deliveries of other workers that were released here because their lease expired. */
  readonly rescued: number;
  /** How often our own lease expired. */
  readonly leasesLost: number;
  /** The heartbeat is late, and others may have released our claims by now: nothing new may be started. */
  heartbeatIsLate(): boolean;
  /** These deliveries are ours now. */
  hold(claims: readonly HeldDelivery[]): void;
  /** This one no longer is. */
  drop(claim: HeldDelivery): void;
  /**
   * A statement failed or a connection broke, so the claims in the database may differ from those known here: they are
   * to be reconciled as soon as the database can be reached.
   */
  reconcileSoon(): void;
  /** The database can be reached: reconciles the claims now if `reconcileSoon` was called. */
  reconcileIfDue(): void;
  /** Lets the other workers know that this one claims nothing more. */
  announceStop(): void;
  /** Leaves the list of workers. */
  close(): Promise<void>;
  /** Stops rescuing the deliveries of other workers, while our own heartbeat continues. */
  stopRescuing(): Promise<void>;
}

export interface LeaseOptions {
  db: Database;
  /** A connection of its own: a heartbeat that waits behind a busy pool would be late. */
  heartbeatDb: Database;
  logger: Logger;
  workerName: string;
  /** Attempts in flight at once in this process. */
  concurrency: number;
  /** Resolves when no claim statement is in progress whose response could name deliveries. */
  claimReturned: () => Promise<unknown>;
  /** These are ready again. */
  onReleased: (claims: readonly HeldDelivery[]) => void;
  /** Deliveries of other workers are ready again. */
  onRescued: () => void;
}

const RESCUE_MS = 4_000;
/** Less than the lease, by more than a statement takes. */
const HEARTBEAT_LATE_MS = 12_000;
/** The longest time between two reconciliations. Each reads every lane, and every delivery of lanes with any in flight. */
const RECONCILE_MS = 30_000;
const LEAVE_MS = 2_000;

export async function createWorkerLease(options: LeaseOptions): Promise<WorkerLease> {
  const { db, logger } = options;
  /** The claim token of every delivery that this process knows it holds, by the delivery's id. */
  const held = new Map<number, number>();
  let rescued = 0;
  let isReconcileDue = false;
  let reconciledAt = performance.now();
  const heartbeat = await startHeartbeat(options);

  async function rescue(): Promise<void> {
    const deliveries = await rescueExpired(db, heartbeat.listed().workerId);
    rescued += deliveries;
    if (deliveries > 0) {
      logger.warn({ deliveries }, "released the deliveries of a worker whose lease has expired");
      options.onRescued();
    }
    if (isReconcileDue || performance.now() - reconciledAt > RECONCILE_MS) await reconcile();
  }

  async function reconcile(): Promise<void> {
    isReconcileDue = false;
    reconciledAt = performance.now();
    try {
      await releaseUnknown(options, heartbeat.listed().workerId, held);
    } catch (error) {
      reconcileSoon();
      throw error;
    }
  }

  function reconcileSoon(): void {
    isReconcileDue = true;
  }

  onConnectionLost(db, reconcileSoon);
  const rescuing = startLoop({
    work: rescue,
    pauseMs: RESCUE_MS,
    onError: (error) => logger.warn({ err: error.message }, "looking for expired leases failed, retrying"),
  });

  return {
    get workerId() {
      return heartbeat.listed().workerId;
    },
    get workers() {
      return heartbeat.listed().workers;
    },
    get claimers() {
      return heartbeat.listed().claimers;
    },
    get rescued() {
      return rescued;
    },
    get leasesLost() {
      return heartbeat.leasesLost();
    },
    heartbeatIsLate: heartbeat.isLate,
    hold(claims) {
      for (const claim of claims) held.set(claim.deliveryId, claim.claimToken);
    },
    drop(claim) {
      if (held.get(claim.deliveryId) === claim.claimToken) held.delete(claim.deliveryId);
    },
    reconcileSoon,
    reconcileIfDue() {
      if (isReconcileDue) rescuing.now();
    },
    stopRescuing: rescuing.close,
    announceStop: heartbeat.announceStop,
    async close() {
      await rescuing.close();
      const leave = heartbeat.close().then(() => unregisterWorker(db, heartbeat.listed().workerId).catch(() => {}));
      await Promise.race([leave, sleep(LEAVE_MS, undefined, { ref: false })]);
    },
  };
}

/** One that was idle (`error`) or in use (`release` with an error): a crash may find all in use. A false alarm does no harm. */
function onConnectionLost({ pool }: Database, lost: () => void): void {
  pool.on("error", lost);
  pool.on("release", (error: Error | undefined) => {
    if (isUnavailable(error)) lost();
  });
}

/** Registers this process as a worker, and again whenever its lease has expired. */
async function startHeartbeat({ db, heartbeatDb, logger, workerName, concurrency }: LeaseOptions) {
  let listed = await registerWorker(db, workerName, concurrency);
  let writtenAt = performance.now();
  let isStopping = false;
  let leasesLost = 0;

  async function write(): Promise<void> {
    const askedAt = performance.now();
    const { workerId } = listed;
    const renewed = await writeHeartbeat(heartbeatDb, { workerId, isStopping });
    if (!renewed) {
      leasesLost++;
      logger.warn({ worker_id: workerId }, "the lease of this worker has expired, registering it again");
    }
    listed = renewed ?? (await registerWorker(heartbeatDb, workerName, concurrency));
    writtenAt = askedAt;
  }

  const { now, close } = startLoop({
    work: write,
    pauseMs: HEARTBEAT_MS,
    onError: (error) => logger.warn({ err: error.message }, "heartbeat failed, retrying"),
  });
  return {
    listed: () => listed,
    leasesLost: () => leasesLost,
    announceStop() {
      isStopping = true;
      now();
    },
    isLate: () => performance.now() - writtenAt > HEARTBEAT_LATE_MS,
    close,
  };
}

/**
 * Releases deliveries that are ours in the database and unknown here: while our heartbeat continues, nobody else would.
 * A claim may commit while its response is lost; and a crash of PostgreSQL may lose a settle, which does not wait for
 * the disk, and keep the claim before it.
 */
async function releaseUnknown(
  { db, logger, claimReturned, onReleased }: LeaseOptions,
  workerId: number,
  held: ReadonlyMap<number, number>,
): Promise<void> {
  const listed = await listHeld(db, workerId);
  // The response to a claim in progress may name some of them. One that was settled meanwhile is no longer held, and not
  // released.
  await claimReturned();
  const unknown = listed.filter((claim) => held.get(claim.deliveryId) !== claim.claimToken);
  if (unknown.length === 0) return;
  const deliveries = await release(db, unknown);
  if (deliveries === 0) return;
  logger.warn({ deliveries }, "released deliveries whose claim or result the database had lost");
  onReleased(unknown);
}
