import { DateTime } from "luxon";

/** `2026-07-14T10:00:00+00:00`: UTC, second precision, numeric offset. The one form in which times leave the product. */
export function formatTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

/** No form is longer. The patterns below take quadratic time: a megabyte of `T` would hold the whole server for hours. */
const TIMESTAMP_CHARS_MAX = 64;

/**
 * Any ISO 8601 date or date-time; without an offset it is UTC. A space where an unencoded `+` of a query string stood
 * (`…T10:00:00 00:00`) and a space between date and time are understood. Returns null for anything else.
 */
export function parseTimestamp(input: string): Date | null {
  if (input.length > TIMESTAMP_CHARS_MAX) return null;
  const text = input
    .trim()
    .replace(/^(\S*[Tt]\S*) (\d{2}(:?\d{2})?)$/, "$1+$2")
    .replace(/^(\S{7,10}) (\d{2}.*)$/, "$1T$2")
    .replace(/^(\S*[Tt]\S*) (\d{2}(:?\d{2})?)$/, "$1+$2");
  // Luxon also takes bare times and years with a sign; a timestamp starts with four digits and more than a year.
  if (!/^\d{4}-?[\dW]/.test(text)) return null;
  const parsed = DateTime.fromISO(text.toUpperCase(), { zone: "utc" });
  // An offset can carry the time out of the years that four digits can write.
  return parsed.isValid && parsed.year >= 1 && parsed.year <= 9999 ? parsed.toJSDate() : null;
}
