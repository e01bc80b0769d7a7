import { describe, expect, it } from "vitest";
import { timeZoneOf } from "../../../dashboard/src/pages/inbox/details/time-zone.ts";
import { fieldTime, latestSnooze, snoozeProblem } from "../../../dashboard/src/pages/inbox/snooze.ts";

const now = new Date(2026, 2, 9, 8, 5);

describe("a snooze until a time of one's own", () => {
  it("may end at any time within the next year, and at no other", () => {
    expect(snoozeProblem(new Date(now.getTime() + 60_000), now)).toBeNull();
    expect(snoozeProblem(latestSnooze(now), now)).toBeNull();
    expect(snoozeProblem(now, now)).toBe("past");
    expect(snoozeProblem(new Date(latestSnooze(now).getTime() + 60_000), now)).toBe("too-far");
    expect(snoozeProblem(new Date(Number.NaN), now)).toBe("missing");
  });

  it("is written as its field has it, in the time zone of the reader", () => {
    expect(fieldTime(now)).toBe("2026-03-09T08:05");
    expect(new Date(fieldTime(now))).toEqual(now);
  });
});

describe("the time zone of a contact", () => {
  it("is an attribute that names one", () => {
    expect(timeZoneOf({ time_zone: "Asia/Tokyo" })).toBe("Asia/Tokyo");
    expect(timeZoneOf({ timezone: "Europe/Berlin", plan: "pro" })).toBe("Europe/Berlin");
    expect(timeZoneOf({ time_zone: "the moon" })).toBeNull();
    expect(timeZoneOf({ time_zone: 7 })).toBeNull();
    expect(timeZoneOf()).toBeNull();
  });
});
