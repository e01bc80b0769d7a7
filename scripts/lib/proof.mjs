import { basename } from "node:path";
import { ensureBuild, ensureDependencies } from "./setup.mjs";
import { conclude, runSuites, skipsAsFailures, sumCounts } from "./suites.mjs";
import { writeSummary } from "./summary.mjs";

/** One file at a time: what is measured in one must not be affected by the load of another. */
const FULL = { env: { PARLEY_PROOF: "full" }, reporter: "verbose" };

/**
 * The full form of a proof suite: every file of `folder`, one after another, then what `after` runs. Files named in
 * `alongside` take long and load the machine little; they run with the others and print when they have ended. Returns the
 * exit code.
 *
 * @param {{ folder: string, alongside?: string[], after?: () => Promise<{ passed: number, failed: number, skipped: number }> }} options
 */
export async function runProof({ folder, alongside = [], after }) {
  const startedAt = performance.now();
  await ensureDependencies();
  await ensureBuild();
  // With arguments (`npm run test:fault -- clock`) only the files whose names begin with one of them.
  const named = process.argv.slice(2).map((word) => `${folder}/${word}`);
  if (named.length > 0) return conclude(await runSuites([...named, "--no-file-parallelism"], FULL));
  const running = [runSuites([folder, "--no-file-parallelism", ...alongside.map((file) => `--exclude=${file}`)], FULL)];
  if (alongside.length > 0) running.push(runSuites(alongside, { ...FULL, show: false }));
  const counts = await Promise.all(running);
  if (after) counts.push(await after());
  const sum = skipsAsFailures(sumCounts(...counts), folder);
  writeSummary(basename(folder), sum, startedAt);
  return conclude(sum);
}
