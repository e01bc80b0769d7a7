/**
 * How the slots of one process (attempts in flight at once) are shared. Every process applies these rules on its own, so they
 * hold over any number of them.
 */

/**
 * A workspace may have this many times as many attempts in flight as there are free slots. A lone workspace thus fills 7/8
 * of the slots, which is full speed, and the rest stays free for others; each further greedy workspace leaves fewer free
 * slots, but always some. A workspace that needs only a few, because its receivers respond, finds them at once.
 */
const FREE_SLOTS_MULTIPLE = 7;

/** How many more attempts a workspace may start, so that the rule still holds when they are in flight. */
export function workspaceRoom(slots: number, inFlight: number, ofWorkspace: number): number {
  const free = Math.max(0, slots - inFlight);
  return Math.max(0, Math.ceil((FREE_SLOTS_MULTIPLE * free - ofWorkspace) / (FREE_SLOTS_MULTIPLE + 1)));
}

/**
 * What one destination still gets from one workspace once the failures there, less ten for each success, have reached
 * `after`: attempts per second, over all workers and all webhooks of the workspace. A host that never asked for webhooks
 * thus gets about 1,100 requests in its first minute and one per second from then on, however many webhooks point at it.
 */
export const FAILING_RATES: readonly { after: number; perSecond: number }[] = [
  { after: 1_000, perSecond: 1 },
  { after: 100, perSecond: 20 },
];
/** A success cancels this many failures: occasional failures never slow a destination down, and recovery is quick. */
export const FAILURES_PER_SUCCESS = 10;
/** More are not counted, so that a destination which is back is fast again after less than a hundred successes. */
export const FAILURES_COUNTED_MAX = 1_000;
/** Attempts in flight at once at a failing destination, in one process. */
export const FAILING_IN_FLIGHT = 16;

/** Attempts per second over all workers, or null: as many as there are. */
export const failingRate = (failures: number): number | null =>
  FAILING_RATES.find(({ after }) => failures >= after)?.perSecond ?? null;
