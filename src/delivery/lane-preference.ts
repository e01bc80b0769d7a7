import type { Lane } from "../queue/lane.ts";
import type { Claimer } from "../queue/workers.ts";

/**
 * Which of several workers claims from a lane. All compute the same one from the list of workers, without asking each
 * other, and a worker that joins or leaves moves only the lanes that it gets or had (rendezvous hashing); each gets a
 * part that fits its concurrency. Otherwise every worker would try each lane that has new work, and all but one would
 * find it empty.
 */
export function preferredWorker(lane: Lane, claimers: readonly Claimer[]): number | undefined {
  let preferred: number | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { workerId, concurrency } of claimers) {
    const score = -concurrency / Math.log(fractionOf(lane.webhookId, workerId));
    if (score <= highest) continue;
    highest = score;
    preferred = workerId;
  }
  return preferred;
}

/** Whether a lane prefers this worker. */
export const prefersWorker = (
  lane: Lane,
  { workerId, claimers }: { workerId: number; claimers: readonly Claimer[] },
): boolean => preferredWorker(lane, claimers) === workerId;

/** Mixes both ids, with the multipliers and shifts of MurmurHash3's last step, into a number between 0 and 1. */
function fractionOf(webhookId: number, workerId: number): number {
  let hash = webhookId ^ Math.imul(workerId, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}
