import { language } from "../../../lib/language.ts";

const ATTRIBUTES = ["time_zone", "timezone", "timeZone"];

/** The time zone of a contact: an attribute of theirs, if it names one. */
export function timeZoneOf(attributes: Record<string, unknown> = {}): string | null {
  for (const name of ATTRIBUTES) {
    const value = attributes[name];
    if (typeof value === "string" && isTimeZone(value)) return value;
  }
  return null;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat(language, { timeZone: name });
    return name !== "";
  } catch {
    return false;
  }
}
