import { statfsSync } from "node:fs";
import { syncDirectory } from "../../../core/durable-file.ts";

/** Less is not enough for a page of any table and its index. */
const FREE_BYTES_MIN = 1024 * 1024;

/** What is wrong with the disk that holds a directory, as a sentence; null: nothing that shows. Changes nothing. */
export function diskProblem(directory: string): string | null {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < FREE_BYTES_MIN ? "The database cannot write: the disk is full." : null;
  } catch {
    return null;
  }
}

/** As `diskProblem`, but it also waits for the disk: a file system that has failed still shows what it had in memory. */
export function diskFailure(directory: string): string | null {
  try {
    syncDirectory(directory);
    return diskProblem(directory);
  } catch (error) {
    return explainDiskError(error);
  }
}

/** The same sentence for an error of the file system; null where it is not the disk's. */
export function explainDiskError(error: unknown): string | null {
  const reason = REASONS[(error as NodeJS.ErrnoException | null)?.code ?? ""];
  return reason === undefined ? null : `The database cannot write: ${reason}.`;
}

const REASONS: Partial<Record<string, string>> = {
  EROFS: "its file system is read-only",
  EIO: "the disk reports errors",
};

export const CHECK_THE_DISK =
  "If it was mounted writable, the disk has failed: see the system's log (dmesg), check the file system, mount it again and restart Parley.";
