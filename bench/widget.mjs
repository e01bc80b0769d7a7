// Visitors of a widget: 1,000 with an open stream on one node, 50 messages per second from them and 50 replies. From the
// sending of a visitor's message to its arrival in an inbox (a stream of events), and from the sending of a reply to its arrival
// in the visitor's stream. Before that the memory of an open visitor: what is left after a collection, with none, some and all of
// them in one process; and, in Chromium, how long the loader occupies the main thread of a page: at most 20 ms in the median.
import { latencyOf, stampedBody } from "./lib/clock.mjs";
import { quantile } from "./lib/load.mjs";
import { loaderTimes, startPage } from "./lib/loader-time.mjs";
import { ask, KEY, start, startProduct, stop } from "./lib/processes.mjs";
import { conclude, median, table } from "./lib/report.mjs";
import { readStream } from "./lib/sse.mjs";
import { undisturbed } from "./lib/undisturbed.mjs";

const VISITORS = Number(process.env.BENCH_VISITORS ?? 1_000);
const EACH_WAY_PER_SECOND = Number(process.env.BENCH_PER_SECOND ?? 50);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MS = Number(process.env.BENCH_MS ?? 30_000);
const ARRIVAL_MS_MAX = 20_000;
const LOADS = 15;
const LOADER_MS_MAX = 20;
const SETTLE_MS = 3_000;

const PROBE = new URL("lib/memory-probe.mjs", import.meta.url).href;
const product = await startProduct(
  {
    PARLEY_LOG_LEVEL: "error",
    PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "100000",
    PARLEY_WIDGET_SESSIONS_PER_WIDGET: "100000",
  },
  { nodeArgs: ["--expose-gc", "--import", PROBE] },
);
const shop = await startPage();
const widget = await product.call("POST", "/widgets", { name: "bench", allowed_origins: [shop.origin] });
shop.show({ url: product.url, publicId: widget.public_id });
const loading = await loaderTimes(shop.origin, LOADS);
await shop.close();
const visitors = start("bench/lib/visitors.mjs");
const { conversations } = await ask(visitors, {
  kind: "begin",
  url: product.url,
  widget: widget.public_id,
  count: VISITORS,
});
const STEPS = [0, 0.25, 0.5, 0.75, 1];
const memory = await memoryBySteps();

/**
 * What is freed is kept for the next connection (parsers, caches), and the first streams load code: so what a visitor costs is
 * the slope between a quarter of them and all, of which each is here for the first time.
 */
async function memoryBySteps() {
  const steps = [];
  for (const step of STEPS) {
    await ask(visitors, { kind: "connect", count: Math.round(step * VISITORS) });
    steps.push(await settledMemory());
  }
  return steps;
}

async function settledMemory() {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return ask(product.child, { kind: "memory" });
}

const memoryRow = (name, field) => {
  const [, first] = STEPS;
  const [none, quarter, ...more] = memory.map((step) => step[field]);
  const all = more.at(-1);
  const each = ((all - quarter) * 1_024) / ((1 - first) * VISITORS);
  return [name, none.toFixed(1), quarter.toFixed(1), all.toFixed(1), each.toFixed(1)];
};

const toInbox = [];
const inbox = readStream(`${product.url}/api/v1/events/stream?types=message.created`, {
  headers: { authorization: `Bearer ${KEY}` },
  onFrame({ data }) {
    const { direction, body } = data.data;
    const latency = direction === "in" ? latencyOf(body) : null;
    if (latency !== null) toInbox.push(latency);
  },
});
await inbox.opened;

const rounds = [];
for (let round = 0; round <= ROUNDS; round++) rounds.push(await undisturbed(measure));
rounds.shift(); // the first round warms up

async function measure() {
  toInbox.length = 0;
  const sending = ask(visitors, { kind: "run", ms: MS, perSecond: EACH_WAY_PER_SECOND });
  const replied = await reply();
  const { sent, failures } = await sending;
  const { toVisitor } = await ask(visitors, { kind: "arrived", count: replied, timeoutMs: ARRIVAL_MS_MAX });
  const deadline = performance.now() + ARRIVAL_MS_MAX;
  while (toInbox.length < sent - failures && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const lost = sent - failures - toInbox.length + (replied - toVisitor.length);
  if (failures > 0 || lost > 0) throw new Error(`${failures} messages were refused and ${lost} did not arrive`);
  return { inbox: quantiles(toInbox), visitor: quantiles(toVisitor) };
}

/** At an even pace, to one visitor after the other. */
async function reply() {
  const begunAt = performance.now();
  const count = Math.round((MS / 1_000) * EACH_WAY_PER_SECOND);
  const sends = [];
  for (let n = 0; n < count; n++) {
    const wait = begunAt + (n * 1_000) / EACH_WAY_PER_SECOND - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const conversation = conversations[n % conversations.length];
    sends.push(product.call("POST", `/conversations/${conversation}/messages`, { body: stampedBody() }));
  }
  await Promise.all(sends);
  return count;
}

function quantiles(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

const middle = (way, figure) => median(rounds.map((round) => round[way][figure])).toFixed(1);
table([
  [
    `${VISITORS.toLocaleString("en")} visitors, ${EACH_WAY_PER_SECOND} messages/s each way`,
    "p50 ms (median)",
    "p99 ms (median)",
  ],
  ["a visitor's message to the inbox", middle("inbox", "p50"), middle("inbox", "p99")],
  ["a reply to the visitor", middle("visitor", "p50"), middle("visitor", "p99")],
]);
console.log("");
table([
  ["memory of Parley's process, MB", "0 visitors", "a quarter", "all", "kB per visitor"],
  memoryRow("in use: heap and buffers", "heapMb"),
  memoryRow("resident", "rssMb"),
]);
console.log("");
table([
  ["loader, ms of the page's main thread", "median", "spread"],
  [
    `${LOADS} pages`,
    median(loading).toFixed(1),
    `${Math.min(...loading).toFixed(1)}–${Math.max(...loading).toFixed(1)}`,
  ],
]);
conclude("widget", { rounds, memoryMb: memory, loaderMs: loading }, [
  {
    text: `loader ${median(loading).toFixed(1)} ms of the main thread (bar ${LOADER_MS_MAX} ms)`,
    met: median(loading) <= LOADER_MS_MAX,
  },
]);
inbox.close();
await stop(visitors);
await product.stop();
