import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tidy/source-text.ts";

export const readPage = (path: string): string => readFileSync(join(root, path), "utf8");

/** The rows of the table under a heading (the first there, or the one whose head begins with `head`), cells trimmed. */
export function tableUnder(page: string, heading: string, head?: string): string[][] {
  const tables = section(page, heading)
    .split(/\n(?!\|)/)
    .map((part) => part.split("\n").filter((line) => line.startsWith("|")))
    .filter((lines) => lines.length > 2);
  const found = tables.find(([first = ""]) => head === undefined || cells(first)[0] === head);
  if (!found) throw new Error(`There is no table under "${heading}".`);
  return found.slice(2).map(cells);
}

/** The text between a heading and the next one of its level or above. */
export function section(page: string, heading: string): string {
  const lines = page.split("\n");
  const at = lines.findIndex((line) => line.replace(/^#+ /, "") === heading && line.startsWith("#"));
  if (at < 0) throw new Error(`There is no heading "${heading}".`);
  const level = /^#+/.exec(lines[at] as string)?.[0].length ?? 1;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return (end < 0 ? rest : rest.slice(0, end)).join("\n");
}

const cells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());

export const bare = (cell: string | undefined): string => (cell ?? "").replaceAll("`", "");

/** The code block that follows the comment `<!-- mark -->`. */
export function blockMarked(page: string, mark: string): string {
  const match = new RegExp(`<!-- ${mark} -->\n\`\`\`\\w*\n([\\s\\S]*?)\`\`\``).exec(page);
  if (!match) throw new Error(`There is no code block marked "${mark}".`);
  return match[1] as string;
}

/** The anchors that a page's headings have, as they are rendered. */
export const anchorsOf = (page: string): string[] =>
  [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

export const withoutCode = (page: string): string => page.replace(/^```[\s\S]*?^```/gm, "");

export interface CodeBlock {
  /** `docs/guides/ordering.md › Reading by cursor › js`, with a number from the second one of its kind on. */
  name: string;
  language: string;
  code: string;
}

/** Every code block of a page, named by where it is. */
export function codeBlocksOf(path: string): CodeBlock[] {
  const counts = new Map<string, number>();
  let heading = "";
  return [...readPage(path).matchAll(/^#+ (.*)$|^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, title, language = "", code]) => {
      if (code === undefined) {
        heading = title ?? heading;
        return [];
      }
      const kind = `${path} › ${heading} › ${language}`;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return [{ name: count === 1 ? kind : `${kind} ${count}`, language, code }];
    },
  );
}
