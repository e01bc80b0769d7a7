import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, proxyTo } from "../support/database-proxy.ts";
import { type Audience, createAudience, openLedger } from "../support/ledger.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { atMost } from "../support/proof.ts";
import { type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const MESSAGES = 4;
/** As docs/delivery.md promises. */
const STOP_MS_MAX = atMost(30_000);

let database: TestDatabase;
let proxy: DatabaseProxy;
let receiver: Receiver;
let server: ParleyProcess;
let audience: Audience;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await proxyTo(database);
  receiver = await startReceiver();
  server = await startProcess("serve", proxy.database);
  audience = await createAudience(server.call, receiver, 1);
});
afterAll(async () => {
  await receiver?.close();
  await server?.end("SIGKILL");
  await proxy?.close();
  await database?.drop();
});

it("SIGTERM ends the process within 30 s although results cannot be written, and they are sent again", {
  timeout: 300_000,
}, async ({ annotate }) => {
  const ledger = openLedger(audience, (...request) => server.call(...request));
  const waiting: ServerResponse[] = [];
  receiver.behave((response) => waiting.push(response));
  for (let i = 0; i < MESSAGES; i++) expect((await ledger.write()).reply?.status).toBe(201);
  await until("every message is in flight", () => waiting.length === MESSAGES);
  await proxy.cut();
  for (const response of waiting) respondWith(200)(response, undefined as never);
  await until("a result cannot be written", () => server.output().includes("writing results failed"));
  const askedAt = performance.now();
  const { code } = await server.end("SIGTERM");
  const tookMs = performance.now() - askedAt;
  await annotate(`ended with ${code} after ${(tookMs / 1_000).toFixed(1)} s`);
  expect(tookMs).toBeLessThan(STOP_MS_MAX);
  expect(code).toBe(0);

  await proxy.restore();
  receiver.behave(respondWith(200));
  // What is not waited for here: that the lease of the worker that left without a word runs out.
  await database.query("update workers set heartbeat_at = heartbeat_at - interval '18 seconds'");
  server = await startProcess("serve", proxy.database);
  await until("every message has arrived again", () => ledger.arrivals().length === 2 * MESSAGES, {
    timeoutMs: 20_000,
  });
  await ledger.judge(database);
});
