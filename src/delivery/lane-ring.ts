export interface Lane {
  workspaceId: number;
  webhookId: number;
}

/**
 * The lanes that may have ready work, in the order in which they get their turn: workspaces take turns, and the webhooks
 * of a workspace take turns within it. A workspace with ten thousand busy webhooks thus weighs as much as one with one.
 */
export interface LaneRing {
  add(lane: Lane): void;
  /** The next lanes, which leave the ring; whoever has more work afterwards is added again, at the end. */
  take(max: number): Lane[];
  readonly size: number;
}

export function createLaneRing(): LaneRing {
  // Maps and sets keep the order of insertion, so the first entry is the one that has waited longest.
  const workspaces = new Map<number, Set<number>>();
  let size = 0;
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
    take(max) {
      const taken: Lane[] = [];
      while (taken.length < max && size > 0) {
        const [workspaceId, lanes] = workspaces.entries().next().value as [number, Set<number>];
        const [webhookId] = lanes as unknown as [number];
        lanes.delete(webhookId);
        // To the end of the line, with what it has left.
        workspaces.delete(workspaceId);
        if (lanes.size > 0) workspaces.set(workspaceId, lanes);
        size--;
        taken.push({ workspaceId, webhookId });
      }
      return taken;
    },
  };
}
