import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { fastify as createFastify } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newKeySecret } from "../../src/auth/key-secret.ts";
import { createWorkspaceTurns } from "../../src/http/pipeline/workspace-turns.ts";
import { limitConnections } from "../../src/http/server/connection-limits.ts";
import { limitResponses } from "../../src/http/server/large-responses.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_AUTH_FAILURES_PER_MINUTE: "50", PARLEY_WEBHOOKS_MAX: "3" });
});
afterAll(() => parley.close());

/** Statements of this name that the pool is given while the work runs. */
async function queriesDuring(name: string, work: () => Promise<unknown>): Promise<number> {
  const { pool } = parley.app.store.db;
  const original = pool.query;
  let count = 0;
  pool.query = ((...args: unknown[]) => {
    if ((args[0] as { name?: string })?.name === name) count++;
    return (original as (...all: unknown[]) => unknown).apply(pool, args);
  }) as typeof original;
  try {
    await work();
  } finally {
    pool.query = original;
  }
  return count;
}

describe("one address that guesses keys", () => {
  const status = async (key: string) => (await parley.call("GET", "/me", { key })).status;

  it("costs one query per unknown secret, none for a repeated or mistyped one, and never hits a valid key", async () => {
    const guess = newKeySecret("full");
    const valid = newKeySecret("full");
    const mistyped = valid.slice(0, -1) + (valid.endsWith("0") ? "1" : "0");
    const { key: cold } = await parley.createKey();
    expect(await queriesDuring("key_verify", () => status(guess))).toBe(1);
    // A node that has not polled for a moment, as on a busy machine, asks the database again.
    const costsNothing = async () => (await queriesDuring("key_verify", () => status(guess))) === 0;
    await until("a repeated guess costs no query", costsNothing);
    const codes = await Promise.all(Array.from({ length: 100 }, () => status(guess)));
    expect(codes.filter((code) => code === 429).length).toBeGreaterThan(0);
    expect(await queriesDuring("key_verify", () => status(mistyped))).toBe(0);
    expect([await status(parley.key), await status(cold)]).toEqual([200, 200]);
  });

  it("does not keep a key that was refused while paused from working once it is resumed", async () => {
    const { id, key } = await parley.createKey();
    const setActive = (is_active: boolean) => parley.call("PATCH", `/api-keys/${id}`, { body: { is_active } });
    await setActive(false);
    expect(await status(key)).not.toBe(200);
    await setActive(true);
    expect(await status(key)).toBe(200);
  });
});

/** Asks for a list of more than 6 MB, on a connection of its own, each time it is called. */
async function prepareLongList(): Promise<() => Socket> {
  const conversation = await parley.call("POST", "/conversations", { body: {} });
  const path = `/conversations/${conversation.body.data.id}/messages`;
  const body = { body: "x".repeat(65_536) };
  await Promise.all(Array.from({ length: 100 }, () => parley.call("POST", path, { body })));
  const request = `GET /api/v1${path}?per_page=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${parley.key}\r\n\r\n`;
  return () => {
    const socket = connect(Number(new URL(parley.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(request);
    return socket;
  };
}

const readContacts = (key: string) => parley.call("GET", "/contacts", { key });

it("responses that a workspace does not read take 64 MiB of memory at most, and others do not notice", async () => {
  const other = await parley.createWorkspace();
  const requestList = await prepareLongList();
  // What the system buffers of a response counts as read.
  const sockets = Array.from({ length: 20 }, () => requestList().pause());
  const isRefused = async () => (await readContacts(parley.key)).status === 429;
  await until("the workspace is refused", isRefused, { timeoutMs: 30_000 });
  const { body: refused } = await readContacts(parley.key);
  expect(refused.error).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retry_after: 1 });
  expect((await parley.call("POST", "/contacts", { body: {} })).status).toBe(201);
  expect((await readContacts(other.key)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await until("it is served again", async () => !(await isRefused()));
});

it("downloads of one workspace's files read two chunks from the database at once, however many there are", async () => {
  const upload = { rawBody: Buffer.alloc(1_000_000, "x"), headers: { "content-type": "text/plain" } };
  const { url, sha256 } = (await parley.call("POST", "/files?name=a.txt", upload)).body.data;
  const { pool } = parley.app.store.db;
  const original = pool.query;
  let running = 0;
  let most = 0;
  pool.query = (async (...args: unknown[]) => {
    const isChunk = (args[0] as { name?: string })?.name === "file_chunk_read";
    if (isChunk) most = Math.max(most, ++running);
    const result = await (original as (...all: unknown[]) => unknown).apply(pool, args);
    if (isChunk) running--;
    return result;
  }) as unknown as typeof original;
  try {
    const downloads = Array.from({ length: 30 }, async () => Buffer.from(await (await fetch(url)).arrayBuffer()));
    const digests = (await Promise.all(downloads)).map((bytes) => createHash("sha256").update(bytes).digest("hex"));
    expect(new Set(digests)).toEqual(new Set([sha256]));
  } finally {
    pool.query = original;
  }
  expect(most).toBe(2);
});

describe("one workspace with many requests", () => {
  it("uses two thirds of the database connections for its reads, and another one starts at once", async () => {
    const turns = createWorkspaceTurns(6);
    const spec = { method: "GET", success: {} } as never;
    let running = 0;
    const ends: (() => void)[] = [];
    const work = () => {
      running++;
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const all = Array.from({ length: 504 }, () => turns.run(spec, 1, work));
    await until("the first requests run", () => running === 4);
    await expect(turns.run(spec, 1, work)).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    const other = turns.run(spec, 2, work);
    await until("the other workspace runs", () => running === 5);
    while (running < 505) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const end of ends) end();
    await Promise.all([...all, other]);
  });
});

it("all visitors of a workspace use a quarter of the database connections, and its people start at once", async () => {
  const turns = createWorkspaceTurns(8);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (who: string, spec: object) =>
    turns.run(spec as never, 1, () => {
      started.push(who);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const sends = Array.from({ length: 5 }, () => run("visitor", { method: "POST", success: {}, visitor: "new" }));
  const person = run("person", { method: "GET", success: {} });
  await until("the person's request runs", () => started.includes("person"));
  expect(started).toEqual(["visitor", "visitor", "person"]);
  while (started.length < 6) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const end of ends) end();
  await Promise.all([...sends, person]);
});

describe("a list that the database does not return in time", () => {
  it("ends with a 503 that says so, its statement is cancelled, and the next one works", async () => {
    const { db } = parley.app.store;
    const waiting = async () =>
      (
        await parley.database.query(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%contacts k%'",
        )
      ).length;
    await db.transaction(async (tx) => {
      await tx.query({ name: "", text: "lock table contacts in access exclusive mode" });
      const reply = parley.call("GET", "/contacts?email=nobody@example.com");
      await until("the list waits for the lock", async () => (await waiting()) > 0);
      const { status, body } = await reply;
      expect([status, body.error.message]).toEqual([
        503,
        "Reading this took too long. Narrow it down with filters, or try again soon.",
      ]);
      await until("the statement is cancelled", async () => (await waiting()) === 0);
    });
    expect((await parley.call("GET", "/contacts?email=nobody@example.com")).status).toBe(200);
  });
});

describe("the quota of webhooks", () => {
  it("refuses the webhook past it with a 422 on webhooks", async () => {
    const { key } = await parley.createWorkspace();
    const create = () =>
      parley.call("POST", "/webhooks", {
        key,
        body: { name: "n", url: "http://127.0.0.1:9/", events: ["message.created"] },
      });
    const replies = await Promise.all(Array.from({ length: 5 }, create));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422]);
    const refused = replies.find(({ status }) => status === 422);
    expect(refused?.body.error.details).toEqual({
      webhooks: ["This workspace has reached its limit of 3 webhooks."],
    });
  });
});

describe("connections", () => {
  /** As if they came from elsewhere: the server sees 127.0.0.1, which is exempt. */
  const limited = { total: 10_000, perAddress: 3, trustedProxies: ["10.0.0.0/8"] };
  const listeners: ((socket: unknown) => void)[] = [];
  let closedIdle = 0;
  const serverOf = (limits: typeof limited) => {
    listeners.length = 0;
    limitConnections(
      {
        on: (_name: string, listener: (socket: unknown) => void) => listeners.push(listener),
        closeIdleConnections: () => closedIdle++,
      } as never,
      limits,
    );
  };
  function arrive(remoteAddress: string) {
    const closers: (() => void)[] = [];
    let response: string | null = null;
    listeners[0]?.({
      remoteAddress,
      on: () => {},
      once: (_name: string, listener: () => void) => closers.push(listener),
      end: (text: string) => {
        response = text;
      },
      destroy: () => {},
    });
    return { response: () => response, close: () => closers.forEach((close) => void close()) };
  }

  it("past the limit of one address get a 503 that says so, and other addresses are served", () => {
    serverOf(limited);
    const first = [1, 2, 3].map(() => arrive("203.0.113.7"));
    const refused = arrive("203.0.113.7").response();
    expect(refused).toMatch(/^HTTP\/1.1 503 [\s\S]*Too many connections from this address\./);
    expect(refused).toContain("\r\nretry-after: 2\r\n");
    expect(arrive("203.0.113.8").response()).toBeNull();
    first[0]?.close();
    expect(arrive("203.0.113.7").response()).toBeNull();
  });

  it("of loopback and trusted proxies are not counted by address, those of an IPv6 network together", () => {
    serverOf(limited);
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3"])
      for (let i = 0; i < 10; i++) expect(arrive(address).response()).toBeNull();
    for (let i = 0; i < 3; i++) expect(arrive(`2001:db8::${i}`).response()).toBeNull();
    expect(arrive("2001:db8::ffff").response()).not.toBeNull();
  });

  it("past the limit in all are refused, and idle ones are closed to make room", () => {
    serverOf({ ...limited, total: 2 });
    arrive("203.0.113.1");
    arrive("203.0.113.2");
    expect(arrive("203.0.113.3").response()).toContain("Too many connections.");
    expect(closedIdle).toBe(1);
  });

  it.runIf(process.platform === "linux")("that come in a flood are served in turns of their addresses", async () => {
    const { port } = new URL(parley.url);
    const served: string[] = [];
    const requestFrom = (localAddress: string) =>
      new Promise((resolve) => {
        const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
        socket.once("data", () => served.push(localAddress)).once("close", resolve);
        socket.write("GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      });
    // The kernel has all of them, in this order, before the server accepts the first one.
    const flood = Array.from({ length: 400 }, () => requestFrom("127.0.0.2"));
    await Promise.all([...flood, requestFrom("127.0.0.1")]);
    expect(served.length).toBe(401);
    expect(served.indexOf("127.0.0.1")).toBeLessThan(100);
  });

  it("with a body for a path that nobody knows get their 404 before the body is sent", async () => {
    const { port } = new URL(parley.url);
    const socket: Socket = connect(Number(port), "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.write(
      "POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{",
    );
    await until("the response arrives", () => text.includes("No such endpoint."));
    expect(text).toMatch(/^HTTP\/1.1 404 /);
    socket.destroy();
  });
});

/** A server on which the header `x-workspace` says who asks. */
function startLargeResponses() {
  const fastify = createFastify();
  fastify.addHook("onRequest", async (request) => {
    request.principal = { workspaceId: Number(request.headers["x-workspace"]) } as typeof request.principal;
  });
  const unread = limitResponses(fastify);
  const get = (url: string, workspace: number) =>
    fastify.inject({ url, headers: { "x-workspace": String(workspace) } });
  return { fastify, get, unread };
}

describe("long lists that several callers read at the same time", () => {
  it("are sent one at a time, workspaces take turns, and a short response does not wait for them", async () => {
    const { fastify, get } = startLargeResponses();
    let turn = 0;
    const sent: { what: string; turn: number }[] = [];
    fastify.addHook("onSend", async ({ url, headers }) => {
      sent.push({ what: `${url} of ${headers["x-workspace"]}`, turn });
    });
    let whenRead = () => {};
    const read = new Promise<void>((resolve) => {
      whenRead = resolve;
    });
    fastify.get("/long", () => read.then(() => "é".repeat(100_000)));
    fastify.get("/short", () => read.then(() => "short"));
    await fastify.ready();
    const replies = [get("/long", 1), get("/long", 1), get("/long", 1), get("/long", 2), get("/short", 2)];
    let isDone = false;
    const countTurns = () => {
      turn++;
      if (!isDone) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    setImmediate(() => whenRead());
    const bodies = (await Promise.all(replies)).map(({ body }) => body.length);
    isDone = true;
    expect(bodies).toEqual([100_000, 100_000, 100_000, 100_000, 5]);
    const long = sent.filter(({ what }) => what.startsWith("/long"));
    expect(long.map(({ what }) => what)).toEqual(["/long of 1", "/long of 2", "/long of 1", "/long of 1"]);
    expect(new Set(long.map((response) => response.turn)).size).toBe(4);
    expect(sent.find(({ what }) => what.startsWith("/short"))?.turn).toBe(long[0]?.turn);
  });

  it("of a client that is gone take no turn", async () => {
    const { fastify, get } = startLargeResponses();
    const sent: string[] = [];
    fastify.addHook("onSend", async ({ url }, _reply, payload) => void sent.push(`${url} ${String(payload).length}`));
    fastify.get("/gone", async (_request, reply) => {
      reply.raw.destroy();
      return "x".repeat(100_000);
    });
    fastify.get("/long", async () => "x".repeat(100_000));
    await Promise.all([get("/gone", 1).catch(() => {}), get("/long", 1)]);
    expect(sent).toEqual(["/gone 0", "/long 100000"]);
  });

  it("count as unread while they wait for their turn", async () => {
    const { fastify, get, unread } = startLargeResponses();
    let read = 0;
    fastify.get("/long", async () => {
      read++;
      return "x".repeat(2 ** 20);
    });
    fastify.get("/short", async () => "short");
    await get("/short", 2);
    const replies = Array.from({ length: 80 }, () => get("/long", 1));
    await until("all have been read", () => read === 80);
    expect(() => unread.requireRoom(1)).toThrow("have not read");
    expect(() => unread.requireRoom(2)).not.toThrow();
    await Promise.all(replies);
    expect(() => unread.requireRoom(1)).not.toThrow();
  });
});
