// One workspace attacks, another one works: each row measures the victim alone and under the attack, in the same
// installation and by turns.
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { join } from "node:path";
import { quantile } from "./load.mjs";
import { ownKeyAttacksIn } from "./own-key-attacks.mjs";
import { ROOT, start, startProduct, stop } from "./processes.mjs";
import { median, ratio, startLoader } from "./report.mjs";
import { startSink } from "./sinks.mjs";
import { undisturbed } from "./undisturbed.mjs";
import { ELSEWHERE, SESSIONS_WITHOUT_LIMITS, visitorAttacksIn } from "./visitor-attacks.mjs";
import { createWebhooks, createWorkspaces } from "./workspaces.mjs";

const SILENT_NAMES = 40;
const HANGING_WEBHOOKS = 200;
const KEYS = 1_000;
const MESSAGES = 2_000;
const PERSON = { email: "victim@example.com", password: "correct horse battery staple 7" };

/** Until an attack is at its height. */
const BEFORE_HEIGHT_MS = 1_000;

/** Fewer deliveries have no 99th percentile: it would be the slowest one. */
const DELIVERIES_MS_MIN = 15_000;

/**
 * Rows of `{ name, victim, alone, attacked, failures, ratio, keeps, kept }`; times are the p99 in milliseconds, and `kept` is
 * the share of its rate alone that the attacker keeps. `named`: only the attacks whose names contain it.
 */
export async function measureAttacks({ rounds, ms, named = "" }) {
  const scene = await setUp();
  const rows = [];
  for (const attack of attacksIn(scene).filter(({ name }) => name.includes(named))) {
    const alone = [];
    const attacked = [];
    const kept = [];
    let failures = 0;
    await attack.prepare?.();
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const { before, during, keptShare } = await undisturbed(() => beforeAndDuring(scene, attack, ms));
      if (round === 0) continue;
      alone.push(before.p99);
      attacked.push(during.p99);
      failures += during.failures;
      if (keptShare !== null) kept.push(keptShare);
    }
    await attack.clear?.();
    rows.push({
      name: attack.name,
      victim: attack.victim,
      alone: median(alone),
      attacked: median(attacked),
      failures,
      ratio: ratio(attacked, alone),
      keeps: attack.keeps ?? null,
      kept: kept.length > 0 ? median(kept) : null,
      rounds: alone.map((p99, index) => [p99, attacked[index]]),
    });
  }
  await scene.close();
  return rows;
}

async function beforeAndDuring(scene, attack, ms) {
  const measure = scene.victims[attack.victim];
  const before = await measure(ms);
  const rateAlone = attack.keeps ? await attackerRate(scene, attack, () => pause(ms)) : null;
  let during;
  const rate = await attackerRate(scene, attack, async () => {
    during = await measure(ms);
  });
  return { before, during, keptShare: rateAlone && rate / rateAlone };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Requests per second of the attacker that succeed, while the other workspace does this. */
async function attackerRate(scene, attack, work) {
  const end = await scene.begin(attack.request);
  const begunAt = performance.now();
  await work();
  const succeeded = await end();
  return succeeded / (performance.now() - begunAt + BEFORE_HEIGHT_MS);
}

async function setUp() {
  const nameServer = createSocket("udp4");
  await new Promise((resolve) => nameServer.bind(0, "127.0.0.1", resolve));
  const product = await startProduct({
    PARLEY_LOG_LEVEL: "error",
    PARLEY_DNS_SERVERS: `127.0.0.1:${nameServer.address().port}`,
    ...SESSIONS_WITHOUT_LIMITS,
  });
  const [victim, hostileWorkspace] = await createWorkspaces(product, 2);
  const keyOf = async (rate_limit_tier) =>
    (await product.call("POST", "/api-keys", { name: rate_limit_tier, rate_limit_tier }, hostileWorkspace.key)).key;
  // Its keys have the limits that an operator gives to strangers; the one without any only prepares the data.
  const attacker = { ...hostileWorkspace, lowKey: await keyOf("low"), standardKey: await keyOf("standard") };
  const sink = await startSink();
  const hangingSink = await startSink();
  await createWebhooks(product, [{ key: victim.key, url: `http://127.0.0.1:${sink.port}/` }]);
  createPerson(product, victim);
  const loader = startLoader();
  const hostile = start("bench/lib/attacker.mjs");
  await loader.run({ url: product.url, targets: [attacker], perSecond: 500, ms: MESSAGES * 2 });
  return {
    product,
    attacker,
    hangingSink,
    victims: victimsOf({ product, victim, sink, loader }),
    async begin(request) {
      const ended = new Promise((resolve) => hostile.once("message", resolve));
      hostile.send({ url: product.url, ...request });
      await pause(BEFORE_HEIGHT_MS);
      return async () => {
        hostile.send({ kind: "stop" });
        return (await ended).succeeded;
      };
    },
    async close() {
      nameServer.close();
      await Promise.all([stop(loader.child), stop(hostile), sink.stop(), hangingSink.stop(), product.stop()]);
    },
  };
}

function createPerson({ dataDir }, { id }) {
  const args = ["users", "create", "--email", PERSON.email, "--name", "Victim", "--role", "agent"];
  execFileSync(
    process.execPath,
    [join(ROOT, "bin", "parley.mjs"), ...args, "--workspace", String(id), "--password-stdin"],
    { input: PERSON.password, env: { ...process.env, PARLEY_DATA_DIR: dataDir }, stdio: ["pipe", "ignore", "inherit"] },
  );
}

/** What the victim does for `ms`: its p99 and how often it failed. */
function victimsOf({ product, victim, sink, loader }) {
  const { url } = product;
  const headers = { authorization: `Bearer ${victim.key}` };
  return {
    reads: (ms) => loader.run({ url, path: "/api/v1/conversations", headers, callers: 2, ms }),
    "sign-ins": (ms) =>
      loader.run({
        url,
        path: "/dashboard-api/sign-in",
        method: "POST",
        headers: { "content-type": "application/json" },
        bodies: [JSON.stringify(PERSON)],
        callers: 1,
        ms,
      }),
    writes: (ms) =>
      loader.run({
        url,
        path: victim.path,
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        bodies: [JSON.stringify({ body: "hello" })],
        callers: 2,
        ms,
      }),
    async deliveries(ms) {
      await sink.reset();
      const { count, failures } = await loader.run({
        url,
        targets: [victim],
        perSecond: 20,
        ms: Math.max(ms, DELIVERIES_MS_MIN),
      });
      await sink.arrived(count - failures, 120_000);
      return { p99: quantile(await sink.times(), 0.99), failures };
    },
  };
}

/** One for each row of the table of what was found in version 0.1 that a measurement suits. */
function attacksIn({ product, attacker, hangingSink }) {
  const as = (key) => ({ authorization: `Bearer ${key}` });
  const json = { "content-type": "application/json" };
  const clear = () => deleteWebhooks(product, attacker);
  const webhooks = (count, urlOf) => () =>
    createWebhooks(
      product,
      Array.from({ length: count }, (_, index) => ({ key: attacker.key, url: urlOf(index) })),
    );
  const messages = { kind: "messages", targets: [attacker], perSecond: 5 };
  return [
    {
      name: `${SILENT_NAMES} webhooks whose names are never resolved`,
      victim: "deliveries",
      prepare: webhooks(SILENT_NAMES, (index) => `http://h${index}.silent.example:8080/`),
      request: messages,
      clear,
    },
    {
      name: `${HANGING_WEBHOOKS} webhooks at a receiver that hangs`,
      victim: "deliveries",
      prepare: webhooks(HANGING_WEBHOOKS, () => `http://127.0.0.1:${hangingSink.port}/hang`),
      request: messages,
      clear,
    },
    {
      name: "50 searches at once with a key of the lowest tier",
      victim: "reads",
      keeps: 0.6,
      request: { kind: "requests", path: "/api/v1/search?q=sent", headers: as(attacker.lowKey), callers: 50 },
    },
    {
      name: "5,000 streams of one key",
      victim: "reads",
      request: { kind: "streams", path: "/api/v1/events/stream", headers: as(attacker.standardKey), count: 5_000 },
    },
    {
      name: `16 lists of ${KEYS.toLocaleString("en")} API keys at once`,
      victim: "reads",
      keeps: 0.6,
      prepare: () => createKeys(product, attacker),
      request: { kind: "requests", path: "/api/v1/api-keys", headers: as(attacker.standardKey), callers: 16 },
    },
    {
      name: "1,000 connections without a key and 1 MiB of body each",
      victim: "reads",
      request: { kind: "bodies", path: "/dashboard-api/sign-in", count: 1_000, bytes: 2 ** 20 },
    },
    {
      name: "100 wrong sign-ins at once from one address",
      victim: "sign-ins",
      request: {
        kind: "requests",
        path: "/dashboard-api/sign-in",
        method: "POST",
        headers: json,
        bodies: [JSON.stringify({ email: "nobody@example.com", password: "a wrong password" })],
        callers: 100,
        localAddress: ELSEWHERE,
      },
    },
    ...visitorAttacksIn({ product, attacker }),
    ...ownKeyAttacksIn({ product, attacker, sinkUrl: `http://127.0.0.1:${hangingSink.port}/`, clear }),
  ];
}

async function createKeys(product, { key }) {
  for (let left = KEYS; left > 0; left -= 8)
    await Promise.all(
      Array.from({ length: Math.min(8, left) }, () => product.call("POST", "/api-keys", { name: "k" }, key)),
    );
}

async function deleteWebhooks(product, { key }) {
  for (;;) {
    const found = await product.call("GET", "/webhooks?per_page=100", undefined, key);
    if (found.length === 0) return;
    await Promise.all(found.map(({ id }) => product.call("DELETE", `/webhooks/${id}`, undefined, key)));
  }
}

/** How many requests a host that never asked for webhooks gets in `ms` from this many webhooks, one event and retries. */
export async function countUnwanted({ webhooks, ms }) {
  const product = await startProduct({ PARLEY_LOG_LEVEL: "error", PARLEY_RETRY_SCHEDULE: "1" });
  const sink = await startSink();
  const [attacker] = await createWorkspaces(product, 1);
  const url = `http://127.0.0.1:${sink.port}/refuse`;
  await createWebhooks(
    product,
    Array.from({ length: webhooks }, () => ({ key: attacker.key, url })),
  );
  await product.call("POST", attacker.path.replace("/api/v1", ""), { body: "one event" }, attacker.key);
  await new Promise((resolve) => setTimeout(resolve, ms));
  const { count } = await sink.stats();
  await Promise.all([sink.stop(), product.stop()]);
  return count;
}
