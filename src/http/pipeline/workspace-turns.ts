import { Fault } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { RouteSpec } from "./route.ts";

/** Requests of one workspace that may wait for their turn on this node. */
const WAITING_MAX = 500;
/** Writes are short, and many of them at once are written together. */
const WRITES_PER_CONNECTION = 8;

export interface WorkspaceTurns {
  /** Runs the handler of a request when its workspace may use the database. */
  run<T>(spec: RouteSpec, workspaceId: number | undefined, work: () => Promise<T>): Promise<T>;
  /** The same for the reads of a handler that otherwise waits outside. */
  read<T>(workspaceId: number, work: () => Promise<T>): Promise<T>;
}

/**
 * Bounds the database work of one workspace on this node: its reads use at most two thirds of the connections, and a
 * quarter while another workspace reads too, so that one that searches without end leaves the others connections and cores.
 * All visitors of a workspace together use a quarter: they leave room for its own people.
 */
export function createWorkspaceTurns(poolSize: number): WorkspaceTurns {
  const share = (perKey: number, perContendedKey = perKey) =>
    createFairQueue({
      perKey,
      perContendedKey,
      waitingPerKeyMax: WAITING_MAX,
      onFull: () =>
        new Fault("RATE_LIMIT_EXCEEDED", "Too many requests of this workspace are in progress. Try again soon."),
    });
  const reads = share(Math.max(1, Math.floor((poolSize * 2) / 3)), Math.max(1, Math.floor(poolSize / 4)));
  const writes = share(poolSize * WRITES_PER_CONNECTION);
  const visitors = share(Math.max(1, Math.floor(poolSize / 4)));
  return {
    run(spec, workspaceId, work) {
      if (workspaceId === undefined || spec.success.streamed || spec.waitsOutside) return work();
      const queue = spec.visitor ? visitors : isRead(spec) ? reads : writes;
      return queue.run(workspaceId, work);
    },
    read: (workspaceId, work) => reads.run(workspaceId, work),
  };
}

export const isRead = ({ method, onlyReads }: RouteSpec): boolean => method === "GET" || onlyReads === true;
