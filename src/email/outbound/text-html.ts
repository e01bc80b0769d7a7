import { LINK_REL, type RichNode } from "../../rich-text/nodes.ts";
import { richText } from "../../rich-text/rich-text.ts";

/** Simple HTML of a text that people wrote: what its Markdown means. Nothing else in the text is markup. */
export const htmlOf = (text: string): string => richText(text).map(htmlOfNode).join("\n");

function htmlOfNode(node: RichNode): string {
  if (typeof node === "string") return escaped(node);
  const { tag, href, start, inside } = node;
  if (tag === "br") return "<br>\n";
  const attributes = [
    ...(href === undefined ? [] : [` href="${escaped(href)}" rel="${LINK_REL}"`]),
    ...(start === undefined || start === 1 ? [] : [` start="${start}"`]),
  ].join("");
  const lines = tag === "ul" || tag === "ol" || tag === "blockquote" ? "\n" : "";
  return `<${tag}${attributes}>${lines}${inside.map(htmlOfNode).join(lines)}${lines}</${tag}>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
