import type { Lane } from "../../queue/lane.ts";

/**
 * The lanes that may have ready work, in the order in which they get their turn: workspaces take turns, and the webhooks
 * of a workspace take turns within it. A workspace with ten thousand busy webhooks thus weighs as much as one with one.
 */
interface LaneRing {
  add(lane: Lane): void;
  /**
   * The next lanes, which leave the ring; one that has more work afterwards is added again, at the end. Workspaces that
   * `admits` refuses keep their position.
   */
  take(max: number, admits?: (workspaceId: number) => boolean): Lane[];
  /** Whether there is a lane of such a workspace. */
  hasAny(admits: (workspaceId: number) => boolean): boolean;
  has(workspaceId: number): boolean;
  readonly size: number;
}

/** This worker's own lanes, and lanes of other workers that are busy or gone: this one helps with them. */
export interface LaneRings {
  add(lane: Lane): void;
  /** The ring that the next plan is for: it has lanes of a workspace that `admits` accepts, if one of the rings does. */
  next(admits: (workspaceId: number) => boolean): LaneRing;
  /** Whether lanes of this workspace wait for their turn. */
  has(workspaceId: number): boolean;
  readonly size: number;
}

/** Every 16th plan is for the lanes of other workers first, so that none waits forever while this worker has its own. */
const OTHERS_FIRST_EVERY = 16;

export function createLaneRings(isOwn: (lane: Lane) => boolean): LaneRings {
  const own = createLaneRing();
  const others = createLaneRing();
  let plans = 0;
  return {
    get size() {
      return own.size + others.size;
    },
    add: (lane) => (isOwn(lane) ? own : others).add(lane),
    next(admits) {
      const [first, second] = ++plans % OTHERS_FIRST_EVERY === 0 ? [others, own] : [own, others];
      return first.hasAny(admits) ? first : second;
    },
    has: (workspaceId) => own.has(workspaceId) || others.has(workspaceId),
  };
}

export function createLaneRing(): LaneRing {
  // Maps and sets keep the order of insertion, so the first entry is the one that has waited longest.
  const workspaces = new Map<number, Set<number>>();
  let size = 0;

  function takeFrom(workspaceId: number, lanes: Set<number>): Lane {
    const [webhookId] = lanes as unknown as [number];
    lanes.delete(webhookId);
    // To the end of the line, with what it has left.
    workspaces.delete(workspaceId);
    if (lanes.size > 0) workspaces.set(workspaceId, lanes);
    size--;
    return { workspaceId, webhookId };
  }

  return {
    get size() {
      return size;
    },
    add({ workspaceId, webhookId }) {
      const lanes = workspaces.get(workspaceId) ?? new Set();
      if (lanes.has(webhookId)) return;
      lanes.add(webhookId);
      workspaces.set(workspaceId, lanes);
      size++;
    },
    hasAny(admits) {
      for (const workspaceId of workspaces.keys()) if (admits(workspaceId)) return true;
      return false;
    },
    has: (workspaceId) => workspaces.has(workspaceId),
    take(max, admits = () => true) {
      const taken: Lane[] = [];
      // A workspace that is taken from moves to the end, and so comes up again in the same iteration.
      for (const [workspaceId, lanes] of workspaces) {
        if (taken.length >= max) break;
        if (admits(workspaceId)) taken.push(takeFrom(workspaceId, lanes));
      }
      return taken;
    },
  };
}
