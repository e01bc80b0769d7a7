import { existsSync, realpathSync, type Stats, statSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createDirectories } from "../../../core/create-directory.ts";
import { writeDurable } from "../../../core/durable-file.ts";
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

/** The file, at `path` or above it, where a directory has to be; null where there is none. */
export function fileOnTheWay(path: string): string | null {
  if (existsSync(path)) return statSync(path).isDirectory() ? null : path;
  return dirname(path) === path ? null : fileOnTheWay(dirname(path));
}

/**
 * The first directory on the way to `path` that `account` may not enter; null when it may enter all of them. Missing
 * parts count as open: we create them. Access lists (ACLs) are not considered.
 */
export function closedOnTheWay(path: string, account: Account): string | null {
  const real = realPath(path);
  const parents = dirname(real) === real ? null : closedOnTheWay(dirname(real), account);
  if (parents !== null) return parents;
  const stats = statSync(real, { throwIfNoEntry: false });
  return !stats || allows(stats, account, ENTER) ? null : real;
}

export function canReadAndEnter(path: string, account: Account): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && allows(stats, account, READ | ENTER);
}

function allows(stats: Stats, account: Account, wanted: number): boolean {
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & wanted) === wanted;
}

/** Creates the directory, and what is missing above it, with exactly this mode, whatever our umask is. */
export async function createDirectory(path: string, mode: number): Promise<void> {
  for (const created of createDirectories(path, mode)) await chmod(created, mode);
}

/** Writes a file that only the server's account may read, into a directory that belongs to that account. */
export function writePrivateFile(path: string, text: string, { uid, gid, switchTo }: Account): void {
  writeDurable(path, text, { mode: 0o600, ...(switchTo ? { owner: { uid, gid } } : {}) });
}

/** rename() onto a directory that another process has filled in the meantime. */
export function isTaken(error: unknown): boolean {
  return ["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "");
}
