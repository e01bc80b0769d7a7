import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../host/run.ts";
import type { Binaries } from "./binaries.ts";

/** Directories with one folder per version, and the path from the version to the programs. */
const VERSIONED: readonly (readonly [directory: string, version: RegExp, rest: string])[] = [
  ["/usr/lib/postgresql", /^\d+$/, "bin"],
  ["/usr/libexec", /^postgresql\d+$/, "."],
  ["/usr", /^pgsql-\d+$/, "bin"],
  ["/opt/homebrew/opt", /^postgresql(@\d+)?$/, "bin"],
  ["/usr/local/opt", /^postgresql(@\d+)?$/, "bin"],
];

/** Every PostgreSQL server installed on this machine, newest first. */
export async function findSystemBinaries(): Promise<Binaries[]> {
  const found: Binaries[] = [];
  for (const binDir of await candidateDirectories()) {
    const version = await serverVersion(join(binDir, "postgres"));
    const major = Number.parseInt(version ?? "", 10);
    if (version) found.push({ source: "system", binDir, version, major, copied: false });
  }
  return found.sort((a, b) => b.major - a.major);
}

async function candidateDirectories(): Promise<Set<string>> {
  const directories = VERSIONED.flatMap(([directory, version, rest]) =>
    (existsSync(directory) ? readdirSync(directory) : [])
      .filter((name) => version.test(name))
      .map((name) => join(directory, name, rest)),
  );
  // The shell knows our PATH; this module does not read the environment (only src/config does).
  const onPath = await run("/bin/sh", ["-c", "command -v postgres"], { timeoutMs: 3_000, ownEnvironment: true });
  if (onPath.code === 0) directories.push(dirname(onPath.output.trim()));
  const complete = directories.filter((binDir) =>
    ["postgres", "initdb"].every((program) => existsSync(join(binDir, program))),
  );
  // A link in /usr/local/bin leads to the directory that also holds the share files' relative path.
  return new Set(complete.map((binDir) => dirname(realpathSync(join(binDir, "postgres")))));
}

/** "postgres (PostgreSQL) 15.18 (Debian …)" gives "15.18"; a broken installation gives null. */
async function serverVersion(postgres: string): Promise<string | null> {
  const result = await run(postgres, ["--version"], { timeoutMs: 5_000 }).catch(() => null);
  return result?.code === 0 ? (/\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(result.output)?.[1] ?? null) : null;
}
