// What an installation takes: seconds to its first and to its next start and for a command, processor time idle, memory idle and
// under load, and disk for a million deliveries (measured on 100,000, each with an event of its own). Bars: a warm start within
// 12 times, `keys list` within 4.5 times what `node -e 0` takes; idle, 1 % of a core with its database, and 85 MB.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT, startProduct } from "./lib/processes.mjs";
import { conclude, median, ratio, spread, table } from "./lib/report.mjs";
import { connectTo, queueDeliveries, tableSizes } from "./lib/rows.mjs";
import { startSink } from "./lib/sinks.mjs";
import { cpuMs, peakMb, residentMb, treeCpuMs, treeMemoryMb } from "./lib/usage.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const COUNT = Number(process.env.BENCH_COUNT ?? 100_000);
const IDLE_MS = Number(process.env.BENCH_MS ?? 30_000);

const starts = { cold: [], warm: [], command: [], node: [] };
let product;
for (let round = 0; round < ROUNDS; round++) {
  await product?.stop();
  const first = await startProduct();
  starts.cold.push(first.readyMs);
  await first.stop();
  product = await startProduct({ PARLEY_DATA_DIR: first.dataDir, PARLEY_LOG_LEVEL: "warn" });
  starts.warm.push(product.readyMs);
  starts.command.push(listKeys(product.dataDir));
  starts.node.push(timed(["-e", "0"]));
}

const memory = () => ({ process: residentMb(product.child.pid), database: treeMemoryMb(product.databasePid()) });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
await pause(15_000); // what a start leaves to do is done, and connections that it opened are closed
const usedBefore = processorMs();
const idleAt = performance.now();
await pause(IDLE_MS);
const idleMs = performance.now() - idleAt;
const idlePercent = processorMs().map((ms, index) => ((ms - usedBefore[index]) / idleMs) * 100);
const idle = memory();

function processorMs() {
  return [cpuMs(product.child.pid), treeCpuMs(product.databasePid())];
}

function listKeys(dataDir) {
  return timed([join(ROOT, "bin", "parley.mjs"), "keys", "list"], { PARLEY_DATA_DIR: dataDir });
}

function timed(args, env = {}) {
  const begunAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
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
await pause(1_000); // the last results are written

const grown = [...(await tableSizes(sql))]
  .map(([name, bytes]) => ({ name, mbPerMillion: ((bytes - (before.get(name) ?? 0)) / COUNT / 2 ** 20) * 1_000_000 }))
  .filter(({ mbPerMillion }) => mbPerMillion >= 5)
  .sort((a, b) => b.mbPerMillion - a.mbPerMillion);

table([
  ["from its start", "ms (median)", "spread"],
  ["cold: an empty data directory, until ready", Math.round(median(starts.cold)), spread(starts.cold)],
  ["warm: an existing one, until ready", Math.round(median(starts.warm)), spread(starts.warm)],
  ["`parley keys list`, until its end", Math.round(median(starts.command)), spread(starts.command)],
  ["`node -e 0`, until its end", Math.round(median(starts.node)), spread(starts.node)],
]);
console.log("");
table([
  [`processor time of ${IDLE_MS / 1_000} s without load`, "% of a core"],
  ["Parley's process", idlePercent[0].toFixed(2)],
  ["its database", idlePercent[1].toFixed(2)],
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
  text: `${what}: ${value.toFixed(value < 10 ? 2 : 0)} ${unit} (bar ${bar} ${unit})`,
  met: value <= bar,
});
conclude("footprint", { startMs: starts, idlePercent, memoryMb: { idle, loaded }, disk: grown }, [
  atMost("warm start", ratio(starts.warm, starts.node), 12, "times `node -e 0`"),
  atMost("`parley keys list`", ratio(starts.command, starts.node), 4.5, "times `node -e 0`"),
  atMost("processor time when idle, with the database", idlePercent[0] + idlePercent[1], 1, "% of a core"),
  atMost("resident memory when idle", idle.process, 85, "MB"),
]);
await sql.end();
await Promise.all([product.stop(), sink.stop()]);
