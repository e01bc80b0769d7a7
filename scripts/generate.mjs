import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATED } from "./lib/generated.mjs";
import { root, runScript } from "./lib/root.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";

await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
  for (const { file, render } of GENERATED) {
    const text = await render();
    const draft = join(root, "node_modules", `.parley-generated-${process.pid}`);
    writeFileSync(draft, text);
    renameSync(draft, join(root, file));
    console.log(`Wrote ${file}.`);
  }
});
