import { describe, expect, it } from "vitest";

type Packages = Record<string, object>;

const { compareInstalled } = (await import(new URL("../../../scripts/lib/dependencies.mjs", import.meta.url).href)) as {
  compareInstalled: (found: {
    wanted: Packages;
    installed: Packages;
    justInstalled: boolean;
    exists: (path: string) => boolean;
  }) => string;
};

const here = { os: [process.platform], cpu: [process.arch] };
const WANTED: Packages = {
  "": { optionalDependencies: { "@own/database": "1.0.0" } },
  client: {},
  "node_modules/client": { link: true },
  "node_modules/@own/database": { version: "1.0.0", optional: true, ...here },
  "node_modules/runs": { version: "2.0.0" },
  "node_modules/tool": { version: "3.0.0", dev: true },
  "node_modules/tool-binding": { version: "3.0.0", dev: true, optional: true, ...here },
  "node_modules/tool-binding-elsewhere": { version: "3.0.0", dev: true, optional: true, os: ["elsewhere"] },
};

/** What is said of an installation that lacks these packages, or has them in another version. */
function compare(lacking: string[], { justInstalled = false, changed = {} as Packages } = {}): string {
  const installed = { ...WANTED, ...changed };
  for (const name of ["tool-binding-elsewhere", ...lacking]) delete installed[`node_modules/${name}`];
  return compareInstalled({ wanted: WANTED, installed, justInstalled, exists: (path) => path in installed });
}

describe("the comparison of what is installed with the lock file", () => {
  it("accepts an installation that lacks an optional package of a dependency, which npm could not get", () => {
    expect(compare([])).toBe("current");
    expect(compare(["tool-binding"])).toBe("current");
  });

  it("installs again for an optional package of Parley itself, and accepts that it cannot be had", () => {
    expect(compare(["@own/database"])).toBe("stale");
    expect(compare(["@own/database"], { justInstalled: true })).toBe("current");
  });

  it("accepts that development packages are missing only where nothing has to be built", () => {
    expect(compare(["tool", "tool-binding"])).toBe("runtime");
  });

  it("installs again where a package is missing, is of another version, or is not linked", () => {
    expect(compare(["runs"])).toBe("stale");
    expect(compare([], { changed: { "node_modules/runs": { version: "1.9.0" } } })).toBe("stale");
    expect(compare(["client"])).toBe("stale");
    const oldBinding = { "node_modules/tool-binding": { version: "2.9.0" } };
    expect(compare([], { changed: oldBinding })).toBe("runtime");
  });
});
