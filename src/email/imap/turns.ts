import { setTimeout as sleep } from "node:timers/promises";
import { createFairQueue } from "../../core/fair-queue.ts";

/** The turn of one mail, from its first byte to its commit. */
export interface Turn {
  /** Waits for the server. Where that takes long, others have the turn meanwhile. */
  fetch<T>(read: () => Promise<T>): Promise<T>;
}

export type InTurn = <T>(workspaceId: number, work: (turn: Turn) => Promise<T>) => Promise<T>;

interface Bounds {
  /** Mails that are fetched and stored at once: each is in memory as a whole. */
  atOnce: number;
  perWorkspace: number;
  /** Mails of slow servers, in addition. */
  slowAtOnce: number;
  /** Mails of one workspace, those of slow servers included. */
  allPerWorkspace: number;
  waitingPerWorkspaceMax: number;
}

/** A server that needs longer for what it was asked for is slow. */
const SLOW_MS = 2_000;

/**
 * Bounds how many mails are in memory at once. Workspaces take turns. A server that sends a few bytes at a time keeps a turn
 * for two seconds only: what it sends afterwards is bounded by itself, and a server for which no room is left is disconnected.
 */
export function createFetchTurns(bounds: Bounds): InTurn {
  const workspaces = createFairQueue({
    perKey: bounds.allPerWorkspace,
    waitingPerKeyMax: bounds.waitingPerWorkspaceMax,
    onFull: () => new Error("Too many mailboxes of this workspace wait for their turn."),
  });
  const turns = createFairQueue({ concurrency: bounds.atOnce, perKey: bounds.perWorkspace });
  const slow = createFairQueue({ concurrency: bounds.slowAtOnce, perKey: bounds.allPerWorkspace });

  async function inOneTurn<T>(workspaceId: number, work: (turn: Turn) => Promise<T>): Promise<T> {
    let leave = await turns.enter(workspaceId);
    const fetch: Turn["fetch"] = async (read) => {
      const reading = read();
      if (!(await isSlow(reading))) return reading;
      const leaveSlow = slow.enterNow(workspaceId);
      if (!leaveSlow) throw Object.assign(new Error("The server is slow."), { code: "ETIMEOUT" });
      leave();
      leave = () => {};
      try {
        return await reading;
      } finally {
        leave = await turns.enter(workspaceId);
        leaveSlow();
      }
    };
    try {
      return await work({ fetch });
    } finally {
      leave();
    }
  }

  return (workspaceId, work) => workspaces.run(workspaceId, () => inOneTurn(workspaceId, work));
}

async function isSlow(reading: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(SLOW_MS, true, { signal: timer.signal }).catch(() => false);
  const done = reading.then(
    () => false,
    () => false,
  );
  const result = await Promise.race([late, done]);
  timer.abort();
  return result;
}
