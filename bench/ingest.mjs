// Acknowledged messages per second over HTTP, each with its event and one delivery, durable, compared with the same rows written in
// one plain transaction per message without HTTP. The deliveries stay queued (the lane is blocked): only writing is
// measured. Bar: at least 1.3 with 32 callers; 1, 8 and 128 callers and a single conversation are reported as well, and what a
// message, a contact and a conversation cost in processor time and on disk. Second bar: at least 0.85 of the rate without
// the index of words that search uses. Reported: what 1,000 webhooks with filters cost a message that none of them gets.
import pg from "pg";
import { KEY, start, startProduct, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, ratio, spread, startLoader, table } from "./lib/report.mjs";
import { tableSizes } from "./lib/rows.mjs";
import { cpuMs, treeCpuMs } from "./lib/usage.mjs";
import { createWebhooks } from "./lib/workspaces.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const MS = Number(process.env.BENCH_MS ?? 3_000);
const CALLERS = 32;
const FILTERED = 1_000;
const FILTER = { data: { direction: "out", private: false, sender: { type: ["contact", "user"] } } };
const ALSO = (process.env.BENCH_CALLERS ?? "1,8,128").split(",").filter(Boolean).map(Number);
const WORDS_PER_MESSAGE = 30;
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
const contact = await product.call("POST", "/contacts", { name: "bench" });
const creations = [
  { name: "a message, one caller", callers: 1 },
  { name: `a message, ${CALLERS} callers`, callers: CALLERS },
  { name: `a contact, ${CALLERS} callers`, callers: CALLERS, path: "/contacts", body: { name: "Ada Lovelace" } },
  {
    name: `a conversation of a known contact, ${CALLERS} callers`,
    callers: CALLERS,
    path: "/conversations",
    body: { subject: "Where is my order?", contact_id: contact.id },
  },
  {
    name: `a conversation with a new contact and a message, ${CALLERS} callers`,
    callers: CALLERS,
    path: "/conversations",
    body: { subject: "Where is my order?", contact: { name: "Ada Lovelace" }, message: { body: "x".repeat(200) } },
  },
];
const costs = [];
for (const creation of creations) costs.push(await cost(creation));
table([
  ["what is written", "per second", "p50 ms", "p99 ms", "CPU µs of the process", "of PostgreSQL", "kB on disk"],
  ...costs,
]);
const bySearch = await compareSearch();
const searchShare = ratio(...[...bySearch.values()]);
table([
  [`messages of ${WORDS_PER_MESSAGE} words, ${CALLERS} callers`, "messages/s (median)", "spread"],
  ...[...bySearch].map(([name, list]) => [name, Math.round(median(list)), spread(list)]),
]);
const filtered = await compareFilters();
table([
  ["one caller, small messages", "messages/s (median)", "p50 ms", "p99 ms"],
  ...[...filtered].map(([name, list]) => [
    name,
    Math.round(median(list.map(({ perSecond }) => perSecond))),
    ...["p50", "p99"].map((figure) => median(list.map((result) => result[figure])).toFixed(1)),
  ]),
]);
const figures = { rates: Object.fromEntries(rates), share, failures, others, costs, searchShare };
conclude("ingest", { ...figures, filtered: Object.fromEntries(filtered) }, [
  {
    text: `share of the same rows in plain transactions: ${share.toFixed(2)} (bar 1.30)`,
    met: share >= 1.3 && failures === 0,
  },
  {
    text: `share of the rate without the index of words: ${searchShare.toFixed(2)} (bar 0.85)`,
    met: searchShare >= 0.85,
  },
]);

/** Messages per second with and without the index that `GET /search` uses, in two new installations that take turns. */
async function compareSearch() {
  const bodies = Array.from({ length: 97 }, (_, message) => {
    const words = Array.from({ length: WORDS_PER_MESSAGE }, (_, word) => `word${(message * 31 + word * 17) % 997}`);
    return JSON.stringify({ body: words.join(" ") });
  });
  const choices = [{ name: "with the index of words" }, { name: "without it" }];
  for (const choice of choices) {
    choice.product = await startProduct({ PARLEY_LOG_LEVEL: "error" });
    choice.paths = [];
    for (let i = 0; i < CALLERS; i++) {
      const { id } = await choice.product.call("POST", "/conversations", { subject: `c${i}` });
      choice.paths.push(`/api/v1/conversations/${id}/messages`);
    }
  }
  await runSql(choices[1].product, "drop index messages_search");
  const write = ({ product, paths }, ms) => loader.run({ ...request, url: product.url, paths, bodies, ms });
  for (const choice of choices) {
    await write(choice, WARM_MS);
    await runSql(choice.product, "analyze");
  }
  const rounds = await interleave(choices, ROUNDS, (choice) => write(choice, MS));
  for (const { product } of choices) await product.stop();
  return new Map([...rounds].map(([name, results]) => [name, results.map(({ perSecond }) => perSecond)]));
}

/** A message that no webhook gets: without webhooks, and where 1,000 filters have to say so. By turns. */
async function compareFilters() {
  const choices = [
    { name: "no webhook", webhooks: 0 },
    { name: `${FILTERED.toLocaleString("en")} webhooks with filters of 3 conditions`, webhooks: FILTERED },
  ];
  for (const choice of choices) {
    choice.product = await startProduct({ PARLEY_LOG_LEVEL: "error" });
    const hook = { key: KEY, url: "http://127.0.0.1:9/", filter: FILTER };
    await createWebhooks(choice.product, Array(choice.webhooks).fill(hook));
    const { id } = await choice.product.call("POST", "/conversations", { subject: "c" });
    choice.paths = [`/api/v1/conversations/${id}/messages`];
  }
  const bodies = [JSON.stringify({ body: "hello", direction: "in" })];
  const write = ({ product, paths }, ms) => loader.run({ ...request, url: product.url, paths, bodies, callers: 1, ms });
  for (const choice of choices) await write(choice, WARM_MS);
  const rounds = await interleave(choices, ROUNDS, (choice) => write(choice, MS));
  for (const { product } of choices) await product.stop();
  return rounds;
}

async function runSql({ database }, statement) {
  const client = new pg.Client({ ...database, ssl: false });
  await client.connect();
  await client.query(statement);
  await client.end();
}

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

/** One line of the third table. The disk is that of the tables with their indexes, without the queue. */
async function cost({ name, callers, path, body }) {
  const own = path ? { paths: [`/api/v1${path}`], bodies: [JSON.stringify(body)] } : {};
  const load = { ...request, ...own, callers };
  await loader.run({ ...load, ms: MS }); // warms up
  // Autovacuum does this every quarter of a minute. Until it has, a foreign key is checked by a plan for an empty table.
  await sql.query("analyze");
  await sql.query("truncate deliveries");
  const before = await usage();
  const { perSecond, p50, p99 } = await loader.run({ ...load, ms: MS });
  const after = await usage();
  const count = (perSecond * MS) / 1_000;
  await sql.query("truncate deliveries");
  return [
    name,
    Math.round(perSecond),
    ...[p50, p99].map((ms) => ms.toFixed(1)),
    ...[after.process - before.process, after.postgres - before.postgres].map((ms) => Math.round((ms * 1_000) / count)),
    ((after.bytes - before.bytes) / 1_024 / count).toFixed(1),
  ];
}

async function usage() {
  const sizes = await tableSizes(sql);
  sizes.delete("deliveries");
  return {
    process: cpuMs(product.child.pid),
    postgres: treeCpuMs(product.databasePid()),
    bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
  };
}

await sql.end();
await Promise.all([stop(peer), stop(loader.child), product.stop()]);
