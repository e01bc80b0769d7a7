import { language } from "../../../lib/language.ts";
import { t } from "../../../lib/texts.ts";

const CHARS_MAX = 2048;

/** What is wrong with the text as a URL, without a request. Whether it may be connected to is decided by the server. */
export function urlProblem(text: string): string | null {
  if (text === "") return t("Enter the URL that events are sent to.");
  if (/\s/.test(text)) return t("A URL has no spaces.");
  if (!/^https?:\/\//i.test(text)) return t("A URL starts with https:// or http://.");
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return t("The host is missing.");
  if (text.length > CHARS_MAX)
    return t("A URL has at most {charsMax} characters.", { charsMax: CHARS_MAX.toLocaleString(language) });
  const url = URL.parse(text);
  if (url === null) return t("This is not a valid URL.");
  if (url.username !== "" || url.password !== "")
    return t("A URL must not hold a user name or password. Use a custom header instead.");
  return null;
}

/** An incomplete scheme is not an error while the user is still typing. */
export const isUnfinished = (text: string): boolean => "https://".startsWith(text) || "http://".startsWith(text);
