import { smoke } from "../test/smoke/smoke.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { runScript } from "./lib/root.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { conclude, runSuitesWithSecondTry, skipsAsFailures, sumCounts } from "./lib/suites.mjs";

/**
 * `npm test` runs every suite on this Node and a smoke run on the other Nodes we promise; `npm test -- test/unit` only
 * what is named. The last line is the count, alone.
 */
await runScript(async () => {
  const args = process.argv.slice(2);
  await ensureDependencies();
  await ensureBuild();
  if (args.length === 0 || args.some((arg) => arg.includes("browser"))) await ensureChromium();
  const suites = skipsAsFailures(await runSuitesWithSecondTry(args), "test/security");
  return conclude(args.length === 0 ? sumCounts(suites, await smoke()) : suites);
});
