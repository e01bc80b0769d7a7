import { describe, expect, it } from "vitest";
import { formatExact } from "../../../dashboard/src/lib/time.ts";
import { clockTime } from "../../../dashboard/src/pages/inbox/names.ts";

const justAfterMidnight = new Date(2026, 6, 14, 0, 5).toISOString();

describe("times of day", () => {
  it("the first hour after midnight is 00", () => {
    expect(clockTime(justAfterMidnight)).toBe("00:05");
  });

  it("the exact time in a tooltip is written like all others, from 0 to 23 hours", () => {
    expect(formatExact(new Date(2026, 6, 14, 15, 5))).toContain("15:05:00");
    expect(formatExact(new Date(justAfterMidnight))).toContain("00:05:00");
  });
});
