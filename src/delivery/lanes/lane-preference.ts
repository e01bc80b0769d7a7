import type { Lane } from "../../queue/lane.ts";
import type { Claimer } from "../../queue/workers.ts";

/**
 * Each lane has one preferred worker, and only that one claims from it at a wake-up: if every worker tried each lane that
 * has new work, all but one would find it empty. All workers compute the same one from the list of workers, without asking
 * each other. A worker that joins or leaves moves only the lanes that it gets or had (rendezvous hashing), and each gets a
 * part that fits its concurrency.
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

/** Whether this worker is the preferred one of a lane, which is then called one of its own lanes. */
export const isOwnLane = (
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
