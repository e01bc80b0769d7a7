import { Fault } from "../core/errors.ts";
import { createFairQueue } from "../core/fair-queue.ts";

/** Transactions of one workspace that may wait for their turn on this node. */
const WAITING_MAX = 500;

/**
 * A transaction that waits for a row which another one has locked holds its connection meanwhile. Those of one workspace
 * may therefore hold half of the connections, and a quarter while another workspace writes too: callers who all change the
 * same rows wait for each other without a connection, and the others find one. What is returned resolves with the end of
 * the turn when a transaction of the workspace may take a connection.
 */
export function createTransactionShares(poolSize: number): (workspaceId: number | undefined) => Promise<() => void> {
  const shares = createFairQueue({
    perKey: Math.max(1, Math.floor(poolSize / 2)),
    perContendedKey: Math.max(1, Math.floor(poolSize / 4)),
    waitingPerKeyMax: WAITING_MAX,
    onFull: () =>
      new Fault("RATE_LIMIT_EXCEEDED", "Too many changes of this workspace are in progress. Try again soon."),
  });
  return (workspaceId) => (workspaceId === undefined ? UNBOUNDED : shares.enter(workspaceId));
}

const UNBOUNDED = Promise.resolve(() => {});
