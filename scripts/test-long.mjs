import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { root, runScript, SetupError, say } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { conclude, runSuites, skipsAsFailures, sumCounts } from "./lib/suites.mjs";
import { writeSummary } from "./lib/summary.mjs";

const LONG = { env: { PARLEY_PROOF: "full" } };
/** One file at a time: what is measured in one must not be affected by the load of another. */
const IN_TURN = { ...LONG, reporter: "verbose" };

/** What reads and writes ids most, once more in a cell whose ids do not fit into 32 bits. */
const IN_ANOTHER_CELL = [
  "test/api/alerts.test.ts",
  "test/api/cells.test.ts",
  "test/api/contacts.test.ts",
  "test/api/conversations.test.ts",
  "test/api/events.test.ts",
  "test/api/lists.test.ts",
  "test/api/messages.test.ts",
  "test/api/search.test.ts",
  "test/api/webhook-logs.test.ts",
  "test/api/webhooks-manage.test.ts",
];

const FORMS = {
  full: () => runFull(["test/browser", "test/db", "test/delivery", "test/api/mcp.test.ts"]),
  // This file takes long and loads the machine little, so it runs alongside the others.
  fault: () => runProof("fault", { alongside: "test/fault/held-snapshot.test.ts", after: isolation }),
  security: () => runProof("security"),
  nodes: () => runProof("nodes", { after: anotherCell }),
};

/**
 * `npm run test:full`: the suites of the dashboard, the database and assistants, which `npm test` runs in short, then, one after
 * another, the files that hold the product to a time.
 * `npm run test:fault`, `test:security`, `test:nodes`: every file of that folder, one after another, then what belongs to it;
 * with arguments (`npm run test:fault -- clock`) only the files whose names begin with one of them.
 */
await runScript(async () => {
  const form = FORMS[process.argv[2]];
  if (!form) throw new SetupError(`Name one of ${Object.keys(FORMS).join(", ")}.`);
  await ensureDependencies();
  await ensureBuild();
  return conclude(await form());
});

async function runFull(suites) {
  await ensureChromium();
  const sum = await runSuites(suites, LONG);
  return sumCounts(sum, await runSuites([...timed(suites), "--no-file-parallelism"], IN_TURN));
}

/** The other files that hold the product to a time, which only the full form demands exactly. */
function timed(suites) {
  const files = readdirSync(join(root, "test"), { recursive: true }).filter((file) => file.endsWith(".test.ts"));
  const others = files.map((file) => `test/${file}`).filter((file) => !/^test\/(fault|security|nodes)\//.test(file));
  return others
    .filter((file) => !suites.some((suite) => file.startsWith(suite)))
    .filter((file) => /\batMost\(|timeoutMs: [1-5]_\d{3}\b/.test(readFileSync(join(root, file), "utf8")))
    .sort();
}

async function runProof(name, { alongside, after } = {}) {
  const startedAt = performance.now();
  const folder = `test/${name}`;
  const named = process.argv.slice(3).map((word) => `${folder}/${word}`);
  if (named.length > 0) return runSuites([...named, "--no-file-parallelism"], IN_TURN);
  const running = [
    runSuites([folder, "--no-file-parallelism", ...(alongside ? [`--exclude=${alongside}`] : [])], IN_TURN),
  ];
  if (alongside) running.push(runSuites([alongside], { ...IN_TURN, show: false }));
  const counts = await Promise.all(running);
  if (after) counts.push(await after());
  const sum = skipsAsFailures(sumCounts(...counts), folder);
  writeSummary(name, sum, startedAt);
  return sum;
}

/** The isolation of workspaces and webhooks from each other. */
async function isolation() {
  const { code } = await run(process.execPath, [join(root, "bench", "isolation.mjs")], { show: true });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

function anotherCell() {
  say("Running suites of the API in cell 5 …");
  return runSuites(IN_ANOTHER_CELL, { env: { TEST_CELL: "5" } });
}
