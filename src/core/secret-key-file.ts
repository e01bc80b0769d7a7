import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createDirectories } from "./create-directory.ts";
import { writeDurable } from "./durable-file.ts";
import { readIfPresent } from "./read-if-present.ts";

/**
 * The key that seals secrets when the operator gives none: made once, mode 0600, in the data directory. It is on the disk
 * before anything is sealed with it. Of two processes that start at once one wins, and both read the same.
 */
export function readOrCreateSecretKey(dataDir: string): string {
  const path = join(dataDir, "secret.key");
  const found = readSecretKey(dataDir);
  if (found) return found;
  try {
    createDirectories(dataDir);
    // An empty one was left by a version that did not wait for the disk. It holds no key, so it is replaced.
    const ifAbsent = !existsSync(path);
    writeDurable(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, ifAbsent });
  } catch (error) {
    throw new Error(
      `The key that seals secrets cannot be written to ${path}: ${(error as Error).message}. ` +
        "Set PARLEY_SECRET_KEY, or set PARLEY_DATA_DIR to a directory that can be written to.",
    );
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
  writeDurable(path, `${secret}\n`, { mode: 0o600 });
}
