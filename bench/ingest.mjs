// Acknowledged messages per second over HTTP, each with its event and one delivery, durable, compared with the same rows written in
// one plain transaction per message without HTTP. The deliveries stay queued (the lane is blocked): only writing is
// measured. Bar: at least 1.3 with 32 callers; 1, 8 and 128 callers and a single conversation are reported as well.
import pg from "pg";
import { KEY, start, startProduct, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, ratio, spread, startLoader, table } from "./lib/report.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const MS = Number(process.env.BENCH_MS ?? 3_000);
const CALLERS = 32;
const ALSO = (process.env.BENCH_CALLERS ?? "1,8,128").split(",").filter(Boolean).map(Number);
/** Until a fresh process has compiled what it runs most. */
const WARM_MS = 6_000;

const product = await startProduct();
const sql = new pg.Client({ ...product.database, ssl: false });
await sql.connect();
const webhook = await product.call("POST", "/webhooks", {
  name: "held",
  url: "http://127.0.0.1:9/",
  events: ["message.created"],
});
await sql.query("update delivery_lanes set breaker_open_until = now() + interval '1 day'");
const conversations = [];
for (let i = 0; i < CALLERS; i++)
  conversations.push((await product.call("POST", "/conversations", { subject: `c${i}` })).id);

const payload = JSON.stringify({ id: "evt_0", type: "message.created", data: { body: "x".repeat(600) } });
const peer = start("bench/peers/plain-writer.mjs", [
  JSON.stringify({ database: product.database, conversations, webhookId: webhook.id, payload }),
]);
const loader = startLoader();
const request = {
  url: product.url,
  method: "POST",
  paths: conversations.map((id) => `/api/v1/conversations/${id}/messages`),
  headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
  bodies: [JSON.stringify({ body: "x".repeat(200) })],
  callers: CALLERS,
};
const plain = (load) => new Promise((resolve) => peer.once("message", resolve) && peer.send(load));
const contenders = [
  { name: "Parley over HTTP", run: (ms) => loader.run({ ...request, ms }) },
  { name: "plain transaction", run: (ms) => plain({ ms, callers: CALLERS }) },
];
for (const contender of contenders) await contender.run(WARM_MS);
const results = await interleave(contenders, ROUNDS, async ({ run }) => {
  const result = await run(MS);
  await sql.query("truncate deliveries");
  return result;
});
const rates = new Map([...results].map(([name, list]) => [name, list.map((result) => result.perSecond)]));
const mine = rates.get("Parley over HTTP");
const share = ratio(mine, rates.get("plain transaction"));
const failures = results.get("Parley over HTTP").reduce((sum, result) => sum + result.failures, 0);
table([
  ["contender", "messages/s (median)", "spread", "Parley's share"],
  ...[...rates].map(([name, list]) => [name, Math.round(median(list)), spread(list), ratio(mine, list).toFixed(2)]),
]);
const others = [];
for (const callers of ALSO) others.push(await compare(`${callers} callers`, callers));
others.push(await compare(`${CALLERS} callers, one conversation`, CALLERS, 1));
table([["load", "Parley, messages/s", "plain/s", "Parley's share", "p50 ms", "p99 ms"], ...others]);
conclude("ingest", { rates: Object.fromEntries(rates), share, failures, others }, [
  {
    text: `share of the same rows in plain transactions: ${share.toFixed(2)} (bar 1.30)`,
    met: share >= 1.3 && failures === 0,
  },
]);

/** One line of the second table: the same requests with another load. */
async function compare(name, callers, spread = conversations.length) {
  const own = await loader.run({ ...request, paths: request.paths.slice(0, spread), callers, ms: MS });
  await sql.query("truncate deliveries");
  const theirs = await plain({ ms: MS, callers, spread });
  await sql.query("truncate deliveries");
  const rate = (own.perSecond / theirs.perSecond).toFixed(2);
  return [
    name,
    ...[own, theirs].map(({ perSecond }) => Math.round(perSecond)),
    rate,
    ...[own.p50, own.p99].map((ms) => ms.toFixed(1)),
  ];
}
await sql.end();
await Promise.all([stop(peer), stop(loader.child), product.stop()]);
