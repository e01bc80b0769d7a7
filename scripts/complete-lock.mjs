import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completeLockFile } from "./lib/lock-file.mjs";
import { root, runScript } from "./lib/root.mjs";

await runScript(async () => {
  const file = join(root, "package-lock.json");
  const lockFile = JSON.parse(readFileSync(file, "utf8"));
  const added = completeLockFile(lockFile);
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lockFile, null, 2)}\n`);
  console.log(added.length > 0 ? `Added to package-lock.json: ${added.join(", ")}.` : "package-lock.json is complete.");
});
