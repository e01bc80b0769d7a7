import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));

/** The folder of the checkout or installation: the code may run from `src`, compiled from `dist`, or bundled. */
export const PACKAGE_ROOT = above(HERE);

/** The folder of files that belong to the code and are not code: `src`, or their copies in `dist`. */
export const CODE_ROOT = join(PACKAGE_ROOT, relative(PACKAGE_ROOT, HERE).split(sep)[0] ?? "");

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8")) as { version: string };
  return version;
}

function above(directory: string): string {
  const parent = dirname(directory);
  if (existsSync(join(directory, "package.json")) || parent === directory) return directory;
  return above(parent);
}
