import { describe, expect, it } from "vitest";
import { createDestinations } from "../../../src/delivery/destinations.ts";
import { FAILING_AFTER, FAILING_IN_FLIGHT, FAILING_PER_SECOND } from "../../../src/delivery/shares.ts";

const HERE = "1 https://example.com";

/** One that has just failed so often that it counts as failing. */
function failing() {
  let nowMs = 0;
  const destinations = createDestinations(() => nowMs);
  for (let i = 0; i < FAILING_AFTER; i++) {
    destinations.start(HERE);
    destinations.ended(HERE, "failed");
  }
  return {
    destinations,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

/** How many of so many attempts may be made, each failing at once. */
const attempts = ({ destinations }: ReturnType<typeof failing>, count: number): number => {
  let made = 0;
  for (let i = 0; i < count; i++) {
    if (!destinations.start(HERE)) continue;
    made++;
    destinations.ended(HERE, "failed");
  }
  return made;
};

describe("a destination that does nothing but fail", () => {
  it("gets a bounded number of attempts per second from all webhooks of a workspace together", () => {
    const state = failing();
    expect(attempts(state, 3_000)).toBe(FAILING_PER_SECOND);
    state.pass(500);
    expect(attempts(state, 3_000)).toBe(FAILING_PER_SECOND / 2);
    state.pass(60_000);
    expect(attempts(state, 3_000)).toBe(FAILING_PER_SECOND);
  });

  it("holds a bounded number of slots", () => {
    const { destinations } = failing();
    const started = Array.from({ length: 100 }, () => destinations.start(HERE)).filter(Boolean);
    expect(started).toHaveLength(FAILING_IN_FLIGHT);
  });

  it("is at full speed again after one success", () => {
    const state = failing();
    state.destinations.start(HERE);
    state.destinations.ended(HERE, "delivered");
    expect(attempts(state, FAILING_AFTER)).toBe(FAILING_AFTER);
  });

  it("does not slow the same host down for another workspace", () => {
    const { destinations } = failing();
    const started = Array.from({ length: 50 }, () => destinations.start("2 https://example.com")).filter(Boolean);
    expect(started).toHaveLength(50);
  });

  it("does not count what was never sent as a failure", () => {
    const destinations = createDestinations();
    for (let i = 0; i < 2 * FAILING_AFTER; i++) {
      destinations.start(HERE);
      destinations.ended(HERE, "none");
    }
    expect(destinations.admits(HERE)).toBe(true);
  });
});
