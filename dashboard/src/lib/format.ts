const count = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const date = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const hour = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const dayAndHour = new Intl.DateTimeFormat("en", {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

export const formatCount = (amount: number): string => count.format(amount);

/** `1 event`, `2 events`; `2 deliveries` where another form is given. */
export const plural = (amount: number, one: string, many = `${one}s`): string =>
  `${formatCount(amount)} ${amount === 1 ? one : many}`;

/** Never rounds up to 100 %, nor down to 0 %. */
export function formatRate(successes: number, attempts: number): string {
  if (attempts === 0) return "–";
  if (successes === attempts) return "100%";
  if (successes === 0) return "0%";
  return `${Math.min(99.9, Math.max(0.1, (successes / attempts) * 100)).toFixed(1)}%`;
}

export function formatDuration(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1_000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 || Number.isInteger(ms) ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** For a log: to the second, the day before it where it is not today. */
export function formatLogTime(at: Date, now: Date = new Date()): { day: string; clock: string } {
  return { day: at.toDateString() === now.toDateString() ? "" : date.format(at), clock: clock.format(at) };
}

export const formatHour = (at: Date): string => hour.format(at);
export const formatDayAndHour = (at: Date): string => dayAndHour.format(at);

/** The reason of a failure as a line of its own: the API begins it with a small letter. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The response, in a word or two. */
export const outcomeOf = (code: number): string => (code === 0 ? "No response" : String(code));
