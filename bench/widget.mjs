// Visitors of a widget: 1,000 with an open stream on one node, 50 messages per second from them and 50 replies. From the
// sending of a visitor's message to its arrival in an inbox (a stream of events), and from the sending of a reply to its arrival
// in the visitor's stream; the memory of an open visitor. Before that, in Chromium, how long the loader occupies the main thread
// of a page: at most 20 ms in the median.
import { latencyOf, stampedBody } from "./lib/clock.mjs";
import { quantile } from "./lib/load.mjs";
import { loaderTimes, startPage } from "./lib/loader-time.mjs";
import { ask, KEY, start, startProduct, stop } from "./lib/processes.mjs";
import { conclude, median, table } from "./lib/report.mjs";
import { readStream } from "./lib/sse.mjs";
import { undisturbed } from "./lib/undisturbed.mjs";
import { residentMb } from "./lib/usage.mjs";

const VISITORS = Number(process.env.BENCH_VISITORS ?? 1_000);
const EACH_WAY_PER_SECOND = Number(process.env.BENCH_PER_SECOND ?? 50);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MS = Number(process.env.BENCH_MS ?? 30_000);
const ARRIVAL_MS_MAX = 20_000;
const LOADS = 15;
const LOADER_MS_MAX = 20;

const product = await startProduct({
  PARLEY_LOG_LEVEL: "error",
  PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "100000",
  PARLEY_WIDGET_SESSIONS_PER_WIDGET: "100000",
});
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
const idle = () => new Promise((resolve) => setTimeout(resolve, 3_000));
await idle();
const withoutStreams = residentMb(product.child.pid);
await ask(visitors, { kind: "connect" });
await idle();
const withStreams = residentMb(product.child.pid);
const kbPerVisitor = ((withStreams - withoutStreams) * 1_024) / VISITORS;

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
  ["memory of Parley's process, MB", "without streams", "with them", "kB per visitor"],
  [
    `${VISITORS.toLocaleString("en")} visitors`,
    Math.round(withoutStreams),
    Math.round(withStreams),
    kbPerVisitor.toFixed(1),
  ],
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
conclude("widget", { rounds, memoryMb: { withoutStreams, withStreams }, kbPerVisitor, loaderMs: loading }, [
  {
    text: `loader ${median(loading).toFixed(1)} ms of the main thread (bar ${LOADER_MS_MAX} ms)`,
    met: median(loading) <= LOADER_MS_MAX,
  },
]);
inbox.close();
await stop(visitors);
await product.stop();
