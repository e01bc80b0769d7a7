import { afterAll, beforeAll, expect, it } from "vitest";
import { createEmbeddedHome, type EmbeddedHome } from "../support/embedded-home.ts";
import { type Audience, createAudience, keepWriting, type Ledger, openLedger } from "../support/ledger.ts";
import { connectionsOf, NORMAL_MS_MAX, requireOrderly, untilCalm } from "../support/outage.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale, seeded } from "../support/proof.ts";
import { type Arrival, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const RESTARTS = scale(1, 10);
const POOL = 6;
/** The API's pool, 4 for delivery, 1 for the heartbeat, 1 that listens, 2 for rate limits and 1 that keeps the database. */
const CONNECTIONS_MAX = POOL + 9;
const CLIENTS = 8;

let home: EmbeddedHome;
let receiver: Receiver;
let server: ParleyProcess;
let audience: Audience;

beforeAll(async () => {
  home = createEmbeddedHome();
  receiver = await startReceiver();
  server = await startProcess("serve", home, { PARLEY_DATABASE_POOL: String(POOL) });
  audience = await createAudience(server.call, receiver, 2);
});
afterAll(async () => {
  await receiver?.close();
  await server?.end("SIGKILL");
  await home?.drop();
});

/** A backend that serves the API, at this moment if there is one. */
async function someBackend(): Promise<number> {
  const [row] = await home.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'parley' order by state = 'active' desc",
  );
  return row?.pid as number;
}

const FAULTS = [
  () => home.killPostmaster("SIGKILL"),
  // PostgreSQL itself then ends all the others and starts over.
  async () => process.kill(await someBackend(), "SIGKILL"),
  async () => home.query("select pg_terminate_backend($1)", [await someBackend()]),
];
const ENDINGS: NodeJS.Signals[] = ["SIGKILL", "SIGQUIT", "SIGINT"];

/** A crash may forget a claim, and what was sent under it is sent again: but nothing that had been settled before. */
function requireRepeatsOnlyAround(struckAt: number[], ledger: Ledger): void {
  for (const name of ledger.repeated()) {
    const first = ledger.arrivals().find((arrival) => ledger.nameOf(arrival) === name) as Arrival;
    const distanceMs = Math.min(...struckAt.map((at) => Math.abs(at - first.at)));
    expect(distanceMs, `${name} came again, far from any fault`).toBeLessThan(NORMAL_MS_MAX);
  }
}

it(`kill -9 of PostgreSQL, the end of a backend and ${RESTARTS} restarts are brief 503s and lose nothing`, {
  timeout: 300_000 + RESTARTS * 20_000,
}, async ({ annotate }) => {
  const random = seeded("database-killed");
  const restart = () => home.killPostmaster(ENDINGS[Math.floor(random() * ENDINGS.length)]);
  const ledger = openLedger(audience, server.call);
  const writers = keepWriting(ledger, CLIENTS);
  const struckAt: number[] = [];
  for (const fault of [...FAULTS, ...Array(RESTARTS).fill(restart)]) {
    const { size } = ledger.acknowledged;
    await until("the load is on", () => ledger.acknowledged.size > size + 50, { timeoutMs: 20_000 });
    await fault();
    struckAt.push(performance.now());
  }
  await untilCalm(ledger, struckAt.at(-1) as number);
  const connections = await connectionsOf(home);
  await writers.stop();
  const figures = requireOrderly(ledger, struckAt);
  const verdict = await ledger.judge(home);
  await annotate(JSON.stringify({ ...figures, ...verdict, connections }));
  requireRepeatsOnlyAround(struckAt, ledger);
  expect(server.isAlive()).toBe(true);
  expect(connections).toBeLessThanOrEqual(CONNECTIONS_MAX);
});
