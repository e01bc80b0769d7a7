import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { faultsWhere, readTree, root, type SourceFile } from "./source-text.ts";

interface LockFile {
  readonly packages: Record<string, object>;
}

const { lockFileFaults, completeLockFile } = (await import(
  new URL("../../scripts/lib/lock-file.mjs", import.meta.url).href
)) as {
  lockFileFaults: (lockFile: LockFile) => string[];
  completeLockFile: (lockFile: LockFile) => string[];
};
const BINARY = /\.(?:png|jpe?g|gif|ico|webp|woff2?|ttf|pdf|gz|tgz|zip)$/;
const MACHINE_PATH = /(?<![\w.)}\]-])\/(?:Users\/\w+|home\/(?!linuxbrew\/)\w+)\/[\w.-]*/g;
const REGISTRY_HOST = /\b(?:registry\.[\w-]+\.(?:org|com|io)|npm\.pkg\.github\.com|[\w.-]+:4873)\b/g;

/** The path of this checkout, on any machine; a path of one step is too short to look for. */
const CHECKOUT = root.replace(/\/+$/, "");
const OWN_PATH = new RegExp(`(?<![\\w.)}\\]-])${CHECKOUT.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "g");

function treeFaults(file: SourceFile): string[] {
  return [
    ...(CHECKOUT.split("/").length > 2
      ? faultsWhere(file, file.text, OWN_PATH, "it is the path of this checkout")
      : []),
    ...faultsWhere(file, file.text, MACHINE_PATH, "a path of one machine works on that machine only"),
    ...faultsWhere(file, file.text, REGISTRY_HOST, "which registry serves is the reader's setting, not the tree's"),
  ];
}

describe("the tree", () => {
  it("names no machine's paths and no registry hosts", () => {
    const files = readTree("", (path) => !BINARY.test(path) && !path.startsWith("test/tidy/"));
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(treeFaults)).toEqual([]);
  });

  it.skipIf(CHECKOUT.split("/").length <= 2)("is refused with its own place in it", () => {
    expect(treeFaults({ path: "README.md", text: `cd ${CHECKOUT} && npm start` })).not.toEqual([]);
  });

  it.each([
    "cd /Users/ann/parley",
    "see /home/ann/notes",
    '"resolved": "https://registry.example.org/pg/-/pg-8.0.0.tgz"',
    "registry=http://localhost:4873/",
  ])("is refused with %s in it", (text) => {
    expect(treeFaults({ path: "README.md", text })).toHaveLength(1);
  });

  it.each(["https://example.com/home/ann/it", "./home/ann/x", "`$\u007bbase}/home/ann/x`", "/var/lib/parley"])(
    "is taken with %s in it",
    (text) => {
      expect(treeFaults({ path: "README.md", text })).toEqual([]);
    },
  );
});

describe("the lock file", () => {
  it("is bound to no registry and admits Node 20.19 throughout", () => {
    expect(lockFileFaults(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile)).toEqual([]);
  });

  it("lets no package run a script when it is installed, and says so for each that has one", () => {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
    const withScript = Object.entries(packages)
      .filter(([, entry]) => (entry as { hasInstallScript?: boolean }).hasInstallScript)
      .map(([path]) => [path.replace(/^.*node_modules\//, ""), false] as const);
    const { allowScripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(allowScripts).toEqual(Object.fromEntries(withScript));
  });

  it("is refused when it is bound or too new", () => {
    const faults = lockFileFaults({
      packages: {
        "": {},
        "node_modules/a": { resolved: "https://example.com/a.tgz" },
        "node_modules/b": { engines: { node: ">=22" } },
        "node_modules/c": { engines: { node: "^20.19.0 || >=22.12.0" } },
      },
    });
    expect(faults).toHaveLength(2);
    expect(faults[0]).toContain("node_modules/a is bound to");
    expect(faults[1]).toContain("node_modules/b wants Node >=22");
  });

  it("is refused without the packages of other platforms, until they are added", () => {
    const lockFile = {
      packages: { "node_modules/a": { dev: true, optionalDependencies: { "@a/linux-x64-musl": "1.2.3" } } },
    };
    expect(lockFileFaults(lockFile)[0]).toContain("npm run complete-lock");
    expect(completeLockFile(lockFile)).toEqual(["@a/linux-x64-musl"]);
    expect(lockFile.packages).toHaveProperty(["node_modules/@a/linux-x64-musl"], {
      version: "1.2.3",
      cpu: ["x64"],
      dev: true,
      libc: ["musl"],
      optional: true,
      os: ["linux"],
    });
    expect(lockFileFaults(lockFile)).toEqual([]);
  });
});
