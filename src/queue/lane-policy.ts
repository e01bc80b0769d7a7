/**
 * Lane policy: how many deliveries of one webhook may be in flight, when a destination that does not respond is left
 * alone, and when it has failed for too long. The policy is written in TypeScript; each function has its counterpart in
 * SQL, because a claim and a settle apply it within their statements. test/delivery/lane-policy.test.ts compares the two.
 */

/** The window of a new lane, and of one that was enabled again. */
export const WINDOW_START = 4;
export const WINDOW_MAX = 1_000;
/** Attempts in a row without any HTTP response after which the breaker opens. */
export const BREAKER_THRESHOLD = 10;
/** How long it stays open the first time. Each failed probe doubles that, up to the maximum. */
const BREAKER_PAUSE_SECONDS = 5;
export const BREAKER_PAUSE_SECONDS_MAX = 60;
/** Beyond this, more failures change nothing. */
export const FAILURES_WITHOUT_RESPONSE_MAX = BREAKER_THRESHOLD + 10;
/** After this many days of nothing but failure the webhook is disabled. */
const FAILING_DAYS_MAX = 5;
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

export const breakerIsOpenSql = (lane: string): string => `coalesce(${lane}.breaker_open_until > now(), false)`;

export const breakerStateSql = (lane: string): string =>
  `case
       when ${breakerIsOpenSql(lane)} then 'open'
       when ${lane}.failures_without_response >= ${BREAKER_THRESHOLD} then 'half_open'
       else 'closed'
     end`;

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

/** Given the alias of the lane and the SQL of the limit. */
export const laneRoomSql = (lane: string, webhookConcurrency: string): string =>
  `case
       when ${lane}.failures_without_response >= ${BREAKER_THRESHOLD} then 1
       else least(${lane}.window_size, ${webhookConcurrency})
     end - ${lane}.in_flight`;

/** Its webhook has to be disabled. */
export const hasFailedTooLong = (failingSince: number | null, now: number): boolean =>
  failingSince !== null && failingSince < now - FAILING_DAYS_MAX * SECONDS_PER_DAY;

export const hasFailedTooLongSql = (lane: string): string =>
  `coalesce(${lane}.failing_since < now() - interval '${FAILING_DAYS_MAX} days', false)`;

type LaneColumn = "window_size" | "failures_without_response" | "breaker_open_until" | "failing_since";

/** The new value of each column, given the alias of a lane and of a row with `attempts`, `delivered` and `without_response`. */
export function laneAfterSql(lane: string, results: string): Record<LaneColumn, string> {
  const responded = `${results}.without_response < ${results}.attempts`;
  const open = breakerIsOpenSql(lane);
  const failures = `case
       when ${lane}.failures_without_response >= ${BREAKER_THRESHOLD}
         then least(${FAILURES_WITHOUT_RESPONSE_MAX}, ${lane}.failures_without_response + 1)
       else least(${BREAKER_THRESHOLD}, ${lane}.failures_without_response + ${results}.without_response)
     end`;
  return {
    window_size: `case
       when ${results}.delivered > 0
         then least(${WINDOW_MAX}, ${lane}.window_size + ${results}.delivered)
       when ${results}.without_response > 0
         then greatest(1, ${lane}.window_size / 2)
       else ${lane}.window_size
     end`,
    failures_without_response: `case
       when ${responded} then 0
       when ${open} then ${lane}.failures_without_response
       else ${failures}
     end`,
    breaker_open_until: `case
       when ${responded} then null
       when ${open} then ${lane}.breaker_open_until
       when ${failures} >= ${BREAKER_THRESHOLD}
         then now() + interval '1 second' * least(
           ${BREAKER_PAUSE_SECONDS_MAX},
           ${BREAKER_PAUSE_SECONDS} * 2 ^ (${failures} - ${BREAKER_THRESHOLD}))
     end`,
    failing_since: `case
       when ${results}.delivered > 0 then null
       else coalesce(${lane}.failing_since, now())
     end`,
  };
}
