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
  /** A server that needs longer for what it was asked for is slow. */
  slowMs: number;
  /** Mails of slow servers, in addition. */
  slowAtOnce: number;
  /** Mails of one workspace, those of slow servers included. */
  allPerWorkspace: number;
  waitingPerWorkspaceMax: number;
}

/**
 * Bounds how many mails are in memory at once. Workspaces take turns. A server that takes long, or sends a few bytes at a
 * time, keeps a turn for `slowMs` only: what it sends afterwards is bounded by itself. Where no room is left for it, one of
 * the workspace that has most of them is disconnected.
 */
export function createFetchTurns(bounds: Bounds): InTurn {
  const workspaces = createFairQueue({
    perKey: bounds.allPerWorkspace,
    waitingPerKeyMax: bounds.waitingPerWorkspaceMax,
    onFull: () => new Error("Too many mailboxes of this workspace wait for their turn."),
  });
  const turns = createFairQueue({ concurrency: bounds.atOnce, perKey: bounds.perWorkspace });
  const slow = createSlowReads(bounds);

  async function inOneTurn<T>(workspaceId: number, work: (turn: Turn) => Promise<T>): Promise<T> {
    let leave = await turns.enter(workspaceId);
    const fetch: Turn["fetch"] = async (read) => {
      const reading = read();
      if (!(await isSlow(reading, bounds.slowMs))) return reading;
      const place = slow.enter(workspaceId);
      leave();
      leave = () => {};
      try {
        return await Promise.race([reading, place.lost]);
      } finally {
        leave = await turns.enter(workspaceId);
        place.leave();
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

interface SlowRead {
  workspaceId: number;
  disconnect(error: Error): void;
}

/** The places of what slow servers send. */
function createSlowReads({ slowAtOnce, allPerWorkspace }: Bounds) {
  /** In the order in which they came. */
  const reads = new Set<SlowRead>();
  const of = (workspaceId: number) => [...reads].filter((read) => read.workspaceId === workspaceId);
  const tooSlow = () => Object.assign(new Error("The server is slow."), { code: "ETIMEOUT" });

  /** The oldest one of the workspace that has most, if that has more than this one would have. */
  function makeRoom(workspaceId: number): void {
    const most = [...reads].reduce<SlowRead[]>((found, read) => {
      const all = of(read.workspaceId);
      return all.length > found.length ? all : found;
    }, []);
    const [oldest] = most;
    if (!oldest || most.length <= of(workspaceId).length + 1) throw tooSlow();
    reads.delete(oldest);
    oldest.disconnect(tooSlow());
  }

  return {
    enter(workspaceId: number) {
      if (of(workspaceId).length >= allPerWorkspace) throw tooSlow();
      if (reads.size >= slowAtOnce) makeRoom(workspaceId);
      let disconnect: SlowRead["disconnect"] = () => {};
      const lost = new Promise<never>((_, reject) => {
        disconnect = reject;
      });
      const read = { workspaceId, disconnect };
      reads.add(read);
      return { lost, leave: () => void reads.delete(read) };
    },
  };
}

async function isSlow(reading: Promise<unknown>, slowMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(slowMs, true, { signal: timer.signal }).catch(() => false);
  const done = reading.then(
    () => false,
    () => false,
  );
  const result = await Promise.race([late, done]);
  timer.abort();
  return result;
}
