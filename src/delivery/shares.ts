/**
 * How the slots of one process (attempts in flight at once) are shared. Every process keeps these rules by itself, so they
 * hold over any number of them.
 */

/**
 * A workspace may have so many times as many attempts in flight as there are free slots. A lone workspace thus fills 7/8
 * of the slots, which is full speed, and the rest stays free for others; each further greedy workspace leaves fewer free
 * slots, but always some. Whoever needs only a few, because its receivers respond, finds them at once.
 */
const FREE_SLOTS_MULTIPLE = 7;

/** How many more attempts a workspace may start, so that the rule still holds when they are in flight. */
export function workspaceRoom(slots: number, inFlight: number, ofWorkspace: number): number {
  const free = Math.max(0, slots - inFlight);
  return Math.max(0, Math.ceil((FREE_SLOTS_MULTIPLE * free - ofWorkspace) / (FREE_SLOTS_MULTIPLE + 1)));
}

/** Failures in a row, of one workspace at one destination, after which the destination counts as failing. */
export const FAILING_AFTER = 100;
/** What a failing destination still gets from one workspace: attempts per second, and in flight at once. */
export const FAILING_PER_SECOND = 20;
export const FAILING_IN_FLIGHT = 16;
