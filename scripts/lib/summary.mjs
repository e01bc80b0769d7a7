import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/**
 * Stores the result of a suite where `npm run results` reads it for the results page.
 *
 * @param {string} name
 * @param {{ passed: number, failed: number, skipped: number }} counts
 * @param {number} startedAt by `performance.now()`
 */
export function writeSummary(name, { passed, failed, skipped }, startedAt) {
  const directory = join(root, "bench", "results");
  mkdirSync(directory, { recursive: true });
  const seconds = (performance.now() - startedAt) / 1_000;
  const summary = { name, at: new Date().toISOString(), counts: { passed, failed, skipped }, seconds };
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(summary, null, 2)}\n`);
}
