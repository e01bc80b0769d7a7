import { readFileSync } from "node:fs";

/** The text of a file without the white space around it; null where the file is missing or empty. */
export function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
