import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, say } from "./root.mjs";
import { run } from "./run.mjs";

const VITEST = join(root, "node_modules", "vitest", "vitest.mjs");
const COUNT_REPORTER = join(root, "scripts", "lib", "count-reporter.mjs");

/**
 * Runs vitest with these arguments and answers what came of it: `{ passed, failed, skipped, reasons }`.
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, reporter?: string, show?: boolean }} options `show: false` keeps its words until it has ended.
 */
export async function runSuites(args, { env = {}, reporter = "default", show = true } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "parley-test-"));
  const file = join(directory, "counts.json");
  try {
    const vitest = [VITEST, "run", `--reporter=${reporter}`, `--reporter=${COUNT_REPORTER}`, ...args];
    const settings = { env: { ...process.env, ...env, PARLEY_TEST_COUNTS: file }, show };
    const { code, output } = await run(process.execPath, vitest, settings);
    if (!show) console.log(output.trimEnd());
    return readCounts(file, code);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readCounts(file, code) {
  let counts;
  try {
    counts = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    say(`vitest ended with ${code} and left no counts.`);
    return { passed: 0, failed: 1, skipped: 0, reasons: [] };
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** One sum of several counts. */
export function sumCounts(...all) {
  const sum = (name) => all.reduce((total, counts) => total + counts[name], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    reasons: all.flatMap(({ reasons = [] }) => reasons),
  };
}

/**
 * A person may lack a privilege or a network. Where we run as root and are the judge, what a suite skipped was not proven:
 * those of `folder` count as failed there.
 */
export function skipsAsFailures(counts, folder) {
  if (process.env.CI !== "true" || process.getuid?.() !== 0) return counts;
  const skipped = counts.reasons.filter((reason) => reason.startsWith(folder)).length;
  return { ...counts, failed: counts.failed + skipped };
}

/** Prints the skipped ones with their reasons and, as the last line, the counts alone. Answers the exit code. */
export function conclude({ passed, failed, skipped, reasons }) {
  if (reasons.length > 0) console.log(["", "Skipped:", ...reasons.map((reason) => `  ${reason}`)].join("\n"));
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 || passed === 0 ? 1 : 0;
}
