import { Parser } from "htmlparser2";

const BLOCKS = new Set(
  "address article aside center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul blockquote".split(
    " ",
  ),
);
const PARAGRAPHS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote"]);
const SKIPPED = new Set([
  "style",
  "script",
  "head",
  "title",
  "template",
  "noscript",
  "svg",
  "math",
  "object",
  "iframe",
]);
const DEPTH_MAX = 20;

/** The text that a reader of the HTML would see, with quotes marked as in plain text. */
export const htmlToText = (html: string): string => (isTooDeep(html) ? withoutTags(html) : textOf(html));

function textOf(html: string): string {
  const writer = createWriter();
  let skipped = 0;
  let href: string | null = null;
  let linkText = "";
  const parser = new Parser({
    onopentag(name, attributes) {
      if (SKIPPED.has(name)) skipped++;
      if (skipped > 0) return;
      if (name === "br") writer.newline();
      else if (name === "blockquote") writer.quote(1);
      else if (name === "li") writer.block("- ");
      else if (name === "hr") writer.block("");
      else if (name === "td" || name === "th") writer.text(" ");
      else if (name === "a") {
        href = /^(https?:|mailto:)/i.test(attributes.href ?? "") ? (attributes.href ?? null) : null;
        linkText = "";
      } else if (BLOCKS.has(name)) writer.block("", PARAGRAPHS.has(name));
    },
    ontext(text) {
      if (skipped > 0) return;
      writer.text(text);
      linkText += text;
    },
    onclosetag(name) {
      if (SKIPPED.has(name)) skipped = Math.max(0, skipped - 1);
      if (skipped > 0) return;
      if (name === "blockquote") writer.quote(-1);
      else if (name === "a" && href !== null) {
        const shown = linkText.trim();
        const target = href.replace(/^mailto:/i, "");
        if (shown !== "" && !target.includes(shown)) writer.text(` <${href}>`);
        href = null;
      } else if (BLOCKS.has(name)) writer.block("", PARAGRAPHS.has(name));
    },
  });
  parser.end(html);
  return writer.result();
}

/** What takes parsers time that grows with the square of it. No mail program writes this. */
const LEVELS_MAX = 1_000;
const CHUNK_CHARS = 16_384;

export function isTooDeep(html: string): boolean {
  let depth = 0;
  let deepest = 0;
  const parser = new Parser({
    onopentag() {
      deepest = Math.max(deepest, ++depth);
    },
    onclosetag() {
      depth--;
    },
  });
  // In pieces: the parser itself keeps a list of the levels that it moves with each new one.
  for (let at = 0; at < html.length && deepest <= LEVELS_MAX; at += CHUNK_CHARS)
    parser.write(html.slice(at, at + CHUNK_CHARS));
  return deepest > LEVELS_MAX;
}

/** What is between the tags of HTML that is nested without end. */
function withoutTags(html: string): string {
  const texts: string[] = [];
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    const close = open === -1 ? -1 : html.indexOf(">", open);
    const text = html.slice(at, open === -1 ? undefined : open).trim();
    if (text !== "") texts.push(text);
    if (close === -1) break;
    at = close + 1;
  }
  return texts.join("\n");
}

/** Lines with their quote marks; white space as a browser collapses it. */
function createWriter() {
  const lines: string[] = [];
  let line = "";
  // Asking the line itself would copy it for each text that is added to it.
  let endsInSpace = false;
  let depth = 0;
  const begin = (start: string) => {
    line = start;
    endsInSpace = start.endsWith(" ");
  };
  const prefix = () => (depth > 0 ? `${">".repeat(Math.min(depth, DEPTH_MAX))} ` : "");
  const end = () => {
    lines.push((prefix() + line.trim()).trimEnd());
    begin("");
  };
  const isBlank = () => /^>*$/.test(lines.at(-1) ?? "");
  const block = (start: string, isParagraph = false) => {
    if (line.trim() !== "") end();
    if (isParagraph && !isBlank()) lines.push(prefix().trimEnd());
    begin(start);
  };
  return {
    newline: end,
    block,
    quote(step: 1 | -1) {
      block("", true);
      depth = Math.max(0, depth + step);
    },
    text(text: string) {
      const collapsed = text.replace(/[ \t\r\n\f]+/g, " ");
      const added = line === "" || endsInSpace ? collapsed.trimStart() : collapsed;
      if (added !== "") endsInSpace = added.endsWith(" ");
      line += added;
    },
    result() {
      if (line.trim() !== "") end();
      return lines
        .join("\n")
        .replaceAll("\u00a0", " ")
        .replace(/\n{3,}/g, "\n\n")
        .trim();
    },
  };
}
