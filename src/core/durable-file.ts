import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

interface DurableOptions {
  /** Exactly this, whatever the umask is. */
  mode?: number;
  owner?: { readonly uid: number; readonly gid: number };
  /** A file that is there already stays as it is. Of two processes that write at once, one wins. */
  ifAbsent?: boolean;
}

/**
 * Writes a file that must be found again, whole, after a power loss at any moment: once this has returned, it is on the disk.
 * A rename alone promises no such thing: the name may reach the disk before the bytes, which leaves an empty file. Nothing
 * else writes such files (test/tidy). A link that was put in its place is replaced, not followed.
 *
 * Returns false where `ifAbsent` found one.
 */
export function writeDurable(path: string, text: string, options: DurableOptions = {}): boolean {
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  let isNew = true;
  try {
    writeDraft(draft, text, options);
    if (options.ifAbsent) linkSync(draft, path);
    else renameSync(draft, path);
  } catch (error) {
    if (!options.ifAbsent || (error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    isNew = false;
  } finally {
    rmSync(draft, { force: true });
  }
  // Not while an error passes through: a disk that failed fails here too, with an error that names no file.
  syncDirectory(dirname(path));
  return isNew;
}

/** Gives something that is on the disk, under another name, the name that counts. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to);
  syncDirectory(dirname(to));
}

/** Some file systems cannot, and some directories may be written to but not read: their entries are written as they can. */
const CANNOT_SYNC = new Set(["EINVAL", "ENOTSUP", "EACCES", "EPERM", "EISDIR"]);

/** Until this has been called, a new name in a directory may be lost with the power. */
export function syncDirectory(path: string): void {
  try {
    const directory = openSync(path, "r");
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch (error) {
    if (!CANNOT_SYNC.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function writeDraft(draft: string, text: string, { mode = 0o600, owner }: DurableOptions): void {
  const file = openSync(draft, "wx", mode);
  try {
    fchmodSync(file, mode);
    writeFileSync(file, text);
    if (owner) fchownSync(file, owner.uid, owner.gid);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
