import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTree, root, type SourceFile } from "./source-text.ts";
import { titlesOf } from "./titles.ts";

/** The patches of `npm run prove` take an hour to run; that each still fits the code is seen here, in a second. */
const PATCHES = readTree("test/prove", (path) => path.endsWith(".patch"));

/** A placeholder for a value in a title: `%s`, `$name` and `${expression}`. */
const PLACEHOLDER = /%[sdifjo#$]|\$\{[^}]*\}|\$[a-z][\w.]*/gi;

/** Whether a title of the file, its placeholders filled in, contains the name, as `npm run prove` requires. */
function hasTest(text: string, name: string): boolean {
  return titlesOf(text).some((title) => {
    if (title.includes(name)) return true;
    const literals = title.split(PLACEHOLDER).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return literals.length > 1 && new RegExp(`^${literals.join(".+")}$`).test(name);
  });
}

function proofFaults({ path, text }: SourceFile, readTest: (path: string) => string | undefined): string[] {
  const [, testPath, name] = /^Turns red: (\S+) > (.+)$/m.exec(text) ?? [];
  if (!/^Breaks: .+$/m.test(text) || testPath === undefined || name === undefined)
    return [`${path} does not say what it breaks and which test turns red.`];
  const test = readTest(testPath);
  if (test === undefined) return [`${path} names ${testPath}, which does not exist.`];
  return hasTest(test, name) ? [] : [`${path} names a test that ${testPath} does not have: ${name}`];
}

function applyFault({ path, text }: SourceFile): string[] {
  const { status, stderr } = spawnSync("git", ["apply", "--check", "-"], { cwd: root, input: text, encoding: "utf8" });
  return status === 0 ? [] : [`${path} no longer applies: ${stderr}`];
}

function readTestFile(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
}

describe("the patches of npm run prove", () => {
  it("each apply to the code as it is", () => {
    expect(PATCHES.length).toBeGreaterThan(0);
    expect(PATCHES.flatMap(applyFault)).toEqual([]);
  });

  it("each name a test that exists in the file they name", () => {
    expect(PATCHES.flatMap((patch) => proofFaults(patch, readTestFile))).toEqual([]);
  });

  it("are refused when the lines that they change are not there", () => {
    const text = "--- a/package.json\n+++ b/package.json\n@@ -1,1 +1,1 @@\n-no such line\n+another\n";
    expect(applyFault({ path: "test/prove/x.patch", text })).toHaveLength(1);
  });

  it.each([
    ["without its two lines", "diff --git a/x b/x"],
    ["with a file that is missing", "Breaks: x.\nTurns red: test/y.test.ts > a title"],
    ["with a title that is missing", "Breaks: x.\nTurns red: test/x.test.ts > another title"],
    ["with only a string of the file", "Breaks: x.\nTurns red: test/x.test.ts > no title"],
    ["with half of a title with placeholders", "Breaks: x.\nTurns red: test/x.test.ts > refuses one"],
  ])("are refused %s", (_what, text) => {
    expect(proofFaults({ path: "test/prove/x.patch", text }, exampleTest)).toHaveLength(1);
  });

  it.each(["a title", "refuses one (twice)", "in a folder, the second title", "the limit of 5 is kept"])(
    "are accepted with the title %s",
    (name) => {
      const text = `Breaks: x.\nTurns red: test/x.test.ts > ${name}`;
      expect(proofFaults({ path: "test/prove/x.patch", text }, exampleTest)).toEqual([]);
    },
  );
});

function exampleTest(path: string): string | undefined {
  return path === "test/x.test.ts"
    ? [
        'it("a title", () => f("no title"));',
        'it.each([f(1), ")"])("refuses %s (twice)", f);',
        'it.skipIf(g())("in a folder, the second title", f);',
        "it(`the limit of $\u007blimit} is kept`, f);",
      ].join("\n")
    : undefined;
}
