// npm run bench [-- name …]: the parts one after the other, each a process of its own; ends with the bars that were not met.
// Growth and lists take half an hour and ten gigabytes each, mail takes as long, frames and widget need a quiet machine with a
// browser, and tail explains a bar of latency, so they run only where they are named.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/processes.mjs";
import { table } from "./lib/report.mjs";

const PARTS = ["read", "auth", "ingest", "deliver", "latency", "isolation", "workers", "footprint"];
const ALONE = ["growth", "lists", "frames", "mail", "tail", "widget"];
const PART_MINUTES_MAX = { growth: 60, lists: 60, mail: 60, isolation: 40 };
const OTHER_MINUTES_MAX = 20;

const asked = process.argv.slice(2);
const known = [...PARTS, ...ALONE];
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark called ${unknown.join(", ")}; there are ${known.join(", ")}.`);
  process.exit(2);
}
const build = spawnSync(process.execPath, [join(ROOT, "scripts", "build.mjs")], { stdio: "inherit" });
if (build.status !== 0) process.exit(build.status ?? 1);

const runs = (asked.length > 0 ? asked : PARTS).map(run);

function run(name) {
  console.log(`\n── ${name} ${"─".repeat(60 - name.length)}\n`);
  const file = join(ROOT, "bench", "results", `${name}.json`);
  rmSync(file, { force: true });
  const begunAt = performance.now();
  spawnSync(process.execPath, [join(ROOT, "bench", `${name}.mjs`)], {
    stdio: "inherit",
    timeout: (PART_MINUTES_MAX[name] ?? OTHER_MINUTES_MAX) * 60_000,
  });
  const bars = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8")).bars
    : [{ text: "it did not finish", met: false }];
  return { name, bars, seconds: Math.round((performance.now() - begunAt) / 1_000) };
}

console.log(`\n── all ${"─".repeat(57)}\n`);
table([
  ["part", "bars met", "seconds"],
  ...runs.map(({ name, bars, seconds }) => [
    name,
    `${bars.filter(({ met }) => met).length} of ${bars.length}`,
    seconds,
  ]),
]);
const unmet = runs.flatMap(({ name, bars }) => bars.filter(({ met }) => !met).map(({ text }) => `  ${name}: ${text}`));
console.log(unmet.length === 0 ? "\nEvery bar was met." : `\nNot met:\n${unmet.join("\n")}`);
process.exitCode = unmet.length === 0 ? 0 : 1;
