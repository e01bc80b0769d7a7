import {
  BREAKER_PAUSE_SECONDS,
  BREAKER_PAUSE_SECONDS_MAX,
  BREAKER_THRESHOLD,
  FAILING_DAYS_MAX,
  FAILURES_WITHOUT_RESPONSE_MAX,
  WINDOW_MAX,
} from "../../src/queue/lane-policy.ts";

// The rules of a lane, one at a time and in TypeScript: what the SQL of src/queue/lane-policy.ts is compared with.

const SECONDS_PER_DAY = 86_400;

/** Times are Unix times in seconds, of the database's clock. */
export interface LaneState {
  windowSize: number;
  /** Attempts in a row without a response; from the threshold on, the threshold and one for each failed probe. */
  failuresWithoutResponse: number;
  breakerOpenUntil: number | null;
  /** Since when there was nothing but failure. */
  failingSince: number | null;
}

/** What one batch of results says about a lane. */
export interface LaneResults {
  attempts: number;
  delivered: number;
  /** Attempts that got no HTTP response at all. */
  withoutResponse: number;
}

type BreakerState = "closed" | "open" | "half_open";
type Breaker = Pick<LaneState, "failuresWithoutResponse" | "breakerOpenUntil">;

export function laneAfter(lane: LaneState, results: LaneResults, now: number): LaneState {
  return {
    windowSize: windowAfter(lane.windowSize, results),
    ...breakerAfter(lane, results, now),
    failingSince: results.delivered > 0 ? null : (lane.failingSince ?? now),
  };
}

/** Grows by one with each success, halves when a destination stops responding. */
function windowAfter(size: number, { delivered, withoutResponse }: LaneResults): number {
  if (delivered > 0) return Math.min(WINDOW_MAX, size + delivered);
  return withoutResponse > 0 ? Math.max(1, Math.floor(size / 2)) : size;
}

/** Any response closes the breaker. Attempts that were in flight when it opened neither prolong nor shorten its pause. */
function breakerAfter(
  { failuresWithoutResponse: before, breakerOpenUntil }: LaneState,
  { attempts, withoutResponse }: LaneResults,
  now: number,
): Breaker {
  if (withoutResponse < attempts) return { failuresWithoutResponse: 0, breakerOpenUntil: null };
  if (breakerOpenUntil !== null && breakerOpenUntil > now) return { failuresWithoutResponse: before, breakerOpenUntil };
  const failuresWithoutResponse =
    before >= BREAKER_THRESHOLD
      ? Math.min(FAILURES_WITHOUT_RESPONSE_MAX, before + 1)
      : Math.min(BREAKER_THRESHOLD, before + withoutResponse);
  const opens = failuresWithoutResponse >= BREAKER_THRESHOLD;
  return {
    failuresWithoutResponse,
    breakerOpenUntil: opens ? now + breakerPauseSeconds(failuresWithoutResponse) : null,
  };
}

/** 5, 10, 20, 40, 60, 60 … seconds. */
const breakerPauseSeconds = (failuresWithoutResponse: number): number =>
  Math.min(BREAKER_PAUSE_SECONDS_MAX, BREAKER_PAUSE_SECONDS * 2 ** (failuresWithoutResponse - BREAKER_THRESHOLD));

/** Half-open: the pause is over, and one delivery at a time probes. */
export function breakerState({ failuresWithoutResponse, breakerOpenUntil }: Breaker, now: number): BreakerState {
  if (breakerOpenUntil !== null && breakerOpenUntil > now) return "open";
  return failuresWithoutResponse >= BREAKER_THRESHOLD ? "half_open" : "closed";
}

/**
 * How many more deliveries may be claimed of a lane whose breaker is not open, given the limit for all workers. While the
 * breaker is half-open, one delivery probes. Negative after the limit was lowered.
 */
export function laneRoom(
  { windowSize, failuresWithoutResponse, inFlight }: LaneState & { inFlight: number },
  webhookConcurrency: number,
): number {
  const most = failuresWithoutResponse >= BREAKER_THRESHOLD ? 1 : Math.min(windowSize, webhookConcurrency);
  return most - inFlight;
}

/** Its webhook has to be disabled. */
export const hasFailedTooLong = (failingSince: number | null, now: number): boolean =>
  failingSince !== null && failingSince < now - FAILING_DAYS_MAX * SECONDS_PER_DAY;
