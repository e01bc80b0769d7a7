import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOnly, importsOf, lineAt, readTree, type SourceFile } from "./source-text.ts";

const DECLARATION =
  /^export\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;
const LIST = /^export\s+(?:type\s+)?\{([^}]*)\}/gm;

interface Export {
  readonly name: string;
  readonly line: number;
}

/** The names that a file exports, re-exports included. */
function exportsOf({ text }: SourceFile): Export[] {
  const code = codeOnly(text, { strings: "blank" });
  const declared = [...code.matchAll(DECLARATION)].map((match) => ({
    name: match[1] as string,
    line: lineAt(code, match.index),
  }));
  const listed = [...code.matchAll(LIST)].flatMap((match) =>
    namesIn(match[1] ?? "").map(({ outer }) => ({ name: outer, line: lineAt(code, match.index) })),
  );
  return [...declared, ...listed];
}

/** `a, type B as C` → a as a, B as C. */
function namesIn(clause: string): { inner: string; outer: string }[] {
  return clause
    .split(",")
    .map((part) => part.trim().replace(/^type\s+/, ""))
    .filter((part) => part !== "")
    .map((part) => {
      const [inner = "", outer = inner] = part.split(/\s+as\s+/);
      return { inner, outer };
    });
}

/** What each file takes from each other one: `path` → names, `*` for all of them. */
function usesOf(files: readonly SourceFile[]): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  for (const file of files)
    for (const { specifier, clause } of importsOf(file.text)) {
      if (!specifier.startsWith(".")) continue;
      const target = posix.normalize(posix.join(posix.dirname(file.path), specifier)).replace(/^dist\//, "src/");
      const path = target.replace(/^(src\/.*)\.js$/, "$1.ts");
      const names = uses.get(path) ?? new Set();
      uses.set(path, names);
      const list = /\{([^}]*)\}/.exec(clause)?.[1];
      // A dynamic or namespace import may use anything.
      if (list === undefined) names.add("*");
      else for (const { inner } of namesIn(list)) names.add(inner);
    }
  return uses;
}

function unusedExports(sources: readonly SourceFile[], users: readonly SourceFile[]): string[] {
  const uses = usesOf([...sources, ...users]);
  return sources.flatMap((file) => {
    const used = uses.get(file.path);
    if (used?.has("*") || file.path === ENTRY) return [];
    return exportsOf(file)
      .filter(({ name }) => !used?.has(name))
      .map(({ name, line }) => `${file.path}:${line} exports ${name}, which no other file imports: drop the export.`);
  });
}

/** Loaded by its path, see scripts/lib/launch.mjs. */
const ENTRY = "src/cli/main.ts";

const isSource = (path: string): boolean => /\.(?:ts|mjs|tsx)$/.test(path);

describe("exports", () => {
  it("of src are each imported by another file", () => {
    const sources = readTree("src", isSource);
    const users = ["test", "scripts", "bench", "bin", "examples"].flatMap((folder) => readTree(folder, isSource));
    expect(sources.length).toBeGreaterThan(0);
    expect(unusedExports(sources, users)).toEqual([]);
  });

  it("of the dashboard are each imported by another file", () => {
    // Generated types, and a module that dashboard/vite.config.ts puts in the place of a package.
    const isExempt = (path: string): boolean => /schema\.ts$|\/remove-scroll\.tsx$/.test(path);
    const sources = readTree("dashboard/src", (path) => isSource(path) && !isExempt(path));
    const users = readTree("test", isSource);
    expect(sources.length).toBeGreaterThan(0);
    expect(unusedExports(sources, users)).toEqual([]);
  });

  it("of the widget are each imported by another file", () => {
    const sources = readTree("widget/src", isSource);
    expect(sources.length).toBeGreaterThan(0);
    expect(unusedExports(sources, readTree("test", isSource))).toEqual([]);
  });

  it("are seen by the checker in every form, and so is what imports them", () => {
    const source = (path: string, text: string): SourceFile => ({ path, text });
    const a = source(
      "src/a.ts",
      "export const one = 1;\nexport async function two() {}\nexport interface Three {}\nexport { four as five };",
    );
    const names = (...users: SourceFile[]): string[] =>
      unusedExports([a], users).map((fault) => /exports (\w+)/.exec(fault)?.[1] ?? "");
    expect(names()).toEqual(["one", "two", "Three", "five"]);
    expect(names(source("src/b.ts", 'import { one, type Three } from "./a.ts";'))).toEqual(["two", "five"]);
    expect(names(source("src/b.ts", 'export { one as uno, five } from "./a.ts";'))).toEqual(["two", "Three"]);
    expect(names(source("bench/b.mjs", 'import { two } from "../dist/a.js";'))).toEqual(["one", "Three", "five"]);
    expect(names(source("src/b.ts", 'const a = await import("./a.ts");'))).toEqual([]);
  });
});
