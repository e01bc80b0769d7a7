// What the queue and the log cost when they are large: 1,000,000 pending deliveries and 10,000,000 logged attempts compared with an
// installation with 10,000 of each, in turns. Bars: claim, settle, the first page of logs and the writing of a message cost at
// most 1.5 times as much. Filtered and deep pages are reported.
import { writeHistory } from "./lib/history.mjs";
import { KEY, startProduct, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, ratio, startLoader, table } from "./lib/report.mjs";
import { connectTo, queueDeliveries, tableSizes } from "./lib/rows.mjs";
import { startSink } from "./lib/sinks.mjs";
import { resetStatements, statementCosts, watchStatements } from "./lib/statements.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const MS = Number(process.env.BENCH_MS ?? 3_000);
const DRAIN = 10_000;
const SMALL = { pending: 10_000, attempts: 10_000 };
const LARGE = {
  pending: Number(process.env.BENCH_PENDING ?? 1_000_000),
  attempts: Number(process.env.BENCH_ATTEMPTS ?? 10_000_000),
};
const WEBHOOKS = 10;

const sink = await startSink();
const loader = startLoader();

async function grown(name, size) {
  const product = await watchStatements(await startProduct({ PARLEY_LOG_LEVEL: "warn" }));
  const hook = (url, events) => product.call("POST", "/webhooks", { name: "hook", url, events });
  const old = [];
  for (let i = 0; i < WEBHOOKS; i++) old.push((await hook(`${sink.url}/old/${i}`, ["contact.created"])).id);
  const fresh = await hook(`${sink.url}/fresh`, ["message.created"]);
  const conversation = await product.call("POST", "/conversations", { subject: "growth" });
  const sql = await connectTo(product);
  const begunAt = performance.now();
  await writeHistory(sql, { webhookIds: old, ...size });
  const bytes = [...(await tableSizes(sql)).values()].reduce((sum, table) => sum + table, 0);
  console.log(`${name}: ${(bytes / 2 ** 30).toFixed(1)} GB in ${Math.round((performance.now() - begunAt) / 1_000)} s`);
  return {
    name,
    product,
    sql,
    freshId: fresh.id,
    conversationId: conversation.id,
    logs: `/webhooks/${old[0]}/logs`,
    size,
  };
}

/** Draining a fresh webhook claims and settles; the database says what each of both took. */
async function drain({ sql, freshId }) {
  await sink.reset();
  await resetStatements(sql);
  await queueDeliveries(sql, { events: DRAIN, webhookId: freshId });
  const { ms } = await sink.arrived(DRAIN, 120_000);
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // the last results are written
  const { claim, settle, discover } = await statementCosts(sql);
  return {
    "drain, ms per delivery": ms / DRAIN,
    "claim, ms per delivery": claim.ms / DRAIN,
    "settle, ms per delivery": settle.ms / DRAIN,
    "claim, pages per delivery": claim.pages / DRAIN,
    "settle, pages per delivery": settle.pages / DRAIN,
    "looking for lanes with work, ms": discover.ms / discover.calls,
  };
}

/** Milliseconds of one request, or null where the response was an error: a statement may take too long. */
async function request({ product }, path, options) {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const load = { url: product.url, path: `/api/v1${path}`, headers, callers: 1, ms: MS, ...options };
  const { p50, failures } = await loader.run(load);
  return failures > 0 ? null : p50;
}

async function measure(contender) {
  const { logs, conversationId, size } = contender;
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const lastPage = size.attempts / WEBHOOKS / 25;
  return {
    ...(await drain(contender)),
    "first page of logs, ms": await request(contender, logs),
    "writing a message, ms": await request(contender, `/conversations/${conversationId}/messages`, {
      method: "POST",
      bodies: [JSON.stringify({ body: "x".repeat(200) })],
    }),
    "logs of one day, ms": await request(contender, `${logs}?created_after=${yesterday}`),
    "failed logs, ms": await request(contender, `${logs}?status=failed`),
    "logs of one event type, ms": await request(contender, `${logs}?event_type=message.created`),
    "page 100 of logs, ms": await request(contender, `${logs}?page=${Math.min(100, lastPage)}`),
    "last page of logs, ms": await request(contender, `${logs}?page=${lastPage}`),
  };
}

const contenders = [await grown("small", SMALL), await grown("large", LARGE)];
const measured = await interleave(contenders, ROUNDS + 1, measure);
for (const list of measured.values()) list.shift(); // the first round warms up

const of = (name, figure) => measured.get(name).map((round) => round[figure]);
const failed = (figure) => of("large", figure).includes(null);
const growth = (figure) =>
  failed(figure) ? Number.POSITIVE_INFINITY : ratio(of("large", figure), of("small", figure));
const range = (values) => `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
const number = (count) => count.toLocaleString("en");
table([
  [
    "cost",
    `${number(SMALL.pending)} pending, ${number(SMALL.attempts)} logged`,
    `${number(LARGE.pending)} pending, ${number(LARGE.attempts)} logged`,
    "spread",
    "times",
  ],
  ...Object.keys(measured.get("small")[0]).map((figure) => [
    figure,
    median(of("small", figure)).toFixed(3),
    ...(failed(figure)
      ? ["503: too slow", "–", "–"]
      : [median(of("large", figure)).toFixed(3), range(of("large", figure)), growth(figure).toFixed(2)]),
  ]),
]);
const BARRED = ["claim, ms per delivery", "settle, ms per delivery", "first page of logs, ms", "writing a message, ms"];
conclude(
  "growth",
  Object.fromEntries(measured),
  BARRED.map((figure) => ({
    text: `${figure.split(",")[0]}: ${growth(figure).toFixed(2)} × (bar 1.5)`,
    met: growth(figure) <= 1.5,
  })),
);
await Promise.all(contenders.map(({ sql, product }) => sql.end().then(product.stop)));
await Promise.all([stop(loader.child), sink.stop()]);
