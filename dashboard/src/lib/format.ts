import { language } from "./language.ts";
import { t } from "./texts.ts";

const count = new Intl.NumberFormat(language);
const clock = new Intl.DateTimeFormat(language, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const hour = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const dayAndHour = new Intl.DateTimeFormat(language, {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

const whole = new Intl.NumberFormat(language, { style: "percent" });
const tenths = new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1 });

export const formatCount = (amount: number): string => count.format(amount);

/** Never rounds up to 100 %, nor down to 0 %. */
export function formatRate(successes: number, attempts: number): string {
  if (attempts === 0) return "–";
  if (successes === attempts || successes === 0) return whole.format(successes / attempts);
  return tenths.format(Math.min(0.999, Math.max(0.001, successes / attempts)));
}

export function formatDuration(ms: number): string {
  if (ms >= 10_000) return `${decimals(ms / 1000, 1)} s`;
  if (ms >= 1_000) return `${decimals(ms / 1000, 2)} s`;
  return ms >= 10 || Number.isInteger(ms) ? `${Math.round(ms)} ms` : `${decimals(ms, 1)} ms`;
}

/** With as many decimals, also where they are zeros. */
export const decimals = (value: number, digits: number): string =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** For a log: to the second, the day before it where it is not today. */
export function formatLogTime(at: Date, now: Date = new Date()): { day: string; clock: string } {
  return { day: at.toDateString() === now.toDateString() ? "" : date.format(at), clock: clock.format(at) };
}

export const formatHour = (at: Date): string => hour.format(at);
export const formatDayAndHour = (at: Date): string => dayAndHour.format(at);

/** The reason of a failure as a line of its own: the API begins it with a small letter. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The response, in a word or two. */
export const outcomeOf = (code: number): string => (code === 0 ? t("No response") : String(code));
