import { parseTimestamp } from "../core/timestamps.ts";

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `10m`, `2h`, `1d`, or a time in any ISO 8601 form. */
export function parseSince(text: string, now: Date = new Date()): Date {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  const date = count === "" ? parseTimestamp(text) : new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0));
  if (!date || Number.isNaN(date.getTime()))
    throw new Error(`--since takes a span such as 10m, 2h or 1d, or an ISO 8601 time; not "${text}".`);
  return date;
}
