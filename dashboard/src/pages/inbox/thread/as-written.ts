import { linkParts } from "../../../../../src/rich-text/links.ts";
import type { RichNode } from "../../../../../src/rich-text/nodes.ts";
import { richText } from "../../../../../src/rich-text/rich-text.ts";

/** One line in which nothing is a mark any more: what a customer wrote, within what an agent writes. Links stay links. */
export function asWritten(line: string): string {
  if (!line.includes("```") && isShownAsWritten(line)) return line;
  const inline = linkParts(line).map(({ text, href }) => (href === undefined ? text.replace(SIGNS, "\\$&") : text));
  return inline.join("").replace(LINE_START, "$1$2\\");
}

/** Marks anywhere, and what would be read as one of them after a backslash. */
const SIGNS = /\\*[*_`[\]]|\\+[•>-]/g;
/** What begins a quote or a list. */
const LINE_START = /^( {0,3})(?:(\d{1,3})(?=\\*[.)]\s)|(?=[>•-]))/;

function isShownAsWritten(line: string): boolean {
  const [paragraph, ...more] = richText(line);
  if (!paragraph) return true;
  if (paragraph.tag !== "p" || more.length > 0) return false;
  return paragraph.inside.map(textOf).join("") === line;
}

/** Null in what is neither text nor an address. */
const textOf = (node: RichNode): string | null => {
  if (typeof node === "string") return node;
  return node.tag === "a" ? node.inside.map(textOf).join("") : null;
};
