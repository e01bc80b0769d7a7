// GET /api/v1/api-keys with 25 keys (authenticated, limited, logged; no response cache) compared with a Fastify route that makes
// the same query and nothing else. Bar: at least 1.1 of it, which takes fewer
// steps than the route has with its checks, so the records are JSON that the database writes, and equal reads at the same
// time share a statement. A second contender has callers of whom no two read the same.

import { KEY_COLUMNS, KEY_JOINS } from "../dist/auth/key-record.js";
import { freePort, start, startProduct, stop, waitForHttp } from "./lib/processes.mjs";
import { conclude, interleave, median, ratio, spread, startLoader, table } from "./lib/report.mjs";
import { residentMb } from "./lib/usage.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const MS = Number(process.env.BENCH_MS ?? 3_000);

// A tier with a limit that is never reached: the limiter counts every request.
const product = await startProduct({ PARLEY_RATE_LIMIT_TIERS: "bench=100000000/60" });
for (let i = 0; i < 23; i++) await product.call("POST", "/api-keys", { name: `key ${i}` });
const { key } = await product.call("POST", "/api-keys", { name: "bench", rate_limit_tier: "bench" });
const response = await fetch(`${product.url}/api/v1/api-keys`, { headers: { authorization: `Bearer ${key}` } });
const payload = await response.text();
const rows = JSON.parse(payload).data.length;
if (rows !== 25) throw new Error(`expected 25 keys, found ${rows}`);

const text = `select ${KEY_COLUMNS} from api_keys k ${KEY_JOINS} where k.workspace_id = $1 order by k.id desc limit $2`;
const query = { text, values: [1, 1_000], payload };
const peers = [];
for (const kind of ["query", "fastify", "node"]) {
  const port = await freePort();
  const child = start("bench/peers/read-server.mjs", [kind, String(port), JSON.stringify(product.database)], {
    BENCH_QUERY: JSON.stringify(query),
  });
  await waitForHttp(`http://127.0.0.1:${port}/`);
  peers.push({
    name: { query: "Fastify, same query", fastify: "bare Fastify", node: "node:http" }[kind],
    url: `http://127.0.0.1:${port}`,
    path: "/",
    child,
  });
}
const ours = {
  name: "Parley",
  url: product.url,
  path: "/api/v1/api-keys",
  headers: { authorization: `Bearer ${key}` },
};
const unlike = {
  ...ours,
  name: "Parley, no two callers alike",
  // An id above all others, another one for each caller: the same rows by another statement.
  paths: Array.from({ length: 32 }, (_, caller) => `/api/v1/api-keys?up_to_id=${1_000_000 + caller}`),
};
const loader = startLoader();
const contenders = [ours, unlike, ...peers];
for (const contender of contenders) await loader.run({ ...contender, child: undefined, ms: 1_000 });
const results = await interleave(
  contenders,
  ROUNDS,
  async ({ child: _, name: __, ...request }) => await loader.run({ ...request, ms: MS }),
);
const rates = new Map([...results].map(([name, list]) => [name, list.map((result) => result.perSecond)]));
const failures = [...results.values()].flat().reduce((sum, result) => sum + result.failures, 0);

const mine = rates.get("Parley");
table([
  ["contender", "requests/s (median)", "spread", "Parley's share", "p99 ms"],
  ...[...rates].map(([name, list]) => [
    name,
    Math.round(median(list)),
    spread(list),
    ratio(mine, list).toFixed(2),
    median(results.get(name).map((result) => result.p99)).toFixed(1),
  ]),
]);
const share = ratio(mine, rates.get("Fastify, same query"));
const rss = residentMb(product.child.pid);
console.log(
  `\nParley's resident memory after ${results.get("Parley").reduce((sum, result) => sum + result.count, 0)} requests: ${Math.round(rss)} MB`,
);
conclude("read", { rates: Object.fromEntries(rates), share, failures, residentMb: rss }, [
  {
    text: `share of a Fastify route with the same query: ${share.toFixed(2)} (bar 1.10)`,
    met: share >= 1.1 && failures === 0,
  },
  { text: `resident memory ${Math.round(rss)} MB (bar 150 MB)`, met: rss > 0 && rss <= 150 },
]);
await Promise.all([...peers.map((peer) => stop(peer.child)), stop(loader.child), product.stop()]);
