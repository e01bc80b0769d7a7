import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, say } from "./root.mjs";
import { run } from "./run.mjs";

const VITEST = join(root, "node_modules", "vitest", "vitest.mjs");
const COUNT_REPORTER = join(root, "scripts", "lib", "count-reporter.mjs");

/**
 * Runs vitest with these arguments and returns the counts and titles that `count-reporter.mjs` writes.
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, reporter?: string, show?: boolean }} options `show: false` prints its output when it has ended.
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

/** If more files than this fail, a busy machine is not the reason. */
const UNSTABLE_FILES_MAX = 2;

/**
 * As `runSuites`, but one or two files of browser tests that fail are run once more, alone. What passes then depends on
 * how fast the machine draws a page: it does not fail the run, and `conclude` lists it so that it is made stable.
 * Every other test fails at once: a rare failure there may be a lost event.
 *
 * @param {string[]} args
 */
export async function runSuitesWithSecondTry(args) {
  const first = await runSuites(args);
  const files = [...new Set(first.failures.map(({ file }) => file))];
  const pagesOnly = first.errors === 0 && files.every((file) => file.startsWith("test/browser/"));
  if (!pagesOnly || files.length === 0 || files.length > UNSTABLE_FILES_MAX) return first;
  say(`Running ${files.join(" and ")} once more, alone.`);
  const second = await runSuites([...files, "--maxWorkers=1"]);
  if (second.failed > 0) return first;
  return {
    ...first,
    passed: first.passed + first.failed,
    failed: 0,
    unstable: first.failures.map(({ file, title }) => `${file}: ${title}`),
  };
}

function readCounts(file, code) {
  let counts;
  try {
    counts = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    say(`vitest ended with ${code} and left no counts.`);
    return { passed: 0, failed: 1, errors: 1, skipped: 0, reasons: [], failures: [] };
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
    unstable: all.flatMap(({ unstable = [] }) => unstable),
    failures: all.flatMap(({ failures = [] }) => failures),
  };
}

/**
 * A developer may lack a privilege or a network. In CI as root, a skipped test proves nothing: those of `folder` count as
 * failed there.
 */
export function skipsAsFailures(counts, folder) {
  if (process.env.CI !== "true" || process.getuid?.() !== 0) return counts;
  const skipped = counts.reasons.filter((reason) => reason.startsWith(folder)).length;
  return { ...counts, failed: counts.failed + skipped };
}

/** Prints what was skipped, unstable or failed and, as the last line, the counts alone. Returns the exit code. */
export function conclude({ passed, failed, skipped, reasons, unstable = [], failures = [] }) {
  printList("Skipped:", reasons);
  printList("Unstable (failed, then passed when run alone):", unstable);
  const failedTitles = failures.map(({ file, title }) => `${file}: ${title}`);
  printList("Failed:", failed > 0 ? failedTitles : []);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

function printList(title, lines) {
  if (lines.length > 0) console.log(["", title, ...lines.map((line) => `  ${line}`)].join("\n"));
}
