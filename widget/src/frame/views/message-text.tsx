import { type ComponentChildren, h } from "preact";
import { useMemo } from "preact/hooks";
import { linkParts } from "../../../../src/rich-text/links.ts";
import { LINK_REL, type RichNode } from "../../../../src/rich-text/nodes.ts";
import { richText } from "../../../../src/rich-text/rich-text.ts";

/** What agents write: a small part of Markdown. */
export function RichText({ text }: { text: string }) {
  const blocks = useMemo(() => richText(text), [text]);
  return <>{blocks.map(elementOf)}</>;
}

/** What visitors write, as it is written: only addresses become links. */
export const PlainText = ({ text }: { text: string }) => (
  <>{linkParts(text).map(({ text: part, href }) => (href ? elementOf({ tag: "a", href, inside: [part] }) : part))}</>
);

function elementOf(node: RichNode): ComponentChildren {
  if (typeof node === "string") return node;
  const { tag, href, start, inside } = node;
  const link = href === undefined ? {} : { href, target: "_blank", rel: LINK_REL };
  return h(tag, { ...link, ...(start === undefined ? {} : { start }) }, inside.map(elementOf));
}
