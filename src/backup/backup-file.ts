import { lstatSync, realpathSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { moveDurably } from "../core/durable-file.ts";
import { type BackupOptions, type BackupResult, writeBackup } from "./backup.ts";

type FileOptions = Omit<BackupOptions, "output"> & { readonly file: string };

/**
 * Writes to another name and renames at the end: a backup that was interrupted must not look like one. The file is opened first,
 * so that a directory that cannot be written to is an error of this call and not an event that nobody listens for.
 */
export async function writeBackupFile({ file, ...options }: FileOptions): Promise<BackupResult> {
  const target = replaceable(file);
  const partial = `${target}.partial`;
  const handle = await open(partial, "w", 0o600).catch((error: Error) => {
    throw new Error(`The backup cannot be written: ${error.message}.`);
  });
  try {
    const result = await writeBackup({ ...options, output: handle.createWriteStream({ flush: true }) });
    moveDurably(partial, target);
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}

/** A rename would replace a device or a pipe, and a program that reads there would get nothing. A link leads to its file. */
function replaceable(file: string): string {
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })) return file;
    // A link that leads nowhere is an error here: its file may be meant for a disk that is not there.
    const target = realpathSync(file);
    if (statSync(target).isFile()) return target;
  } catch (error) {
    throw new Error(`The backup cannot be written: ${(error as Error).message}.`);
  }
  throw new Error(
    `The backup cannot be written: ${file} is not a file. For a device or a pipe, write to standard output: -.`,
  );
}
