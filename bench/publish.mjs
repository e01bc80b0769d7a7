// npm run results: copies what the suites last wrote to bench/results and generates docs/results.md from it.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runScript } from "../scripts/lib/root.mjs";
import { renderResults } from "./lib/results-page.mjs";

const measured = join(root, "bench", "results");
const kept = join(root, "docs", "results");

await runScript(async () => {
  const fresh = existsSync(measured) ? jsonFiles(measured) : [];
  for (const name of fresh) copyFileSync(join(measured, name), join(kept, name));
  const results = jsonFiles(kept).map((name) => JSON.parse(readFileSync(join(kept, name), "utf8")));
  const page = readFileSync(join(kept, "page.md"), "utf8");
  writeFileSync(join(root, "docs", "results.md"), renderResults(page, results));
  console.log(`Wrote docs/results.md from ${results.length} results, ${fresh.length} of them from bench/results.`);
});

function jsonFiles(directory) {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .sort();
}
