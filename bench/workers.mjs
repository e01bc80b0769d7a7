// What a delivery costs with 1, 2, 4 and 8 worker processes on one PostgreSQL: a backlog over 1,000 webhooks, and messages
// at a steady rate in 20 other workspaces, each to one webhook. All processes share the machine, so the rate says little; the processor time of
// PostgreSQL per delivery and the size of a claim say whether the workers get in each other's way.
// Bars: PostgreSQL's processor time per delivery with eight workers at most 1.3 times that with one, for both loads.
import { KEY, startProduct, startWorker, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, ratio, startLoader, table } from "./lib/report.mjs";
import { connectTo, queueDeliveries } from "./lib/rows.mjs";
import { startSink } from "./lib/sinks.mjs";
import { resetStatements, statementCosts, watchStatements } from "./lib/statements.mjs";
import { cpuMs, treeCpuMs } from "./lib/usage.mjs";
import { createWebhooks, createWorkspaces } from "./lib/workspaces.mjs";

const COUNT = Number(process.env.BENCH_COUNT ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MS = Number(process.env.BENCH_MS ?? 10_000);
const WEBHOOKS = 1_000;
const WORKSPACES = 20;
const MESSAGES_PER_SECOND = 250;
const WORKERS = [1, 2, 4, 8];
const REST_MS = 500;

const sink = await startSink();
const loader = startLoader();
// It writes messages and delivers none.
const product = await watchStatements(await startProduct({ PARLEY_LOG_LEVEL: "warn" }), ["--no-deliver"]);
const sql = await connectTo(product);
await createWebhooks(
  product,
  Array.from({ length: WEBHOOKS }, (_, i) => ({ url: `${sink.url}/hook/${i}`, key: KEY })),
);
const workspaces = await createWorkspaces(product, WORKSPACES);
await createWebhooks(
  product,
  workspaces.map(({ key }, i) => ({ url: `${sink.url}/workspace/${i}`, key })),
);

async function withWorkers(count, work) {
  const workers = Array.from({ length: count }, () => startWorker(product));
  try {
    await waitForWorkers(count);
    return await work(workers);
  } finally {
    await Promise.all(workers.map(stop));
  }
}

async function waitForWorkers(count) {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { rows } = await sql.query("select count(*)::int as workers from workers");
    if (rows[0].workers === count) break;
    if (performance.now() > deadline) throw new Error(`${rows[0].workers} of ${count} workers have registered`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  // Each knows of the others by its next heartbeat.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
}

/** What `send` costs until its deliveries have arrived; it returns how many there are. */
async function measure(workers, send) {
  await sink.reset();
  await resetStatements(sql);
  const ownMs = () => workers.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const before = { own: ownMs(), store: treeCpuMs(product.databasePid()) };
  const deliveries = await send();
  const { ms } = await sink.arrived(deliveries, 120_000);
  await new Promise((resolve) => setTimeout(resolve, REST_MS)); // the last results are written
  const { count, distinct } = await sink.stats();
  const micros = (from, to) => ((to - from) * 1_000) / deliveries;
  const costs = await statementCosts(sql);
  return {
    perSecond: (deliveries / ms) * 1_000,
    ownMicros: micros(before.own, ownMs()),
    storeMicros: micros(before.store, treeCpuMs(product.databasePid())),
    perClaim: deliveries / costs.claim.calls,
    perSettle: deliveries / costs.settle.calls,
    duplicates: count - distinct,
  };
}

async function backlog() {
  await queueDeliveries(sql, { events: COUNT / WEBHOOKS });
  return COUNT;
}

async function steady() {
  const request = { url: product.url, targets: workspaces, perSecond: MESSAGES_PER_SECOND, ms: MS };
  const { count, failures } = await loader.run(request);
  if (failures > 0) throw new Error(`${failures} of ${count} messages were not written`);
  return count;
}

const contenders = WORKERS.map((count) => ({ name: count === 1 ? "1 worker" : `${count} workers`, count }));
const measured = await interleave(contenders, ROUNDS, ({ count }) =>
  withWorkers(count, async (workers) => {
    await measure(workers, backlog); // warms up
    return { backlog: await measure(workers, backlog), steady: await measure(workers, steady) };
  }),
);

const LOADS = { backlog: `a backlog over ${WEBHOOKS} webhooks`, steady: `messages in ${WORKSPACES} workspaces` };
const figures = (name, load, figure) => measured.get(name).map((round) => round[load][figure]);
const bars = [];
for (const [load, title] of Object.entries(LOADS)) {
  const middle = (name, figure) => median(figures(name, load, figure));
  table([
    [title, "deliveries/s", "PostgreSQL µs each", "workers µs each", "per claim", "per settle"],
    ...contenders.map(({ name }) => [
      name,
      Math.round(middle(name, "perSecond")),
      Math.round(middle(name, "storeMicros")),
      Math.round(middle(name, "ownMicros")),
      middle(name, "perClaim").toFixed(1),
      middle(name, "perSettle").toFixed(1),
    ]),
  ]);
  console.log("");
  const times = ratio(figures("8 workers", load, "storeMicros"), figures("1 worker", load, "storeMicros"));
  bars.push({
    text: `${title}: PostgreSQL ${times.toFixed(2)} × with eight workers of what it takes with one (bar 1.3)`,
    met: times <= 1.3,
  });
}
const duplicates = [...measured.values()].flat().flatMap(({ backlog, steady }) => [backlog, steady]);
const repeated = duplicates.reduce((sum, figure) => sum + figure.duplicates, 0);
bars.push({ text: `duplicates: ${repeated} (bar 0)`, met: repeated === 0 });
conclude("workers", Object.fromEntries(measured), bars);

await sql.end();
await Promise.all([stop(loader.child), product.stop(), sink.stop()]);
