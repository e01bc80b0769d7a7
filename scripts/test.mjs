import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { root, runScript, say } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { smoke } from "./lib/smoke.mjs";

/**
 * `npm test` runs every suite on this Node and a smoke run on the other Nodes we promise; `npm test -- test/unit` only
 * what is named. The last line is the count, alone.
 */
await runScript(async () => {
  const args = process.argv.slice(2);
  await ensureDependencies();
  await ensureBuild();
  if (args.length === 0 || args.some((arg) => arg.includes("browser"))) await ensureChromium();
  const counts = await runSuites(args);
  if (args.length === 0) add(counts, await smoke());
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
});

async function runSuites(args) {
  const directory = mkdtempSync(join(tmpdir(), "parley-test-"));
  try {
    const report = join(directory, "report.json");
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { code } = await run(process.execPath, [vitest, "run", ...reporters, ...args], { show: true });
    return readCounts(report, code);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A file that cannot be loaded, and an error outside any test, are failures too, though vitest counts no test for them. */
function readCounts(report, code) {
  let results;
  try {
    results = JSON.parse(readFileSync(report, "utf8"));
  } catch {
    say(`vitest ended with ${code} and left no report.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const broken = results.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  const counts = {
    passed: results.numPassedTests,
    failed: results.numFailedTests + broken.length,
    skipped: results.numPendingTests + results.numTodoTests,
  };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function add(counts, more) {
  for (const name of Object.keys(counts)) counts[name] += more[name];
}
