import { smoke } from "../test/smoke/smoke.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { runScript } from "./lib/root.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { conclude, runSuitesWithSecondTry, skipsAsFailures, sumCounts } from "./lib/suites.mjs";

/**
 * `npm test` runs every suite on this Node and a smoke run on the other Nodes we promise; `npm test -- test/unit` only
 * what is named. The last line is the count, alone. What waits for the network is done at the same time as the rest.
 */
await runScript(async () => {
  const args = process.argv.slice(2);
  const isWhole = args.length === 0;
  await prepare({ chromium: isWhole || args.some((arg) => arg.includes("browser")) });
  const [suites, ...smoked] = await Promise.all([runSuitesWithSecondTry(args), ...(isWhole ? [smoke()] : [])]);
  return conclude(sumCounts(skipsAsFailures(suites, "test/security"), ...smoked));
});

async function prepare({ chromium }) {
  const installed = chromium ? ensureChromium() : null;
  // Its error is thrown below: the installation of the dependencies is never interrupted by it.
  installed?.catch(() => {});
  await ensureDependencies();
  await ensureBuild();
  await installed;
}
