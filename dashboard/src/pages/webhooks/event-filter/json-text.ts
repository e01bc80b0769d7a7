import { t } from "../../../lib/texts.ts";

/** A JSON value as it is typed. Empty: null, which means the default. */
type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

export function parseJsonText(text: string): Parsed {
  if (text.trim() === "") return { ok: true, value: null };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, problem: t("This is not JSON yet: {problem}", { problem: (error as Error).message }) };
  }
}

/** The same as text; empty for null. */
export const jsonText = (value: unknown): string =>
  value === null || value === undefined ? "" : JSON.stringify(value, null, 2);

export const EXAMPLE = `{ "data": { "direction": "in", "private": false } }`;

/** The problem of a text that has to be an object; null: there is none. */
export function filterTextProblem(text: string): string | null {
  const parsed = parseJsonText(text);
  if (!parsed.ok) return parsed.problem;
  const isObject = parsed.value === null || (typeof parsed.value === "object" && !Array.isArray(parsed.value));
  return isObject ? null : t("A filter is an object, such as {example}.", { example: EXAMPLE });
}
