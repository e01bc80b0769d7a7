// node bench/versions.mjs <checkout> …: other versions of Parley, each a built checkout, and this one, all running at once and
// measured in turns. The other benchmarks compare Parley with something else within a run; on a machine whose speed changes
// from minute to minute, two of their runs do not compare two versions. There is no bar.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { stampedBody } from "./lib/clock.mjs";
import { quantile } from "./lib/load.mjs";
import { KEY, ROOT, stop } from "./lib/processes.mjs";
import { interleave, median, ratio, startLoader, table } from "./lib/report.mjs";
import { startSink } from "./lib/sinks.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const MESSAGES = 60;
const MS = 3_000;
const CALLERS = 32;
const WEBHOOKS = 20;
const BACKLOG = 20_000;
const DELIVERIES_PER_SECOND = 2_000;
const AT_ONE_RATE_MS = 6_000;

const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };

/** One version: its server and its receiver. */
async function startVersion(directory) {
  // Its own library, which knows its tables.
  const { startProduct } = await import(`${directory}/bench/lib/processes.mjs`);
  const { connectTo, queueDeliveries } = await import(`${directory}/bench/lib/rows.mjs`);
  const product = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
  const paths = [];
  for (let i = 0; i < CALLERS; i++) {
    const { id } = await product.call("POST", "/conversations", { subject: `c${i}` });
    paths.push(`/conversations/${id}/messages`);
  }
  for (let i = 0; i < 24; i++) await product.call("POST", "/api-keys", { name: `key ${i}` });
  const sql = await connectTo(product);
  const commit = execFileSync("git", ["-C", directory, "rev-parse", "--short", "HEAD"], { encoding: "utf8" });
  return { name: commit.trim(), product, sink: await startSink(), sql, paths, queueDeliveries };
}

async function addWebhooks({ product, sink }, from, to) {
  for (let i = from; i < to; i++) {
    const url = `${sink.url}/hook/${i}`;
    await product.call("POST", "/webhooks", { name: `hook ${i}`, url, events: ["message.created"] });
  }
}

/** All have arrived, and the last results are written. */
async function finished(sink, count) {
  const { ms } = await sink.arrived(count, 60_000);
  await new Promise((done) => setTimeout(done, 500));
  return ms;
}

/** One message at a time: the next is written when the one before has arrived. */
async function arrivalWhenIdle({ product, sink, paths }) {
  await sink.reset();
  for (let i = 1; i <= MESSAGES; i++) {
    await product.call("POST", paths[0], { body: stampedBody() });
    await sink.arrived(i, 10_000, 0);
  }
  return quantile(await sink.times(), 0.5);
}

async function messagesPerSecond({ product, sink, paths }) {
  await sink.reset();
  const { perSecond, count } = await loader.run({
    url: product.url,
    method: "POST",
    paths: paths.map((path) => `/api/v1${path}`),
    headers,
    bodies: [JSON.stringify({ body: "x".repeat(200) })],
    callers: CALLERS,
    ms: MS,
  });
  await finished(sink, count);
  return perSecond;
}

async function readsPerSecond({ product }) {
  const request = { url: product.url, path: "/api/v1/api-keys", headers, callers: CALLERS, ms: MS };
  return (await loader.run(request)).perSecond;
}

async function deliveriesPerSecond({ sink, sql, queueDeliveries }) {
  await sink.reset();
  await queueDeliveries(sql, { events: BACKLOG / WEBHOOKS });
  return (BACKLOG / (await finished(sink, BACKLOG))) * 1_000;
}

async function arrivalAtOneRate({ product, sink, paths }) {
  await sink.reset();
  const targets = [{ path: `/api/v1${paths[0]}`, key: KEY }];
  const perSecond = DELIVERIES_PER_SECOND / WEBHOOKS;
  const { count } = await loader.run({ url: product.url, targets, perSecond, ms: AT_ONE_RATE_MS });
  await finished(sink, count * WEBHOOKS);
  return quantile(await sink.times(), 0.99);
}

const loader = startLoader();
const versions = [];
for (const directory of [...process.argv.slice(2), ROOT]) versions.push(await startVersion(resolve(directory)));

const rows = [["median (spread) of the rounds", ...versions.map(({ name }) => name), "ratio of the last"]];

async function compare(title, measure, digits = 0) {
  for (const version of versions) await measure(version); // warms up
  const results = [...(await interleave(versions, ROUNDS, measure)).values()];
  const show = (values) =>
    `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;
  const ratios = results.slice(0, -1).map((theirs) => ratio(results.at(-1), theirs).toFixed(2));
  rows.push([title, ...results.map(show), ratios.join(", ")]);
}

for (const version of versions) await addWebhooks(version, 0, 1);
await compare("message to arrival when idle, p50 ms", arrivalWhenIdle, 2);
await compare(`messages/s with their deliveries, ${CALLERS} callers`, messagesPerSecond);
await compare(`reads of 25 API keys/s, ${CALLERS} callers`, readsPerSecond);
for (const version of versions) await addWebhooks(version, 1, WEBHOOKS);
await compare(`deliveries/s of a backlog, ${WEBHOOKS} webhooks`, deliveriesPerSecond);
await compare(`message to arrival at ${DELIVERIES_PER_SECOND} deliveries/s, p99 ms`, arrivalAtOneRate);
table(rows);
await Promise.all(versions.map(({ sql }) => sql.end()));
await Promise.all([stop(loader.child), ...versions.flatMap(({ product, sink }) => [product.stop(), sink.stop()])]);
