// From the writing of a message to its arrival. Idle, it is compared with a floor: the same rows in one plain transaction and
// then a bare POST to the same sink. Bars: p50 at most 2 times, p99 at most 2.5 times the floor's. Under load, at half of the
// rate at which a backlog is drained: p99 at most 10 times the idle p50, also of what is sent in the first two seconds. The
// time starts with the request, so it includes the write.
import { stampedBody } from "./lib/clock.mjs";
import { quantile } from "./lib/load.mjs";
import { KEY, startProduct, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, startLoader, table } from "./lib/report.mjs";
import { connectTo, PAYLOAD, queueDeliveries, writePlainly } from "./lib/rows.mjs";
import { startSink } from "./lib/sinks.mjs";
import { undisturbed } from "./lib/undisturbed.mjs";

const COUNT = Number(process.env.BENCH_COUNT ?? 300);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MS = Number(process.env.BENCH_MS ?? 15_000);
const BACKLOG = 20_000;
const FIRST_MS = 2_000;
const DAY_SECONDS = 86_400;
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
  const { all, first } = await sink.timesFrom(FIRST_MS);
  return { drainPerSecond, arrivedPerSecond, ...quantiles(all), firstP99: quantile(first, 0.99) };
}

const quantiles = (sorted) => ({ p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) });

await addWebhooks(0, 1);
const sql = await connectTo(product);
const [{ id: webhookId }] = (await sql.query("select id from webhooks")).rows;

async function bare(body) {
  const response = await fetch(`${sink.url}/bare`, { method: "POST", body });
  await response.text();
}

/** Its delivery is not due before the end of the run, so that the product does not send it. */
async function floor() {
  const body = stampedBody();
  await writePlainly(sql, { conversation: id, webhookId, payload: PAYLOAD, body, waitSeconds: DAY_SECONDS });
  await bare(body);
}

const FLOOR = "a plain transaction of the same rows, then a bare POST";
const IDLE = "message to its delivery, idle";
const idle = await interleave(
  [
    { name: "bare POST to the sink", send: () => bare(stampedBody()) },
    { name: FLOOR, send: floor },
    {
      name: IDLE,
      send: () => product.call("POST", path, { body: stampedBody() }),
    },
  ],
  ROUNDS,
  async (contender) => {
    await sink.reset();
    return oneByOne(contender);
  },
);

await sql.query("delete from deliveries where next_attempt_at > now() + interval '1 hour'");
await addWebhooks(1, WEBHOOKS);
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
const rate = Math.round(middle(LOADED, "drainPerSecond"));
const times = (over, under) => middle(...over) / middle(...under);
const bar = (what, value, max) => ({ text: `${what}: ${value.toFixed(1)} times (bar ${max})`, met: value <= max });
conclude("latency", Object.fromEntries(results), [
  bar("idle p50 of the floor's", times([IDLE, "p50"], [FLOOR, "p50"]), 2),
  bar("idle p99 of the floor's", times([IDLE, "p99"], [FLOOR, "p99"]), 2.5),
  bar(`p99 of the idle p50, at half of ${rate} deliveries/s`, times([LOADED, "p99"], [IDLE, "p50"]), 10),
  bar("the same in the first two seconds", times([LOADED, "firstP99"], [IDLE, "p50"]), 10),
]);
await sql.end();
await Promise.all([stop(loader.child), product.stop(), sink.stop()]);
