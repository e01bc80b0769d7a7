const CHARS_MAX = 2048;

/** What is wrong with the text as a URL, without a request. Whether it may be connected to is decided by the server. */
export function urlProblem(text: string): string | null {
  if (text === "") return "Enter the URL that events are sent to.";
  if (/\s/.test(text)) return "A URL has no spaces.";
  if (!/^https?:\/\//i.test(text)) return "A URL starts with https:// or http://.";
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return "The host is missing.";
  if (text.length > CHARS_MAX) return `A URL has at most ${CHARS_MAX.toLocaleString("en")} characters.`;
  const url = URL.parse(text);
  if (url === null) return "This is not a valid URL.";
  if (url.username !== "" || url.password !== "")
    return "A URL must not hold a user name or password. Use a custom header instead.";
  return null;
}

/** An incomplete scheme is not an error while the user is still typing. */
export const isUnfinished = (text: string): boolean => "https://".startsWith(text) || "http://".startsWith(text);
