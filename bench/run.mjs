// npm run bench [-- name …]: the parts one after the other, each a process of its own; ends with the bars that were not met.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/processes.mjs";

const PARTS = ["read", "auth", "ingest", "deliver", "latency"];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark called ${unknown.join(", ")}; there are ${PARTS.join(", ")}.`);
  process.exit(2);
}
const build = spawnSync(process.execPath, [join(ROOT, "scripts", "build.mjs")], { stdio: "inherit" });
if (build.status !== 0) process.exit(build.status ?? 1);
const unmet = [];
for (const name of asked.length > 0 ? asked : PARTS) {
  console.log(`\n── ${name} ${"─".repeat(60 - name.length)}\n`);
  const { status } = spawnSync(process.execPath, [join(ROOT, "bench", `${name}.mjs`)], { stdio: "inherit" });
  if (status === 0) continue;
  const result = JSON.parse(readFileSync(join(ROOT, "bench", "results", `${name}.json`), "utf8"));
  unmet.push(...result.bars.filter((bar) => !bar.met).map((bar) => `${name}: ${bar.text}`));
}
console.log(unmet.length === 0 ? "\nEvery bar was met." : `\nNot met:\n${unmet.map((line) => `  ${line}`).join("\n")}`);
process.exitCode = unmet.length === 0 ? 0 : 1;
