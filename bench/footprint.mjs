// What an installation takes: seconds to its first and to its next start and for a command, memory idle and under load, and disk
// for a million deliveries (measured on 100,000, each with an event of its own). Bars: a warm start within 0.8 s, `keys list`
// within 0.3 s, 100 MB idle.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT, startProduct } from "./lib/processes.mjs";
import { conclude, median, spread, table } from "./lib/report.mjs";
import { connectTo, queueDeliveries, tableSizes } from "./lib/rows.mjs";
import { startSink } from "./lib/sinks.mjs";
import { peakMb, residentMb, treeMemoryMb } from "./lib/usage.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const COUNT = Number(process.env.BENCH_COUNT ?? 100_000);
const IDLE_MS = 5_000;

const starts = { cold: [], warm: [], command: [] };
let product;
for (let round = 0; round < ROUNDS; round++) {
  await product?.stop();
  const first = await startProduct();
  starts.cold.push(first.readyMs);
  await first.stop();
  product = await startProduct({ PARLEY_DATA_DIR: first.dataDir, PARLEY_LOG_LEVEL: "warn" });
  starts.warm.push(product.readyMs);
}

const memory = () => ({ process: residentMb(product.child.pid), database: treeMemoryMb(product.databasePid()) });
await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
const idle = memory();

for (let round = 0; round < ROUNDS; round++) starts.command.push(listKeys(product.dataDir));

function listKeys(dataDir) {
  const begunAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "bin", "parley.mjs"), "keys", "list"], {
    env: { ...process.env, PARLEY_DATA_DIR: dataDir },
  });
  if (status !== 0) throw new Error(`keys list failed: ${stderr}`);
  return performance.now() - begunAt;
}

const sink = await startSink();
await product.call("POST", "/webhooks", { name: "hook", url: `${sink.url}/hook`, events: ["message.created"] });
const sql = await connectTo(product);
const before = await tableSizes(sql);

const loaded = { process: 0, database: 0 };
const watch = setInterval(() => {
  loaded.database = Math.max(loaded.database, memory().database);
}, 500);
await queueDeliveries(sql, { events: COUNT });
await sink.arrived(COUNT, 180_000);
clearInterval(watch);
loaded.process = peakMb(product.child.pid);
await new Promise((resolve) => setTimeout(resolve, 1_000)); // the last results are written

const grown = [...(await tableSizes(sql))]
  .map(([name, bytes]) => ({ name, mbPerMillion: ((bytes - (before.get(name) ?? 0)) / COUNT / 2 ** 20) * 1_000_000 }))
  .filter(({ mbPerMillion }) => mbPerMillion >= 5)
  .sort((a, b) => b.mbPerMillion - a.mbPerMillion);

table([
  ["from its start", "ms (median)", "spread"],
  ["cold: an empty data directory, until ready", Math.round(median(starts.cold)), spread(starts.cold)],
  ["warm: an existing one, until ready", Math.round(median(starts.warm)), spread(starts.warm)],
  ["`parley keys list`, until its end", Math.round(median(starts.command)), spread(starts.command)],
]);
console.log("");
table([
  ["memory, MB", "idle", `at most, while ${COUNT.toLocaleString("en")} deliveries are drained`],
  ["Parley's process, resident", Math.round(idle.process), Math.round(loaded.process)],
  ["its database, shared pages counted once", Math.round(idle.database), Math.round(loaded.database)],
]);
console.log("");
table([
  ["disk for a million deliveries, with indexes", "MB"],
  ...grown.map(({ name, mbPerMillion }) => [name, Math.round(mbPerMillion)]),
  ["in all", Math.round(grown.reduce((sum, { mbPerMillion }) => sum + mbPerMillion, 0))],
]);
const atMost = (what, value, bar, unit) => ({
  text: `${what}: ${Math.round(value)} ${unit} (bar ${bar} ${unit})`,
  met: value <= bar,
});
conclude("footprint", { startMs: starts, memoryMb: { idle, loaded }, disk: grown }, [
  atMost("warm start", median(starts.warm), 800, "ms"),
  atMost("`parley keys list`", median(starts.command), 300, "ms"),
  atMost("resident memory when idle", idle.process, 100, "MB"),
]);
await sql.end();
await Promise.all([product.stop(), sink.stop()]);
