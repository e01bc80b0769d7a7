const PATH_CHARS_MAX = 128;

interface Unstorable {
  /** The names and numbers that lead to it. */
  inside: string[];
  /** The end of a sentence about it. */
  problem: string;
}

const TEXT = "must not contain NUL characters or broken Unicode.";
// It could be stored, but one assignment by name, here or in a client, would make it the prototype of its object.
const PROTOTYPE = "must not contain a field named __proto__.";
const NUMBER = "must not contain numbers beyond 1.8e308.";

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** The first text, number or name in a field that cannot be stored; JSON would write such a number as null. */
export function findUnstorable(value: unknown, { isKnown }: { isKnown: boolean }): Unstorable | null {
  if (typeof value === "string") return isStorable(value) ? null : { inside: [], problem: TEXT };
  if (typeof value === "number") return Number.isFinite(value) ? null : { inside: [], problem: NUMBER };
  if (typeof value !== "object" || value === null) return null;
  // Not `Object.entries`: of a megabyte of numbers it would create half a million pairs.
  for (const name of Object.keys(value)) {
    if (!isStorable(name)) return { inside: [], problem: TEXT };
    // In an unknown field it is ignored with the field.
    if (isKnown && name === "__proto__") return { inside: [], problem: PROTOTYPE };
    const found = findUnstorable((value as Record<string, unknown>)[name], { isKnown });
    if (found) return { ...found, inside: [name, ...found.inside] };
  }
  return null;
}

/** Where in a field something is: `labels[2]`, `attributes.plan`. A very long path is only its field. */
export function pathOf(field: string, inside: readonly string[]): string {
  const path = field + inside.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join("");
  return path.length > PATH_CHARS_MAX ? field : path;
}
