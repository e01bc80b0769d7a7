import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireEvents } from "../../src/queue/cleanup.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const addContact = (key: string, name: string) => parley.call("POST", "/contacts", { key, body: { name } });
const read = async (key: string, query = "", name = "billing"): Promise<Any> =>
  (await parley.call("GET", `/consumers/${name}/events${query}`, { key })).body;
const namesIn = (page: Any): string[] => page.data.map(({ data }: Any) => data.name);
const ack = (key: string, cursor: string, name = "billing") =>
  parley.call("POST", `/consumers/${name}/ack`, { key, body: { cursor } });
const put = (key: string, body: object = { start: "now" }, name = "billing") =>
  parley.call("PUT", `/consumers/${name}`, { key, body });

async function workspace(): Promise<{ key: string }> {
  const { key } = await parley.createWorkspace();
  return { key };
}

describe("a consumer", () => {
  it("is changed, with 200, where another request creates it at the same moment", async () => {
    const { key, id } = await parley.createWorkspace();
    const other = new pg.Client({ connectionString: parley.database.url });
    await other.connect();
    try {
      await other.query("begin");
      await other.query(
        `insert into consumers (workspace_id, name, sees_api_key_events, position)
         values ($1, 'billing', false, 0)`,
        [id],
      );
      const creating = put(key, { start: "now", types: ["contact.*"] });
      await until("it waits for the other request", async () => {
        const waiting =
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        return (await parley.database.query(waiting)).length > 0;
      });
      await other.query("commit");
      const { status, body } = await creating;
      expect([status, body.data?.types]).toEqual([200, ["contact.*"]]);
    } finally {
      await other.end();
    }
  });

  it("is created by PUT with 201, and changed by a second PUT with 200 that keeps its position", async () => {
    const { key } = await workspace();
    const created = await put(key, { start: "now", types: ["contact.*"] });
    expect(created.status, created.text).toBe(201);
    expect(created.body.data).toEqual({
      name: "billing",
      types: ["contact.*"],
      filter: null,
      cursor: expect.any(String),
      lag: { events: 0, complete: true, oldest_at: null },
      missed: false,
      last_read_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    await addContact(key, "Ada");
    const changed = await put(key, { filter: { data: { name: "Ada" } } });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({ types: null, filter: { data: { name: "Ada" } }, lag: { events: 1 } });
    expect(changed.body.data.cursor).toBe(created.body.data.cursor);
  });

  it("is unknown by a name that no consumer can have", async () => {
    const { key } = await workspace();
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/events"],
      ["DELETE", ""],
    ] as const)
      for (const name of ["%00", "a%00b", "%F0%9F%90%BB"])
        expect((await parley.call(method, `/consumers/${name}${path}`, { key })).status, name).toBe(404);
  });

  it("counts an event in its lag as soon as the event is stored", async () => {
    const { key } = await workspace();
    const { cursor } = (await put(key)).body.data;
    const lags: number[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) {
      await addContact(key, name);
      const got = await parley.call("GET", "/consumers/billing", { key });
      const listed = await parley.call("GET", "/consumers", { key });
      const acknowledged = await ack(key, cursor);
      for (const { lag } of [got.body.data, listed.body.data[0], acknowledged.body.data]) lags.push(lag.events);
    }
    expect(lags).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]);
  });

  it("reads the same until it acknowledges, and then what follows", async () => {
    const { key } = await workspace();
    await put(key);
    for (const name of ["a", "b", "c"]) await addContact(key, name);
    const first = await read(key, "?limit=2");
    expect(namesIn(first)).toEqual(["a", "b"]);
    expect(first.meta.has_more).toBe(true);
    expect(await read(key, "?limit=2")).toEqual(first);
    const acknowledged = await ack(key, first.meta.next_cursor);
    expect(acknowledged.status).toBe(200);
    expect(acknowledged.body.data).toMatchObject({ cursor: first.meta.next_cursor, lag: { events: 1 } });
    const second = await read(key);
    expect(namesIn(second)).toEqual(["c"]);
    expect(second.meta.has_more).toBe(false);
  });

  it("moves forward only: an older cursor is a 200 that changes nothing", async () => {
    const { key } = await workspace();
    await put(key);
    await addContact(key, "a");
    await addContact(key, "b");
    const one = (await read(key, "?limit=1")).meta.next_cursor;
    const two = (await read(key, "?limit=2")).meta.next_cursor;
    await ack(key, two);
    const older = await ack(key, one);
    expect(older.status).toBe(200);
    expect(older.body.data.cursor).toBe(two);
  });

  it("acknowledges neither a malformed cursor nor one of another workspace", async () => {
    const { key } = await workspace();
    const other = await workspace();
    await put(key);
    await put(other.key);
    const foreign = (await read(other.key)).meta.next_cursor;
    for (const cursor of ["nonsense", foreign]) {
      const reply = await ack(key, cursor);
      expect(reply.status).toBe(422);
      expect(reply.body.error.details).toHaveProperty("cursor");
    }
  });

  it("shows only what its types and its filter ask for, and its cursor passes over the rest", async () => {
    const { key } = await workspace();
    await put(key, { start: "now", types: ["contact.created"], filter: { data: { name: { $startsWith: "vip" } } } });
    for (const name of ["a", "vip b", "c"]) await addContact(key, name);
    await parley.call("POST", "/conversations", { key, body: {} });
    const page = await read(key);
    expect(namesIn(page)).toEqual(["vip b"]);
    await ack(key, page.meta.next_cursor);
    expect((await parley.call("GET", "/consumers/billing", { key })).body.data.lag).toEqual({
      events: 0,
      complete: true,
      oldest_at: null,
    });
  });

  it("that has read everything waits for the first event", async () => {
    const { key } = await workspace();
    await put(key);
    const waiting = read(key, "?wait=20");
    await addContact(key, "late");
    expect(namesIn(await waiting)).toEqual(["late"]);
    const empty = await read(key, "?wait=0&limit=1");
    expect(namesIn(empty)).toEqual(["late"]);
  });

  it("waits no longer than it was asked to", async () => {
    const { key } = await workspace();
    await put(key);
    const startedAt = performance.now();
    expect((await read(key, "?wait=1")).data).toEqual([]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it("starts at the beginning, now, or at any cursor of the events, and is reset to any of them", async () => {
    const { key } = await workspace();
    await addContact(key, "a");
    const { meta } = (await parley.call("GET", "/events", { key })).body;
    await addContact(key, "b");
    await put(key, { start: "beginning", types: ["contact.*"] });
    expect(namesIn(await read(key))).toEqual(["a", "b"]);
    await put(key, { start: meta.next_cursor }, "other");
    expect(namesIn(await read(key, "", "other"))).toEqual(["b"]);
    const reset = await parley.call("POST", "/consumers/billing/reset", { key, body: { start: "now" } });
    expect(reset.status).toBe(200);
    expect((await read(key)).data).toEqual([]);
    const audit = (await parley.call("GET", "/audit-logs", { key })).body.data.map(({ action }: Any) => action);
    expect(audit).toContain("consumer.reset");
  });

  it("is deleted with its position, and another workspace's is unknown", async () => {
    const { key } = await workspace();
    const other = await workspace();
    await put(key);
    expect((await parley.call("GET", "/consumers/billing", { key: other.key })).status).toBe(404);
    expect((await parley.call("DELETE", "/consumers/billing", { key })).status).toBe(200);
    expect((await parley.call("GET", "/consumers/billing", { key })).status).toBe(404);
    expect((await parley.call("GET", "/consumers", { key })).body.data).toEqual([]);
  });

  it.each([
    ["Billing", { start: "now" }, "name"],
    ["-a", { start: "now" }, "name"],
    ["a", {}, "start"],
    ["a", { start: "yesterday" }, "start"],
    ["a", { start: "now", types: ["message.creatd"] }, "types"],
    ["a", { start: "now", filter: { $gt: 1 } }, "filter"],
  ])("named %s with %j is a 422 that names the field", async (name, body, field) => {
    const { key } = await workspace();
    const reply = await put(key, body, name);
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toHaveProperty(field);
  });
});

describe("retention", () => {
  const expire = async (key: string, missedMsMax?: number) => {
    await read(key);
    await parley.database.query("update events set created_at = now() - interval '60 days'");
    await expireEvents(parley.app.store.db, 30, missedMsMax);
  };
  const missed = async (key: string) => (await parley.call("GET", "/consumers/billing", { key })).body.data.missed;

  it("shows at a consumer that it has missed events, until it is reset", async () => {
    const { key } = await workspace();
    await put(key, { start: "beginning", types: ["contact.*"] });
    await addContact(key, "a");
    await expire(key);
    expect(await missed(key)).toBe(true);
    await parley.call("POST", "/consumers/billing/reset", { key, body: { start: "now" } });
    expect(await missed(key)).toBe(false);
  });

  it("counts unread events as missed where looking at them takes too long", async () => {
    const { key } = await workspace();
    await put(key, { start: "beginning", types: ["contact.*"], filter: { data: { name: "b" } } });
    await put(key, { start: "beginning", types: ["message.*"], filter: { data: { name: "b" } } }, "other");
    await addContact(key, "a");
    await expire(key, 0);
    expect(await missed(key)).toBe(true);
    expect((await parley.call("GET", "/consumers/other", { key })).body.data.missed).toBe(false);
  });

  it("leaves alone a consumer that has read them, or does not show them", async () => {
    const { key } = await workspace();
    await put(key, { start: "beginning", types: ["message.*"] });
    await put(key, { start: "beginning", types: ["contact.*"], filter: { data: { name: "b" } } }, "other");
    await addContact(key, "a");
    await expire(key);
    expect(await missed(key)).toBe(false);
    expect((await parley.call("GET", "/consumers/other", { key })).body.data.missed).toBe(false);
  });
});

describe("what a consumer shows", () => {
  const keyWith = async (key: string, abilities: string[]): Promise<string> =>
    (await parley.call("POST", "/api-keys", { key, body: { name: "limited", type: "limited", abilities } })).body.data
      .key;

  it("is what its creator may see, and a reader that may see less gets a 403", async () => {
    const { key } = await workspace();
    await put(key, { start: "now" }, "all");
    const narrow = await keyWith(key, ["consumers:manage", "events:read"]);
    expect((await parley.call("GET", "/consumers/all/events", { key: narrow })).status).toBe(403);
    expect((await ack(narrow, (await read(key, "", "all")).meta.next_cursor, "all")).status).toBe(403);
    await put(narrow, { start: "beginning" }, "narrow");
    const types = (await read(key, "", "narrow")).data.map(({ type }: Any) => type);
    expect(types).not.toContain("api_key.created");
    expect((await read(key, "", "all")).data.map(({ type }: Any) => type)).toContain("api_key.created");
  });

  it("has no lag for a key that may not read its events, whatever filter that key sets", async () => {
    const { key } = await workspace();
    await put(key, { start: "beginning" }, "all");
    const filter = { type: "api_key.created", data: { name: { $startsWith: "limited" } } };
    for (const abilities of [["consumers:manage", "events:read"], ["consumers:manage"]]) {
      const narrow = await keyWith(key, abilities);
      const changed = await put(narrow, { filter }, "all");
      const [listed] = (await parley.call("GET", "/consumers", { key: narrow })).body.data;
      const read = await parley.call("GET", "/consumers/all", { key: narrow });
      for (const { lag } of [changed.body.data, listed, read.body.data])
        expect(lag).toEqual({ events: 0, complete: false, oldest_at: null });
    }
    expect((await parley.call("GET", "/consumers/all", { key })).body.data.lag).toMatchObject({
      events: 2,
      complete: true,
    });
  });

  it("needs events:read to create it, and consumers:manage to change it", async () => {
    const { key } = await workspace();
    const manager = await keyWith(key, ["consumers:manage"]);
    expect((await put(manager)).status).toBe(403);
    await put(key);
    expect((await put(manager, { types: ["contact.*"] })).status).toBe(200);
    const reader = await keyWith(key, ["events:read"]);
    expect((await put(reader)).status).toBe(403);
    expect((await parley.call("GET", "/consumers/billing/events", { key: reader })).status).toBe(200);
  });
});
