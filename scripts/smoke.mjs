import { runScript } from "./lib/root.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { smoke } from "./lib/smoke.mjs";

await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
  const { failed } = await smoke();
  return failed === 0 ? 0 : 1;
});
