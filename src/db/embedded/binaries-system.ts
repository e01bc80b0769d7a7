import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { run } from "./run.ts";

/** Directories with one folder per version, and what lies between the version and the programs. */
const VERSIONED: readonly (readonly [string, RegExp, string])[] = [
  ["/usr/lib/postgresql", /^\d+$/, "bin"],
  ["/usr/libexec", /^postgresql\d+$/, "."],
  ["/usr", /^pgsql-\d+$/, "bin"],
  ["/opt/homebrew/opt", /^postgresql(@\d+)?$/, "bin"],
  ["/usr/local/opt", /^postgresql(@\d+)?$/, "bin"],
  ["/home/linuxbrew/.linuxbrew/opt", /^postgresql(@\d+)?$/, "bin"],
  ["/Applications/Postgres.app/Contents/Versions", /^\d+$/, "bin"],
];

/** Every PostgreSQL server installed on this machine, newest first. */
export async function findSystemBinaries(): Promise<Binaries[]> {
  const found: Binaries[] = [];
  for (const binDir of await candidateDirectories()) {
    const version = await serverVersion(join(binDir, "postgres"));
    if (version) found.push({ source: "system", binDir, version, major: Number.parseInt(version, 10) });
  }
  return found.sort((a, b) => b.major - a.major);
}

async function candidateDirectories(): Promise<Set<string>> {
  const directories = new Set<string>();
  const add = (binDir: string): void => {
    if (!existsSync(join(binDir, "postgres")) || !existsSync(join(binDir, "initdb"))) return;
    // A link in /usr/local/bin leads to the directory that also holds the share files' relative path.
    directories.add(dirname(realpathSync(join(binDir, "postgres"))));
  };
  // The shell knows our PATH; this module does not read the environment (only src/config does).
  const onPath = await run("/bin/sh", ["-c", "command -v postgres"], { timeoutMs: 3_000, ownEnvironment: true });
  if (onPath.code === 0) add(dirname(onPath.output.trim()));
  for (const [root, pattern, rest] of VERSIONED) {
    for (const name of list(root)) if (pattern.test(name)) add(join(root, name, rest));
  }
  return directories;
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** "postgres (PostgreSQL) 15.18 (Debian …)" gives "15.18"; a broken installation gives null. */
async function serverVersion(postgres: string): Promise<string | null> {
  const answer = await run(postgres, ["--version"], { timeoutMs: 5_000 }).catch(() => null);
  return answer?.code === 0 ? (/\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(answer.output)?.[1] ?? null) : null;
}
