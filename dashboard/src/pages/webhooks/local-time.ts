/** A moment as `<input type="datetime-local">` wants it: in the reader's zone, to the minute. */
export function localInputValue(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The name of the zone those inputs are in. */
export const localInputZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
