import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type HostileBehaviour, type HostileReceiver, startHostileReceiver } from "../support/hostile-receiver.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { atMost, scale } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const WEBHOOKS_EACH = scale(1, 3);
/** No more than a new webhook may have in flight at once: all attempts begin together. */
const MESSAGES = 4;
const WARM_UP = 200;
const TIMEOUT_SECONDS = 5;
const ENDED_MS_MAX = atMost((TIMEOUT_SECONDS + 1) * 1_000);
const GROWTH_BYTES_MAX = 50 * 1024 * 1024;
/** Until the results of all are written. */
const SETTLED_MS_MAX = atMost(3_000);
/** What is kept of a response; of the headers 8 KiB, and here with what JSON puts around them. */
const BODY_KEPT_BYTES = 16 * 1024;
const HEADERS_KEPT_BYTES_MAX = 16 * 1024;

/** What the log says of each: why it failed, if it did, its `response_code`, and whether the body continued past what is kept. */
const LOGGED: Record<HostileBehaviour, { error: RegExp | null; code?: number; truncated?: boolean }> = {
  hangs: { error: /^timed out after 5 s while waiting for the response's headers$/ },
  "never reads": { error: /^timed out after 5 s while waiting for the response's headers$/ },
  "drips its headers": { error: /^timed out after 5 s while waiting for the response's headers$/ },
  "drips its body": { error: /^timed out after 5 s while reading the body of an HTTP 200 response$/ },
  resets: { error: /^connection reset by the receiver before responding$/ },
  closes: { error: /^connection closed by the receiver before responding$/ },
  "speaks garbage": { error: /^the response is not valid HTTP\/1\.1/ },
  "sends 500 MB": { error: null, code: 200, truncated: true },
  "sends a gzip bomb": { error: null, code: 200, truncated: true },
  "sends 2 MB of headers": { error: /^the response's headers are too large$/ },
  "sends less than its content-length": {
    error: /^connection closed by the receiver while reading the body of an HTTP 200 response$/,
  },
  // The first response is complete, and counts. What follows it never becomes the next one.
  "sends more than its content-length": { error: null, code: 200 },
  "sends two content-lengths": { error: /^the response's content-length contradicts itself or the body$/ },
  "redirects by 301": { error: /^HTTP 301$/, code: 301 },
  "redirects by 302": { error: /^HTTP 302$/, code: 302 },
  "redirects by 307": { error: /^HTTP 307$/, code: 307 },
  "redirects by 308": { error: /^HTTP 308$/, code: 308 },
};
const BEHAVIOURS = Object.keys(LOGGED) as HostileBehaviour[];

interface Log {
  id: number;
  error_message: string | null;
  response_code: number;
  response_time_ms: number;
}

let database: TestDatabase;
let friendly: Receiver;
let hostile: HostileReceiver;
let server: ParleyProcess;
let descriptorsBefore: number;
let grownBytes = 0;
let elapsedMs: number;
const webhooks = new Map<HostileBehaviour, number[]>();

beforeAll(async () => {
  database = await createTestDatabase();
  friendly = await startReceiver();
  hostile = await startHostileReceiver();
  server = await startProcess("serve", database);
  const { id: conversation } = await made("/conversations", { subject: "hostile" });
  const write = () => made(`/conversations/${conversation}/messages`, { body: "x".repeat(1_000) });

  // What the first deliveries cost is not the doing of a hostile one.
  const warmUp = await createWebhook(friendly.url());
  for (let i = 0; i < WARM_UP; i++) await write();
  await friendly.waitFor(WARM_UP);
  await server.call("DELETE", `/webhooks/${warmUp}`);

  for (const behaviour of BEHAVIOURS) {
    const ids = [];
    for (let i = 0; i < WEBHOOKS_EACH; i++) ids.push(await createWebhook(hostile.url(behaviour)));
    webhooks.set(behaviour, ids);
  }
  descriptorsBefore = server.descriptors();
  const residentBefore = server.residentBytes();
  const watch = setInterval(() => {
    grownBytes = Math.max(grownBytes, server.residentBytes() - residentBefore);
  }, 20);
  const startedAt = performance.now();
  for (let i = 0; i < MESSAGES; i++) await write();
  const queueEmpty = async () => (await database.query("select 1 from deliveries limit 1")).length === 0;
  await until("every attempt has ended", queueEmpty, { timeoutMs: 60_000 });
  elapsedMs = performance.now() - startedAt;
  clearInterval(watch);
});
afterAll(async () => {
  await hostile?.close();
  await friendly?.close();
  await server?.end("SIGKILL");
  await database?.drop();
});

async function made(path: string, body: object) {
  const reply = await server.call("POST", path, { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

async function createWebhook(url: string): Promise<number> {
  const body = { name: "hook", url, events: ["message.created"], retry_count: 0, timeout_seconds: TIMEOUT_SECONDS };
  return (await made("/webhooks", body)).id;
}

describe("every attempt to a destination that", () => {
  it.for(BEHAVIOURS)("%s ends in time, and the log says the true reason", async (behaviour) => {
    const { error, code = 0, truncated = false } = LOGGED[behaviour];
    for (const id of webhooks.get(behaviour) ?? []) {
      const { data: logs } = (await server.call("GET", `/webhooks/${id}/logs`)).body;
      expect(logs).toHaveLength(MESSAGES);
      for (const log of logs as Log[]) {
        expect(log.response_time_ms).toBeLessThan(ENDED_MS_MAX);
        expect(log.response_code).toBe(code);
        if (error) expect(log.error_message).toMatch(error);
        else expect(log.error_message).toBeNull();
        const { response } = (await server.call("GET", `/webhooks/${id}/logs/${log.id}`)).body.data;
        expect(response.body.length).toBeLessThanOrEqual(BODY_KEPT_BYTES);
        expect(response.body_truncated).toBe(truncated);
        expect(JSON.stringify(response.headers).length).toBeLessThan(HEADERS_KEPT_BYTES_MAX);
      }
    }
  });
});

it("the attempts to all destinations together end in time", () => {
  expect(elapsedMs).toBeLessThan(ENDED_MS_MAX + SETTLED_MS_MAX);
});

it("the server grew by less than 50 MB", async ({ annotate }) => {
  await annotate(`${Math.round(grownBytes / 2 ** 20)} MB`);
  expect(grownBytes).toBeLessThan(GROWTH_BYTES_MAX);
});

it("no redirect was followed", () => {
  expect(hostile.trapped).toBe(0);
});

it("no descriptor is left open", async ({ annotate }) => {
  await until("descriptors are back", () => server.descriptors() <= descriptorsBefore, { timeoutMs: 20_000 });
  await annotate(`${descriptorsBefore} before, ${server.descriptors()} after`);
});
