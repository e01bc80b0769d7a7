import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { Fault } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import type { Outbound } from "../url-guard/index.ts";
import { readSettings, type WebhookSettings } from "../webhooks/settings.ts";
import { attemptDelivery } from "./attempt.ts";
import { type ClaimedDelivery, claimDeliveries, closedLanes, discoverLanes } from "./claim.ts";
import { createLaneRing, type Lane } from "./lane-ring.ts";
import { listHeld, release } from "./settle.ts";
import { createSettler } from "./settler.ts";
import { createStartLine, type ReadyDelivery } from "./start-line.ts";
import { beat, HEARTBEAT_MS, leave, registerWorker, rescueOrphans } from "./workers.ts";

export interface EngineOptions {
  db: Database;
  /** A connection of its own: a heartbeat that waits behind a busy pool would make a live worker look dead. */
  heartbeatDb: Database;
  logger: Logger;
  secretBox: SecretBox;
  outbound: Outbound;
  /** Seconds before each retry. */
  schedule: readonly number[];
  /** Attempts under way at once in this process. */
  concurrency: number;
  /** Attempts under way at once to one webhook, over all processes. */
  webhookConcurrency: number;
  workerName: string;
  /** The webhook is to be disabled, for this reason. */
  onDoomed: (lane: Lane, reason: string) => Promise<void>;
}

export interface EngineStats {
  /** Workers on this database, this one among them, as of the last heartbeat. */
  workers: number;
  inFlight: number;
  unsettled: number;
  lanesWaiting: number;
  /** Settled attempts since the start, by outcome. */
  delivered: number;
  failed: number;
}

export interface Engine {
  /** These lanes may have ready work. Never needed for correctness, only for speed. */
  wake(lanes: readonly Lane[]): void;
  /** Any lane may have ready work. */
  wakeAll(): void;
  stats(): EngineStats;
  /** Finishes what is under way within `graceMs`, gives the rest back. */
  close(graceMs?: number): Promise<void>;
}

const LANES_PER_CLAIM = 64;
const DELIVERIES_PER_CLAIM = 256;
/** The window with which a lane begins (delivery_lanes.window_size). */
const WINDOW_MIN = 4;
/** A delivery is ready since its transaction began, and there once that has committed: rarely longer than this. */
const SLOW_COMMIT_SECONDS = 1;
const DISCOVER_MS = 400;
const DISCOVER_MS_MAX = 2_000;
const RESCUE_MS = 4_000;
/** It reads every lane and, of those with something in flight, every delivery: not more often than it has to. */
const RECONCILE_MS = 30_000;
const SELF_FENCE_MS = 12_000;
/** While stopping: for writing results and releasing claims, and then for leaving the list of workers. */
const FLUSH_MS = 5_000;
const LEAVE_MS = 2_000;
const DISABLE_RETRY_MS = 1_000;

const GONE = "The destination answered 410 Gone.";
const FAILED_TOO_LONG = "Every delivery has failed for five days.";

/**
 * The pump: claim a fair batch → attempt → settle, continuously; no step waits for a whole batch of another. The states
 * of a delivery and who moves them are drawn in docs/delivery.md, in the names used here.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { db, heartbeatDb, logger, secretBox, outbound, schedule, concurrency, webhookConcurrency } = options;
  const ring = createLaneRing();
  /** Lanes whose window may have been full: they get their next turn when one of their attempts is settled. */
  const hungry = new Map<string, Lane>();
  /** How many of our attempts are in flight, by lane. */
  const underWay = new Map<string, number>();
  /** The lease token of every delivery that this process knows it holds, by the delivery's id. */
  const held = new Map<number, number>();
  const known = new LRUCache<string, WebhookSettings>({ max: 20_000 });
  /** Lanes whose breaker is open, for as long as it is: each new event would wake them in vain. */
  const closed = new LRUCache<string, true>({ max: 20_000 });
  /**
   * When the oldest delivery of a lane's last claim had become ready. Claims look no further back: while somebody holds a
   * snapshot open, whatever was finished since then is still in the index, and all of it would be read each time. What
   * becomes ready in the past after all (a slow commit, a rescue) is found by the next discovery.
   */
  const readySince = new LRUCache<string, number>({ max: 20_000 });
  const doomed = new Set<string>();
  let workerId = await registerWorker(db, options.workerName);
  let beatAt = performance.now();
  // Until the first heartbeat says otherwise, there may be others.
  let workers = 2;
  let inFlight = 0;
  let delivered = 0;
  let failed = 0;
  let claiming: Promise<void> | null = null;
  let closing = false;
  let discoverNow = false;
  // A connection broke: the database may remember other claims than we do.
  let connectionLost = false;
  let reconciledAt = performance.now();

  const startLine = createStartLine(attempt);
  const settler = createSettler({
    db,
    logger,
    onFailed: suspectClaims,
    onSettled(lanes, settlements) {
      for (const settlement of settlements) ended(settlement);
      for (const settlement of settlements) settlement.errorMessage === null ? delivered++ : failed++;
      for (const lane of lanes) {
        const name = nameOf(lane);
        if (hungry.delete(name)) ring.add(lane);
        if (lane.failedTooLong) doom(lane, FAILED_TOO_LONG);
      }
      pump();
    },
  });

  function pump(): void {
    if (claiming || closing || ring.size === 0 || inFlight >= concurrency) return;
    if (isSilent()) return;
    claiming = claimOnce()
      .catch((error) => {
        logger.warn({ err: (error as Error).message }, "cannot claim deliveries; trying again");
        suspectClaims();
        discoverNow = true;
      })
      .finally(() => {
        claiming = null;
        if (!discoverNow) pump();
      });
  }

  async function claimOnce(): Promise<void> {
    const room = Math.min(concurrency - inFlight, DELIVERIES_PER_CLAIM);
    const lanes = ring.take(Math.min(LANES_PER_CLAIM, room));
    const perLane = Math.max(1, Math.floor(room / lanes.length));
    const ready = lanes.map((lane) => ({
      ...lane,
      readyFrom: (readySince.get(nameOf(lane)) ?? 0) - SLOW_COMMIT_SECONDS,
    }));
    const claimedBy = workerId;
    const claims = await claimDeliveries(db, claimedBy, ready, { perLane, webhookConcurrency });
    const taken = new Map<string, number>();
    for (const claim of claims) {
      const name = nameOf(claim);
      const before = taken.get(name) ?? 0;
      taken.set(name, before + 1);
      if (before === 0 || claim.readyAt < (readySince.get(name) ?? 0)) readySince.set(name, claim.readyAt);
    }
    inFlight += claims.length;
    for (const claim of claims) held.set(claim.deliveryId, claim.leaseToken);
    const silent: Lane[] = [];
    for (const lane of lanes) {
      const name = nameOf(lane);
      const count = taken.get(name) ?? 0;
      const busy = count + (underWay.get(name) ?? 0);
      if (busy > 0) underWay.set(name, busy);
      else silent.push(lane);
      // A full share means that there may be more. Less than that means that the lane is empty or its window full, and
      // no window is smaller than WINDOW_MIN but that of a lane in trouble, which can wait for the next discovery.
      if (count === perLane) ring.add(lane);
      else if (busy >= WINDOW_MIN) hungry.set(name, lane);
    }
    if (claims.length > 0) {
      const settings = await settingsOf(claims);
      startLine.add(claims.map((claim) => ({ claim, claimedBy, settings: settings.get(nameOf(claim)) })));
    }
    if (silent.length > 0)
      for (const lane of await closedLanes(db, silent)) closed.set(nameOf(lane), true, { ttl: lane.closedMs });
  }

  async function attempt({ claim, claimedBy, settings }: ReadyDelivery): Promise<void> {
    try {
      const isOurs = claimedBy === workerId && !isSilent();
      const outcome =
        settings && isOurs && !closing ? await attemptDelivery(outbound, settings, claim, schedule) : null;
      if (!outcome) return await giveBack(claim);
      settler.add(outcome.settlement);
      if (outcome.decision.kind === "gone") doom(claim, GONE);
    } catch (error) {
      logger.error({ err: error, delivery_id: claim.deliveryId }, "an attempt failed in a way that should not be");
      await giveBack(claim);
    }
  }

  async function giveBack(claim: ClaimedDelivery): Promise<void> {
    await release(db, [claim]).catch((error) => {
      logger.warn({ err: (error as Error).message }, "cannot give a delivery back; trying again");
      suspectClaims();
    });
    readySince.delete(nameOf(claim));
    ended(claim);
  }

  function suspectClaims(): void {
    connectionLost = true;
  }

  /**
   * Releases what the database says we hold and we know nothing of: as long as our heartbeat goes on nobody else would.
   * A claim may commit while its response is lost; and a crash of PostgreSQL may forget a settle, which does not wait for
   * the disk, and remember the claim before it.
   */
  async function reconcileClaims(): Promise<void> {
    connectionLost = false;
    reconciledAt = performance.now();
    try {
      const listed = await listHeld(db, workerId);
      // The response to a claim in progress may name some of them. One that is settled meanwhile has lost its token.
      await claiming;
      const unknown = listed.filter((claim) => held.get(claim.deliveryId) !== claim.leaseToken);
      if (unknown.length === 0) return;
      await release(db, unknown);
      logger.warn({ deliveries: unknown.length }, "released deliveries whose claim or result the database had lost");
      for (const claim of unknown) {
        readySince.delete(nameOf(claim));
        ring.add(claim);
      }
      pump();
    } catch (error) {
      suspectClaims();
      throw error;
    }
  }

  /** Others may take us for dead by now: nothing new is started. */
  function isSilent(): boolean {
    return performance.now() - beatAt > SELF_FENCE_MS;
  }

  function ended(claim: Pick<ClaimedDelivery, "workspaceId" | "webhookId" | "deliveryId" | "leaseToken">): void {
    inFlight--;
    if (held.get(claim.deliveryId) === claim.leaseToken) held.delete(claim.deliveryId);
    const name = nameOf(claim);
    const left = (underWay.get(name) ?? 1) - 1;
    if (left > 0) underWay.set(name, left);
    else underWay.delete(name);
  }

  /** Settings are kept as long as the version that a claim brings stands still. */
  async function settingsOf(claims: readonly ClaimedDelivery[]): Promise<Map<string, WebhookSettings>> {
    const found = new Map<string, WebhookSettings>();
    const missing = new Map<string, ClaimedDelivery>();
    for (const claim of claims) {
      const name = nameOf(claim);
      const settings = known.get(name);
      if (settings?.version === claim.webhookVersion) found.set(name, settings);
      else missing.set(name, claim);
    }
    if (missing.size === 0) return found;
    const loaded = await readSettings(db, secretBox, [...missing.values()]).catch((error) => {
      logger.error({ err: error }, "cannot read the settings of webhooks");
      return [];
    });
    for (const settings of loaded) {
      const name = nameOf({ workspaceId: settings.workspaceId, webhookId: settings.id });
      known.set(name, settings);
      found.set(name, settings);
    }
    for (const [name, { webhookId }] of missing)
      if (!found.has(name))
        logger.error({ webhook_id: webhookId }, "a webhook's settings cannot be read; it has to wait");
    return found;
  }

  function doom(lane: Lane, reason: string): void {
    const name = nameOf(lane);
    if (doomed.has(name)) return;
    doomed.add(name);
    void disable({ workspaceId: lane.workspaceId, webhookId: lane.webhookId }, reason).finally(() =>
      doomed.delete(name),
    );
  }

  async function disable(lane: Lane, reason: string): Promise<void> {
    while (!closing) {
      try {
        return await options.onDoomed(lane, reason);
      } catch (error) {
        if (error instanceof Fault && error.code === "NOT_FOUND") return;
        logger.warn({ err: (error as Error).message }, "cannot disable a webhook; trying again");
        await sleep(DISABLE_RETRY_MS);
      }
    }
  }

  async function discover(): Promise<void> {
    discoverNow = false;
    for (const lane of await discoverLanes(db)) {
      const name = nameOf(lane);
      closed.delete(name);
      if (lane.readyFrom < (readySince.get(name) ?? 0)) readySince.set(name, lane.readyFrom);
      ring.add(lane);
    }
    if (connectionLost) rescuing.now();
    pump();
  }

  async function heartbeat(): Promise<void> {
    const askedAt = performance.now();
    workers = await beat(heartbeatDb, workerId);
    if (workers === 0) {
      logger.warn({ worker_id: workerId }, "this worker was taken for dead; its unfinished claims were given away");
      workerId = await registerWorker(heartbeatDb, options.workerName);
    }
    beatAt = askedAt;
  }

  async function rescue(): Promise<void> {
    const freed = await rescueOrphans(db, workerId);
    if (freed > 0) {
      logger.warn({ deliveries: freed }, "took up the deliveries of a worker that died");
      readySince.clear();
    }
    if (connectionLost || performance.now() - reconciledAt > RECONCILE_MS) await reconcileClaims();
  }

  db.pool.on("error", suspectClaims);
  const told = (what: string) => (error: Error) => logger.warn({ err: error.message }, `${what} failed; trying again`);
  const discovering = startLoop({
    work: discover,
    pauseMs: DISCOVER_MS,
    pauseMsMax: DISCOVER_MS_MAX,
    onError: told("looking for ready deliveries"),
  });
  const beating = startLoop({
    work: heartbeat,
    pauseMs: HEARTBEAT_MS,
    onError: told("saying that this worker lives"),
  });
  const rescuing = startLoop({ work: rescue, pauseMs: RESCUE_MS, onError: told("looking for dead workers") });

  return {
    wake(lanes) {
      for (const lane of lanes) if (!closed.has(nameOf(lane))) ring.add(lane);
      pump();
    },
    wakeAll: discovering.now,
    stats: () => ({ workers, inFlight, unsettled: settler.pending, lanesWaiting: ring.size, delivered, failed }),
    async close(graceMs = 15_000) {
      closing = true;
      await Promise.all([discovering.close(), rescuing.close()]);
      await claiming;
      await outbound.close({ graceMs });
      const deadline = performance.now() + FLUSH_MS;
      const unsettled = await settler.close(FLUSH_MS);
      if (unsettled > 0) logger.error({ unsettled }, "results could not be written; those deliveries are sent again");
      // What was aborted is being released.
      while (inFlight > unsettled && performance.now() < deadline) await sleep(5);
      await Promise.race([
        beating.close().then(() => leave(db, workerId).catch(() => {})),
        sleep(LEAVE_MS, undefined, { ref: false }),
      ]);
    },
  };
}

const nameOf = ({ workspaceId, webhookId }: Lane): string => `${workspaceId}:${webhookId}`;
