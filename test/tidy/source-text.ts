import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface SourceFile {
  /** Relative to the checkout, with forward slashes: `src/http/server/server.ts`. */
  readonly path: string;
  readonly text: string;
}

const NEVER_READ = new Set([".git", "node_modules", "dist", "data", "coverage", "results"]);

/** Files below a folder of the checkout ("" is all of it), without what git ignores. */
export function readTree(folder: string, isWanted: (path: string) => boolean): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (NEVER_READ.has(entry.name) || entry.name.startsWith(".parley-")) return [];
    if (entry.isDirectory()) return readTree(path, isWanted);
    return entry.isFile() && isWanted(path) ? [{ path, text: readFileSync(join(root, path), "utf8") }] : [];
  });
}

export const isTypeScript = (path: string): boolean => path.endsWith(".ts");

const REGEX_MAY_FOLLOW = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|await))\s*$/;

/**
 * The text with comments blanked, and on request the insides of strings and templates too; every line stays where it was.
 * A scanner of 50 lines instead of a parser: TypeScript 7 has no JavaScript API, and the rules need no more than this.
 */
export function codeOnly(text: string, options: { strings: "keep" | "blank" }): string {
  const scanned = SCANNED[options.strings];
  const code = scanned.get(text) ?? scan(text, options);
  scanned.set(text, code);
  return code;
}

/** Several rules read each file. */
const SCANNED = { keep: new Map<string, string>(), blank: new Map<string, string>() };

function scan(text: string, options: { strings: "keep" | "blank" }): string {
  let out = "";
  let at = 0;
  /** One entry for each open `${`: how many braces are open inside it. */
  const templates: number[] = [];
  const blank = (part: string): string => part.replace(/[^\n]/g, " ");
  const take = (end: number, as: (part: string) => string): void => {
    out += as(text.slice(at, end));
    at = end;
  };
  const keep = (part: string): string => part;
  const inside = (part: string): string => (options.strings === "keep" ? part : blank(part));
  const stringEnd = (quote: string): number => {
    let end = at;
    while (end < text.length && text[end] !== quote && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
    return end;
  };
  const takeTemplate = (): void => {
    let end = at;
    while (end < text.length && text[end] !== "`" && !text.startsWith("${", end)) end += text[end] === "\\" ? 2 : 1;
    take(end, inside);
    if (text[at] === "$") {
      templates.push(0);
      take(at + 2, keep);
    } else take(at + 1, keep);
  };

  while (at < text.length) {
    const char = text[at] as string;
    const open = templates.at(-1);
    if (text.startsWith("//", at)) take(indexOr(text, "\n", at), blank);
    else if (text.startsWith("/*", at)) take(Math.min(indexOr(text, "*/", at + 2) + 2, text.length), blank);
    else if (char === '"' || char === "'") {
      take(at + 1, keep);
      take(stringEnd(char), inside);
      take(at + 1, keep);
    } else if (char === "`") {
      take(at + 1, keep);
      takeTemplate();
    } else if (char === "/" && REGEX_MAY_FOLLOW.test(out.slice(-40))) take(regexEnd(text, at), inside);
    else if (char === "}" && open === 0) {
      templates.pop();
      take(at + 1, keep);
      takeTemplate();
    } else {
      if (open !== undefined && (char === "{" || char === "}"))
        templates[templates.length - 1] = open + (char === "{" ? 1 : -1);
      take(at + 1, keep);
    }
  }
  return out;
}

function indexOr(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found === -1 ? text.length : found;
}

function regexEnd(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return at + 1;
  }
  return start + 1;
}

interface Import {
  readonly specifier: string;
  readonly line: number;
  /** The text between `import` and `from`; empty for a bare or dynamic import. */
  readonly clause: string;
}

const IMPORT_FORMS =
  /\b(?:import|export)\s+([\w*{][^;"'`]*?)\s*\bfrom\s*["']([^"']+)["']|\bimport\s*["']([^"']+)["']|\b(?:import|require)\s*\(\s*["'`]([^"'`]+)["'`]/g;

/** Every import, re-export, dynamic import and require, type-only ones too: a type ties two folders together as well. */
export function importsOf(text: string): Import[] {
  const code = codeOnly(text, { strings: "keep" });
  const unquoted = codeOnly(text, { strings: "blank" });
  return [...code.matchAll(IMPORT_FORMS)]
    .filter((match) => unquoted[match.index] !== " ")
    .map((match) => ({
      specifier: match[2] ?? match[3] ?? match[4] ?? "",
      clause: match[1] ?? "",
      line: lineAt(code, match.index),
    }));
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** One fault per match of a pattern in the code: `src/x.ts:3 <sentence>`. */
export function faultsWhere(file: SourceFile, code: string, pattern: RegExp, sentence: string): string[] {
  return [...code.matchAll(pattern)].map(
    (match) => `${file.path}:${lineAt(code, match.index)} has \`${match[0].trim()}\`: ${sentence}`,
  );
}
