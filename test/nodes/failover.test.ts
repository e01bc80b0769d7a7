import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TestDatabase } from "../support/database.ts";
import { type Audience, createAudience, keepWriting, type Ledger, openLedger } from "../support/ledger.ts";
import { type CallOptions, callApi } from "../support/parley.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { findPatroni, type PatroniCluster, startPatroni } from "../support/patroni.ts";
import { full } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

// Real Patroni, etcd, PostgreSQL 15 and HAProxy: minutes, and components that npm does not carry.
const found = full ? await findPatroni() : { tools: null, missing: "only `npm run test:nodes` runs this" };
if (found.missing) process.stderr.write(`failover: skipped, ${found.missing}\n`);

const WRITERS = 4;
let cluster: PatroniCluster;
let database: TestDatabase;
let nodes: ParleyProcess[] = [];
let receiver: Receiver;
let audience: Audience;
let turn = 0;

/** The next node, as a balancer would choose it. */
const call = (method: string, path: string, options?: CallOptions) =>
  callApi(nodes[turn++ % nodes.length]?.url ?? "", method, path, options);

describe.skipIf(!found.tools)("a highly available PostgreSQL", () => {
  beforeAll(async () => {
    cluster = await startPatroni(found.tools as NonNullable<typeof found.tools>);
    database = { url: cluster.url, query: cluster.query } as unknown as TestDatabase;
    nodes = [await startProcess("serve", database)];
    nodes.push(await startProcess("serve", database));
    receiver = await startReceiver();
    audience = await createAudience(call, receiver, 3);
  }, 240_000);
  afterAll(async () => {
    await receiver?.close();
    await Promise.all(nodes.map((node) => node.end("SIGKILL")));
    await cluster?.close();
  }, 60_000);

  /** A test that fails must not leave its writers to the next one. */
  function startLoad(ledger: Ledger) {
    const load = keepWriting(ledger, WRITERS);
    onTestFinished(load.stop);
    return load;
  }

  /** Milliseconds until a write is acknowledged again. */
  async function serving(ledger: Ledger): Promise<number> {
    const startedAt = performance.now();
    await until("writes are acknowledged again", async () => (await ledger.write()).reply?.status === 201, {
      timeoutMs: 60_000,
      everyMs: 50,
    });
    return performance.now() - startedAt;
  }

  it("that replicates synchronously loses no acknowledged message when its primary is killed", {
    timeout: 240_000,
  }, async ({ annotate }) => {
    const former = await cluster.primary();
    const ledger = openLedger(audience, call);
    const load = startLoad(ledger);
    await until("the load has begun", () => ledger.acknowledged.size > 200, { timeoutMs: 30_000 });
    await cluster.kill(former);
    await cluster.promoted(former);
    const backMs = await serving(ledger);
    await until("the load continues", () => ledger.written.at(-1)?.reply?.status === 201, { timeoutMs: 30_000 });
    await load.stop();
    const verdict = await ledger.judge(database, { withinMs: 90_000 });
    await annotate(`serving ${Math.round(backMs)} ms after the promotion; ${JSON.stringify(verdict)}`);
    expect(backMs).toBeLessThan(5_000);
    expect(nodes.every((node) => node.isAlive())).toBe(true);
    await cluster.restart(former);
    await cluster.standbyStreams();
  });

  it("loses nothing in a planned switchover", { timeout: 240_000 }, async ({ annotate }) => {
    const former = await cluster.primary();
    const ledger = openLedger(audience, call);
    const load = startLoad(ledger);
    await until("the load has begun", () => ledger.acknowledged.size > 200, { timeoutMs: 30_000 });
    await cluster.switchover();
    await cluster.promoted(former);
    const backMs = await serving(ledger);
    await load.stop();
    const verdict = await ledger.judge(database, { withinMs: 90_000 });
    await annotate(`serving ${Math.round(backMs)} ms after the promotion; ${JSON.stringify(verdict)}`);
    await cluster.standbyStreams();
  });

  it("that replicates asynchronously may lose what the standby had not received, and nothing gets stuck", {
    timeout: 300_000,
  }, async ({ annotate }) => {
    await cluster.setSynchronous(false);
    const former = await cluster.primary();
    const standby = await cluster.standby();
    const before = openLedger(audience, call);
    const load = startLoad(before);
    await until("the load has begun", () => before.acknowledged.size > 200, { timeoutMs: 30_000 });
    await cluster.holdReplication(standby, "SIGSTOP");
    const behindFrom = before.acknowledged.size;
    await until("the standby is behind", () => before.acknowledged.size > behindFrom + 100, { timeoutMs: 30_000 });
    await load.stop();
    await cluster.kill(former);
    await cluster.holdReplication(standby, "SIGKILL");
    await cluster.promoted(former);
    const backMs = await serving(before);
    const rows = await cluster.query<{ uuid: string }>("select uuid from messages");
    const kept = new Set(rows.map(({ uuid }) => uuid));
    const lost = [...before.acknowledged].filter((uuid) => !kept.has(uuid)).length;
    await annotate(`${lost} of ${before.acknowledged.size} acknowledged lost; serving after ${Math.round(backMs)} ms`);

    // Whatever was lost, what is written from now on is delivered, and no lane believes in attempts that nobody makes.
    await until(
      "what was left has been delivered",
      async () => {
        return (await cluster.query("select 1 from deliveries limit 1")).length === 0;
      },
      { timeoutMs: 90_000 },
    );
    const after = openLedger(audience, call);
    for (let count = 0; count < 50; count++) await after.write();
    expect(after.acknowledged.size).toBe(50);
    await after.judge(database, { withinMs: 90_000 });
    await until(
      "no lane has anything in flight",
      async () => (await cluster.query("select 1 from delivery_lanes where in_flight <> 0")).length === 0,
      { timeoutMs: 60_000 },
    );
    await cluster.restart(former);
  });
});
