import { describe, expect, it } from "vitest";
import {
  FAILING_IN_FLIGHT,
  FAILING_RATES,
  FAILURES_COUNTED_MAX,
  FAILURES_PER_SUCCESS,
  failingRate,
} from "../../../src/delivery/lanes/shares.ts";
import { createDestinations } from "../../../src/delivery/pump/destinations.ts";

const HERE = "1 https://example.com";
const [slow, fast] = FAILING_RATES as [(typeof FAILING_RATES)[number], (typeof FAILING_RATES)[number]];

/** One that has just failed so often. */
function failing(failures: number, workers = 1) {
  let nowMs = 0;
  const destinations = createDestinations({ now: () => nowMs, workers: () => workers });
  const fail = () => destinations.ended(HERE, "failed");
  for (let i = 0; i < failures; i++) fail();
  return {
    destinations,
    pass(ms: number) {
      nowMs += ms;
    },
    /** How many attempts are admitted of those tried, each ending in this way at once. */
    attempts(count: number, outcome: "failed" | "delivered" = "failed"): number {
      let made = 0;
      for (let i = 0; i < count; i++) {
        if (!destinations.start(HERE)) continue;
        made++;
        destinations.ended(HERE, outcome);
      }
      return made;
    },
  };
}

/** Requests within this many seconds, with always more of them waiting. */
function requestsWithin(seconds: number, { attempts, pass }: ReturnType<typeof failing>): number {
  let made = 0;
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    made += attempts(100);
    pass(100);
  }
  return made;
}

describe("a destination that does nothing but fail", () => {
  it("gets a bounded number of attempts per second from all webhooks of a workspace together", () => {
    const state = failing(fast.after);
    state.pass(1_000);
    expect(state.attempts(3_000)).toBe(fast.perSecond);
    state.pass(500);
    expect(state.attempts(3_000)).toBe(fast.perSecond / 2);
    state.pass(60_000);
    expect(state.attempts(3_000)).toBe(fast.perSecond);
  });

  it("gets one per second once it has failed a thousand times", () => {
    const state = failing(slow.after);
    expect(requestsWithin(60, state)).toBeLessThanOrEqual(61 * slow.perSecond);
  });

  it("gets about a thousand requests in its first minute and one per second then, whatever causes them", () => {
    const state = failing(0);
    expect(requestsWithin(60, state)).toBeLessThanOrEqual(slow.after + 20);
    expect(requestsWithin(3_600, state)).toBeLessThanOrEqual(3_620);
  });

  it("gets no more from four workers than from one", () => {
    const four = Array.from({ length: 4 }, () => requestsWithin(120, failing(slow.after, 4)));
    expect(four.reduce((sum, requests) => sum + requests, 0)).toBeLessThanOrEqual(120 * slow.perSecond + 4);
  });

  it("holds a bounded number of slots", () => {
    const { destinations, pass } = failing(fast.after);
    pass(1_000);
    const started = Array.from({ length: 100 }, () => destinations.start(HERE)).filter(Boolean);
    expect(started).toHaveLength(FAILING_IN_FLIGHT);
  });

  it("is still slowed down when one of ten attempts succeeds", () => {
    const state = failing(0);
    for (let round = 0; round < 1_000; round++) {
      state.attempts(20);
      state.attempts(1, "delivered");
    }
    expect(failingRate(fast.after)).toBe(fast.perSecond);
    expect(state.attempts(1_000)).toBeLessThanOrEqual(fast.perSecond);
  });

  it("is at full speed again within seconds of being back", () => {
    const state = failing(10 * FAILURES_COUNTED_MAX);
    let seconds = 0;
    for (; state.attempts(1_000, "delivered") < 1_000 && seconds < 60; seconds++) state.pass(1_000);
    expect(seconds).toBeLessThan(3 + FAILURES_COUNTED_MAX / FAILURES_PER_SUCCESS / fast.perSecond);
  });

  it("does not slow the same host down for another workspace", () => {
    const { destinations } = failing(slow.after);
    const started = Array.from({ length: 50 }, () => destinations.start("2 https://example.com")).filter(Boolean);
    expect(started).toHaveLength(50);
  });

  it("does not count what was never sent as a failure", () => {
    const destinations = createDestinations();
    for (let i = 0; i < 2 * fast.after; i++) {
      destinations.start(HERE);
      destinations.ended(HERE, "none");
    }
    expect(destinations.admits(HERE)).toBe(true);
  });
});
