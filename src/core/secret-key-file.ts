import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDirectories } from "./create-directory.ts";
import { readIfPresent } from "./read-if-present.ts";

/**
 * The key that seals secrets when the operator gives none: made once, mode 0600, in the data directory. Written to another name
 * and linked into place, so that of two processes that start at once one wins and both read the same.
 */
export function readOrCreateSecretKey(dataDir: string): string {
  const path = join(dataDir, "secret.key");
  const found = readSecretKey(dataDir);
  if (found) return found;
  const temporary = `${path}.${process.pid}`;
  try {
    createDirectories(dataDir);
    writeFileSync(temporary, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  } catch (error) {
    throw new Error(
      `The key that seals secrets cannot be written to ${path}: ${(error as Error).message}. ` +
        "Set PARLEY_SECRET_KEY, or set PARLEY_DATA_DIR to a directory that can be written to.",
    );
  }
  chmodSync(temporary, 0o600);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}

/** Null: there is no such file, or it is empty. */
export const readSecretKey = (dataDir: string): string | null => readIfPresent(join(dataDir, "secret.key"));

/** Writes the key of a restored installation. One that is there already and differs is kept, and this refuses. */
export function writeSecretKey(dataDir: string, secret: string): void {
  const path = join(dataDir, "secret.key");
  const found = readIfPresent(path);
  if (found === secret) return;
  if (found) throw new Error(`${path} holds another key. Move it away, or set PARLEY_SECRET_KEY, and restore again.`);
  createDirectories(dataDir);
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: "wx" });
}
