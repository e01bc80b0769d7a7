import { realpathSync, type Stats, statSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Account } from "./accounts.ts";

const READ = 4;
const ENTER = 1;

/** The real path of what exists, with what does not exist yet appended. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realPath(parent), basename(absolute));
  }
}

/**
 * The first directory on the way to `path` that `account` may not enter, or null when the way is open.
 * Parts that do not exist yet are ours to make and count as open. Access lists (ACLs) are not looked at.
 */
export function closedOnTheWay(path: string, account: Account): string | null {
  const directories: string[] = [];
  for (let at = realPath(path); ; at = dirname(at)) {
    directories.unshift(at);
    if (dirname(at) === at) break;
  }
  for (const directory of directories) {
    const stats = statSync(directory, { throwIfNoEntry: false });
    if (!stats) return null;
    if (!allows(stats, account, ENTER)) return directory;
  }
  return null;
}

/** Makes the directory and what is missing above it with this very mode, whatever our umask says. */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let at = path; ; at = dirname(at)) {
    await chmod(at, mode);
    if (at === first || dirname(at) === at) return;
  }
}

export function canReadAndEnter(path: string, account: Account): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && allows(stats, account, READ | ENTER);
}

function allows(stats: Stats, account: Account, wanted: number): boolean {
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & wanted) === wanted;
}
