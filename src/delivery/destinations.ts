import { LRUCache } from "lru-cache";
import { FAILING_AFTER, FAILING_IN_FLIGHT, FAILING_PER_SECOND } from "./shares.ts";

/** How an attempt ended; `none` when nothing was sent. */
export type AttemptOutcomeKind = "delivered" | "failed" | "none";

/**
 * What the webhooks of one workspace do to one destination (scheme, host and port) together. Thousands of them may point
 * at the same one: while it does nothing but fail, which a host that never asked for webhooks does, it gets a few
 * requests per second instead of thousands at once, and holds a few slots instead of the workspace's whole share.
 */
export interface Destinations {
  /** Whether an attempt may start there now; if so it counts as started. */
  start(destination: string): boolean;
  ended(destination: string, outcome: AttemptOutcomeKind): void;
  /** Whether an attempt could start there now. */
  admits(destination: string): boolean;
}

interface State {
  inFlight: number;
  failuresInARow: number;
  /** Attempts that may start at once while it fails, and when that was last counted. */
  tokens: number;
  countedAt: number;
}

const DESTINATIONS_MAX = 20_000;

export function createDestinations(now: () => number = () => performance.now()): Destinations {
  const states = new LRUCache<string, State>({ max: DESTINATIONS_MAX });

  function stateOf(destination: string): State {
    let state = states.get(destination);
    if (!state) {
      state = { inFlight: 0, failuresInARow: 0, tokens: FAILING_PER_SECOND, countedAt: now() };
      states.set(destination, state);
    }
    return state;
  }

  function mayStart(state: State): boolean {
    if (state.failuresInARow < FAILING_AFTER) return true;
    const at = now();
    const earned = ((at - state.countedAt) / 1_000) * FAILING_PER_SECOND;
    state.tokens = Math.min(FAILING_PER_SECOND, state.tokens + earned);
    state.countedAt = at;
    return state.inFlight < FAILING_IN_FLIGHT && state.tokens >= 1;
  }

  return {
    admits: (destination) => mayStart(stateOf(destination)),
    start(destination) {
      const state = stateOf(destination);
      if (!mayStart(state)) return false;
      if (state.failuresInARow >= FAILING_AFTER) state.tokens--;
      state.inFlight++;
      return true;
    },
    ended(destination, outcome) {
      const state = stateOf(destination);
      state.inFlight = Math.max(0, state.inFlight - 1);
      if (outcome === "delivered") state.failuresInARow = 0;
      else if (outcome === "failed") state.failuresInARow++;
    },
  };
}
