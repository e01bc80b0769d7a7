// What the first second of load costs, and which of the things that can make it slow does: the same 4,000 deliveries (200 messages
// to 20 webhooks), as processor time of the thread that runs JavaScript, of V8's other threads and of PostgreSQL. Time that
// is used does not depend on how busy the machine is, and on two cores it becomes waiting. First in new processes, then
// in one that has been under load, each cause in turns. No bars: those of the tail are in bench/latency.mjs.
import { quantile } from "./lib/load.mjs";
import { KEY, startProduct, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, spread, startLoader, table } from "./lib/report.mjs";
import { connectTo, queueDeliveries } from "./lib/rows.mjs";
import { startSink } from "./lib/sinks.mjs";
import { threadsCpuMs, treeCpuMs } from "./lib/usage.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const IDLE_MS = Number(process.env.BENCH_MS ?? 12_000);
const WEBHOOKS = 20;
const MESSAGES_PER_SECOND = 200;
const LOAD_MS = 1_000;
const BACKLOG = 20_000;

const sink = await startSink();
const loader = startLoader();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function startScene() {
  const product = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
  const { id } = await product.call("POST", "/conversations", { subject: "tail" });
  for (let i = 0; i < WEBHOOKS; i++)
    await product.call("POST", "/webhooks", {
      name: `hook ${i}`,
      url: `${sink.url}/hook/${i}`,
      events: ["message.created"],
    });
  const sql = await connectTo(product);
  const targets = [{ path: `/api/v1/conversations/${id}/messages`, key: KEY }];
  return { product, sql, targets, close: () => sql.end().then(product.stop) };
}

async function costOfLoad({ product, targets }) {
  await sink.reset();
  const used = () => ({ ...threadsCpuMs(product.child.pid), database: treeCpuMs(product.databasePid()) });
  const before = used();
  const load = { url: product.url, targets, perSecond: MESSAGES_PER_SECOND, ms: LOAD_MS };
  const { count, failures } = await loader.run(load);
  if (failures > 0) throw new Error(`${failures} of ${count} messages were not written`);
  await sink.arrived(count * WEBHOOKS, 60_000);
  await pause(300); // the last results are written
  const after = used();
  const p99 = quantile(await sink.times(), 0.99);
  return { ...Object.fromEntries(Object.keys(before).map((part) => [part, after[part] - before[part]])), p99 };
}

/** Each load of a new process is a row: what it costs less than the one before is what had to be done once. */
async function ofNewProcesses() {
  const names = ["first load of a process", "second", "third"];
  const results = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    const scene = await startScene();
    for (const name of names) {
      await pause(1_000);
      results.get(name).push(await costOfLoad(scene));
    }
    await scene.close();
  }
  return results;
}

async function drain(sql) {
  await sink.reset();
  await queueDeliveries(sql, { events: BACKLOG / WEBHOOKS });
  await sink.arrived(BACKLOG, 60_000);
}

/** In a process that has been under load: what comes before each. */
const causesOf = ({ sql }) => [
  { name: "later, a second after the last", before: () => pause(1_000) },
  { name: `after ${IDLE_MS / 1_000} s without load`, before: () => pause(IDLE_MS) },
  {
    name: "with new connections to the database",
    async before() {
      await sql.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('parley', 'parley-delivery')",
      );
      await pause(1_000);
    },
  },
  { name: "after all tables were analyzed", before: () => sql.query("analyze") },
  { name: "after a checkpoint", before: () => sql.query("checkpoint") },
  { name: "a second after a backlog was drained", before: () => drain(sql).then(() => pause(1_000)) },
];

const fresh = await ofNewProcesses();
const scene = await startScene();
for (let warmUp = 0; warmUp < 3; warmUp++) await costOfLoad(scene);
const warm = await interleave(causesOf(scene), ROUNDS, async ({ before }) => {
  await before();
  return costOfLoad(scene);
});
await scene.close();

const results = new Map([...fresh, ...warm]);
const of = (name, figure) => results.get(name).map((round) => round[figure]);
const middle = (name, figure) => Math.round(median(of(name, figure)));
table([
  ["4,000 deliveries of 200 messages", "JavaScript, CPU ms", "V8's other threads", "PostgreSQL", "p99 ms", "spread"],
  ...[...results.keys()].map((name) => [
    name,
    ...["main", "others", "database", "p99"].map((figure) => middle(name, figure)),
    spread(of(name, "p99")),
  ]),
]);
conclude("tail", Object.fromEntries(results), []);
await Promise.all([stop(loader.child), sink.stop()]);
