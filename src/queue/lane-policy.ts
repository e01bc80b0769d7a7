import { rateRoomSql } from "./rate-limit.ts";

/**
 * Lane policy: how many deliveries of one webhook may be in flight, when a destination that does not respond is left
 * alone, and when it has failed for too long. It is SQL, because a claim and a settle apply it within their statements.
 * test/delivery/lane-policy.test.ts compares it with the same rules in TypeScript.
 */

/** The window of a new lane, and of one that was enabled again. */
export const WINDOW_START = 4;
export const WINDOW_MAX = 1_000;
/** Attempts in a row without any HTTP response after which the breaker opens. */
export const BREAKER_THRESHOLD = 10;
/** How long it stays open the first time. Each failed probe doubles that, up to the maximum. */
export const BREAKER_PAUSE_SECONDS = 5;
export const BREAKER_PAUSE_SECONDS_MAX = 60;
/** Beyond this, more failures change nothing. */
export const FAILURES_WITHOUT_RESPONSE_MAX = BREAKER_THRESHOLD + 10;
/** After this many days of nothing but failure the webhook is disabled. */
export const FAILING_DAYS_MAX = 5;

export const breakerIsOpenSql = (lane: string): string => `coalesce(${lane}.breaker_open_until > now(), false)`;

/** Half-open: the pause is over, and one delivery at a time probes. */
export const breakerStateSql = (lane: string): string =>
  `case
       when ${breakerIsOpenSql(lane)} then 'open'
       when ${lane}.failures_without_response >= ${BREAKER_THRESHOLD} then 'half_open'
       else 'closed'
     end`;

/**
 * How many more deliveries may be claimed of a lane whose breaker is not open, given its alias and the SQL of the limit for
 * all workers. While the breaker is half-open, one delivery probes. Negative after the limit was lowered. (`least` passes
 * over the null of a lane without a rate limit.)
 */
export const laneRoomSql = (lane: string, webhookConcurrency: string): string =>
  `least(
       case
         when ${lane}.failures_without_response >= ${BREAKER_THRESHOLD} then 1
         else least(${lane}.window_size, ${webhookConcurrency})
       end - ${lane}.in_flight,
       ${rateRoomSql(lane)}
     )`;

/** Its webhook has to be disabled. */
export const hasFailedTooLongSql = (lane: string): string =>
  `coalesce(${lane}.failing_since < now() - interval '${FAILING_DAYS_MAX} days', false)`;

type LaneColumn = "window_size" | "failures_without_response" | "breaker_open_until" | "failing_since";

/**
 * The new value of each column, given the alias of a lane and of a row with `attempts`, `delivered` and `without_response`.
 *
 * The window grows by one with each success and halves when a destination stops responding. Any response closes the breaker;
 * attempts that were in flight when it opened neither prolong nor shorten its pause of 5, 10, 20, 40, 60, 60 … seconds.
 */
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
