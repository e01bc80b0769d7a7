/** All that a text can become. There is no other markup: HTML and entities in it are text. */
type RichTag = "p" | "ul" | "ol" | "li" | "blockquote" | "pre" | "code" | "strong" | "em" | "a" | "br";

export interface RichElement {
  tag: RichTag;
  /** Of a link: http, https or mailto. */
  href?: string;
  /** Of a numbered list: its first number. */
  start?: number;
  inside: RichNode[];
}

export type RichNode = string | RichElement;

/** With it nobody follows a link in our name, and the page behind it does not learn where it was. */
export const LINK_REL = "noopener noreferrer nofollow ugc";
