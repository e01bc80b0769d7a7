import { t } from "../../lib/texts.ts";

const at = (date: Date, days: number, hour: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, hour);

/** Null: until the contact writes. */
interface SnoozeChoice {
  title: string;
  until: (now: Date) => Date | null;
}

export const SNOOZE_CHOICES: readonly SnoozeChoice[] = [
  { title: t("For one hour"), until: (now) => new Date(now.getTime() + 3_600_000) },
  { title: t("For three hours"), until: (now) => new Date(now.getTime() + 3 * 3_600_000) },
  { title: t("Until tomorrow, 9:00"), until: (now) => at(now, 1, 9) },
  {
    title: t("Until Monday, 9:00"),
    until: (now) => at(now, ((8 - now.getDay()) % 7) + (now.getDay() === 1 ? 7 : 0), 9),
  },
  { title: t("For a week"), until: (now) => at(now, 7, 9) },
  { title: t("Until the contact writes"), until: () => null },
];

/** The API takes no time further ahead than a year. */
export const latestSnooze = (now: Date): Date => new Date(now.getTime() + 365 * 86_400_000);

/** Why a conversation cannot be snoozed until then; null: it can. */
export function snoozeProblem(until: Date, now: Date): "missing" | "past" | "too-far" | null {
  if (Number.isNaN(until.getTime())) return "missing";
  if (until <= now) return "past";
  return until > latestSnooze(now) ? "too-far" : null;
}

/** A time as a field of the kind `datetime-local` has it: in the reader's time zone, to the minute. */
export function fieldTime(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
