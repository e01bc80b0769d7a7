import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { ask, ROOT, start } from "./processes.mjs";
import { disturbances, undisturbed } from "./undisturbed.mjs";

/** The load generator as a process; `run` makes one round. */
export function startLoader() {
  const child = start("bench/lib/loader.mjs");
  return { child, run: (request) => ask(child, request) };
}

/** Rounds of all contenders take turns, so that a noisy minute hits each of them. */
export async function interleave(contenders, rounds, measure) {
  const results = new Map(contenders.map((contender) => [contender.name, []]));
  for (let round = 0; round < rounds; round++)
    for (const contender of contenders)
      results.get(contender.name).push(await undisturbed(() => measure(contender, round)));
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

const tables = [];

/** Prints rows, the first of them the head; `conclude` writes them down too. */
export function table(rows) {
  tables.push(rows.map((row) => row.map(String)));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
}

/** Says whether each bar was met, and writes the tables, figures and bars down for the results page. */
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
  // A run with changed settings must not be mistaken for a full one.
  const changed = Object.entries(process.env).filter(([setting]) => setting.startsWith("BENCH_"));
  const settings = Object.fromEntries(changed);
  const result = { name, at: new Date().toISOString(), machine, settings, disturbances, tables, bars, figures };
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  process.exitCode = bars.every((bar) => bar.met) ? 0 : 1;
}
