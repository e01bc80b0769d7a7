import { createElement, Fragment, type ReactNode } from "react";
import { t } from "./texts.ts";

/** A text with elements in it: `rich("{name} has it now.", { name: <b>{name}</b> })`. */
export function rich(english: string, values: Readonly<Record<string, ReactNode>>): ReactNode[] {
  return t(english)
    .split(/\{(\w+)\}/)
    .map((part, index) => createElement(Fragment, { key: index }, index % 2 === 0 ? part : values[part]));
}
