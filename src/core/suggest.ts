import { closest, distance } from "fastest-levenshtein";

/** More letters than this apart, and a suggestion would only confuse. */
const LETTERS_APART_MAX = 6;

/** ` Did you mean x?`, or nothing when no known name is near. Goes after a sentence about an unknown name. */
export function suggestion(given: string, known: readonly string[]): string {
  const nearest = closest(given.toLowerCase(), known);
  return distance(given.toLowerCase(), nearest) <= LETTERS_APART_MAX ? ` Did you mean ${nearest}?` : "";
}
