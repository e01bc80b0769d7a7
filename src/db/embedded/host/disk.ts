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
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EROFS" && code !== "EIO") return null;
    return `The database cannot write: ${code === "EROFS" ? "its file system is read-only" : "the disk reports errors"}.`;
  }
}
