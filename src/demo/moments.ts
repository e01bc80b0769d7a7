import { END_OF_NEWEST } from "./endings.ts";
import type { Random } from "./random.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 60;
/** The conversations that are still being worked on began within this time. */
const NEWEST_MS = 28 * HOUR_MS;
/** The share of the conversations of a large demo that began within it: a busy day, not a gap before the present. */
const NEWEST_SHARE = 0.15;
/** Nothing happens in the last minutes, and no conversation begins so late that there is no time left for its messages. */
export const QUIET_MS = 3 * MINUTE_MS;
const YOUNGEST_MS = 10 * MINUTE_MS;

/** When the conversations began, the oldest first. */
export function openings(random: Random, total: number, now: number): number[] {
  const newest = newestOf(total);
  const ages = Array.from({ length: total }, (_, index) =>
    index < newest
      ? YOUNGEST_MS + ((index + 0.6) / newest) ** 1.4 * (NEWEST_MS - YOUNGEST_MS)
      : // Squared: as many in the last two weeks as in the six before.
        NEWEST_MS + random.next() ** 2 * (DAYS * DAY_MS - NEWEST_MS),
  );
  return ages.sort((a, b) => b - a).map((age) => now - age);
}

export const newestOf = (total: number): number => Math.max(END_OF_NEWEST.length, Math.round(total * NEWEST_SHARE));

interface Span {
  openedAt: number;
  count: number;
  until: number;
}

/** Increasing moments after the opening: minutes to hours apart, closer where there is not that much time. */
export function momentsAfter(random: Random, { openedAt, count, until }: Span): number[] {
  let moment = openedAt;
  return Array.from({ length: count }, (_, index) => {
    const share = (until - moment) / (count - index);
    moment += Math.min(random.between(4 * MINUTE_MS, 4 * HOUR_MS), share * random.between(0.5, 1));
    return moment;
  });
}
