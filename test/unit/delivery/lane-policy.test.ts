import { describe, expect, it } from "vitest";
import { BREAKER_THRESHOLD, WINDOW_MAX, WINDOW_START } from "../../../src/queue/lane-policy.ts";
import { breakerState, hasFailedTooLong, type LaneState, laneAfter, laneRoom } from "../../support/lane-policy.ts";

const NOW = 1_000_000;
const fresh: LaneState = {
  windowSize: WINDOW_START,
  failuresWithoutResponse: 0,
  breakerOpenUntil: null,
  failingSince: null,
};
const withoutResponse = (count: number) => ({ attempts: count, delivered: 0, withoutResponse: count });
const delivered = (count: number) => ({ attempts: count, delivered: count, withoutResponse: 0 });
const refused = (count: number) => ({ attempts: count, delivered: 0, withoutResponse: 0 });

/** A lane whose breaker has just opened. */
const opened = laneAfter(fresh, withoutResponse(BREAKER_THRESHOLD), NOW);

/** The pauses of a breaker whose probes all fail, each as soon as it may be sent. */
function pauses(count: number): number[] {
  let lane = opened;
  const found: number[] = [];
  for (let now = NOW; found.length < count; ) {
    const until = lane.breakerOpenUntil as number;
    found.push(until - now);
    now = until;
    lane = laneAfter(lane, withoutResponse(1), now);
  }
  return found;
}

describe("the window of a lane", () => {
  it("grows by one with each success, up to its maximum", () => {
    expect(laneAfter(fresh, delivered(3), NOW).windowSize).toBe(WINDOW_START + 3);
    expect(laneAfter({ ...fresh, windowSize: WINDOW_MAX - 1 }, delivered(5), NOW).windowSize).toBe(WINDOW_MAX);
  });

  it("halves when a destination does not respond, and never falls below one", () => {
    expect(laneAfter({ ...fresh, windowSize: 9 }, withoutResponse(2), NOW).windowSize).toBe(4);
    expect(laneAfter({ ...fresh, windowSize: 1 }, withoutResponse(2), NOW).windowSize).toBe(1);
  });

  it("stays as it is when a destination responds with an error", () => {
    expect(laneAfter(fresh, refused(2), NOW).windowSize).toBe(WINDOW_START);
  });
});

describe("the breaker of a lane", () => {
  it("opens at the tenth attempt in a row without a response", () => {
    const almost = laneAfter(fresh, withoutResponse(BREAKER_THRESHOLD - 1), NOW);
    expect(breakerState(almost, NOW)).toBe("closed");
    expect(breakerState(laneAfter(almost, withoutResponse(1), NOW), NOW)).toBe("open");
  });

  it("pauses for 5, 10, 20, 40 and then 60 seconds", () => {
    expect(pauses(7)).toEqual([5, 10, 20, 40, 60, 60, 60]);
  });

  it("pauses for 5 seconds at first, however many attempts failed at once", () => {
    const { breakerOpenUntil } = laneAfter({ ...fresh, failuresWithoutResponse: 8 }, withoutResponse(4), NOW);
    expect(breakerOpenUntil).toBe(NOW + 5);
  });

  it("is not kept open longer by attempts that were in flight when it opened", () => {
    const late = laneAfter(opened, withoutResponse(3), NOW + 1);
    expect(late).toMatchObject({
      breakerOpenUntil: opened.breakerOpenUntil,
      failuresWithoutResponse: opened.failuresWithoutResponse,
    });
  });

  it("is half-open when its pause is over", () => {
    expect(breakerState(opened, opened.breakerOpenUntil as number)).toBe("half_open");
  });

  it("closes with any response, even an error", () => {
    const closed = laneAfter(opened, { attempts: 2, delivered: 0, withoutResponse: 1 }, NOW + 1);
    expect(closed).toMatchObject({ failuresWithoutResponse: 0, breakerOpenUntil: null });
    expect(breakerState(closed, NOW + 1)).toBe("closed");
  });
});

describe("the room of a lane", () => {
  it("is what its window and the limit of all workers leave after what is in flight", () => {
    const lane = { ...fresh, windowSize: 20 };
    expect(laneRoom({ ...lane, inFlight: 5 }, 50)).toBe(15);
    expect(laneRoom({ ...lane, inFlight: 5 }, 8)).toBe(3);
    expect(laneRoom({ ...lane, inFlight: 20 }, 50)).toBe(0);
  });

  it("is one probe while the breaker is half-open, and none while that is in flight", () => {
    expect(laneRoom({ ...opened, inFlight: 0 }, 50)).toBe(1);
    expect(laneRoom({ ...opened, inFlight: 1 }, 50)).toBe(0);
  });
});

describe("the time since which a lane fails", () => {
  it("starts with the first failure, lasts over further ones, and ends with a success", () => {
    const failing = laneAfter(fresh, refused(1), NOW);
    expect(failing.failingSince).toBe(NOW);
    expect(laneAfter(failing, withoutResponse(1), NOW + 60).failingSince).toBe(NOW);
    expect(laneAfter(failing, { attempts: 3, delivered: 1, withoutResponse: 2 }, NOW + 60).failingSince).toBeNull();
  });

  it("is too long after five days, and never while deliveries succeed", () => {
    const fiveDays = 5 * 86_400;
    expect(hasFailedTooLong(NOW - fiveDays, NOW)).toBe(false);
    expect(hasFailedTooLong(NOW - fiveDays - 1, NOW)).toBe(true);
    expect(hasFailedTooLong(null, NOW)).toBe(false);
  });
});
