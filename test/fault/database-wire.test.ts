import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, proxyTo } from "../support/database-proxy.ts";
import { type Audience, createAudience, keepWriting, openLedger } from "../support/ledger.ts";
import { connectionsOf, requireOrderly, untilCalm } from "../support/outage.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const POOL = 6;
/** The API's pool, 4 for delivery, 1 for the heartbeat, 1 that listens and 2 for rate limits. */
const CONNECTIONS_MAX = POOL + 8;
const CLIENTS = 12;

let database: TestDatabase;
let proxy: DatabaseProxy;
let receiver: Receiver;
let server: ParleyProcess;
let audience: Audience;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await proxyTo(database);
  receiver = await startReceiver();
  server = await startProcess("serve", proxy.database, { PARLEY_DATABASE_POOL: String(POOL) });
  audience = await createAudience(server.call, receiver, 2);
});
afterAll(async () => {
  await receiver?.close();
  await server?.end("SIGKILL");
  await proxy?.close();
  await database?.drop();
});

interface WireFault {
  name: string;
  begin(): unknown;
  lastsMs: number;
  end(): unknown;
}

const cut: WireFault = { name: "cut", begin: () => proxy.cut(), lastsMs: 1_000, end: () => proxy.restore() };
/** Longer than any client may wait for a response. */
const frozen: WireFault = { name: "frozen", begin: () => proxy.freeze(), lastsMs: 20_000, end: () => proxy.thaw() };
const frozenBriefly: WireFault = { ...frozen, name: "briefly frozen", lastsMs: 3_000 };
/** Nothing has to be restored, new connections work; that an old one is broken is noticed when a statement takes over 10 s. */
const halfOpen: WireFault = { name: "half-open", begin: () => proxy.halfOpen(), lastsMs: 10_000, end: () => {} };

it.for(scale([cut], [cut, frozenBriefly, frozen, halfOpen]))(
  "$name connections under load cause a 503 for a limited time, lose nothing and leave nothing behind",
  async ({ begin, lastsMs, end }, { annotate }) => {
    const ledger = openLedger(audience, server.call);
    const writers = keepWriting(ledger, CLIENTS);
    await until("the load is on", () => ledger.acknowledged.size > 50);
    await begin();
    await new Promise((resolve) => setTimeout(resolve, lastsMs));
    await end();
    const endedAt = performance.now();
    await untilCalm(ledger, endedAt);
    const connections = await connectionsOf(database);
    await writers.stop();
    const figures = requireOrderly(ledger, [endedAt]);
    const verdict = await ledger.judge(database);
    await annotate(JSON.stringify({ ...figures, ...verdict, connections }));
    expect(server.isAlive()).toBe(true);
    expect(connections).toBeLessThanOrEqual(CONNECTIONS_MAX);
    expect(verdict.duplicates).toBe(0);
  },
);
