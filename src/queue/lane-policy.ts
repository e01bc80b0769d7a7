/**
 * Lane policy: how many deliveries of one webhook may be in flight, when a destination that does not respond is left
 * alone, and when it has failed for too long. `laneAfter` is the policy; `laneAfterSql` is the same in SQL, because a
 * settle updates lanes in the statement that writes its results. test/delivery/lane-policy.test.ts compares the two.
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
export const UNANSWERED_FAILURES_MAX = BREAKER_THRESHOLD + 10;
/** After so many days of nothing but failure the webhook is disabled. */
export const FAILING_DAYS_MAX = 5;

/** Times are in seconds of the database's epoch. */
export interface LaneState {
  windowSize: number;
  /** Attempts in a row without a response; from the threshold on, the threshold and one for each failed probe. */
  unansweredFailures: number;
  breakerOpenUntil: number | null;
  /** Since when there was nothing but failure. */
  failingSince: number | null;
}

/** What one batch of results says about a lane. */
export interface LaneResults {
  attempts: number;
  delivered: number;
  /** Attempts that got no HTTP response at all. */
  unanswered: number;
}

type BreakerState = "closed" | "open" | "half_open";

export function laneAfter(lane: LaneState, results: LaneResults, now: number): LaneState {
  return {
    windowSize: windowAfter(lane.windowSize, results),
    ...breakerAfter(lane, results, now),
    failingSince: results.delivered > 0 ? null : (lane.failingSince ?? now),
  };
}

/** Grows by one with each success, halves when a destination stops responding. */
function windowAfter(size: number, { delivered, unanswered }: LaneResults): number {
  if (delivered > 0) return Math.min(WINDOW_MAX, size + delivered);
  return unanswered > 0 ? Math.max(1, Math.floor(size / 2)) : size;
}

/** Any response closes the breaker. Attempts that were in flight when it opened neither prolong nor shorten its pause. */
function breakerAfter(
  { unansweredFailures: before, breakerOpenUntil }: LaneState,
  { attempts, unanswered }: LaneResults,
  now: number,
): Pick<LaneState, "unansweredFailures" | "breakerOpenUntil"> {
  if (unanswered < attempts) return { unansweredFailures: 0, breakerOpenUntil: null };
  if (breakerOpenUntil !== null && breakerOpenUntil > now) return { unansweredFailures: before, breakerOpenUntil };
  const unansweredFailures =
    before >= BREAKER_THRESHOLD
      ? Math.min(UNANSWERED_FAILURES_MAX, before + 1)
      : Math.min(BREAKER_THRESHOLD, before + unanswered);
  const opens = unansweredFailures >= BREAKER_THRESHOLD;
  return { unansweredFailures, breakerOpenUntil: opens ? now + breakerPauseSeconds(unansweredFailures) : null };
}

/** 5, 10, 20, 40, 60, 60 … seconds. */
const breakerPauseSeconds = (unansweredFailures: number): number =>
  Math.min(BREAKER_PAUSE_SECONDS_MAX, BREAKER_PAUSE_SECONDS * 2 ** (unansweredFailures - BREAKER_THRESHOLD));

/** Half-open: the pause is over, and one delivery at a time probes. */
export function breakerState(
  { unansweredFailures, breakerOpenUntil }: Pick<LaneState, "unansweredFailures" | "breakerOpenUntil">,
  now: number,
): BreakerState {
  if (breakerOpenUntil !== null && breakerOpenUntil > now) return "open";
  return unansweredFailures >= BREAKER_THRESHOLD ? "half_open" : "closed";
}

/**
 * How many more deliveries of a lane may be claimed, given its alias and the SQL of the limit for all workers. While the
 * breaker is half-open, one delivery probes.
 */
export const laneRoomSql = (lane: string, webhookConcurrency: string): string =>
  `case
       when ${lane}.unanswered_failures >= ${BREAKER_THRESHOLD} then 1
       else least(${lane}.window_size, ${webhookConcurrency})
     end - ${lane}.in_flight`;

/** The new value of each column, given the alias of a lane and of a row with `attempts`, `delivered` and `unanswered`. */
export function laneAfterSql(lane: string, results: string): Record<string, string> {
  const answered = `${results}.unanswered < ${results}.attempts`;
  const open = `coalesce(${lane}.breaker_open_until > now(), false)`;
  const failures = `case
       when ${lane}.unanswered_failures >= ${BREAKER_THRESHOLD}
         then least(${UNANSWERED_FAILURES_MAX}, ${lane}.unanswered_failures + 1)
       else least(${BREAKER_THRESHOLD}, ${lane}.unanswered_failures + ${results}.unanswered)
     end`;
  return {
    window_size: `case
       when ${results}.delivered > 0
         then least(${WINDOW_MAX}, ${lane}.window_size + ${results}.delivered)
       when ${results}.unanswered > 0
         then greatest(1, ${lane}.window_size / 2)
       else ${lane}.window_size
     end`,
    unanswered_failures: `case
       when ${answered} then 0
       when ${open} then ${lane}.unanswered_failures
       else ${failures}
     end`,
    breaker_open_until: `case
       when ${answered} then null
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
