import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SETTINGS as SHIPPED } from "../../src/config/settings.ts";
import { type Balancer, startBalancer, startHaproxy } from "../support/balancer.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { debianPackage } from "../support/debian.ts";
import { freePort } from "../support/free-port.ts";
import { type Audience, createAudience, keepWriting, openLedger } from "../support/ledger.ts";
import { buildNextVersion, type NextVersion } from "../support/next-version.ts";
import { type CallOptions, callApi } from "../support/parley.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { full, scale } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const NODES = 3;
const LIMIT = 100;
const SETTINGS = {
  // HAProxy gets the time that it has by default.
  PARLEY_LAME_DUCK_SECONDS: full ? SHIPPED.PARLEY_LAME_DUCK_SECONDS.fallback : "1",
  PARLEY_RATE_LIMIT_TIERS: `shared=${LIMIT}/3600`,
};
/** A migration as a rolling upgrade allows it: it only adds. */
const EXPAND = "alter table contacts add column next_version text;";

let database: TestDatabase;
let receiver: Receiver;
let balancer: Balancer;
let next: NextVersion;
let audience: Audience;
/** The first half are of the old nodes, the second of those that replace them. */
let ports: number[];
let nodes: ParleyProcess[] = [];
/** When the last node had started, by the database's clock. */
let startedAt: Date;
const call = (method: string, path: string, options?: CallOptions) => callApi(balancer.url, method, path, options);

// What a killed node had in flight is delivered when its lease has expired: too long for the short form, in which the node
// that is killed delivers nothing.
const startNode = (index: number, options: { program?: string } = {}) =>
  startProcess(
    "serve",
    database,
    { ...SETTINGS, PORT: String(ports[index]) },
    { ...options, args: index % NODES === NODES - 1 && !full ? ["--no-deliver"] : [] },
  );

beforeAll(async () => {
  const haproxy = full ? await debianPackage("haproxy") : null;
  if (haproxy?.missing) process.stderr.write(`upgrade: a small proxy instead of HAProxy, ${haproxy.missing}\n`);
  database = await createTestDatabase();
  receiver = await startReceiver();
  next = await buildNextVersion(EXPAND);
  ports = [];
  for (let port = 0; port < 2 * NODES; port++) ports.push(await freePort());
  nodes = await Promise.all(Array.from({ length: NODES }, (_, index) => startNode(index)));
  const [clock] = await database.query<{ now: Date }>("select clock_timestamp() as now");
  startedAt = clock?.now as Date;
  balancer = haproxy?.home ? await startHaproxy(haproxy, ports) : await startBalancer(ports);
  audience = await createAudience(call, receiver, 2);
}, 120_000);
afterAll(async () => {
  await receiver?.close();
  await Promise.all(nodes.map((node) => node.end("SIGKILL")));
  await balancer?.close();
  next?.remove();
  await database?.drop();
}, 60_000);

/** Sends requests with a new key to each node in turn, and counts those that were admitted. */
async function admittedOfOneKey(): Promise<number> {
  const { body } = await call("POST", "/api-keys", { body: { name: "shared", rate_limit_tier: "shared" } });
  let admitted = 0;
  for (let sent = 0; sent < LIMIT + 20; sent += NODES)
    for (const status of await Promise.all(nodes.map(({ url }) => statusOf(url, body.data.key)))) {
      expect([200, 429]).toContain(status);
      if (status === 200) admitted++;
    }
  return admitted;
}

const statusOf = async (url: string, key: string) => (await callApi(url, "GET", "/me", { key })).status;

describe("three nodes behind a balancer", () => {
  it("admit one limit of a key together, and at least 98 % of it", async () => {
    await until("every node has counted the others", async () => {
      const rows = await database.query("select 1 from nodes where seen_at > $1", [startedAt]);
      return rows.length === NODES;
    });
    const admitted = await admittedOfOneKey();
    expect(admitted).toBeLessThanOrEqual(LIMIT);
    expect(admitted).toBeGreaterThanOrEqual(LIMIT * 0.98);
  });

  it("lose nothing when one is killed, and respond without an error while each is upgraded in turn", {
    timeout: scale(120_000, 240_000),
  }, async ({ annotate }) => {
    const ledger = openLedger(audience, call);
    const load = keepWriting(ledger, scale(1, 6));
    await until("the load has begun", () => ledger.acknowledged.size > scale(20, 200), { timeoutMs: 30_000 });

    await nodes[NODES - 1]?.end("SIGKILL");
    nodes[NODES - 1] = await startNode(2 * NODES - 1, next);
    const killed = ledger.written.length;
    for (let index = 0; index < NODES - 1; index++) {
      const [replacement] = await Promise.all([
        startNode(NODES + index, next),
        nodes[index]?.end("SIGTERM").then(({ code }) => expect(code).toBe(0)),
      ]);
      nodes[index] = replacement;
    }
    const [schema] = await database.query<{ version: number }>("select max(version) as version from schema_migrations");
    expect(schema?.version).toBe(next.schemaVersion);
    const upgraded = ledger.written.length;
    await until("the new nodes serve", () => ledger.written.length > upgraded + 20);
    await load.stop();

    const during = ledger.written.slice(killed).map(({ reply }) => reply?.status ?? "broken connection");
    expect(new Set(during)).toEqual(new Set([201]));
    const verdict = await ledger.judge(database);
    await annotate(`${during.length} writes during the upgrade, none failed; ${JSON.stringify(verdict)}`);
  });
});
