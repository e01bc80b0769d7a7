import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./root.mjs";

/** A reporter for vitest: leaves the counts of the run, and why tests were skipped, in the file PARLEY_TEST_COUNTS names. */
// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from the default export of its file
export default class CountReporter {
  onTestRunEnd(modules, errors) {
    // An error outside any test is a failure too.
    const counts = { passed: 0, failed: errors.length, skipped: 0, reasons: [] };
    for (const module of modules) {
      const results = [...module.children.allTests()].map((test) => ({ test, ...test.result() }));
      const failed = results.filter(({ state }) => state === "failed").length;
      counts.passed += results.filter(({ state }) => state === "passed").length;
      // A file that cannot be loaded, or whose set-up fails, has no failed test.
      counts.failed += failed === 0 && module.state() === "failed" ? 1 : failed;
      const skipped = results.filter(({ state }) => state === "skipped");
      counts.skipped += skipped.length;
      const file = relative(root, module.moduleId);
      for (const { test, note } of skipped) counts.reasons.push(`${file}: ${test.fullName}${note ? `: ${note}` : ""}`);
    }
    writeFileSync(process.env.PARLEY_TEST_COUNTS, JSON.stringify(counts));
  }
}
