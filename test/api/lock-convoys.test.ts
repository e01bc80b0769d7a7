import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

const POOL = 12;
const CALLERS = 40;
/** A request that had to wait for the locked row would take until the lock is released. */
const PROMPT_MS = 3_000;

let database: TestDatabase;
let parley: TestParley;
let other: { id: number; key: string };
beforeAll(async () => {
  database = await createTestDatabase();
  parley = await startParley({ PARLEY_DATABASE_POOL: String(POOL) }, database);
  other = await parley.createWorkspace();
});
afterAll(async () => {
  await parley?.app.close();
  await database?.drop();
});

const create = async (path: string, key = parley.key) => {
  const { status, body } = await parley.call("POST", path, { body: {}, key });
  expect(status).toBe(201);
  return body.data as { id: number };
};

/** Runs the work while another transaction holds the lock on this conversation. */
async function whileLocked(conversation: { id: number }, work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select 1 from conversations where id = $1 for update", [conversation.id]);
  try {
    await work();
  } finally {
    await holder.query("commit");
    await holder.end();
  }
}

const waitingForLocks = async () =>
  (await database.query("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
    .length;

/** What a quiet workspace does, each within the bound. */
async function expectPrompt(): Promise<void> {
  const { id } = await create("/conversations", other.key);
  const requests: [method: "GET" | "POST" | "PATCH", path: string, body?: object][] = [
    ["GET", "/conversations"],
    ["GET", `/conversations/${id}`],
    ["POST", `/conversations/${id}/messages`, { body: "hello" }],
    ["PATCH", `/conversations/${id}`, { subject: "changed" }],
    ["POST", "/contacts", { name: "Ada" }],
  ];
  for (const [method, path, body] of requests) {
    const begunAt = performance.now();
    const { status } = await parley.call(method, path, { key: other.key, ...(body ? { body } : {}) });
    expect(status).toBeLessThan(300);
    expect(performance.now() - begunAt).toBeLessThan(atMost(PROMPT_MS));
  }
}

describe("callers who all change one locked conversation", () => {
  const kinds: [name: string, method: "PATCH" | "PUT" | "POST", path: string, body: (id: number) => object][] = [
    ["that they patch", "PATCH", "", () => ({ subject: "x" })],
    ["that they write messages to", "POST", "/messages", () => ({ body: "x" })],
  ];
  it.each(kinds)("%s leave connections to another workspace", async (_name, method, path, bodyOf) => {
    const conversation = await create("/conversations");
    let replies: Promise<{ status: number }[]> = Promise.resolve([]);
    await whileLocked(conversation, async () => {
      replies = Promise.all(
        Array.from({ length: CALLERS }, () =>
          parley.call(method, `/conversations/${conversation.id}${path}`, { body: bodyOf(conversation.id) }),
        ),
      );
      await until("they wait for the lock", async () => (await waitingForLocks()) > 1);
      await expectPrompt();
      expect(await waitingForLocks()).toBeLessThanOrEqual(POOL / 2);
    });
    const statuses = (await replies).map(({ status }) => status);
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
  });

  it("in bulk leave connections to another workspace", async () => {
    const conversation = await create("/conversations");
    let replies: Promise<{ status: number }[]> = Promise.resolve([]);
    await whileLocked(conversation, async () => {
      const body = { ids: [conversation.id], set: { priority: "high" } };
      replies = Promise.all(
        Array.from({ length: CALLERS }, () => parley.call("POST", "/conversations/bulk", { body })),
      );
      await until("they wait for the lock", async () => (await waitingForLocks()) > 1);
      await expectPrompt();
      expect(await waitingForLocks()).toBeLessThanOrEqual(POOL / 2);
    });
    expect((await replies).map(({ status }) => status)).toEqual(Array(CALLERS).fill(200));
  });
});
