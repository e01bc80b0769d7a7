const at = (date: Date, days: number, hour: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, hour);

/** Null: until the contact writes. */
interface SnoozeChoice {
  title: string;
  until: (now: Date) => Date | null;
}

export const SNOOZE_CHOICES: readonly SnoozeChoice[] = [
  { title: "For one hour", until: (now) => new Date(now.getTime() + 3_600_000) },
  { title: "For three hours", until: (now) => new Date(now.getTime() + 3 * 3_600_000) },
  { title: "Until tomorrow, 9:00", until: (now) => at(now, 1, 9) },
  { title: "Until Monday, 9:00", until: (now) => at(now, ((8 - now.getDay()) % 7) + (now.getDay() === 1 ? 7 : 0), 9) },
  { title: "For a week", until: (now) => at(now, 7, 9) },
  { title: "Until the contact writes", until: () => null },
];
