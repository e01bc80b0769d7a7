import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { ROOT, start } from "./processes.mjs";

/** The load generator as a process; `run` makes one round. */
export function startLoader() {
  const child = start("bench/lib/loader.mjs");
  return {
    child,
    run: (request) =>
      new Promise((resolve, reject) => {
        child.once("message", (result) => (result.error ? reject(new Error(result.error)) : resolve(result)));
        child.send(request);
      }),
  };
}

/** Rounds of all contenders take turns, so that a noisy minute hits each of them. */
export async function interleave(contenders, rounds, measure) {
  const results = new Map(contenders.map((contender) => [contender.name, []]));
  for (let round = 0; round < rounds; round++)
    for (const contender of contenders) results.get(contender.name).push(await measure(contender, round));
  return results;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median of the rounds' own ratios: each round compares neighbours in time. */
export const ratio = (ours, theirs) => median(ours.map((value, round) => value / theirs[round]));

export const spread = (values) => `${Math.round(Math.min(...values))}–${Math.round(Math.max(...values))}`;

export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
}

/** Says whether a bar was met, and writes the figures down for docs/results. */
export function conclude(name, figures, bars) {
  console.log("");
  for (const bar of bars) console.log(`${bar.met ? "met    " : "NOT MET"}  ${bar.text}`);
  const directory = join(ROOT, "bench", "results");
  mkdirSync(directory, { recursive: true });
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model ?? "",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const result = { name, at: new Date().toISOString(), machine, figures, bars };
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  process.exitCode = bars.every((bar) => bar.met) ? 0 : 1;
}
