import { type Loop, startLoop } from "../core/loop.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { EarlyClaim } from "../events/outbox.ts";
import type { ClaimedDelivery } from "../queue/claim.ts";
import { type DiscoveredLane, discoverLanes } from "../queue/discover.ts";
import type { Lane } from "../queue/lane.ts";
import { unblockStranded } from "../queue/ordered.ts";
import { isOwnLane } from "./lanes/lane-preference.ts";
import { createLaneScheduler, type LaneScheduler } from "./lanes/lane-scheduler.ts";
import { createDestinations } from "./pump/destinations.ts";
import { createDisabler, type Disable } from "./pump/disabler.ts";
import { createPump, type PumpOptions } from "./pump/pump.ts";
import { createSettingsCache } from "./pump/settings-cache.ts";
import { createWorkerLease, type LeaseOptions, type WorkerLease } from "./worker/worker-lease.ts";

type OfPump = "db" | "logger" | "outbound" | "schedule" | "webhookConcurrency" | "tracing";

export interface EngineOptions
  extends Pick<PumpOptions, OfPump>,
    Pick<LeaseOptions, "heartbeatDb" | "workerName" | "concurrency"> {
  secretBox: SecretBox;
  disable: Disable;
  /** Wakes the other workers for lanes of this worker's own that it has no room for. */
  passOn: (lanes: readonly Lane[]) => void;
}

interface EngineStats {
  inFlight: number;
  unsettled: number;
  lanesWaiting: number;
  /** Settled attempts since the start, by outcome. */
  delivered: number;
  failed: number;
  /** Deliveries whose last attempt failed, since the start. */
  deadLetters: number;
  /** Deliveries of workers whose lease expired, released here since the start. */
  rescued: number;
  /** How often the lease of this worker expired. */
  leasesLost: number;
}

interface WakeOptions {
  /** Every worker gets this wake-up: this one takes only its own lanes, and passes on those that it has no room for. */
  onlyOwn: boolean;
}

export interface Engine {
  /** These lanes may have ready work. Never needed for correctness, only for speed. */
  wake(lanes: readonly Lane[], options?: WakeOptions): void;
  /** Any lane may have ready work. */
  wakeAll(): void;
  /** As of the last heartbeat: other workers may deliver what this process queues. */
  hasOtherWorkers(): boolean;
  /** For a statement of this process that is about to write deliveries. Null: it only queues them. */
  beginEarlyClaim(workspaceId: number): EarlyClaim<ClaimedDelivery> | null;
  stats(): EngineStats;
  /** Finishes what is in flight within `graceMs`, releases the rest. */
  close(graceMs?: number): Promise<void>;
}

/** Of a node that leaves delivery to other workers. */
export const NO_ENGINE: Engine = {
  wake() {},
  wakeAll() {},
  hasOtherWorkers: () => true,
  beginEarlyClaim: () => null,
  stats: () => ({
    inFlight: 0,
    unsettled: 0,
    lanesWaiting: 0,
    delivered: 0,
    failed: 0,
    deadLetters: 0,
    rescued: 0,
    leasesLost: 0,
  }),
  async close() {},
};

/** How often the lanes are searched, by all workers together. */
const DISCOVER_MS = 500;
const DISCOVER_MS_MAX = 2_000;
const GRACE_MS = 15_000;
/** Rarely: only a crash strands deliveries unnoticed, and a search takes a lookup per conversation that has any waiting. */
const UNBLOCK_MS = 30_000;

/**
 * Puts the parts together: the scheduler says which lanes are next, the pump claims, attempts and settles, the lease keeps
 * this worker's claims. The states of a delivery and who moves them are drawn in docs/delivery.md.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { logger, passOn } = options;
  const settings = createSettingsCache(options.db, options.secretBox, logger);
  let lease: WorkerLease | null = null;
  const isOwn = (lane: Lane): boolean => lease === null || isOwnLane(lane, lease);
  const destinations = createDestinations({ workers: () => lease?.workers ?? 1 });
  const scheduler = createLaneScheduler({
    slots: options.concurrency,
    isOwn,
    admits(lane) {
      const known = settings.peek(lane);
      return known === undefined || (known !== "unreadable" && destinations.admits(known.destination));
    },
  });
  const disabler = createDisabler(logger, options.disable);
  const unblocking = startUnblocking(options);
  const pump = createPump({
    ...options,
    scheduler,
    settings,
    destinations,
    disabler,
    lease: () => lease as WorkerLease,
    onUnblockFailed: () => unblocking.now(),
    onClaimFailed: () => void setTimeout(() => discovery.now(), DISCOVER_MS).unref(),
  });
  lease = await createWorkerLease({
    ...options,
    claimReturned: pump.claimReturned,
    onReleased(claims) {
      for (const claim of claims) scheduler.released(claim);
      scheduler.wake(claims);
      pump.run();
    },
    onRescued() {
      scheduler.rescued();
      // The crashed worker may have stopped between a settle and the unblocking after it.
      unblocking.now();
    },
  });
  const workerLease = lease;
  const hasOtherWorkers = (): boolean => workerLease.workers > 1;
  const discovery = startDiscovery(options, workerLease, (lanes) => {
    scheduler.discovered(lanes);
    workerLease.reconcileIfDue();
    pump.resume();
  });

  return {
    wake(lanes, { onlyOwn } = { onlyOwn: false }) {
      const taken = onlyOwn ? lanes.filter(isOwn) : lanes;
      scheduler.wake(taken);
      pump.run();
      if (onlyOwn && hasOtherWorkers()) passOn(taken.filter((lane) => !scheduler.hasRoom(lane)));
    },
    wakeAll: discovery.now,
    hasOtherWorkers,
    beginEarlyClaim: pump.beginEarlyClaim,
    stats: () => ({ ...pump.stats(), ...statsOf(workerLease, scheduler) }),
    async close(graceMs = GRACE_MS) {
      workerLease.announceStop();
      await Promise.all([discovery.close(), unblocking.close(), workerLease.stopRescuing()]);
      await pump.close(graceMs);
      await disabler.close();
      await workerLease.close();
    },
  };
}

const statsOf = ({ rescued, leasesLost }: WorkerLease, { inFlight, waiting }: LaneScheduler) => ({
  rescued,
  leasesLost,
  inFlight,
  lanesWaiting: waiting,
});

function startUnblocking({ db, logger }: EngineOptions): Loop {
  return startLoop({
    work: () => unblockStranded(db),
    pauseMs: UNBLOCK_MS,
    onError: (error) => logger.warn({ err: error.message }, "looking for stranded deliveries failed, retrying"),
  });
}

/** Polls for lanes with ready deliveries, as many at a time as one query returns: it finds whatever no wake-up named. */
function startDiscovery(
  options: EngineOptions,
  lease: WorkerLease,
  onFound: (lanes: readonly DiscoveredLane[]) => void,
): Loop {
  const { db, logger } = options;
  let after = 0;
  return startLoop({
    async work() {
      const { lanes, next } = await discoverLanes(db, { ...options, after });
      after = next;
      onFound(lanes);
    },
    pauseMs: DISCOVER_MS,
    pauseMsMax: DISCOVER_MS_MAX,
    sharedBy: () => lease.claimers.length,
    onError: (error) => logger.warn({ err: error.message }, "looking for ready deliveries failed, retrying"),
  });
}
