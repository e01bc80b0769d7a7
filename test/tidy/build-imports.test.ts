import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTree, root, type SourceFile } from "./source-text.ts";

/** Programs that import modules of the built server: nothing compiles them, so a moved module breaks them unseen. */
const PROGRAMS = ["bench", "dashboard/pictures", "scripts", "test/smoke"].flatMap((folder) =>
  readTree(folder, (path) => path.endsWith(".mjs")),
);

const FROM_DIST = /import \{([^}]+)\} from "(?:\.\.\/)+dist\/([\w/.-]+)\.js"/g;
const FROM_BUILD = /const \{([^}]+)\} = await fromBuild\(([^)]+)\.js"\)/g;

interface Import {
  module: string;
  names: string[];
}

function importsOf({ text }: SourceFile): Import[] {
  return [...text.matchAll(FROM_DIST), ...text.matchAll(FROM_BUILD)].map(([, names = "", path = ""]) => ({
    module: path.replaceAll('"', "").replaceAll(", ", "/"),
    names: names.split(",").flatMap((name) => name.trim().split(" as ")[0] || []),
  }));
}

function faultsOf(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ module, names }) => {
    const source = join(root, "src", `${module}.ts`);
    if (!existsSync(source)) return [`${file.path} imports ${module}, which does not exist.`];
    const text = readFileSync(source, "utf8");
    const isExported = (name: string) => new RegExp(`export [^;=]*\\b${name}\\b`).test(text);
    return names.filter((name) => !isExported(name)).map((name) => `${file.path} imports ${name} from ${module}.`);
  });
}

describe("programs that import the built server", () => {
  it("name modules and exports that exist", () => {
    expect(PROGRAMS.flatMap(importsOf).length).toBeGreaterThan(10);
    expect(PROGRAMS.flatMap(faultsOf)).toEqual([]);
  });

  it.each([
    ["a module", `const { startApp } = await fromBuild("app.js");`],
    ["a name", `import { no } from "../../dist/app/app.js";`],
  ])("are refused when %s is not there", (_, text) => {
    expect(faultsOf({ path: "bench/x.mjs", text })).toHaveLength(1);
  });
});
