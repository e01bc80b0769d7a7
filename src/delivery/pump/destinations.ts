import { createLru } from "../../core/lru.ts";
import { FAILING_IN_FLIGHT, FAILURES_COUNTED_MAX, FAILURES_PER_SUCCESS, failingRate } from "../lanes/shares.ts";

/** How an attempt ended; `none`: it does not count, because it was not sent or was aborted by a stopping worker. */
export type AttemptOutcomeKind = "delivered" | "failed" | "none";

export type Destinations = ReturnType<typeof createDestinations>;

interface State {
  inFlight: number;
  /** Less ten for each success. */
  failures: number;
  /** Attempts that may start at once while it fails, and when that was last counted. */
  tokens: number;
  countedAt: number;
}

interface DestinationOptions {
  now?: () => number;
  /** Workers that share the rate. */
  workers?: () => number;
}

const DESTINATIONS_MAX = 20_000;

/**
 * What the webhooks of one workspace do to one destination (scheme, host and port) together. Thousands of them may point
 * at the same one: while it does nothing but fail, which a host that never asked for webhooks does, it gets a few
 * requests per second instead of thousands at once, then one per second, and holds a few slots instead of the workspace's
 * whole share.
 */
export function createDestinations({ now = () => performance.now(), workers = () => 1 }: DestinationOptions = {}) {
  const states = createLru<string, State>(DESTINATIONS_MAX);

  function stateOf(destination: string): State {
    let state = states.get(destination);
    if (!state) {
      state = { inFlight: 0, failures: 0, tokens: 0, countedAt: now() };
      states.set(destination, state);
    }
    return state;
  }

  function mayStart(state: State): boolean {
    const perSecond = failingRate(state.failures);
    if (perSecond === null) return true;
    const ownShare = perSecond / Math.max(1, workers());
    const at = now();
    // What is saved up is a second's worth, and never less than the one attempt that a slow rate comes to.
    state.tokens = Math.min(Math.max(1, ownShare), state.tokens + ((at - state.countedAt) / 1_000) * ownShare);
    state.countedAt = at;
    return state.inFlight < FAILING_IN_FLIGHT && state.tokens >= 1;
  }

  return {
    /** Whether an attempt could start there now. */
    admits: (destination: string): boolean => mayStart(stateOf(destination)),
    /** The same; if so it counts as started. */
    start(destination: string): boolean {
      const state = stateOf(destination);
      if (!mayStart(state)) return false;
      if (failingRate(state.failures) !== null) state.tokens--;
      state.inFlight++;
      return true;
    },
    ended(destination: string, outcome: AttemptOutcomeKind): void {
      const state = stateOf(destination);
      state.inFlight = Math.max(0, state.inFlight - 1);
      if (outcome === "delivered") state.failures = Math.max(0, state.failures - FAILURES_PER_SUCCESS);
      else if (outcome === "failed") state.failures = Math.min(FAILURES_COUNTED_MAX, state.failures + 1);
    },
  };
}
