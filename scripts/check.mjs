import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATED } from "./lib/generated.mjs";
import { lockFileFaults } from "./lib/lock-file.mjs";
import { readIfPresent, root, runScript, secondsSince } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";

/** Each returns what is wrong, or nothing. All of them run, at the same time, whatever the others find. */
const STEPS = [
  { name: "format and lint", faults: () => tool("@biomejs/biome/bin/biome", ["ci", "--colors=off", "."]) },
  { name: "types", faults: () => typeFaults("tsconfig.json") },
  { name: "dashboard types", faults: () => typeFaults("dashboard/tsconfig.json") },
  { name: "widget types", faults: () => typeFaults("widget/tsconfig.json") },
  { name: "client types", faults: () => typeFaults("client/tsconfig.json") },
  { name: "tidy rules", faults: () => tool("vitest/vitest.mjs", ["run", "test/tidy"]) },
  { name: "generated files", faults: generatedFiles },
  { name: "lock file", faults: lockFile },
];

await runScript(async () => {
  await ensureDependencies();
  // The others read what it leaves.
  const results = [await isInOrder({ name: "build", faults: ensureBuild })];
  results.push(...(await Promise.all(STEPS.map(isInOrder))));
  const failed = results.filter((passed) => !passed).length;
  console.log(failed === 0 ? "Everything is in order." : `${failed} of ${results.length} checks failed.`);
  return failed === 0 ? 0 : 1;
});

/** Says what was found. */
async function isInOrder({ name, faults }) {
  const startedAt = performance.now();
  const found = await faults().catch((error) => error.message);
  console.log(`${found ? "✗" : "✓"} ${name} (${secondsSince(startedAt)})`);
  if (found) console.log(`${found.trim()}\n`);
  return !found;
}

async function tool(path, args) {
  const { code, output } = await run(process.execPath, [join(root, "node_modules", path), ...args]);
  return code === 0 ? undefined : output || `ended with ${code}`;
}

function typeFaults(project) {
  return tool("typescript/bin/tsc", ["-p", project, "--pretty", "false"]);
}

async function generatedFiles() {
  const stale = [];
  for (const { file, render } of GENERATED) {
    if ((await render()) !== readIfPresent(file))
      stale.push(`${file} is out of date. Refresh it with \`npm run generate\`.`);
  }
  return stale.join("\n");
}

async function lockFile() {
  return lockFileFaults(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))).join("\n");
}
