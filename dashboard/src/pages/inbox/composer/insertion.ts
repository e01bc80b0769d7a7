/** What is being looked for in the text: from `start` (the `/` or `@`) to `end`. */
export interface Insertion {
  kind: "reply" | "mention";
  start: number;
  end: number;
  search: string;
}

/** `@` and the name of one of these people, the longest name first; null: nobody can be mentioned. */
export function mentionPattern(names: readonly string[]): RegExp | null {
  const longestFirst = names.filter(Boolean).sort((one, other) => other.length - one.length);
  if (longestFirst.length === 0) return null;
  const escaped = longestFirst.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`@(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu");
}

/** In lower case and without accents: "tomas" finds Tomás. */
export const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** A `/` or `@` at the beginning of a word, and what follows it up to the cursor. */
export function insertionAt(text: string, cursor: number, { mentions }: { mentions: boolean }): Insertion | null {
  const match = /(?:^|\s)([/@])([^\s/@]{0,40})$/.exec(text.slice(0, cursor));
  if (!match || (match[1] === "@" && !mentions)) return null;
  const search = match[2] ?? "";
  return { kind: match[1] === "/" ? "reply" : "mention", start: cursor - search.length - 1, end: cursor, search };
}
