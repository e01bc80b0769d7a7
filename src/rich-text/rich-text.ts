import { inlineOf } from "./inline.ts";
import type { RichElement, RichNode } from "./nodes.ts";

const QUOTES_MAX = 3;
const FENCE = /^ {0,3}```[\w+#.-]{0,32}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const BULLET = /^ {0,3}[-*•][ \t]+(?=\S)/;
const NUMBER = /^ {0,3}(\d{1,3})[.)][ \t]+(?=\S)/;
const CONTINUED = /^(?: {2,}|\t)(?=\S)/;

/**
 * What agents write, as paragraphs, lists, quotes and code: a small part of Markdown. Lines stay lines. Marks that have no
 * partner in their line are text. The time is linear in the length of the text, whatever is in it.
 */
export function richText(text: string): RichElement[] {
  return blocksOf(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

/** The sign, with the space behind it, of the item that is being written at the end of this text; empty: none is. */
export function itemMark(before: string): string {
  const lines = before.split("\n");
  const line = `${lines.pop()}x`;
  const isInCode = lines.filter((one) => FENCE.test(one)).length % 2 === 1;
  return isInCode ? "" : ((BULLET.exec(line) ?? NUMBER.exec(line))?.[0] ?? "");
}

type Lines = readonly string[];
/** A block that begins at a line, and the line after it; null: none of this kind begins there. */
type Reader = (lines: Lines, from: number, depth: number) => { block: RichElement; next: number } | null;

function blocksOf(lines: Lines, depth: number): RichElement[] {
  const blocks: RichElement[] = [];
  const lastFence = lines.findLastIndex((line) => FENCE.test(line));
  const readers = [codeReader(lastFence), readQuote, readList, readParagraph];
  for (let at = 0; at < lines.length; ) {
    const from = at;
    if (lines[from]?.trim() === "") {
      at++;
      continue;
    }
    for (const read of readers) {
      const found = read(lines, from, depth);
      if (!found) continue;
      blocks.push(found.block);
      at = found.next;
      break;
    }
  }
  return blocks;
}

/** Without an end it is text: one stray mark does not turn the rest of a message into code. */
const codeReader =
  (lastFence: number): Reader =>
  (lines, from) => {
    if (from >= lastFence || !FENCE.test(lines[from] ?? "")) return null;
    let end = from + 1;
    while (!FENCE.test(lines[end] ?? "")) end++;
    const code: RichElement = { tag: "code", inside: [lines.slice(from + 1, end).join("\n")] };
    return { block: { tag: "pre", inside: [code] }, next: end + 1 };
  };

const readQuote: Reader = (lines, from, depth) => {
  const end = endOf(lines, from, (line) => QUOTE.test(line));
  if (end === from || depth >= QUOTES_MAX) return null;
  const inside = blocksOf(
    lines.slice(from, end).map((line) => line.replace(QUOTE, "")),
    depth + 1,
  );
  return { block: { tag: "blockquote", inside }, next: end };
};

const readList: Reader = (lines, from) => {
  const first = lines[from] ?? "";
  const number = NUMBER.exec(first)?.[1];
  const marker = number === undefined ? BULLET : NUMBER;
  if (!marker.test(first)) return null;
  const items: RichElement[] = [];
  let at = from;
  while (marker.test(lines[at] ?? "")) {
    const end = endOf(lines, at + 1, (line) => CONTINUED.test(line) && !marker.test(line));
    const [own = "", ...more] = lines.slice(at, end);
    items.push({ tag: "li", inside: withBreaks([own.replace(marker, ""), ...more.map((line) => line.trimStart())]) });
    at = end;
  }
  const block: RichElement =
    number === undefined ? { tag: "ul", inside: items } : { tag: "ol", start: Number(number), inside: items };
  return { block, next: at };
};

const readParagraph: Reader = (lines, from, depth) => {
  const isText = (line: string) =>
    line.trim() !== "" &&
    !BULLET.test(line) &&
    !NUMBER.test(line) &&
    !FENCE.test(line) &&
    !(QUOTE.test(line) && depth < QUOTES_MAX);
  // The first line is none of the others, whatever it looks like.
  const end = endOf(lines, from + 1, isText);
  return { block: { tag: "p", inside: withBreaks(lines.slice(from, end)) }, next: end };
};

function endOf(lines: Lines, from: number, belongs: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && belongs(lines[end] ?? "")) end++;
  return end;
}

const BREAK: RichElement = { tag: "br", inside: [] };

const withBreaks = (lines: Lines): RichNode[] =>
  lines.flatMap((line, index) => (index === 0 ? inlineOf(line) : [BREAK, ...inlineOf(line)]));
