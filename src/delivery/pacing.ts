import { createRecentKeys } from "../core/recent-keys.ts";

/**
 * A workspace that starts many attempts yields to others: while one that starts few gets deliveries too, those of the
 * first are started at such a pace that the event loop is idle most of the time. Without that, each message of the other
 * one waits for the processors in every step.
 */
export interface Pacing {
  /** Whether an attempt of this workspace may start now. */
  admits(workspaceId: number): boolean;
  started(workspaceId: number): void;
  /** How long until what was refused may start. */
  readonly waitMs: number;
}

interface PacingOptions {
  now?: () => number;
  /** How long the event loop was active and idle so far, in milliseconds. */
  loopTimes?: () => { active: number; idle: number };
}

/** A workspace that starts more attempts in a second yields to those that start fewer. */
const FEW_PER_SECOND = 128;
/** This many are started before each pause. */
const GROUP = 16;
/** The event loop is to be idle for this many times as long as it is active. */
const IDLE_PER_ACTIVE = 3;
/** However busy the process is with other work, the next group is started after this time. */
const PAUSE_MS_MAX = 24;

export function createPacing({
  now = () => performance.now(),
  loopTimes = () => performance.eventLoopUtilization(),
}: PacingOptions = {}): Pacing {
  const starts = countPerSecond(now);
  /** Workspaces that started an attempt and start few. */
  const quiet = createRecentKeys(now);
  let pausedUntil = 0;
  let startedInGroup = 0;
  let owedMs = 0;
  let last = loopTimes();

  const isBusy = (workspaceId: number): boolean => starts.most(workspaceId) > FEW_PER_SECOND;
  const yieldsToOthers = (workspaceId: number): boolean => isBusy(workspaceId) && quiet.hasOther(workspaceId);

  /** How much longer the event loop should have been idle. */
  function pauseMs(): number {
    const times = loopTimes();
    owedMs += (times.active - last.active) * IDLE_PER_ACTIVE - (times.idle - last.idle);
    owedMs = Math.min(Math.max(owedMs, 0), PAUSE_MS_MAX);
    last = times;
    return owedMs;
  }

  return {
    admits: (workspaceId) => now() >= pausedUntil || !yieldsToOthers(workspaceId),
    started(workspaceId) {
      starts.add(workspaceId);
      if (!isBusy(workspaceId)) quiet.remember(workspaceId);
      else if (quiet.hasOther(workspaceId) && ++startedInGroup >= GROUP) {
        startedInGroup = 0;
        pausedUntil = now() + pauseMs();
      }
    },
    get waitMs() {
      return Math.max(0, pausedUntil - now());
    },
  };
}

/** How many there were per key, in this second and in the one before. */
function countPerSecond(now: () => number) {
  let second = 0;
  let current = new Map<number, number>();
  let previous = new Map<number, number>();

  function turn(): void {
    const latest = Math.floor(now() / 1_000);
    if (latest === second) return;
    previous = latest === second + 1 ? current : new Map();
    current = new Map();
    second = latest;
  }

  return {
    add(key: number): void {
      turn();
      current.set(key, (current.get(key) ?? 0) + 1);
    },
    /** The higher one of the two counts. */
    most(key: number): number {
      turn();
      return Math.max(current.get(key) ?? 0, previous.get(key) ?? 0);
    },
  };
}
