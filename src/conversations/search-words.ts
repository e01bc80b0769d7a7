/** What was searched for: words, each the beginning of one in the text, and phrases in quotes. */
export interface SearchWords {
  words: string[];
  phrases: string[][];
}

const MARKS = /[\u0300-\u036f]/g;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Letters that have no accent to remove: how people type them without their keyboard. */
const LETTERS: Record<string, string> = { ß: "ss", ø: "o", ł: "l" };
const SPECIAL = /[ßøł]/g;

/** Without case and accents. `search_terms` of the database does the same but for these letters: see `formsOf`. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(MARKS, "")
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);

/** With more places than this in a word, each letter is replaced by itself, as in `małopolska`. */
const PLACES_MAX = 3;
/** With more places than this, a letter is replaced everywhere or in one place. */
const LETTER_PLACES_MAX = 4;
/** Of a letter with more places than this, all or none are. */
const SINGLE_PLACES_MAX = 8;
const PLACE = /ss|o|l/g;
const SPECIAL_OF: Record<string, string> = { ss: "ß", o: "ø", l: "ł" };

/**
 * The forms in which a folded word may be in the index, which keeps ß, ø and ł: `strasse` also as `straße`. Asked for
 * together, they need no other index.
 */
export function formsOf(word: string): string[] {
  const places = [...word.matchAll(PLACE)].map(([plain]) => plain);
  if (places.length <= PLACES_MAX) return subsetsOf(places.keys()).map((chosen) => replaceAt(word, chosen));
  const chosen = Object.keys(SPECIAL_OF).flatMap((letter) =>
    choicesOf([...places.keys()].filter((n) => places[n] === letter)),
  );
  return [...new Set([word, ...chosen.map((one) => replaceAt(word, one))])];
}

/** Which places of one letter are tried together. */
function choicesOf(places: number[]): number[][] {
  if (places.length <= LETTER_PLACES_MAX) return subsetsOf(places);
  return [places, ...(places.length <= SINGLE_PLACES_MAX ? places.map((place) => [place]) : [])];
}

function subsetsOf(places: Iterable<number>): number[][] {
  let subsets: number[][] = [[]];
  for (const place of places) subsets = subsets.flatMap((set) => [set, [...set, place]]);
  return subsets;
}

function replaceAt(word: string, chosen: readonly number[]): string {
  let place = -1;
  return word.replace(PLACE, (plain) => {
    place += 1;
    return chosen.includes(place) ? String(SPECIAL_OF[plain]) : plain;
  });
}

export function parseSearch(query: string): SearchWords {
  const phrases: string[][] = [];
  const rest = query.replace(/"([^"]*)"/g, (_, phrase: string) => {
    const words = wordsIn(phrase);
    if (words.length > 0) phrases.push(words);
    return " ";
  });
  return { words: [...new Set(wordsIn(rest))], phrases };
}

const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word and every longer one that begins with it. Words hold letters and digits only, so quotes need no care. */
export const prefixOf = (word: string): string => anyOf(formsOf(word).map((form) => `'${form}':*`));

const anyOf = (terms: readonly string[]): string => (terms.length === 1 ? String(terms[0]) : `(${terms.join(" | ")})`);

/** Every row of a workspace has this word (see `search_terms` of the database). */
export const workspaceMark = (workspaceId: number): string => `'|w${workspaceId}'`;

/** As PostgreSQL reads it. */
export function toTsquery({ words, phrases }: SearchWords): string {
  return [
    ...words.map(prefixOf),
    ...phrases.map(
      (phrase) => `(${phrase.map((word) => anyOf(formsOf(word).map((form) => `'${form}'`))).join(" <-> ")})`,
    ),
  ].join(" & ");
}

export interface Excerpt {
  excerpt: string;
  /** Where the matches are: UTF-16 units, the end exclusive. */
  highlights: [number, number][];
}

const EXCERPT_CHARS = 200;
const CHARS_BEFORE = 60;

/** The part of a text around the first match. */
export function excerptOf(text: string, search: SearchWords): Excerpt {
  const found = matchesIn(text, search);
  const start = startOf(text, found[0]?.[0] ?? 0);
  const end = Math.min(text.length, start + EXCERPT_CHARS);
  const cut = text.slice(start, isInsidePair(text, end) ? end - 1 : end);
  const inside = found.filter(([from, to]) => from >= start && to <= start + cut.length);
  return { excerpt: cut, highlights: inside.map(([from, to]) => [from - start, to - start]) };
}

function startOf(text: string, firstMatch: number): number {
  if (firstMatch <= CHARS_BEFORE || text.length <= EXCERPT_CHARS) return 0;
  const start = firstMatch - CHARS_BEFORE;
  return isInsidePair(text, start) ? start + 1 : start;
}

/** Between the two halves of one character. */
const isInsidePair = (text: string, index: number): boolean => /[\uDC00-\uDFFF]/.test(text.charAt(index));

/**
 * The matches from the first one on, as far as an excerpt reaches. Folding a long text word by word takes 35 ms, in which
 * nothing else is served; as a whole it takes 1 ms, so only the part with the first match is looked at word by word.
 */
function matchesIn(text: string, search: SearchWords): [number, number][] {
  const wanted = patternOf(search);
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = partEnd(text, start);
    if (!wanted.test(fold(text.slice(start, end)))) continue;
    const found = matchesFrom(text, { start, end }, search);
    if (found.length > 0) return found;
  }
  return [];
}

const PART_CHARS = 1_024;
const IN_WORD = "[\\p{L}\\p{N}\\p{M}]";

/** Where a word that was searched for begins in folded text. Words hold letters and digits only. */
function patternOf({ words, phrases }: SearchWords): RegExp {
  const whole = phrases.flat().map((word) => `${word}(?!${IN_WORD})`);
  return new RegExp(`(?<!${IN_WORD})(?:${[...words, ...whole].join("|")})`, "u");
}

/** Where a part ends that begins here: never inside a word. */
function partEnd(text: string, start: number): number {
  const gap = /[^\p{L}\p{N}\p{M}]/gu;
  gap.lastIndex = start + PART_CHARS;
  return gap.lastIndex >= text.length ? text.length : (gap.exec(text)?.index ?? text.length);
}

function matchesFrom(
  text: string,
  part: { start: number; end: number },
  { words, phrases }: SearchWords,
): [number, number][] {
  const prefixes = words.toSorted((a, b) => b.length - a.length);
  const whole = new Set(phrases.flat());
  const found: [number, number][] = [];
  const word = new RegExp(WORD);
  word.lastIndex = part.start;
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    if (match.index >= (found[0] ? found[0][0] + EXCERPT_CHARS : part.end)) break;
    const [written] = match;
    const folded = fold(written);
    const prefix = prefixes.find((one) => folded.startsWith(one));
    if (whole.has(folded)) found.push([match.index, match.index + written.length]);
    else if (prefix !== undefined) found.push([match.index, match.index + lengthOf(written, prefix.length)]);
  }
  return found;
}

/** How much of the written word its first folded characters take. */
function lengthOf(word: string, foldedLength: number): number {
  let length = 0;
  let folded = 0;
  for (const character of word) {
    const added = fold(character).length;
    if (folded >= foldedLength && added > 0) break;
    folded += added;
    length += character.length;
  }
  return length;
}
