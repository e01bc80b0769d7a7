import { runScript } from "./lib/root.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";

await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
});
