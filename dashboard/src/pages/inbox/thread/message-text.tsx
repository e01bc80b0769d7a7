import { createElement, Fragment, type ReactNode, useMemo } from "react";
import { linkParts } from "../../../../../src/rich-text/links.ts";
import { LINK_REL, type RichNode } from "../../../../../src/rich-text/nodes.ts";
import { richText } from "../../../../../src/rich-text/rich-text.ts";
import css from "./message-text.module.css";

interface TextProps {
  text: string;
  /** What else stands out in the text, and how. */
  marks?: Marks | undefined;
}

interface Marks {
  pattern: RegExp;
  show: (text: string) => ReactNode;
}

/** What agents write: a small part of Markdown. */
export function RichText({ text, marks }: TextProps) {
  const blocks = useMemo(() => richText(text), [text]);
  return (
    <div className={css.text} dir="auto">
      {blocks.map((block, index) => elementOf(block, index, marks))}
    </div>
  );
}

/** What customers write, as it is written: only addresses become links. */
export const PlainText = ({ text }: { text: string }) => (
  <p className={css.text} dir="auto">
    {linkParts(text).map(({ text: part, href }, index) => (href ? linkTo(href, index, [part]) : part))}
  </p>
);

function elementOf(node: RichNode, key: number, marks?: Marks): ReactNode {
  if (typeof node === "string") return marks ? <Fragment key={key}>{marked(node, marks)}</Fragment> : node;
  const { tag, href, start, inside } = node;
  const children = inside.map((child, index) => elementOf(child, index, tag === "code" ? undefined : marks));
  if (href !== undefined) return linkTo(href, key, children);
  return createElement(tag, { key, ...(start === undefined ? {} : { start }) }, ...children);
}

const linkTo = (href: string, key: number, children: ReactNode[]) => (
  <a key={key} href={href} target="_blank" rel={LINK_REL}>
    {children}
  </a>
);

function marked(text: string, { pattern, show }: Marks): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    parts.push(text.slice(from, index), <Fragment key={index}>{show(found)}</Fragment>);
    from = index + found.length;
  }
  parts.push(text.slice(from));
  return parts;
}
