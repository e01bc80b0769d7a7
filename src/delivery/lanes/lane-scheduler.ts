import { createLru } from "../../core/lru.ts";
import type { ClaimedDelivery, ClaimResult, PlannedLane } from "../../queue/claim.ts";
import type { DiscoveredLane } from "../../queue/discover.ts";
import { type Lane, laneName } from "../../queue/lane.ts";
import { createFullWindows } from "./full-windows.ts";
import { createLaneRings, type LaneRings } from "./lane-ring.ts";
import { workspaceRoom } from "./shares.ts";

/** Which lanes are claimed from next, and how much of each. Holds no connection and starts nothing. */
export interface LaneScheduler {
  /** These lanes may have ready work. */
  wake(lanes: readonly Lane[]): void;
  /** These lanes have ready work according to the database. Those that are not our own are left to others until overdue. */
  discovered(lanes: readonly DiscoveredLane[]): void;
  /** The lanes of the next claim, within the free slots and the shares of their workspaces. They have had their turn. */
  plan(): readonly PlannedLane[];
  /** Records what the claim of a plan brought. Returns the lanes with nothing in flight: their breaker may be open. */
  claimed(plan: readonly PlannedLane[], result: ClaimResult): Lane[];
  /** Nothing can be claimed from the lane for this long. */
  markBreakerOpen(lane: Lane, ms: number): void;
  /** A delivery that was held here has been settled or released: if the lane's window was full, it has room now. */
  ended(lane: Lane): void;
  /** Deliveries of this lane are ready again, with a `next_attempt_at` in the past. */
  released(lane: Lane): void;
  /** The same for any lane: deliveries of crashed workers are ready again. */
  rescued(): void;
  /** Whether something may wait for results of this lane: its window is full, or more than half of the slots are taken. */
  isWaitedFor(lane: Lane): boolean;
  /** Whether the next plan has room for the lane: there are free slots, within the share of its workspace. */
  hasRoom(lane: Lane): boolean;
  /** Whether deliveries of the workspace are in flight here. */
  hasInFlight(workspaceId: number): boolean;
  /**
   * Reserves up to `most` slots for an early claim. While no lane waits for its turn or is claimed from: as many as fit
   * into half of the slots, because the statement may wait for a lock. Otherwise only for a workspace that has nothing
   * waiting and nothing in flight, and no more than 1 in QUIET_SHARE slots for all of those.
   */
  reserve(workspaceId: number, most: number): number;
  /** These were claimed; the other slots of the reservation are free again. */
  endReservation(reserved: number, deliveries: readonly ClaimedDelivery[]): void;
  readonly waiting: number;
  readonly inFlight: number;
}

interface SchedulerOptions {
  /** Attempts in flight at once in this process. */
  slots: number;
  /** Whether anything may be sent to this lane now. A lane that is refused comes back with the next discovery. */
  admits: (lane: Lane) => boolean;
  /** Whether this worker is the lane's preferred one: the one that claims from it first. */
  isOwn: (lane: Lane) => boolean;
}

const LANES_PER_CLAIM = 64;
const DELIVERIES_PER_CLAIM = 256;
/** While others are busy, early claims of quiet workspaces may reserve one slot in this many. */
const QUIET_SHARE = 16;
const LANES_REMEMBERED = 20_000;
/** `next_attempt_at` is when the delivery's transaction began; its commit makes it visible, rarely more than this later. */
const SLOW_COMMIT_SECONDS = 1;

export function createLaneScheduler({ slots, admits, isOwn }: SchedulerOptions): LaneScheduler {
  /** The lanes that wait for their turn: our own, and those of other workers, which are mostly taken after our own. */
  const rings = createLaneRings(isOwn);
  /** Lanes whose window is full, and lanes that get their next turn when one of their attempts here has ended. */
  const windows = createFullWindows();
  const inFlight = createInFlight();
  /** Lanes whose breaker is open, for as long as it is: waking them for each new event would achieve nothing. */
  const openBreakers = createLru<string, true>(LANES_REMEMBERED);
  const readyTimes = createReadyTimes();
  /** The lanes of the claim in progress, or of the last one if it failed. */
  let planned: readonly PlannedLane[] = [];

  return {
    get waiting() {
      return rings.size;
    },
    get inFlight() {
      return inFlight.total;
    },
    wake(lanes) {
      for (const lane of lanes) if (!openBreakers.has(laneName(lane)) && !windows.isFull(lane)) rings.add(lane);
    },
    discovered(lanes) {
      for (const lane of lanes) {
        if (!lane.isOverdue && !isOwn(lane)) continue;
        const name = laneName(lane);
        openBreakers.delete(name);
        windows.clear(lane);
        readyTimes.lower(name, lane.readyFrom);
        rings.add(lane);
      }
    },
    plan() {
      const free = Math.min(slots - inFlight.slotsTaken, DELIVERIES_PER_CLAIM);
      windows.claimStarts();
      planned = free > 0 ? planLanes({ rings, admits, readyTimes }, free, createShares(slots, inFlight)) : [];
      return planned;
    },
    claimed(plan, result) {
      planned = [];
      const brought = inFlight.begin(result.deliveries);
      readyTimes.claimed(result.deliveries);
      // As many as asked for: there may be more. Fewer: the lane is empty, or its window is full.
      for (const lane of plan) if (brought.get(laneName(lane)) === lane.claimMax) rings.add(lane);
      for (const lane of result.blockedIn) rings.add(lane);
      for (const lane of result.full) {
        // An attempt may have ended while the claim ran, too late for the claim to see the room.
        if (windows.gotRoomSinceClaim(lane)) {
          rings.add(lane);
          continue;
        }
        windows.markFull(lane);
        // Where only other workers have attempts in flight, the next discovery finds the lane.
        if (inFlight.ofLane(lane) > 0) windows.waitForRoom(lane);
      }
      return plan.filter((lane) => inFlight.ofLane(lane) === 0);
    },
    markBreakerOpen: (lane, ms) => void openBreakers.set(laneName(lane), true, { ttl: Math.max(1, Math.ceil(ms)) }),
    ended(lane) {
      inFlight.end(lane);
      const waitedForRoom = windows.clear(lane);
      if (waitedForRoom) rings.add(lane);
    },
    isWaitedFor: (lane) => windows.isWaiting(lane) || inFlight.slotsTaken > slots / 2,
    hasRoom: (lane) => createShares(slots, inFlight).hasRoom(lane.workspaceId),
    hasInFlight: (workspaceId) => inFlight.ofWorkspace(workspaceId) > 0,
    reserve: (workspaceId, most) => reserveSlots({ slots, rings, inFlight, planned }, workspaceId, most),
    endReservation: inFlight.endReservation,
    released: (lane) => readyTimes.forget(laneName(lane)),
    rescued: () => readyTimes.clear(),
  };
}

interface Occupancy {
  slots: number;
  rings: LaneRings;
  inFlight: InFlight;
  /** What the claim in progress may take. */
  planned: readonly PlannedLane[];
}

function reserveSlots({ slots, rings, inFlight, planned }: Occupancy, workspaceId: number, most: number): number {
  if (rings.size === 0 && planned.length === 0) return inFlight.reserve(most, slots / 2);
  const isQuiet = inFlight.ofWorkspace(workspaceId) === 0 && !rings.has(workspaceId);
  if (!isQuiet || planned.some((lane) => lane.workspaceId === workspaceId)) return 0;
  const claimedNow = planned.reduce((sum, lane) => sum + lane.claimMax, 0);
  return inFlight.reserve(Math.min(most, slots / QUIET_SHARE - inFlight.reserved), slots - claimedNow);
}

interface LaneSources {
  rings: LaneRings;
  admits: SchedulerOptions["admits"];
  readyTimes: ReadyTimes;
}

function planLanes(sources: LaneSources, free: number, shares: Shares): PlannedLane[] {
  return spread(takeLanes(sources, Math.min(free, LANES_PER_CLAIM), shares), free, shares);
}

/** Takes up to `max` lanes in the order of their turns and plans one delivery of each; `spread` adds the others. */
function takeLanes({ rings, admits, readyTimes }: LaneSources, max: number, shares: Shares): PlannedLane[] {
  const lanes: PlannedLane[] = [];
  // Our own lanes, or those of other workers. Lanes of a workspace without room keep their position.
  const ring = rings.next(shares.hasRoom);
  let isOneRefused = false;
  while (lanes.length < max) {
    const [lane] = ring.take(1, shares.hasRoom);
    if (!lane) break;
    // A lane that may not be sent to leaves the ring too: others take its turn.
    if (admits(lane)) lanes.push({ ...lane, readyFrom: readyTimes.lookBackTo(lane), claimMax: shares.give(lane, 1) });
    else isOneRefused = true;
  }
  // Every lane of this ring was refused and has left it: the other ring may have one that is not.
  return lanes.length === 0 && isOneRefused ? takeLanes({ rings, admits, readyTimes }, max, shares) : lanes;
}

/**
 * How much of each lane to claim: one at least, and an equal part of the free slots within its workspace's share. That is
 * given one by one in turns: otherwise the first lanes of a workspace would take its whole share in every claim.
 */
function spread(lanes: PlannedLane[], free: number, shares: Shares): PlannedLane[] {
  const perLane = Math.floor(free / Math.max(1, lanes.length));
  for (let turn = 1; turn < perLane; turn++) for (const lane of lanes) lane.claimMax += shares.give(lane, 1);
  return lanes;
}

/** The deliveries that this process has claimed and not settled or released yet. */
function createInFlight() {
  const byLane = new Map<string, number>();
  const byWorkspace = new Map<number, number>();
  let total = 0;
  let reservedSlots = 0;
  /** Returns how many of these each lane has. */
  function begin(deliveries: readonly ClaimedDelivery[]): Map<string, number> {
    const taken = new Map<string, number>();
    for (const claim of deliveries) {
      const name = laneName(claim);
      add(taken, name, 1);
      add(byLane, name, 1);
      add(byWorkspace, claim.workspaceId, 1);
    }
    total += deliveries.length;
    return taken;
  }
  return {
    get total() {
      return total;
    },
    /** By these and by reservations. */
    get slotsTaken() {
      return total + reservedSlots;
    },
    ofLane: (lane: Lane): number => byLane.get(laneName(lane)) ?? 0,
    ofWorkspace: (workspaceId: number): number => byWorkspace.get(workspaceId) ?? 0,
    begin,
    get reserved() {
      return reservedSlots;
    },
    /** Takes up to `most` slots, as long as no more than `takenMax` are taken then. */
    reserve(most: number, takenMax: number): number {
      const reserved = Math.max(0, Math.floor(Math.min(most, takenMax - total - reservedSlots)));
      reservedSlots += reserved;
      return reserved;
    },
    endReservation(reserved: number, deliveries: readonly ClaimedDelivery[]): void {
      reservedSlots -= reserved;
      begin(deliveries);
    },
    end(lane: Lane): void {
      total--;
      add(byLane, laneName(lane), -1);
      add(byWorkspace, lane.workspaceId, -1);
    },
  };
}

/**
 * Per lane, when the oldest delivery of its last claim had become ready. The next claim starts to read the index of ready
 * deliveries there, less SLOW_COMMIT_SECONDS. From the front of the index it would also read the entries of finished
 * deliveries, which the database cannot remove while a long transaction holds its snapshot open. A delivery may still
 * appear with an earlier time (a commit that was slower, a rescue): the discovery finds it and lowers the lane's time.
 */
function createReadyTimes() {
  const times = createLru<string, number>(LANES_REMEMBERED);
  const of = (name: string): number => times.get(name) ?? 0;
  const lower = (name: string, readyAt: number): void => {
    if (readyAt < of(name)) times.set(name, readyAt);
  };
  return {
    /** What became ready before this is not looked at. */
    lookBackTo: (lane: Lane): number => of(laneName(lane)) - SLOW_COMMIT_SECONDS,
    lower,
    claimed(deliveries: readonly ClaimedDelivery[]): void {
      const seen = new Set<string>();
      for (const claim of deliveries) {
        const name = laneName(claim);
        if (seen.has(name)) lower(name, claim.readyAt);
        else times.set(name, claim.readyAt);
        seen.add(name);
      }
    },
    forget: (name: string) => void times.delete(name),
    clear: () => times.clear(),
  };
}

type InFlight = ReturnType<typeof createInFlight>;
type ReadyTimes = ReturnType<typeof createReadyTimes>;

interface Shares {
  hasRoom: (workspaceId: number) => boolean;
  /** Takes up to `most` from what is left for the lane's workspace, and returns how much that was. */
  give: (lane: Lane, most: number) => number;
}

/**
 * What one plan may take of the free slots, workspace by workspace: a workspace may have in flight a multiple of the slots
 * that are then still free (`workspaceRoom`), so that none can take them all.
 */
function createShares(slots: number, inFlight: InFlight): Shares {
  let planned = 0;
  const plannedByWorkspace = new Map<number, number>();
  const roomOf = (workspaceId: number): number => {
    const ofWorkspace = inFlight.ofWorkspace(workspaceId) + (plannedByWorkspace.get(workspaceId) ?? 0);
    return workspaceRoom(slots, inFlight.slotsTaken + planned, ofWorkspace);
  };
  return {
    hasRoom: (workspaceId) => roomOf(workspaceId) > 0,
    give(lane, most) {
      const room = Math.max(0, Math.min(most, roomOf(lane.workspaceId)));
      planned += room;
      add(plannedByWorkspace, lane.workspaceId, room);
      return room;
    },
  };
}

/** What is zero is not kept. */
function add<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const count = Math.max(0, (counts.get(key) ?? 0) + change);
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
