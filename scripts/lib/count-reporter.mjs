import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./root.mjs";

/**
 * A reporter for vitest: leaves the counts of the run, which tests failed and why tests were skipped in the file that
 * PARLEY_TEST_COUNTS names.
 */
// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from the default export of its file
export default class CountReporter {
  onTestRunEnd(modules, errors) {
    // An error outside any test is a failure too.
    const counts = { passed: 0, failed: errors.length, errors: errors.length, skipped: 0, reasons: [], failures: [] };
    for (const module of modules) {
      const results = [...module.children.allTests()].map((test) => ({ test, ...test.result() }));
      const failures = results.filter(({ state }) => state === "failed").map(({ test }) => test.fullName);
      counts.passed += results.filter(({ state }) => state === "passed").length;
      // A file that cannot be loaded, or whose set-up fails, has no failed test.
      if (failures.length === 0 && module.state() === "failed") failures.push("(could not be loaded or set up)");
      counts.failed += failures.length;
      const skipped = results.filter(({ state }) => state === "skipped");
      counts.skipped += skipped.length;
      const file = relative(root, module.moduleId);
      for (const title of failures) counts.failures.push({ file, title });
      for (const { test, note } of skipped) counts.reasons.push(`${file}: ${test.fullName}${note ? `: ${note}` : ""}`);
    }
    writeFileSync(process.env.PARLEY_TEST_COUNTS, JSON.stringify(counts));
  }
}
