import type { RichNode } from "./nodes.ts";
import { richText } from "./rich-text.ts";

/** What an agent wrote, in one line and without marks: for where there is room for the words alone. */
export const plainText = (text: string): string => richText(text).map(wordsOf).join(" ");

function wordsOf(node: RichNode): string {
  if (typeof node === "string") return node;
  const { tag, inside } = node;
  if (tag === "br") return " ";
  return inside.map(wordsOf).join(tag === "ul" || tag === "ol" || tag === "blockquote" ? " " : "");
}
