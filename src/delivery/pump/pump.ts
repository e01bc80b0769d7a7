import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../core/logger.ts";
import type { Tracing } from "../../core/tracing.ts";
import type { Database } from "../../db/database.ts";
import type { EarlyClaim } from "../../events/outbox.ts";
import { type ClaimedDelivery, claimDeliveries } from "../../queue/claim.ts";
import { findOpenBreakers } from "../../queue/discover.ts";
import { type Lane, laneName } from "../../queue/lane.ts";
import { type FinishedDelivery, unblockNext } from "../../queue/ordered.ts";
import { type HeldDelivery, release } from "../../queue/release.ts";
import type { FailedLane, Settlement } from "../../queue/settle.ts";
import type { Outbound } from "../../url-guard/index.ts";
import { attemptDelivery } from "../attempts/attempt.ts";
import { type AttemptTraces, createAttemptTraces } from "../attempts/attempt-traces.ts";
import type { LaneScheduler } from "../lanes/lane-scheduler.ts";
import type { WorkerLease } from "../worker/worker-lease.ts";
import { createBatcher } from "./batcher.ts";
import type { AttemptOutcomeKind, Destinations } from "./destinations.ts";
import { type Disabler, FAILED_TOO_LONG, GONE } from "./disabler.ts";
import { createEarlyClaims } from "./early-claims.ts";
import type { SettingsCache } from "./settings-cache.ts";
import { createSettler, type Settler, type SettlerOptions } from "./settler.ts";
import { createStartQueue, type PreparedDelivery, type StartQueue } from "./start-queue.ts";

export interface PumpOptions {
  db: Database;
  logger: Logger;
  outbound: Outbound;
  scheduler: LaneScheduler;
  /** A function, because the lease is built after the pump: it needs the `claimReturned` of the pump. */
  lease: () => WorkerLease;
  settings: SettingsCache;
  destinations: Destinations;
  disabler: Disabler;
  /** Seconds before each retry. */
  schedule: readonly number[];
  /** Attempts in flight at once to one webhook, over all processes. */
  webhookConcurrency: number;
  /** The lanes of the claim have to be discovered again. */
  onClaimFailed: () => void;
  /** Deliveries may have stayed blocked although nothing blocks them any more. */
  onUnblockFailed: () => void;
  /** Absent: nothing is traced. */
  tracing?: Tracing | undefined;
}

/** Claim a fair batch → attempt → settle, continuously: no step waits for a whole batch of another. */
interface Pump {
  /** Claims if there is something to claim and a slot free. */
  run(): void;
  /** For a statement of this process that is about to write deliveries. Null: it only queues them. */
  beginEarlyClaim(workspaceId: number): EarlyClaim<ClaimedDelivery> | null;
  /** A discovery has succeeded: claims again, if a claim has failed and waited for that. */
  resume(): void;
  /** Resolves when every statement in progress that claims has returned or failed. */
  claimReturned(): Promise<unknown>;
  stats(): { unsettled: number; delivered: number; failed: number; deadLetters: number };
  /** Finishes what is in flight within `graceMs` and releases the rest. */
  close(graceMs: number): Promise<void>;
}

/** While stopping: for writing results and releasing claims. */
const FLUSH_MS = 5_000;

export function createPump(options: PumpOptions): Pump {
  const { db, logger, outbound, scheduler, lease, destinations, disabler } = options;
  let closing = false;
  const counts = { delivered: 0, failed: 0, deadLetters: 0 };

  const traces = options.tracing && createAttemptTraces({ db, logger, outbound, tracing: options.tracing });
  const onLaneStarted = (lane: Lane) => scheduler.isWaitedFor(lane) && settler.recheck();
  const startQueue = createStartQueue({ start: attempt, onLaneStarted });
  const releases = createBatcher(releaseClaims);
  const unblocking = createBatcher(unblock);
  const settler = settlerOf(options, startQueue, onSettled);

  const claimer = createClaimer({
    ...options,
    traces,
    isClosing: () => closing,
    start: startQueue.add,
    onClaimed: settler.recheck,
  });

  async function attempt(prepared: PreparedDelivery): Promise<void> {
    const { claim, claimedBy, settings } = prepared;
    const mayStart = settings && !closing && claimedBy === lease().workerId && !lease().heartbeatIsLate();
    if (!mayStart || !destinations.start(settings.destination)) return releases.add(claim);
    const settlement = await runAttempt(options, traces?.sender(claim) ?? outbound, { claim, settings });
    if (settlement) settler.add(settlement);
    else releases.add(claim);
  }

  async function releaseClaims(claims: ClaimedDelivery[]): Promise<void> {
    await releaseOrReconcile(options, claims);
    for (const claim of claims) {
      scheduler.released(claim);
      end(options, claim);
    }
    settler.recheck();
    claimer.run();
  }

  async function unblock(settled: FinishedDelivery[]): Promise<void> {
    await unblockOrReport(options, settled);
    scheduler.wake(settled);
    claimer.run();
  }

  function onSettled(settlements: readonly Settlement[], failedTooLong: readonly FailedLane[]): void {
    for (const settlement of settlements) {
      end(options, settlement);
      counts[settlement.errorMessage === null ? "delivered" : "failed"]++;
      if (unblocksNext(settlement)) unblocking.add(settlement);
      if (settlement.errorMessage !== null && settlement.retryInMs === null) counts.deadLetters++;
    }
    for (const lane of failedTooLong) disabler.scheduleDisable(lane, FAILED_TOO_LONG);
    claimer.run();
  }

  async function close(graceMs: number): Promise<void> {
    closing = true;
    await Promise.all([claimer.claimReturned(), outbound.close({ graceMs })]);
    const deadline = performance.now() + FLUSH_MS;
    const unsettled = await settler.close(FLUSH_MS);
    if (unsettled > 0) logger.error({ unsettled }, "writing results failed, those deliveries are sent again");
    // What was aborted is being released, and what waited behind the last results is being unblocked.
    const isBusy = () => scheduler.inFlight > unsettled || unblocking.pending > 0;
    while (isBusy() && performance.now() < deadline) await sleep(5);
  }

  return { ...claimer, stats: () => ({ unsettled: settler.pending, ...counts }), close };
}

/** The next attempts of a lane wait for its results only if no claimed delivery of it is left to start. */
function settlerOf(options: PumpOptions, startQueue: StartQueue, onSettled: SettlerOptions["onSettled"]): Settler {
  const { db, logger, scheduler, lease } = options;
  return createSettler({
    db,
    logger,
    inFlight: () => scheduler.inFlight,
    isWaitedFor: (lane) => scheduler.isWaitedFor(lane) && !startQueue.has(lane),
    onFailed: () => lease().reconcileSoon(),
    onSettled,
  });
}

interface ClaimerOptions extends PumpOptions {
  traces: AttemptTraces | undefined;
  isClosing: () => boolean;
  start: (prepared: readonly PreparedDelivery[]) => void;
  /** A claim has returned: windows that it found full may wait for results. */
  onClaimed: () => void;
}

type Plan = ReturnType<LaneScheduler["plan"]>;

/** Runs one claim at a time, and the next as soon as what it brought can be started. */
function createClaimer(options: ClaimerOptions): Pick<Pump, "run" | "beginEarlyClaim" | "resume" | "claimReturned"> {
  const { scheduler, lease, logger, isClosing, start } = options;
  let claiming: Promise<void> | null = null;
  let waitsForDiscovery = false;
  const earlyClaims = createEarlyClaims({
    scheduler,
    lease,
    mayBegin: () => !isClosing(),
    onClaimed: async (claims, claimedBy) => start(await prepare(options, { claims, claimedBy })),
    onEnded: run,
  });

  function run(): void {
    if (claiming || isClosing() || waitsForDiscovery || lease().heartbeatIsLate()) return;
    const plan = scheduler.plan();
    if (plan.length === 0) return;
    claiming = claimPlan(options, plan)
      .catch((error) => {
        logger.warn({ err: (error as Error).message }, "claiming deliveries failed, retrying");
        lease().reconcileSoon();
        waitsForDiscovery = true;
        options.onClaimFailed();
      })
      .finally(() => {
        claiming = null;
        run();
      });
  }

  return {
    run,
    beginEarlyClaim: earlyClaims.begin,
    resume() {
      waitsForDiscovery = false;
      run();
    },
    claimReturned: () => Promise.all([claiming, earlyClaims.returned()]),
  };
}

async function claimPlan(options: ClaimerOptions, plan: Plan): Promise<void> {
  const { db, scheduler, lease, webhookConcurrency } = options;
  const { workerId } = lease();
  const result = await claimDeliveries(db, { workerId, webhookConcurrency }, plan);
  lease().hold(result.deliveries);
  const idle = scheduler.claimed(plan, result);
  options.onClaimed();
  if (result.deliveries.length > 0)
    options.start(await prepare(options, { claims: result.deliveries, claimedBy: workerId }));
  if (idle.length > 0)
    for (const lane of await findOpenBreakers(db, idle)) scheduler.markBreakerOpen(lane, lane.openMs);
}

/** Adds what the attempts need. */
async function prepare(
  { settings, traces }: ClaimerOptions,
  { claims, claimedBy }: { claims: readonly ClaimedDelivery[]; claimedBy: number },
): Promise<PreparedDelivery[]> {
  const found = await settings.load(claims);
  await traces?.load(claims);
  return claims.map((claim) => ({ claim, claimedBy, settings: found.get(laneName(claim)) }));
}

/** Null: nothing was sent, or what came of it is unknown; the claim is to be released. */
async function runAttempt(
  { destinations, disabler, schedule, logger }: PumpOptions,
  sender: Pick<Outbound, "send">,
  { claim, settings }: { claim: ClaimedDelivery; settings: NonNullable<PreparedDelivery["settings"]> },
): Promise<Settlement | null> {
  let outcome: AttemptOutcomeKind = "none";
  try {
    const result = await attemptDelivery(sender, settings, claim, schedule);
    if (!result) return null;
    if (result.settlement.judgesReceiver) outcome = result.decision.kind === "delivered" ? "delivered" : "failed";
    if (result.decision.kind === "gone") disabler.scheduleDisable(claim, GONE);
    return result.settlement;
  } catch (error) {
    logger.error({ err: error, delivery_id: claim.deliveryId }, "an attempt failed unexpectedly, releasing it");
    return null;
  } finally {
    destinations.ended(settings.destination, outcome);
  }
}

function end({ lease, scheduler }: PumpOptions, claim: HeldDelivery & Lane): void {
  lease().drop(claim);
  scheduler.ended(claim);
}

async function releaseOrReconcile({ db, logger, lease }: PumpOptions, claims: ClaimedDelivery[]): Promise<void> {
  await release(db, claims).catch((error) => {
    logger.warn(
      { err: (error as Error).message },
      "releasing deliveries failed, reconciling the claims with the database soon",
    );
    lease().reconcileSoon();
  });
}

async function unblockOrReport(
  { db, logger, onUnblockFailed }: PumpOptions,
  settled: FinishedDelivery[],
): Promise<void> {
  await unblockNext(db, settled).catch((error) => {
    logger.warn({ err: (error as Error).message }, "unblocking ordered deliveries failed, retrying");
    onUnblockFailed();
  });
}

/** It has left the queue, and the next delivery of its conversation may have waited for that. */
const unblocksNext = (settlement: Settlement): settlement is Settlement & FinishedDelivery =>
  settlement.retryInMs === null && settlement.orderKey !== null;
