import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp, parseTimestamp } from "../../../src/core/timestamps.ts";

const shown = (text: string): string | null => {
  const date = parseTimestamp(text);
  return date && formatTimestamp(date);
};

describe("a timestamp", () => {
  it("is written in UTC, to the second, with the offset +00:00", () => {
    expect(formatTimestamp(new Date("2026-07-14T10:00:00.999Z"))).toBe("2026-07-14T10:00:00+00:00");
  });

  it.each([
    ["2026-07-14T10:00:00+00:00", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14T10:00:00Z", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14t10:00:00z", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14T12:30:00+02:30", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14T12:30:00+0230", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14T05:00:00-05", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14T10:00:00.123456Z", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14T10:00", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14", "2026-07-14T00:00:00+00:00"],
    ["2026-07", "2026-07-01T00:00:00+00:00"],
    ["20260714T100000Z", "2026-07-14T10:00:00+00:00"],
    ["2026-W29-2", "2026-07-14T00:00:00+00:00"],
    ["2026-195", "2026-07-14T00:00:00+00:00"],
    [" 2026-07-14T10:00:00Z ", "2026-07-14T10:00:00+00:00"],
  ])("reads %s", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ["2026-07-14T10:00:00 00:00", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14T12:00:00 02:00", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14 10:00:00", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14 12:00:00 02:00", "2026-07-14T10:00:00+00:00"],
    ["2026-07-14 12:00:00+02:00", "2026-07-14T10:00:00+00:00"],
  ])("reads %s, with a space where a + or T stood", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    "",
    " ",
    "now",
    "tomorrow",
    "2026",
    "10:00:00",
    "1752487200",
    "2026-13-01",
    "2026-02-30",
    "2026-07-14T25:00:00Z",
    "2026-07-14T10:00:61Z",
    "14.07.2026",
    "07/14/2026",
    "Tue, 14 Jul 2026 10:00:00 GMT",
    "+002026-07-14",
    "-2026-07-14",
    "2026-07-14T10:00:00Zx",
    "9999-12-31T23:59:59-01:00",
    "0001-01-01T00:00:00+01:00",
    "0000-01-01",
  ])("is not %j", (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it("is not a long text, and that is known at once", () => {
    const from = process.cpuUsage();
    expect(parseTimestamp(`2026-${"T".repeat(50_000)}`)).toBeNull();
    expect(process.cpuUsage(from).user / 1_000).toBeLessThan(100);
  });

  it("that we wrote reads back as the same second", () => {
    const dates = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        const text = formatTimestamp(date);
        expect(text).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/);
        expect(parseTimestamp(text)?.getTime()).toBe(Math.floor(date.getTime() / 1000) * 1000);
      }),
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const date = parseTimestamp(text);
        if (date) expect(formatTimestamp(date)).toMatch(/\+00:00$/);
      }),
    );
  });
});
