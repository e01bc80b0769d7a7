import { createRecentKeys } from "../core/recent-keys.ts";

/**
 * Attempts of a workspace that has many in flight make room for others: while another workspace, with few in flight, gets
 * deliveries too, they are started at such a pace that the event loop is idle most of the time. Without that, each message
 * of the other one waits for the processors in every step.
 */
export interface Pacing {
  /** Whether an attempt of this workspace may start now. */
  admits(workspaceId: number): boolean;
  started(workspaceId: number): void;
  /** How long until what was refused may start. */
  readonly waitMs: number;
}

interface PacingOptions {
  /** How many attempts the workspace has in flight. */
  inFlightOf: (workspaceId: number) => number;
  now?: () => number;
  /** How long the event loop was active and idle so far, in milliseconds. */
  loopTimes?: () => { active: number; idle: number };
}

/** A workspace with more attempts in flight makes room for those with fewer. */
const FEW = 16;
/** As many are started before the next pause. */
const GROUP = 16;
/** The event loop is to be idle for this many times as long as it is active. */
const IDLE_PER_ACTIVE = 3;
/** However busy the process is with other work, the next group is started after this time. */
const PAUSE_MS_MAX = 24;

export function createPacing({
  inFlightOf,
  now = () => performance.now(),
  loopTimes = () => performance.eventLoopUtilization(),
}: PacingOptions): Pacing {
  /** Workspaces that started an attempt while they had few in flight. */
  const quiet = createRecentKeys(now);
  let pausedUntil = 0;
  let startedInGroup = 0;
  let owedMs = 0;
  let last = loopTimes();

  const makesRoom = (workspaceId: number): boolean => inFlightOf(workspaceId) > FEW && quiet.hasOther(workspaceId);

  /** How much longer the event loop should have been idle. */
  function pauseMs(): number {
    const times = loopTimes();
    owedMs += (times.active - last.active) * IDLE_PER_ACTIVE - (times.idle - last.idle);
    owedMs = Math.min(Math.max(owedMs, 0), PAUSE_MS_MAX);
    last = times;
    return owedMs;
  }

  return {
    admits: (workspaceId) => now() >= pausedUntil || !makesRoom(workspaceId),
    started(workspaceId) {
      if (inFlightOf(workspaceId) <= FEW) quiet.remember(workspaceId);
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
