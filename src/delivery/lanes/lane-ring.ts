import type { Lane } from "../../queue/lane.ts";

/** Every 16th plan is for the lanes of other workers first, so that none waits forever while this worker has its own. */
const OTHERS_FIRST_EVERY = 16;

type Admits = (workspaceId: number) => boolean;

export type LaneRings = ReturnType<typeof createLaneRings>;

/** This worker's own lanes, and lanes of other workers that are busy or gone: this one helps with them. */
export function createLaneRings(isOwn: (lane: Lane) => boolean) {
  const own = createLaneRing();
  const others = createLaneRing();
  let plans = 0;
  return {
    get size(): number {
      return own.size + others.size;
    },
    add: (lane: Lane): void => (isOwn(lane) ? own : others).add(lane),
    /** The ring that the next plan is for: it has lanes of a workspace that `admits` accepts, if one of the rings does. */
    next(admits: Admits) {
      const [first, second] = ++plans % OTHERS_FIRST_EVERY === 0 ? [others, own] : [own, others];
      return first.hasAny(admits) ? first : second;
    },
    /** Whether lanes of this workspace wait for their turn. */
    has: (workspaceId: number): boolean => own.has(workspaceId) || others.has(workspaceId),
  };
}

/**
 * The lanes that may have ready work, in the order in which they get their turn: workspaces take turns, and the webhooks
 * of a workspace take turns within it. A workspace with ten thousand busy webhooks thus weighs as much as one with one.
 */
export function createLaneRing() {
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
    get size(): number {
      return size;
    },
    add({ workspaceId, webhookId }: Lane): void {
      const lanes = workspaces.get(workspaceId) ?? new Set();
      if (lanes.has(webhookId)) return;
      lanes.add(webhookId);
      workspaces.set(workspaceId, lanes);
      size++;
    },
    /** Whether there is a lane of such a workspace. */
    hasAny(admits: Admits): boolean {
      for (const workspaceId of workspaces.keys()) if (admits(workspaceId)) return true;
      return false;
    },
    has: (workspaceId: number): boolean => workspaces.has(workspaceId),
    /**
     * The next lanes, which leave the ring; one that has more work afterwards is added again, at the end. Workspaces that
     * `admits` refuses keep their position.
     */
    take(max: number, admits: Admits = () => true): Lane[] {
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
