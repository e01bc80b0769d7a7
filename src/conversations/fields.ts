/** Optional text as it is stored: trimmed; empty counts as none; absent stays absent. */
export function textOf(given: string | null | undefined): string | null | undefined {
  if (given === undefined || given === null) return undefined;
  const text = given.trim();
  return text === "" ? null : text;
}

/** Trimmed, repeated ones folded, in the order they were given. */
export const labelsOf = (given: readonly string[]): string[] => [...new Set(given.map((label) => label.trim()))];

/** What a patch leaves a field at; null was given too, it clears. */
export const given = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);
