import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The key that seals secrets when the operator gives none: made once, mode 0600, in the data directory. Written beside
 * and linked into place, so that of two processes that start at once one wins and both read the same.
 */
export function readOrMakeSecretKey(dataDir: string): string {
  const path = join(dataDir, "secret.key");
  const found = readIfThere(path);
  if (found) return found;
  mkdirSync(dataDir, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
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

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
