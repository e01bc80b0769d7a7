import { describe, expect, it } from "vitest";
import { formatExact } from "../../../dashboard/src/lib/time.ts";
import { clockTime } from "../../../dashboard/src/pages/inbox/names.ts";

const justAfterMidnight = new Date(2026, 6, 14, 0, 5).toISOString();

describe("a time of day", () => {
  it("has the hour 00 after midnight", () => {
    expect(clockTime(justAfterMidnight)).toBe("00:05");
  });

  it("is written from 0 to 23 hours in a tooltip too", () => {
    expect(formatExact(new Date(2026, 6, 14, 15, 5))).toContain("15:05:00");
    expect(formatExact(new Date(justAfterMidnight))).toContain("00:05:00");
  });
});
