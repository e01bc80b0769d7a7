import { ensureChromium } from "./lib/chromium.mjs";
import { runScript } from "./lib/root.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { conclude, runSuites } from "./lib/suites.mjs";

/** `npm run test:full`: the full form of the suites of the dashboard, the database and assistants, which `npm test` runs in short. */
await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
  await ensureChromium();
  const suites = ["test/browser", "test/db", "test/delivery", "test/api/mcp.test.ts"];
  return conclude(await runSuites(suites, { env: { PARLEY_PROOF: "full" } }));
});
