import type { Lane } from "../queue/lane.ts";

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
  readonly size: number;
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
