import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "./durable-file.ts";

/**
 * Creates a directory and what is missing above it, one by one, and returns those it created. Node's own recursive mkdir
 * never returns where a parent exists and reports new entries as missing, as /proc does. They are there after a power loss.
 */
export function createDirectories(path: string, mode = 0o777): string[] {
  if (isDirectory(path)) return [];
  const created = dirname(path) === path ? [] : createDirectories(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code === "EEXIST" && isDirectory(path)) return created;
    throw error;
  }
  syncDirectory(dirname(path));
  return [...created, path];
}

/** As `createDirectories`, for a command that keeps something for a person: a failure is a sentence that says what to do. */
export function createStateDirectory(path: string): void {
  try {
    createDirectories(path, 0o700);
  } catch (error) {
    throw new Error(
      `The directory ${path} cannot be created: ${(error as Error).message}. ` +
        "Set PARLEY_DATA_DIR to a directory that you can write to.",
    );
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
