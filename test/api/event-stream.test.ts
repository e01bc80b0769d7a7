import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Principal } from "../../src/auth/principal.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createEventTail } from "../../src/events/event-tail.ts";
import { createSequencer } from "../../src/events/sequencer.ts";
import { createReverifier } from "../../src/http/pipeline/credentials.ts";
import { createEventStreams, type StreamContext } from "../../src/http/streams/event-stream.ts";
import { type Browser, join, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { type OpenStream, openStream, type StreamRequest } from "../support/event-stream.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley({ PARLEY_STREAMS_PER_KEY_MAX: "250", PARLEY_STREAMS_PER_WORKSPACE_MAX: "251" });
  owner = await setUp(parley);
});
afterAll(() => parley.close());
const { made, got, eventsAfter } = wordsOf(() => parley);

const opened: OpenStream[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(options: StreamRequest = {}): Promise<OpenStream> {
  const stream = await openStream(parley.url, options);
  opened.push(stream);
  return stream;
}
const contacts = async (count: number, prefix = "n") => {
  for (let index = 0; index < count; index++) await made("/contacts", { name: `${prefix}${index}` });
};
async function signIn(to: TestParley, email: string) {
  const browser = openBrowser(to);
  await browser.call("POST", "/sign-in", { email, password: PASSWORD });
  return browser;
}
const namesIn = (events: { data: Any }[]) => events.map(({ data }) => data.data.name);

describe("GET /events/stream", () => {
  it("sends what happens from now on: id, event and the body as delivered", async () => {
    await made("/contacts", { name: "before" });
    const stream = await open();
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": expect.any(String),
      "x-content-type-options": "nosniff",
    });
    const contact = await made("/contacts", { name: "after" });
    const [event] = await stream.received(1);
    const [read] = (await got("/events?limit=100&type=contact.created")).data.slice(-1);
    expect(event).toEqual({ id: expect.any(String), event: "contact.created", data: read });
    expect(read.data).toEqual(contact);
    expect(stream.comments[0]).toBe("listening");
  });

  it("sends an event within milliseconds of its change, without waiting for a poll", async () => {
    const stream = await open();
    const took: number[] = [];
    for (let round = 1; round <= 5; round++) {
      await made("/contacts");
      const since = performance.now();
      await stream.received(round);
      took.push(performance.now() - since);
    }
    expect(Math.min(...took)).toBeLessThan(atMost(250));
  });

  it("gives ids that GET /events takes as cursors, and takes its cursors", async () => {
    const { cursor } = await eventsAfter();
    await contacts(3);
    const stream = await open({ query: `?cursor=${cursor}` });
    const events = await stream.received(3);
    expect(namesIn(events)).toEqual(["n0", "n1", "n2"]);
    const { events: rest } = await eventsAfter(events[0]?.id ?? "");
    expect(rest).toEqual(events.slice(1).map(({ data }) => data));
  });

  it("resumes at Last-Event-ID without gap or repeat, under load", async () => {
    const { cursor } = await eventsAfter();
    const total = 240;
    const writing = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let index = 0; index < total / 4; index++) await made("/contacts", { name: `${writer}:${index}` });
      }),
    );
    const seen: Any[] = [];
    for (let lastId = cursor; seen.length < total; ) {
      const stream = await open({ headers: { "last-event-id": lastId } });
      const events = [...(await stream.received(Math.min(17, total - seen.length)))];
      stream.close();
      seen.push(...events);
      lastId = events.at(-1)?.id ?? lastId;
    }
    await writing;
    const { events } = await eventsAfter(cursor);
    expect(seen.map(({ data }) => data)).toEqual(events);
    expect(new Set(seen.map(({ data }) => data.id)).size).toBe(total);
  });

  it("reads a long history and continues live, in order", async () => {
    const { cursor } = await eventsAfter();
    await contacts(130, "past ");
    const stream = await open({ query: `?cursor=${cursor}` });
    await contacts(5, "live ");
    expect(namesIn(await stream.received(135))).toEqual([
      ...Array.from({ length: 130 }, (_, index) => `past ${index}`),
      ...Array.from({ length: 5 }, (_, index) => `live ${index}`),
    ]);
  });

  it("lets the Last-Event-ID header go before the cursor of the address", async () => {
    const { cursor } = await eventsAfter();
    await contacts(2);
    const first = await open({ query: `?cursor=${cursor}` });
    const [event] = await first.received(2);
    const again = await open({ query: `?cursor=${cursor}`, headers: { "last-event-id": event?.id ?? "" } });
    expect(namesIn(await again.received(1))).toEqual(["n1"]);
  });

  it("filters by type", async () => {
    const stream = await open({ query: "?type=message.*,conversation.created" });
    await made("/conversations", { contact: { name: "a" }, message: { body: "x" } });
    await made("/contacts");
    const { id } = await made("/conversations");
    const events = await stream.received(3);
    expect(events.map(({ event }) => event)).toEqual([
      "conversation.created",
      "message.created",
      "conversation.created",
    ]);
    expect(events[2]?.data.data.id).toBe(id);
  });

  it("keeps workspaces apart", async () => {
    const { key } = await parley.createWorkspace();
    const [mine, theirs] = [await open(), await open({ key })];
    await made("/contacts", { name: "mine" });
    await made("/contacts", { name: "theirs" }, { key });
    expect(namesIn(await theirs.received(1))).toEqual(["theirs"]);
    expect(namesIn(await mine.received(1))).toEqual(["mine"]);
    const { cursor } = await eventsAfter();
    expect((await parley.call("GET", `/events/stream?cursor=${cursor}`, { key })).status).toBe(422);
  });

  it("hides api_key events from keys that do not hold api-keys:manage", async () => {
    const { key } = await parley.createKey({ type: "webhook" });
    const [all, some] = [await open(), await open({ key })];
    await parley.createKey();
    await made("/contacts");
    expect((await all.received(2)).map(({ event }) => event)).toEqual(["api_key.created", "contact.created"]);
    expect((await some.received(1)).map(({ event }) => event)).toEqual(["contact.created"]);
  });

  it("refuses in the ordinary way: no key, no scope, wrong type, cursor or Last-Event-ID", async () => {
    const { key } = await parley.createKey({ type: "limited", abilities: ["contacts:read"] });
    expect((await parley.call("GET", "/events/stream", { key: null })).status).toBe(401);
    expect((await parley.call("GET", "/events/stream", { key })).status).toBe(403);
    const { status, body } = await parley.call("GET", "/events/stream?type=x&cursor=y", {
      headers: { "last-event-id": "z" },
    });
    expect([status, Object.keys(body.error.details).sort()]).toEqual([422, ["Last-Event-ID", "cursor", "type"]]);
  });

  it("responds to HEAD with the headers alone", async () => {
    const { status, headers, text } = await parley.call("HEAD", "/events/stream");
    expect([status, headers.get("content-type"), text]).toEqual([200, "text/event-stream; charset=utf-8", ""]);
  });

  it("ends when its key is revoked, within about a second, and says why", async () => {
    const { id, key } = await parley.createKey({ type: "webhook" });
    const stream = await open({ key });
    const other = await open();
    await parley.call("DELETE", `/api-keys/${id}`);
    await until("the stream ends", () => stream.ended, { timeoutMs: 1_500 });
    expect(stream.events.at(-1)).toMatchObject({ id: null, event: "error", data: { code: "UNAUTHORIZED" } });
    expect(other.ended).toBe(false);
  });

  it("ends when its key loses the scope", async () => {
    const { id, key } = await parley.createKey({ type: "limited", abilities: ["events:read", "contacts:read"] });
    const stream = await open({ key });
    await parley.call("PATCH", `/api-keys/${id}`, { body: { abilities: ["contacts:read"] } });
    await until("the stream ends", () => stream.ended, { timeoutMs: 1_500 });
    expect(stream.events.at(-1)).toMatchObject({ event: "error", data: { code: "FORBIDDEN" } });
  });

  it("serves 250 streams at once with the same events in the same order, and refuses one more with a 429", async () => {
    const { key } = await parley.createKey();
    const { key: otherKey } = await parley.createWorkspace();
    const streams = await Promise.all(Array.from({ length: 250 }, () => open()));
    const refused = await parley.call("GET", "/events/stream");
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      message: expect.stringMatching(/^At most 250 streams .* per API key\./),
    });
    expect(refused.headers.get("retry-after")).toBe(String(refused.body.error.retry_after));
    const last = await open({ key });
    const full = await parley.call("GET", "/events/stream", { key });
    expect([full.status, full.body.error.message]).toEqual([429, expect.stringMatching(/251 .* per workspace/)]);
    const other = await open({ key: otherKey });
    expect([last.response.statusCode, other.response.statusCode]).toEqual([200, 200]);
    last.close();
    await until("the place is free again", async () => (await open({ key })).response.statusCode === 200);
    await contacts(10, "many ");
    const names = Array.from({ length: 10 }, (_, index) => `many ${index}`);
    for (const stream of streams) expect(namesIn(await stream.received(10))).toEqual(names);
  });

  it("sends events that another process stored", async () => {
    const other = await startParley({}, parley.database);
    try {
      const stream = await open();
      await other.call("POST", "/contacts", { body: { name: "from elsewhere" } });
      expect(namesIn(await stream.received(1))).toEqual(["from elsewhere"]);
    } finally {
      await other.close();
    }
  });
});

describe("a stream opened by a session", () => {
  it("ends within a second when its reader is removed from the workspace, although another is left", async () => {
    const member = await join(parley, owner, "admin", "leaving@example.com");
    const { id: elsewhere } = await parley.createWorkspace();
    await parley.database.query(
      "insert into memberships (workspace_id, user_id, role) select $1, id, 'admin' from users where email = $2",
      [elsewhere, "leaving@example.com"],
    );
    const stream = await open({ session: member.token });
    expect(stream.response.statusCode).toBe(200);
    await made("/contacts", { name: "seen" });
    expect(namesIn(await stream.received(1))).toEqual(["seen"]);
    const { body } = await owner.call("GET", "/members");
    const { id } = body.data.find((one: Any) => one.email === "leaving@example.com");
    expect((await owner.call("DELETE", `/members/${id}`)).status).toBe(200);
    await until("the stream ends", () => stream.ended, { timeoutMs: 1_500 });
    expect(stream.events.at(-1)).toMatchObject({ event: "error", data: { code: "UNAUTHORIZED" } });
    await made("/contacts", { name: "unseen" });
    expect(stream.events).toHaveLength(2);
  });

  it("is notified within a second when a colleague begins to type, but not for keys or other workspaces", async () => {
    const member = await join(parley, owner, "agent", "typing@example.com");
    const { id: conversation_id } = await made("/conversations", { contact: { name: "Ada" } });
    const { id: other, key } = await parley.createWorkspace();
    await parley.database.query(
      "insert into memberships (workspace_id, user_id, role) select $1, id, 'admin' from users where email = $2",
      [other, "olive@example.com"],
    );
    const [theirs, own, ofKey, elsewhere] = [
      await open({ session: owner.token, headers: { "x-parley-workspace": "1" } }),
      await open({ session: member.token }),
      await open(),
      await open({ session: owner.token, headers: { "x-parley-workspace": String(other) } }),
    ];
    const presenceIn = ({ events }: OpenStream) => events.filter(({ event }) => event === "presence");
    for (const typing of [false, true, true]) await member.call("POST", "/presence", { conversation_id, typing });
    await until("the frame is received", () => presenceIn(theirs).length >= 2, { timeoutMs: 1_000 });
    await made("/contacts", { name: "after" });
    await made("/contacts", { name: "after" }, { key });
    for (const stream of [theirs, own, ofKey, elsewhere])
      await until("what follows is received", () => stream.events.some(({ event }) => event === "contact.created"));
    const frame = { id: null, event: "presence", data: { conversation_ids: [conversation_id] } };
    expect(presenceIn(theirs)).toEqual([frame, frame]);
    expect([own, ofKey, elsewhere].flatMap(presenceIn)).toEqual([]);
  });

  it("ends within a second when its workspace begins to require a second factor the session lacks", async () => {
    const member = await join(parley, owner, "agent", "one-factor@example.com");
    const stream = await open({ session: member.token });
    const require = (required: boolean) =>
      parley.database.query("update workspaces set require_two_factor = $1", [required]);
    await require(true);
    try {
      await until("the stream ends", () => stream.ended, { timeoutMs: 1_500 });
    } finally {
      await require(false);
    }
    expect(stream.events.at(-1)).toMatchObject({ event: "error", data: { code: "UNAUTHORIZED" } });
  });

  it("is verified without renewing the idle limit of the session, and ends with it", async () => {
    const person = await signIn(parley, "olive@example.com");
    const stream = await open({ session: person.token });
    const { id: workspaceId } = (await got("/me")).data.workspace;
    const idle = (hours: number) =>
      parley.database.query("update sessions set last_seen_at = now() - make_interval(hours => $1)", [hours]);
    await idle(1);
    const seen = () => parley.database.query("select digest, last_seen_at from sessions order by digest");
    const before = await seen();
    const { db } = parley.app.store;
    const reverifier = createReverifier({
      db,
      verifier: { verify: () => null },
      sessionPolicy: { requireTwoFactor: false, ssoOnly: false },
    });
    expect(await reverifier.verify(`session ${person.token} ${workspaceId}`)).toMatchObject({
      kind: "user",
      workspaceId,
    });
    expect(await seen()).toEqual(before);
    await idle(13);
    await until("the stream ends", () => stream.ended, { timeoutMs: 1_500 });
    expect(stream.events.at(-1)).toMatchObject({ event: "error", data: { code: "UNAUTHORIZED" } });
  });
});

const LONG = "x".repeat(65_000);

describe("a slow reader", () => {
  it("gets a clear last event when its stream is ended, has missed nothing up to there, and resumes", async () => {
    const { cursor } = await eventsAfter();
    const stream = await open({ paused: true });
    const quick = await open();
    const { id } = await made("/conversations");
    let count = 0;
    for (; !parley.logs().includes("ended a stream whose reader was too slow"); count += 8)
      await Promise.all(Array.from({ length: 8 }, () => made(`/conversations/${id}/messages`, { body: LONG })));
    expect((await quick.received(count + 2)).filter(({ event }) => event === "error")).toEqual([]);
    stream.response.resume();
    await until("the stream ends", () => stream.ended);
    const last = stream.events.at(-1);
    expect(last).toMatchObject({ id: null, event: "error", data: { code: "SLOW_READER" } });
    const got = stream.events.slice(0, -1);
    expect(got.length).toBeLessThan(count);
    const rest = await open({ headers: { "last-event-id": got.at(-1)?.id ?? cursor } });
    const all = [...got, ...(await rest.received(count + 2 - got.length))];
    expect(all.map(({ data }) => data.id)).toEqual(quick.events.map(({ data }) => data.id));
  });
});

describe("streams by themselves", () => {
  /** The same parts behind a bare server, with little patience. */
  async function startStreams(stalledMsMax: number) {
    const { db } = parley.app.store;
    const logger = createLogger("silent");
    const workspaceId = (await got("/me")).data.workspace.id;
    const sequencer = createSequencer({ db, logger });
    const tail = createEventTail({ db, logger, sequencer });
    const principal = { workspaceId, kind: "user", scopes: new Set(["events:read"]) } as unknown as Principal;
    const streams = createEventStreams({
      db,
      logger,
      sequencer,
      tail,
      verifier: { verify: () => principal },
      limits: { perKey: 50, perWorkspace: 200 },
      stalledMsMax,
    });
    const responses: ServerResponse[] = [];
    const server = createServer((request, raw) => {
      responses.push(raw);
      const reply = { raw, hijack: () => {}, getHeaders: () => ({}) };
      const context = { principal, request: Object.assign(request, { ip: "127.0.0.1" }), reply };
      void streams
        .open(context as unknown as StreamContext, { after: 0, typesFor: () => null })
        .catch(() => raw.writeHead(503).end());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      streams,
      responses,
      async close() {
        await streams.close();
        await tail.close();
        await sequencer.close();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  it("end when a reader does not read a long history", async () => {
    const { id } = await made("/conversations");
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 15 }, () => made(`/conversations/${id}/messages`, { body: LONG })));
    const parts = await startStreams(200);
    try {
      const stream = await openStream(parts.url, { paused: true });
      opened.push(stream);
      await until("the server gives up", () => parts.responses[0]?.writableEnded);
      stream.response.resume();
      await until("the stream ends", () => stream.ended);
      expect(stream.events.at(-1)).toMatchObject({ event: "error", data: { code: "SLOW_READER" } });
    } finally {
      await parts.close();
    }
  });

  it("end with a comment that the server is stopping, and new ones are refused", async () => {
    const parts = await startStreams(30_000);
    const stream = await openStream(parts.url);
    opened.push(stream);
    await until("the past is read", () => stream.events.length > 100);
    await parts.streams.close();
    await until("the stream ends", () => stream.ended);
    expect(stream.comments.at(-1)).toContain("the server is stopping");
    expect((await openStream(parts.url)).response.statusCode).toBe(503);
    await parts.close();
  });
});

describe("the server", () => {
  it("stops in good time with streams open", async () => {
    const other = await startParley();
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(other.url)));
    const since = performance.now();
    await other.close();
    expect(performance.now() - since).toBeLessThan(atMost(4_000));
    await until("the streams end", () => streams.every((stream) => stream.ended));
    for (const stream of streams) expect(stream.comments.at(-1)).toContain("the server is stopping");
  });
});
