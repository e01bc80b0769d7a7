import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, parleyCommand, spawnParley } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type NetworkProxy, networkProxyTo } from "../support/network-proxy.ts";
import { callApi, TEST_KEY } from "../support/parley.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale, seeded } from "../support/proof.ts";
import { type Receiver, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const EVENTS = scale(120, 5_000);
const FAULTS = scale(4, 60);
const KINDS = ["kill the listener", "cut the network", "reset connections", "kill the server"] as const;

let database: TestDatabase;
let directory: string;
let server: ParleyProcess;
let proxy: NetworkProxy;
let receiver: Receiver;
let listener: ChildProcess;

beforeAll(async () => {
  await ensureBuilt();
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), "parley-listen-"));
  receiver = await startReceiver();
  server = await startProcess("serve", database);
  proxy = await networkProxyTo(server.url);
});
afterAll(async () => {
  listener?.kill("SIGKILL");
  await proxy?.close();
  await server?.end("SIGKILL");
  await receiver?.close();
  rmSync(directory, { recursive: true, force: true });
  await database?.drop();
});

const settings = () => ({ PARLEY_URL: proxy.url, PARLEY_KEY: TEST_KEY, PARLEY_DATA_DIR: directory });
const args = () => ["listen", "--json", "--events", "contact.created", "--forward-to", receiver.url()];

async function startListener(): Promise<ChildProcess> {
  const child = spawnParley(args(), settings());
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await until("the listener is ready", () => output.includes('"ready"'), { timeoutMs: 60_000 });
  return child;
}

/** Writes until it has succeeded: the same idempotency key makes one contact of however many attempts. */
async function createContact(index: number): Promise<void> {
  await until(
    `contact ${index} is created`,
    async () => {
      const request = { body: { name: `contact ${index}` }, headers: { "idempotency-key": `contact-${index}` } };
      const reply = await callApi(server.url, "POST", "/contacts", request).catch(() => null);
      return reply?.status === 201;
    },
    { timeoutMs: 60_000 },
  );
}

const FAULT: Record<(typeof KINDS)[number], () => Promise<void>> = {
  async "kill the listener"() {
    listener.kill("SIGKILL");
    listener = await startListener();
  },
  async "cut the network"() {
    await proxy.cut();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await proxy.restore();
  },
  async "reset connections"() {
    proxy.reset();
  },
  async "kill the server"() {
    await server.end("SIGKILL");
    server = await startProcess("serve", database);
    await proxy.restore(server.url);
    proxy.reset();
  },
};

describe("parley listen under faults", () => {
  it("forwards every event in order while all parts fail, and repeats only what a killed one had begun", {
    timeout: scale(600_000, 1_800_000),
  }, async () => {
    const random = seeded("listen");
    listener = await startListener();
    const secret = (await parleyCommand([...args(), "--print-secret"], settings())).stdout.trim();
    // Every kind in the short form; in random order, at random moments.
    const faults = Array.from({ length: FAULTS }, (_, index) => KINDS[index % KINDS.length] as (typeof KINDS)[number]);
    const moments = faults.map(() => Math.floor(random() * EVENTS)).sort((a, b) => a - b);
    faults.sort(() => random() - 0.5);
    let running: Promise<void> = Promise.resolve();
    for (let index = 0; index < EVENTS; index++) {
      while (moments[0] === index) {
        moments.shift();
        const fault = faults.shift() as (typeof KINDS)[number];
        running = running.then(() => FAULT[fault]());
        // A killed server must be back before the next write can succeed; everything else happens during the writes.
        if (fault === "kill the server") await running;
      }
      await createContact(index);
    }
    await running;
    const expected = Array.from({ length: EVENTS }, (_, index) => `contact ${index}`);
    await until("the last event arrives", () => receiver.arrivals.at(-1)?.event.data.name === expected.at(-1), {
      timeoutMs: scale(60_000, 300_000),
    });
    for (const arrival of receiver.arrivals) verify(arrival, secret);
    const names = receiver.arrivals.map(({ event }) => event.data.name as string);
    const withoutRepeats = names.filter((name, index) => name !== names[index - 1]);
    expect(withoutRepeats).toEqual(expected);
    const repeated = names.length - withoutRepeats.length;
    process.stderr.write(
      `listen: ${EVENTS} events, ${FAULTS} faults, ${names.length} arrivals, ${repeated} repeated\n`,
    );
    const kills = Math.ceil(FAULTS / KINDS.length);
    expect(repeated).toBeLessThanOrEqual(kills);
  });
});
