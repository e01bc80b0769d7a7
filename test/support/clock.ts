import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianPackage } from "./debian.ts";

/** A wall clock that can be set while its programs run. Monotonic time continues as it does on a real machine. */
export interface Clock {
  /** The environment of a program that uses this clock. */
  env: Record<string, string>;
  /** How far it is ahead of the true time from now on. */
  set(aheadMs: number): void;
  remove(): void;
}

/** libfaketime's library, or why there is none. */
export async function findFaketime(): Promise<{ library: string | null; missing: string }> {
  const found = await debianPackage("libfaketime");
  if (!found.home) return { library: null, missing: found.missing };
  const lib = join(found.home, "usr", "lib");
  const libraries = readdirSync(lib).map((name) => join(lib, name, "faketime", "libfaketimeMT.so.1"));
  const library = libraries.find((path) => existsSync(path)) ?? null;
  return { library, missing: "Debian's libfaketime holds no library for this machine." };
}

export function createClock(library: string): Clock {
  const directory = mkdtempSync(join(tmpdir(), "parley-clock-"));
  // A database that root starts runs under another user, who reads the time here.
  chmodSync(directory, 0o755);
  const file = join(directory, "ahead");
  // Renamed, because a program that reads the file while it is being written would find it empty.
  const set = (aheadMs: number) => {
    writeFileSync(`${file}.new`, `${aheadMs < 0 ? "-" : "+"}${Math.abs(aheadMs) / 1_000}\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    set,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
