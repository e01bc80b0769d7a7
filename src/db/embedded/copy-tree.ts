import { cp, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeDirectory } from "./reach.ts";

export interface CopyOptions {
  /** everybody may read and run the copy, whatever our umask says: it is made by root for another user */
  readonly publicModes: boolean;
  /** last touches, before the copy gets its name */
  readonly finish: (copy: string) => Promise<void>;
}

/**
 * Copies a directory so that `target` either does not exist or is complete and on the disk. When two processes copy at
 * once, the first to finish wins and the other's work is thrown away.
 */
export async function copyTree(source: string, target: string, options: CopyOptions): Promise<void> {
  const parent = dirname(target);
  await makeDirectory(parent, options.publicModes ? 0o755 : 0o700);
  await removeStaleCopies(target);
  const copy = await mkdtemp(`${target}.new-`);
  try {
    await cp(source, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
    await options.finish(copy);
    await settle(copy, options.publicModes);
    await rename(copy, target);
    await syncDirectory(parent);
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
}

/** rename() onto a directory that somebody else has filled meanwhile */
export function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOTEMPTY" || code === "EEXIST";
}

export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Sets modes and forces every file to the disk, so that a power cut cannot leave an empty file under a final name. */
async function settle(directory: string, publicModes: boolean): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await settle(path, publicModes);
    if (!entry.isFile()) continue;
    const handle = await open(path, "r");
    try {
      if (publicModes) await handle.chmod(((await handle.stat()).mode & 0o100) === 0 ? 0o644 : 0o755);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  const handle = await open(directory, "r");
  try {
    if (publicModes) await handle.chmod(0o755);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const STALE_AFTER_MS = 15 * 60_000;

/** What a copy that was killed in the middle has left behind. */
async function removeStaleCopies(target: string): Promise<void> {
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(`${basename(target)}.new-`)) continue;
    const path = join(dirname(target), name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > STALE_AFTER_MS) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
