// Drains a backlog of 20,000 deliveries to one fast sink: for one webhook, and spread over 1,000. Beside it a raw signed
// undici loop without any database, which is the limit. Bar: at least 0.35 of the raw loop, with fairness, guard and log
// detail on.
import pg from "pg";
import { cpuMs, freePort, start, startProduct, stop, waitForHttp } from "./lib/processes.mjs";
import { conclude, interleave, median, ratio, spread, table } from "./lib/report.mjs";

const COUNT = Number(process.env.BENCH_COUNT ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const WEBHOOKS = 1_000;

const port = await freePort();
const sinkUrl = `http://127.0.0.1:${port}`;
const sink = start("bench/lib/sink.mjs", [String(port)]);
await waitForHttp(sinkUrl);
const payload = JSON.stringify({
  id: "evt_0",
  type: "message.created",
  timestamp: "2026-07-14T10:00:00+00:00",
  data: { body: "x".repeat(500) },
});

const raw = start("bench/peers/raw-loop.mjs", [sinkUrl, "64"]);
const one = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
const many = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
await subscribe(one, 1);
await subscribe(many, WEBHOOKS);

async function subscribe(product, webhooks) {
  product.sql = new pg.Client({ ...product.database, ssl: false });
  await product.sql.connect();
  for (let i = 0; i < webhooks; i++)
    await product.call("POST", "/webhooks", {
      name: `hook ${i}`,
      url: `${sinkUrl}/hook/${i}`,
      events: ["message.created"],
    });
  product.webhooks = webhooks;
}

/** Events and their deliveries as the outbox writes them, in one statement: only the drain is measured. */
async function queue(product) {
  await product.sql.query(
    `with event as (
       insert into events (workspace_id, uuid, type, payload) select 1, gen_random_uuid(), 'message.created', $2
       from generate_series(1, $1) returning id)
     insert into deliveries (workspace_id, webhook_id, event_id) select 1, w.id, event.id from event, webhooks w`,
    [COUNT / product.webhooks, payload],
  );
}

const contenders = [
  {
    name: "raw undici loop",
    pid: raw.pid,
    go: () => new Promise((resolve) => raw.once("message", resolve) && raw.send({ count: COUNT, payload, paths: 1 })),
  },
  { name: "Parley, 1 webhook", pid: one.child.pid, go: () => queue(one) },
  { name: `Parley, ${WEBHOOKS} webhooks`, pid: many.child.pid, go: () => queue(many) },
];
const measured = await interleave(contenders, ROUNDS + 1, drain);
for (const list of measured.values()) list.shift(); // the first round warms up

async function drain({ name, pid, go }) {
  await fetch(`${sinkUrl}/reset`, { method: "POST" });
  const cpuBefore = cpuMs(pid);
  const deadline = performance.now() + 120_000;
  await go();
  for (;;) {
    const stats = await (await fetch(`${sinkUrl}/stats`)).json();
    if (stats.count >= COUNT) {
      await new Promise((resolve) => setTimeout(resolve, 500)); // settle and let duplicates show
      const after = await (await fetch(`${sinkUrl}/stats`)).json();
      const cpu = ((cpuMs(pid) - cpuBefore) * 1_000) / COUNT;
      return { perSecond: (COUNT / stats.ms) * 1_000, cpuMicros: cpu, duplicates: after.count - after.distinct };
    }
    if (performance.now() > deadline) throw new Error(`${name}: only ${stats.count} of ${COUNT} arrived`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const rates = new Map([...measured].map(([name, list]) => [name, list.map((result) => result.perSecond)]));
const limit = rates.get("raw undici loop");
table([
  ["contender", "deliveries/s (median)", "spread", "of the raw loop", "CPU µs each"],
  ...[...rates].map(([name, list]) => [
    name,
    Math.round(median(list)),
    spread(list),
    ratio(list, limit).toFixed(2),
    Math.round(median(measured.get(name).map((result) => result.cpuMicros))),
  ]),
]);
const bars = [...rates].slice(1).map(([name, list]) => ({
  text: `${name}: ${ratio(list, limit).toFixed(2)} of the raw loop (bar 0.35)`,
  met: ratio(list, limit) >= 0.35,
}));
const duplicates = [...measured]
  .slice(1)
  .flatMap(([, list]) => list)
  .reduce((sum, result) => sum + result.duplicates, 0);
conclude("deliver", Object.fromEntries(measured), [
  ...bars,
  { text: `duplicates: ${duplicates} (bar 0)`, met: duplicates === 0 },
]);
await one.sql.end();
await many.sql.end();
await Promise.all([stop(raw), stop(sink), one.stop(), many.stop()]);
