import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout this script belongs to, whatever the working directory is. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** The text of a file of the checkout; undefined where there is none. */
export function readIfPresent(path) {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Set-up prints to stderr only: stdout belongs to `parley … --json`. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

export function secondsSince(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** An error whose message is all a person needs: no stack is printed for it. */
export class SetupError extends Error {}

/** Runs a script's main function; every script ends through here, so none can fail and exit 0. */
export async function runScript(main) {
  try {
    const code = await main();
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    say(error instanceof SetupError ? error.message : error?.stack ? error.stack : String(error));
    process.exitCode = 1;
  }
}
