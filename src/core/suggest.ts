import { closest, distance } from "fastest-levenshtein";

/** One wrong letter in three, and never more than this: anything further apart would only confuse. */
const LETTERS_APART_MAX = 6;
const LETTERS_PER_TYPO = 3;

/** ` Did you mean x?`, or nothing when no known name is near. Goes after a sentence about an unknown name. */
export function suggestion(given: string, known: readonly string[]): string {
  const found = nearestName(given.toLowerCase(), known);
  return found === null ? "" : ` Did you mean ${found}?`;
}

/** The known name that was probably meant; null when none is near. */
export function nearestName(given: string, known: readonly string[]): string | null {
  const found = closest(given, known);
  const apartMax = Math.min(LETTERS_APART_MAX, Math.ceil(given.length / LETTERS_PER_TYPO));
  return distance(given, found) <= apartMax ? found : null;
}
