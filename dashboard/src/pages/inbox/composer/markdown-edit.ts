import { itemMark } from "../../../../../src/rich-text/rich-text.ts";

/** A text and what is selected in it. */
export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** Puts `inserted` in place of `from` to `to`; then `start` to `end` is selected. */
export interface Edit {
  from: number;
  to: number;
  inserted: string;
  start: number;
  end: number;
}

/**
 * Puts marks around what is selected, or removes those that are there. Spaces at its ends stay outside. Where nothing is
 * selected, right before the marks that end what was written, it goes behind them.
 */
export function wrap({ text, start, end }: Selected, mark: string): Edit {
  const chosen = text.slice(start, end);
  const from = start + (chosen.length - chosen.trimStart().length);
  const to = Math.max(from, end - (chosen.length - chosen.trimEnd().length));
  const inside = text.slice(from, to);
  const length = mark.length;
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const endsHere = hasMark(/^(\*+|`+)/.exec(after)?.[0] ?? "", mark);
  if (endsHere && hasMark(/(\*+|`+)$/.exec(before)?.[0] ?? "", mark))
    return { from: from - length, to: to + length, inserted: inside, start: from - length, end: to - length };
  if (endsHere && inside === "" && isWithin(before, mark))
    return { from, to, inserted: "", start: to + length, end: to + length };
  return { from, to, inserted: mark + inside + mark, start: from + length, end: to + length };
}

/** `***` has `**` and `*`; `**` is not `*` twice. */
const hasMark = (run: string, mark: string): boolean =>
  run[0] === mark[0] && (mark.length > 1 ? run.length >= mark.length : run.length % 2 === 1);

function isWithin(before: string, mark: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return (line.match(/\*+|`+/g) ?? []).filter((run) => hasMark(run, mark)).length % 2 === 1;
}

/** Makes items of the lines that are selected, or lines of the items. */
export function list({ text, start, end }: Selected): Edit {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const after = text.indexOf("\n", end);
  const to = after === -1 ? text.length : after;
  const lines = text.slice(from, to).split("\n");
  const isList = lines.every((line) => line.startsWith("- "));
  const inserted = lines.map((line) => (isList ? line.slice(2) : `- ${line}`)).join("\n");
  // What was selected stays so: pressed again, it is as before.
  return { from, to, inserted, start: from + (start === end ? inserted.length : 0), end: from + inserted.length };
}

/**
 * Enter in an item begins the next one, numbered on; in an item without words it ends the list. Null: this is a line like any
 * other.
 */
export function nextItem({ text, start, end }: Selected): Edit | null {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const mark = itemMark(text.slice(0, start));
  if (mark === "") return null;
  const endsList = from + mark.length === start && /^(\n|$)/.test(text.slice(end));
  if (endsList) return { from, to: end, inserted: "", start: from, end: from };
  const inserted = `\n${mark.replace(/\d+/, (number) => String(Number(number) + 1))}`;
  const cursor = start + inserted.length;
  return { from: start, to: end, inserted, start: cursor, end: cursor };
}

const ADDRESS = "https://";

/**
 * What is selected becomes the text of a link, or its address if it is one. The other part is selected then: what is typed or
 * pasted, an address with its scheme, replaces it.
 */
export function link({ text, start, end }: Selected): Edit {
  const chosen = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(chosen);
  const label = isAddress || chosen === "" ? "text" : chosen;
  const inserted = `[${label}](${isAddress ? chosen : ADDRESS})`;
  const address = start + label.length + 3;
  return label === chosen
    ? { from: start, to: end, inserted, start: address, end: address + ADDRESS.length }
    : { from: start, to: end, inserted, start: start + 1, end: start + 1 + label.length };
}

/** One line becomes code within its line, several become a block. */
export function code(selected: Selected): Edit {
  const { text, start, end } = selected;
  const chosen = text.slice(start, end);
  if (!chosen.includes("\n")) return wrap(selected, "`");
  const before = start === 0 || text[start - 1] === "\n" ? "```\n" : "\n```\n";
  return {
    from: start,
    to: end,
    inserted: `${before}${chosen}\n\`\`\`\n`,
    start: start + before.length,
    end: start + before.length + chosen.length,
  };
}
