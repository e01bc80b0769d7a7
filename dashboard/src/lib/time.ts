import { serverNow } from "./server-clock.ts";

const SPANS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** `2 days`, `35 seconds`: rounded to one unit, from 90 of the next smaller one on. */
export function formatSpan(seconds: number): string {
  const [size, unit] = SPANS.find(([size]) => seconds >= size * 1.5) ?? [1, "second"];
  const amount = Math.round(seconds / size);
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long", hourCycle: "h23" });
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });

/** `3 minutes ago`, `in 2 days`, `just now`. What begins now and takes 7 days ends in 7 days, not in 6 and some hours. */
export function formatRelative(date: Date, now: Date = serverNow()): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size)
      return relative.format(seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit);
  return seconds > 5 ? "in a moment" : "just now";
}

/** In the reader's zone, to the second, with the zone's name. */
export const formatExact = (date: Date): string => exact.format(date);

export const formatDay = (date: Date): string => day.format(date);

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
      .map(([amount, unit]) => `${amount} ${unit}${amount === 1 ? "" : "s"}`)
      .join(" ") || "1 second"
  );
}
