// From the writing of a message to its arrival. Idle: p50 at most 3 ms, p99 at most 10 ms, compared with a bare POST to the same
// sink, which shows how much of it is the machine. Under load, at half of the rate at which a backlog is drained: p99 at
// most 100 ms. The time starts with the request, so it includes the write.
import { stampedBody } from "./lib/clock.mjs";
import { quantile } from "./lib/load.mjs";
import { KEY, startProduct, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, startLoader, table } from "./lib/report.mjs";
import { connectTo, queueDeliveries } from "./lib/rows.mjs";
import { startSink } from "./lib/sinks.mjs";
import { undisturbed } from "./lib/undisturbed.mjs";

const COUNT = Number(process.env.BENCH_COUNT ?? 300);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MS = Number(process.env.BENCH_MS ?? 15_000);
const BACKLOG = 20_000;
// Each message goes to as many webhooks: writing half of a drain rate of single deliveries over HTTP would take more than
// the machine has, and measure that.
const WEBHOOKS = 20;

const sink = await startSink();
const product = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
const { id } = await product.call("POST", "/conversations", { subject: "latency" });
const path = `/conversations/${id}/messages`;

async function addWebhooks(from, to) {
  for (let i = from; i < to; i++)
    await product.call("POST", "/webhooks", {
      name: `hook ${i}`,
      url: `${sink.url}/hook/${i}`,
      events: ["message.created"],
    });
}

/** One at a time: the next is sent when the one before has arrived. */
async function oneByOne({ send }) {
  for (let i = 0; i < 20; i++) await send();
  await sink.arrived(20, 10_000);
  await sink.reset();
  for (let i = 0; i < COUNT; i++) {
    await send();
    await sink.arrived(i + 1, 10_000, 0);
  }
  return quantiles(await sink.times());
}

/** A backlog is drained, which gives the rate, then messages come at half of it. */
async function atHalfOfTheDrain(sql, loader) {
  await sink.reset();
  await queueDeliveries(sql, { events: BACKLOG / WEBHOOKS });
  const drained = await sink.arrived(BACKLOG, 60_000);
  const drainPerSecond = (BACKLOG / drained.ms) * 1_000;
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // the last results are written
  await sink.reset();
  const perSecond = drainPerSecond / 2 / WEBHOOKS;
  const targets = [{ path: `/api/v1${path}`, key: KEY }];
  const { count, failures } = await loader.run({ url: product.url, targets, perSecond, ms: MS });
  if (failures > 0) throw new Error(`${failures} of ${count} messages were not written`);
  const { ms } = await sink.arrived(count * WEBHOOKS, 60_000);
  const arrivedPerSecond = ((count * WEBHOOKS) / ms) * 1_000;
  return { drainPerSecond, arrivedPerSecond, ...quantiles(await sink.times()) };
}

const quantiles = (sorted) => ({ p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) });

await addWebhooks(0, 1);
const idle = await interleave(
  [
    {
      name: "bare POST to the sink",
      send: async () => {
        const response = await fetch(`${sink.url}/bare`, { method: "POST", body: stampedBody() });
        await response.text();
      },
    },
    {
      name: "message to its delivery, idle",
      send: () => product.call("POST", path, { body: stampedBody() }),
    },
  ],
  ROUNDS,
  async (contender) => {
    await sink.reset();
    return oneByOne(contender);
  },
);

await addWebhooks(1, WEBHOOKS);
const sql = await connectTo(product);
const loader = startLoader();
const loaded = [];
for (let round = 0; round <= ROUNDS; round++) loaded.push(await undisturbed(() => atHalfOfTheDrain(sql, loader)));
loaded.shift(); // the first round warms up

const LOADED = "message to its delivery, at half of the drain rate";
const results = new Map([...idle, [LOADED, loaded]]);
const middle = (name, figure) => median(results.get(name).map((round) => round[figure]));
const range = (name, figure) => {
  const values = results.get(name).map((round) => round[figure]);
  return `${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)}`;
};
table([
  ["from sending to arrival", "p50 ms (median)", "p99 ms (median)", "p99 spread"],
  ...[...results.keys()].map((name) => [
    name,
    middle(name, "p50").toFixed(1),
    middle(name, "p99").toFixed(1),
    range(name, "p99"),
  ]),
]);
const IDLE = "message to its delivery, idle";
const rate = Math.round(middle(LOADED, "drainPerSecond"));
conclude("latency", Object.fromEntries(results), [
  { text: `idle p50 ${middle(IDLE, "p50").toFixed(1)} ms (bar 3 ms)`, met: middle(IDLE, "p50") <= 3 },
  { text: `idle p99 ${middle(IDLE, "p99").toFixed(1)} ms (bar 10 ms)`, met: middle(IDLE, "p99") <= 10 },
  {
    text: `p99 ${middle(LOADED, "p99").toFixed(0)} ms at half of the drain rate of ${rate} deliveries/s (bar 100 ms)`,
    met: middle(LOADED, "p99") <= 100,
  },
]);
await sql.end();
await Promise.all([stop(loader.child), product.stop(), sink.stop()]);
