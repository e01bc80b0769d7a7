// Drains a backlog of 20,000 deliveries to one fast sink: Parley with one webhook and with 1,000; a raw signed undici loop
// without any database, which is the upper limit; and senders built on BullMQ and pg-boss, each writing one log row per delivery.
// Then one ordered webhook, with many conversations and with few, and one with a filter and a template.
// Bars, with fairness, guard and log detail on: at least 0.45 of the raw loop with one webhook and 0.42 with 1,000, 2.5 times
// BullMQ + undici and 1.5 times pg-boss + undici, at most 1.9 times the raw loop's processor time in the process and 1.05 times
// in PostgreSQL; ordered, with 200 conversations, at least 0.5 of unordered.
import { ask, start, startProduct, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, ratio, spread, table } from "./lib/report.mjs";
import { connectTo, PAYLOAD, queueDeliveries, queueOrdered } from "./lib/rows.mjs";
import { startPostgres, startRedis } from "./lib/services.mjs";
import { startSink } from "./lib/sinks.mjs";
import { cpuMs, treeCpuMs } from "./lib/usage.mjs";

const COUNT = Number(process.env.BENCH_COUNT ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const RAW = "raw undici loop";
const UNORDERED = "Parley, 1 webhook";
const ORDERED = "Parley, 1 ordered webhook, 200 conversations";
const CONTROLLED = "Parley, 1 webhook with a filter and a template";
const BASELINE = "BullMQ + undici";
const PG_BOSS = "pg-boss + undici";

/** The filter was applied when the deliveries were stored (bench/ingest measures that); the template is at each attempt. */
const CONTROLS = {
  filter: { type: "message.created", data: { private: false } },
  template: { text: "{{ data.sender.name }}: {{ data.body }}", event: "{{ id }}" },
};

const sink = await startSink();
const redis = await startRedis();
const postgres = await startPostgres();

const contenders = [
  rawLoop(),
  await parley(UNORDERED, 1),
  await parley("Parley, 1,000 webhooks", 1_000),
  await parley(CONTROLLED, 1, CONTROLS),
  await parleyOrdered(ORDERED, 200),
  await parleyOrdered("Parley, 1 ordered webhook, 5,000 conversations", 5_000),
  await queueSender(BASELINE, "bullmq", "undici"),
  await queueSender("BullMQ + fetch", "bullmq", "fetch"),
  await queueSender(PG_BOSS, "pg-boss", "undici"),
  await queueSender("pg-boss + fetch", "pg-boss", "fetch"),
];

function rawLoop() {
  const child = start("bench/peers/raw-loop.mjs", [sink.url, "64"]);
  const work = () => ask(child, { count: COUNT, payload: PAYLOAD });
  return { name: RAW, pid: child.pid, stores: [], work, close: () => stop(child) };
}

async function parley(name, webhooks, controls = {}) {
  const product = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
  for (let i = 0; i < webhooks; i++)
    await product.call("POST", "/webhooks", {
      name: `hook ${i}`,
      url: `${sink.url}/hook/${i}`,
      events: ["message.created"],
      ...controls,
    });
  const sql = await connectTo(product);
  return {
    name,
    pid: product.child.pid,
    stores: [product.databasePid()],
    // Its engine finds them by itself, within two seconds of the commit.
    fill: () => queueDeliveries(sql, { events: COUNT / webhooks }),
    close: () => sql.end().then(product.stop),
  };
}

async function parleyOrdered(name, conversations) {
  const product = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
  const webhook = { name, url: `${sink.url}/ordered`, events: ["message.created"], ordered: true };
  await product.call("POST", "/webhooks", webhook);
  const sql = await connectTo(product);
  return {
    name,
    pid: product.child.pid,
    stores: [product.databasePid()],
    fill: () => queueOrdered(sql, { events: COUNT, conversations }),
    close: () => sql.end().then(product.stop),
  };
}

async function queueSender(name, queue, client) {
  const settings = {
    queue,
    client,
    sinkUrl: sink.url,
    database: postgres.connection,
    redisPort: redis.port,
    concurrency: 64,
  };
  const child = start("bench/peers/queue-sender.mjs", [JSON.stringify(settings)]);
  await new Promise((resolve) => child.once("message", resolve));
  return {
    name,
    pid: child.pid,
    stores: queue === "bullmq" ? [redis.pid, postgres.pid] : [postgres.pid],
    fill: () => ask(child, { command: "fill", count: COUNT, payload: PAYLOAD }),
    work: () => ask(child, { command: "work" }),
    rest: () => ask(child, { command: "rest" }),
    close: () => stop(child),
  };
}

async function drain({ name, pid, stores, fill, work, rest }) {
  await sink.reset();
  await fill?.();
  const storesMs = () => stores.reduce((sum, store) => sum + treeCpuMs(store), 0);
  const before = { own: cpuMs(pid), stores: storesMs() };
  await work?.();
  const { ms } = await sink
    .arrived(COUNT, 180_000)
    .catch((error) => Promise.reject(new Error(`${name}: ${error.message}`)));
  await new Promise((resolve) => setTimeout(resolve, 500)); // the last results are written, and duplicates show
  await rest?.();
  const { count, distinct } = await sink.stats();
  const micros = (from, to) => ((to - from) * 1_000) / COUNT;
  return {
    perSecond: (COUNT / ms) * 1_000,
    cpuMicros: micros(before.own, cpuMs(pid)),
    storeCpuMicros: micros(before.stores, storesMs()),
    duplicates: count - distinct,
  };
}

const measured = await interleave(contenders, ROUNDS + 1, drain);
for (const list of measured.values()) list.shift(); // the first round warms up

const of = (name, figure) => measured.get(name).map((result) => result[figure]);
const rates = (name) => of(name, "perSecond");
table([
  ["contender", "deliveries/s (median)", "spread", "of the raw loop", "CPU µs each", "in its stores"],
  ...[...measured.keys()].map((name) => [
    name,
    Math.round(median(rates(name))),
    spread(rates(name)),
    ratio(rates(name), rates(RAW)).toFixed(2),
    Math.round(median(of(name, "cpuMicros"))),
    name === RAW ? "–" : Math.round(median(of(name, "storeCpuMicros"))),
  ]),
]);

const ours = [...measured.keys()].filter((name) => name.startsWith("Parley"));
const unordered = ours.filter((name) => !name.includes("ordered") && name !== CONTROLLED);
const bars = unordered.flatMap((name) => {
  const atLeast = name === UNORDERED ? 0.45 : 0.42;
  const ofRaw = ratio(rates(name), rates(RAW));
  const cpuOfRaw = ratio(of(name, "cpuMicros"), of(RAW, "cpuMicros"));
  const storeOfRaw = ratio(of(name, "storeCpuMicros"), of(RAW, "cpuMicros"));
  const ofPeers = [
    [BASELINE, 2.5],
    [PG_BOSS, 1.5],
  ].map(([peer, bar]) => {
    const times = ratio(rates(name), rates(peer));
    return { text: `${name}: ${times.toFixed(2)} × ${peer} (bar ${bar})`, met: times >= bar };
  });
  return [
    { text: `${name}: ${ofRaw.toFixed(2)} of the raw loop (bar ${atLeast})`, met: ofRaw >= atLeast },
    ...ofPeers,
    {
      text: `${name}: processor time of the process ${cpuOfRaw.toFixed(2)} × the raw loop's (bar 1.9)`,
      met: cpuOfRaw <= 1.9,
    },
    { text: `${name}: of PostgreSQL ${storeOfRaw.toFixed(2)} × the raw loop's (bar 1.05)`, met: storeOfRaw <= 1.05 },
  ];
});
const duplicates = ours.flatMap((name) => of(name, "duplicates")).reduce((sum, number) => sum + number, 0);
const ofUnordered = ratio(rates(ORDERED), rates(UNORDERED));
bars.push({ text: `${ORDERED}: ${ofUnordered.toFixed(2)} of unordered (bar 0.5)`, met: ofUnordered >= 0.5 });
bars.push({ text: `duplicates: ${duplicates} (bar 0)`, met: duplicates === 0 });
conclude("deliver", Object.fromEntries(measured), bars);

await Promise.all(contenders.map(({ close }) => close()));
await Promise.all([sink.stop(), redis.stop(), postgres.stop()]);
