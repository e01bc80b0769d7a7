import { formatHour } from "./format.ts";
import { language } from "./language.ts";
import { serverNow } from "./server-clock.ts";
import { t } from "./texts.ts";

const SPANS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** `2 days`, `35 seconds`: rounded to one unit, from 90 of the next smaller one on. */
export function formatSpan(seconds: number): string {
  const [size, unit] = SPANS.find(([size]) => seconds >= size * 1.5) ?? [1, "second"];
  return inUnit(Math.round(seconds / size), unit);
}

const inUnit = (amount: number, unit: "day" | "hour" | "minute" | "second"): string =>
  amount.toLocaleString(language, { style: "unit", unit, unitDisplay: "long" });

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const exact = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long", hourCycle: "h23" });
const dayAndTime = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });

/** `3 minutes ago`, `in 2 days`, `just now`. What begins now and takes 7 days ends in 7 days, not in 6 and some hours. */
export function formatRelative(date: Date, now: Date = serverNow()): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size)
      return relative.format(seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit);
  return seconds > 5 ? t("in a moment") : t("just now");
}

/** In the reader's zone, to the second, with the zone's name. */
export const formatExact = (date: Date): string => exact.format(date);

export const formatDay = (date: Date): string => day.format(date);

/** `14:05` today, otherwise `Nov 18, 14:05`: what can follow "since" and "until" in every language. */
export const formatPoint = (date: Date, now: Date = serverNow()): string =>
  date.toDateString() === now.toDateString() ? formatHour(date) : formatDayAndTime(date);

/** `Nov 18, 14:05`. */
export const formatDayAndTime = (date: Date): string => dayAndTime.format(date);

/** `1 hour 5 minutes`, `40 seconds`: a wait. */
export function formatWait(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor((seconds % 3600) / 60), "minute"],
    [Math.ceil(seconds % 60), "second"],
  ] as const;
  return (
    parts
      .filter(([amount]) => amount > 0)
      .slice(0, 2)
      .map(([amount, unit]) => inUnit(amount, unit))
      .join(" ") || inUnit(1, "second")
  );
}
