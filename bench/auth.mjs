// Verifications per second when warm, compared with a database lookup for each; and how long a revocation takes to apply in
// another process.
import { createLastUsed } from "../dist/auth/last-used.js";
import { createVerifier } from "../dist/auth/verifier.js";
import { createLogger } from "../dist/core/logger.js";
import { createDatabase } from "../dist/db/database.js";
import { quantile } from "./lib/load.mjs";
import { callApi, startProduct } from "./lib/processes.mjs";
import { conclude, median, table } from "./lib/report.mjs";

const REVOCATIONS = Number(process.env.BENCH_REVOCATIONS ?? 100);
const ROUNDS = 5;

const first = await startProduct({ PARLEY_SECRET_KEY: "k".repeat(32) });
const url = `postgresql:///parley?host=${encodeURIComponent(first.database.host)}&user=parley`;
const second = await startProduct({ DATABASE_URL: url, PARLEY_SECRET_KEY: "k".repeat(32) });

const logger = createLogger("silent");
const db = createDatabase({
  connection: { ...first.database, ssl: false },
  poolSize: 4,
  logger,
  applicationName: "bench",
});
const lastUsed = createLastUsed(db, logger);
const verifier = await createVerifier({ db, logger, lastUsed, bootstrapSecret: null });
const { key, id } = await first.call("POST", "/api-keys", { name: "verified" });
await verifier.verify(key);

const warm = [];
const cold = [];
for (let round = 0; round < ROUNDS; round++) {
  warm.push(await rate(200_000, () => verifier.verify(key)));
  cold.push(
    await rate(3_000, () => {
      verifier.forget(1, id);
      return verifier.verify(key);
    }),
  );
}

async function rate(count, verify) {
  const begunAt = performance.now();
  for (let i = 0; i < count; i++) {
    const found = verify();
    if (!(found instanceof Promise ? await found : found)) throw new Error("a valid key was refused");
    if (i % 5_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return (count / (performance.now() - begunAt)) * 1_000;
}

const times = [];
for (let i = 0; i < REVOCATIONS; i++) {
  const made = await first.call("POST", "/api-keys", { name: `revoked ${i}` });
  await callApi({ url: second.url, key: made.key }, "GET", "/me");
  await first.call("DELETE", `/api-keys/${made.id}`);
  const at = performance.now();
  for (;;) {
    const response = await fetch(`${second.url}/api/v1/me`, { headers: { authorization: `Bearer ${made.key}` } });
    await response.arrayBuffer();
    if (response.status === 401) break;
    if (performance.now() - at > 5_000) throw new Error("the revocation did not hold within 5 s");
  }
  times.push(performance.now() - at);
}
times.sort((a, b) => a - b);

table([
  ["verification", "per second (median)"],
  ["warm, no round trip", Math.round(median(warm))],
  ["cold, one lookup each", Math.round(median(cold))],
]);
const p99 = quantile(times, 0.99);
console.log(
  `\nrevocation in another process: p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${times.length}`,
);
conclude("auth", { warmPerSecond: warm, coldPerSecond: cold, revocationMs: times }, [
  { text: `p99 of revocation across two processes: ${p99.toFixed(0)} ms (bar 1,000 ms)`, met: p99 <= 1_000 },
]);
await verifier.close();
await lastUsed.close();
await db.close();
await second.stop();
await first.stop();
