import { ensureChromium } from "./lib/chromium.mjs";
import { runScript } from "./lib/root.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { conclude, runSuites } from "./lib/suites.mjs";

/** `npm run test:full`: the full form of the suites of the dashboard and the database, which `npm test` runs in short. */
await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
  await ensureChromium();
  return conclude(await runSuites(["test/browser", "test/db", "test/delivery"], { env: { PARLEY_PROOF: "full" } }));
});
