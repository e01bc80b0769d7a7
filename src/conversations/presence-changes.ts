import type { PresenceChange } from "./presence.ts";

/** A first change is sent at once; a busy workspace gets no more than five frames per second. */
const GATHER_MS = 200;
/** Per workspace and frame. What is left out is seen by the next announcement of the readers, seconds later. */
const CHANGES_MAX = 100;

/** Collects changes of presence and hands them on per workspace: a workspace gets at most one frame per GATHER_MS. */
export function gatherPresenceChanges(
  send: (workspaceId: number, changes: readonly PresenceChange[]) => void,
): (change: PresenceChange) => void {
  const gathered = new Map<number, Map<string, PresenceChange>>();
  let isWaiting = false;
  let lastSentAt = Number.NEGATIVE_INFINITY;

  function flush(): void {
    isWaiting = false;
    lastSentAt = performance.now();
    const all = [...gathered];
    gathered.clear();
    for (const [workspaceId, changes] of all) send(workspaceId, [...changes.values()]);
  }

  return (change) => {
    const changes = gathered.get(change.workspaceId) ?? new Map<string, PresenceChange>();
    gathered.set(change.workspaceId, changes);
    if (changes.size < CHANGES_MAX) changes.set(`${change.conversationId}:${change.userId}`, change);
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(flush, Math.max(0, lastSentAt + GATHER_MS - performance.now())).unref();
  };
}
