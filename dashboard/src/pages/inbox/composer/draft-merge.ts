import type { DraftContent } from "./draft-content.ts";

/**
 * What two devices made of one draft, in one text: a sentence that either of them wrote is in it, one that either of them
 * deleted and the other left alone is not, and of one that both changed both forms are there. Its own comes first.
 */
export function mergeDrafts(base: DraftContent | null, mine: DraftContent, theirs: DraftContent | null): DraftContent {
  const empty = { text: "", isNote: mine.isNote, files: [] };
  const [from, other] = [base ?? empty, theirs ?? empty];
  const files = [...mine.files, ...other.files.filter(({ id }) => mine.files.every((file) => file.id !== id))];
  const isRemoved = (id: number, side: DraftContent) =>
    from.files.some((file) => file.id === id) && side.files.every((file) => file.id !== id);
  return {
    text: mergeTexts(from.text, mine.text, other.text),
    // What is meant for colleagues must not reach the contact.
    isNote: mine.isNote || other.isNote,
    files: files.filter(({ id }) => !isRemoved(id, mine) && !isRemoved(id, other)),
  };
}

/** Sentences and lines, with the blanks after them. */
const partsOf = (text: string): string[] =>
  text.match(/[^.!?\n]*(?:[.!?]+(?=\s|$)\s*|[.!?]+|\n+|$)/g)?.filter(Boolean) ?? [];

export function mergeTexts(base: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const from = partsOf(base);
  const own = changesOf(from, partsOf(mine));
  const other = changesOf(from, partsOf(theirs));
  const merged: string[] = [];
  for (let index = 0; index <= from.length; index += 1) {
    merged.push(...mergeAdded(own.added[index] ?? [], other.added[index] ?? []));
    const [kept, keptThere] = [own.kept.get(index), other.kept.get(index)];
    // With the blanks of the one that follows it.
    if (kept !== undefined && keptThere !== undefined) merged.push(kept.length < keptThere.length ? keptThere : kept);
  }
  return merged.map((part, index) => (index < merged.length - 1 && /\S$/.test(part) ? `${part} ` : part)).join("");
}

interface Changes {
  /** By the position of the sentence in the base: those that are still there. */
  kept: Map<number, string>;
  /** By the position before which they are now. */
  added: string[][];
}

function changesOf(base: readonly string[], parts: readonly string[]): Changes {
  const positions = new Map(commonParts(base, parts).map(([inBase, inParts]) => [inParts, inBase]));
  const kept = new Map<number, string>();
  const added: string[][] = Array.from({ length: base.length + 1 }, () => []);
  let next = 0;
  for (const [index, part] of parts.entries()) {
    const position = positions.get(index);
    if (position === undefined) added[next]?.push(part);
    else {
      kept.set(position, part);
      next = position + 1;
    }
  }
  return { kept, added };
}

function mergeAdded(mine: string[], theirs: string[]): string[] {
  const [own, other] = [mine.join("").trimEnd(), theirs.join("").trimEnd()];
  // One continued what the other has.
  if (own.startsWith(other)) return mine;
  return other.startsWith(own) ? theirs : [`${own}\n`, ...theirs];
}

/** The longest common subsequence, as pairs of positions. */
function commonParts(one: readonly string[], other: readonly string[]): [number, number][] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  const isEqual = (row: number, column: number): boolean => one[row]?.trim() === other[column]?.trim();
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      (lengths[row] as number[])[column] = isEqual(row, column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < one.length && column < other.length; ) {
    if (isEqual(row, column)) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
