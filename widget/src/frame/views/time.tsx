const DAY_MS = 86_400_000;

/** The time of day, and the day where it was another one. */
export function Time({ at, language }: { at: string; language: string }) {
  const date = new Date(at);
  const isRecent = date.toDateString() === new Date().toDateString();
  const isThisYear = Math.abs(Date.now() - date.getTime()) < 300 * DAY_MS;
  const options: Intl.DateTimeFormatOptions = {
    hour: "numeric",
    minute: "2-digit",
    ...(isRecent ? {} : { day: "numeric", month: "short" }),
    ...(isThisYear ? {} : { year: "numeric" }),
  };
  return <time dateTime={at}>{new Intl.DateTimeFormat(language, options).format(date)}</time>;
}
