import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SYSTEM } from "../../src/core/caller.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase, type Tx } from "../../src/db/database.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../src/events/catalogue.ts";
import { createOutbox } from "../../src/events/outbox.ts";
import { createSequencer } from "../../src/events/sequencer.ts";
import { createFanOut } from "../../src/queue/fan-out.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { createTestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let workspaceId: number;
beforeAll(async () => {
  parley = await startParley();
  workspaceId = (await parley.call("GET", "/me")).body.data.workspace.id;
});
afterAll(() => parley.close());
const { made, got, patched, eventsAfter, eventsOf, wrongFields } = wordsOf(() => parley);

const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
const append = (tx: Tx, subject: string) =>
  outbox.append(tx, { workspaceId, type: "conversation.updated", data: { subject }, actor: SYSTEM.actor });
const subjects = (events: Any[]) => events.map(({ data }) => data.subject);

describe("GET /events", () => {
  it("ends a page of large events after 2 MiB, and its cursor leads to the next one", async () => {
    const { key } = await parley.createWorkspace();
    const call = async (path: string, body?: object) =>
      (await parley.call(body ? "POST" : "GET", path, { key, body: body as object })).body;
    const { id } = (await call("/conversations", {})).data;
    for (let left = 40; left > 0; left--)
      await call(`/conversations/${id}/messages`, { body: `${left}${"漢".repeat(60_000)}` });
    for (const order of ["asc", "desc"]) {
      const found: Any[] = [];
      for (let path = `/events?type=message.created&limit=100&order=${order}`, hasMore = true; hasMore; ) {
        const { data, meta } = await call(path);
        expect(data.length).toBeLessThan(14);
        found.push(...data);
        hasMore = meta.has_more;
        path = `/events?type=message.created&limit=100&order=${order}&cursor=${meta.next_cursor}`;
      }
      const seqs = Array.from({ length: 40 }, (_, index) => index + 1);
      expect(found.map(({ data }) => data.seq)).toEqual(order === "asc" ? seqs : seqs.reverse());
    }
  });

  it("returns bodies as delivered, oldest first", async () => {
    const [first, second] = await eventsOf(async () => {
      const { id } = await made("/contacts", { name: "Ada" });
      await patched(`/contacts/${id}`, { name: "Eva" });
    });
    expect(Object.keys(first)).toEqual(["id", "type", "timestamp", "data", "actor"]);
    expect(first.id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(first.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect([first.type, first.data.name, second.type, second.data.name]).toEqual([
      "contact.created",
      "Ada",
      "contact.updated",
      "Eva",
    ]);
  });

  it("shows an event at once in the read that follows its change", async () => {
    let { cursor } = await eventsAfter();
    for (let round = 0; round < 20; round++) {
      const { id } = await made("/contacts");
      const { events, cursor: next } = await eventsAfter(cursor);
      expect(events.map(({ data }) => data.id)).toEqual([id]);
      cursor = next;
    }
  });

  it("pages by cursor without gap or repeat while events are added", async () => {
    const { cursor } = await eventsAfter();
    const names = Array.from({ length: 12 }, (_, index) => `page ${index}`);
    for (const name of names.slice(0, 7)) await made("/contacts", { name });
    const seen: string[] = [];
    let from = cursor;
    for (let page = 0; ; page++) {
      const { data, meta } = await got(`/events?limit=3&cursor=${from}`);
      seen.push(...data.map((event: Any) => event.data.name));
      expect(data.length).toBeLessThanOrEqual(3);
      from = meta.next_cursor;
      if (page === 0) for (const name of names.slice(7)) await made("/contacts", { name });
      if (!meta.has_more) break;
    }
    expect(seen).toEqual(names);
    const empty = await got(`/events?cursor=${from}`);
    expect([empty.data, empty.meta]).toEqual([[], { next_cursor: from, has_more: false }]);
  });

  it("refuses page numbers, which would get the first page again and again", async () => {
    for (const query of ["page=2", "page=0", "page=x", "page=1&limit=5", "page=2&per_page=5"])
      expect([query, await wrongFields("GET", `/events?${query}`)]).toEqual([query, ["page"]]);
    for (const query of ["page=1&per_page=5", "page="])
      expect((await got(`/events?${query}`)).meta.next_cursor).toBeTypeOf("string");
  });

  it("takes per_page as well as limit, 25 by default and 100 at most", async () => {
    const { cursor } = await eventsAfter();
    for (let index = 0; index < 27; index++) await made("/contacts");
    expect((await got(`/events?cursor=${cursor}`)).data).toHaveLength(25);
    expect((await got(`/events?cursor=${cursor}&per_page=26`)).data).toHaveLength(26);
    expect((await got(`/events?cursor=${cursor}&per_page=26&limit=2`)).data).toHaveLength(2);
    expect(await wrongFields("GET", "/events?limit=101&per_page=0")).toEqual(["limit", "per_page"]);
  });

  it("filters by name, group, list and time", async () => {
    const { cursor } = await eventsAfter();
    const { id } = await made("/conversations", { contact: {}, message: { body: "a" } });
    await patched(`/conversations/${id}`, { status: "resolved" });
    const types = async (query: string) =>
      (await got(`/events?cursor=${cursor}&${query}`)).data.map(({ type }: Any) => type);
    const all = ["contact.created", "conversation.created", "message.created", "conversation.status_changed"];
    expect(await types("")).toEqual(all);
    expect(await types("type=")).toEqual(all);
    expect(await types("type=*")).toEqual(all);
    expect(await types("type=message.created")).toEqual(["message.created"]);
    expect(await types("type=conversation.*")).toEqual(["conversation.created", "conversation.status_changed"]);
    expect(await types("type=contact.*,%20message.created")).toEqual(["contact.created", "message.created"]);
    expect(await types("created_after=2999-01-01")).toEqual([]);
    expect(await types("created_before=2999-01-01")).toEqual(all);
    expect(await types("created_before=2020-01-01")).toEqual([]);
  });

  it("moves the cursor of a filtered reader past what it did not ask for", async () => {
    const { cursor } = await eventsAfter();
    await made("/contacts");
    const { data, meta } = await got(`/events?type=message.*&cursor=${cursor}`);
    expect([data, meta.has_more]).toEqual([[], false]);
    expect(meta.next_cursor).toBe((await eventsAfter(cursor)).cursor);
  });

  it("refuses unknown types and cursors, all at once", async () => {
    expect(await wrongFields("GET", "/events?type=message.eaten&cursor=xyz&limit=0&created_after=x")).toEqual([
      "created_after",
      "cursor",
      "limit",
      "type",
    ]);
  });

  it("filters by conversation, its messages and drafts included, in both orders and by cursor", async () => {
    const { id } = await made("/conversations", { subject: "followed", message: { body: '{"data":{"id":1}}' } });
    const other = await made("/conversations", { subject: "not followed" });
    await made(`/conversations/${id}/messages`, { body: '"conversation_id":1', direction: "in" });
    await made(`/conversations/${other.id}/messages`, { body: "elsewhere" });
    await made(`/conversations/${id}/drafts`, { body: "perhaps" });
    await patched(`/conversations/${id}`, { status: "resolved" });
    const expected = [
      "conversation.created",
      "message.created",
      "message.created",
      "draft.created",
      "conversation.status_changed",
    ];
    const { data: all } = await got(`/events?conversation_id=${id}`);
    expect(all.map(({ type }: Any) => type).filter((type: string) => type !== "conversation.updated")).toEqual(
      expected,
    );
    const backwards: Any[] = [];
    let query = `/events?conversation_id=${id}&order=desc&limit=2`;
    for (;;) {
      const { data, meta } = await got(query);
      backwards.push(...data);
      if (!meta.has_more) break;
      query = `/events?conversation_id=${id}&order=desc&limit=2&cursor=${meta.next_cursor}`;
    }
    expect(backwards).toEqual([...all].reverse());
    const { data: messages } = await got(`/events?conversation_id=${id}&type=message.*`);
    expect(messages).toHaveLength(2);
    const { meta } = await got(`/events?conversation_id=${id}`);
    await made(`/conversations/${id}/messages`, { body: "later" });
    const { data: later } = await got(`/events?conversation_id=${id}&cursor=${meta.next_cursor}`);
    expect(later.map(({ data }: Any) => data.body)).toEqual(["later"]);
    const stranger = await parley.createWorkspace();
    const seen = await parley.call("GET", `/events?conversation_id=${id}`, { key: stranger.key });
    expect(seen.body.data).toEqual([]);
  });

  it("filters by who caused an event", async () => {
    const { id } = await made("/conversations", { subject: "by whom" });
    await made(`/conversations/${id}/messages`, { body: "from outside", direction: "in" });
    const { data: byContact } = await got(`/events?conversation_id=${id}&actor_type=contact`);
    expect(byContact.map(({ type, actor }: Any) => [type, actor.type])).toEqual([["message.created", "contact"]]);
    const { id: contactId } = byContact[0].actor;
    const { data: byThisOne } = await got(`/events?actor_type=contact&actor_id=${contactId}&order=desc&limit=1`);
    expect(byThisOne).toEqual(byContact);
    expect((await got(`/events?conversation_id=${id}&actor_type=user`)).data).toEqual([]);
    expect(await wrongFields("GET", "/events?actor_type=ghost&conversation_id=x")).toEqual([
      "actor_type",
      "conversation_id",
    ]);
    expect(await wrongFields("GET", "/events?actor_id=3")).toEqual(["actor_id"]);
  });

  it("filters by unfinished and failed deliveries, for keys that may see webhooks", async () => {
    const hook = await made("/webhooks", {
      name: "fails",
      url: "http://127.0.0.1:9/",
      events: ["contact.updated"],
      retry_count: 0,
    });
    const { id } = await made("/contacts", { name: "before" });
    await patched(`/contacts/${id}`, { name: "after" });
    const failed = await until("the delivery has failed", async () => {
      const { data } = await got("/events?delivery_state=failed&order=desc&limit=1");
      return data[0]?.data.name === "after" ? data[0] : null;
    });
    expect(failed).toMatchObject({ type: "contact.updated", data: { id } });
    await until("nothing is unfinished", async () => (await got("/events?delivery_state=pending")).data.length === 0);
    const reader = await parley.createKey({ type: "limited", abilities: ["events:read"] });
    const refused = await parley.call("GET", "/events?delivery_state=failed", { key: reader.key });
    expect(refused.status).toBe(403);
    await parley.call("DELETE", `/webhooks/${hook.id}`);
  });

  it("suggests the nearest name for an unknown type", async () => {
    const { body } = await parley.call("GET", "/events?type=contact.*,message.craeted");
    expect(body.error.details.type).toEqual([
      "type must name events, or groups such as message.*; message.craeted is not a known event. Did you mean message.created?",
    ]);
  });

  it("refuses another workspace's cursor like an invalid one, and shows none of its events", async () => {
    const { cursor } = await eventsAfter();
    const { key } = await parley.createWorkspace();
    const foreign = await parley.call("GET", `/events?cursor=${cursor}`, { key });
    const garbage = await parley.call("GET", `/events?cursor=${"A".repeat(cursor.length)}`, { key });
    expect([foreign.status, foreign.body]).toEqual([422, garbage.body]);
    await made("/contacts", { name: "secret" });
    const { events } = await eventsAfter("", { key });
    expect(events.map(({ type }) => type)).toEqual(["api_key.created"]);
  });

  it("shows api_key events only to keys that hold api-keys:manage too", async () => {
    const { cursor } = await eventsAfter();
    const reader = await parley.createKey({ type: "limited", abilities: ["events:read"] });
    const both = await parley.createKey({ type: "limited", abilities: ["events:read", "api-keys:manage"] });
    await made("/contacts");
    const types = async (key: string, query = "") =>
      (await got(`/events?cursor=${cursor}${query}`, { key })).data.map(({ type }: Any) => type);
    expect(await types(reader.key)).toEqual(["contact.created"]);
    expect(await types(reader.key, "&type=api_key.created")).toEqual([]);
    expect(await types(both.key)).toEqual(["api_key.created", "api_key.created", "contact.created"]);
    const none = await parley.createKey({ type: "limited", abilities: ["contacts:read"] });
    expect((await parley.call("GET", "/events", { key: none.key })).status).toBe(403);
  });
});

describe("the order of events", () => {
  it("never skips an event that was appended earlier and committed later", async () => {
    const { cursor } = await eventsAfter();
    let commit = () => {};
    let appended = () => {};
    const isAppended = new Promise<void>((resolve) => {
      appended = resolve;
    });
    const late = parley.app.store.db.transaction(async (tx) => {
      await append(tx, "late");
      appended();
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await isAppended;
    await parley.app.store.db.transaction((tx) => append(tx, "early"));
    const first = await eventsAfter(cursor);
    expect(subjects(first.events)).toEqual(["early"]);
    commit();
    await late;
    const second = await eventsAfter(first.cursor);
    expect(subjects(second.events)).toEqual(["late"]);
    expect(subjects((await eventsAfter(cursor)).events)).toEqual(["early", "late"]);
  });

  it("is the same for every reader, with many writers, sequencers and late commits at once", async () => {
    const { cursor } = await eventsAfter();
    const { db } = parley.app.store;
    const others = [1, 2, 3].map(() => createSequencer({ db, logger: createLogger("silent"), pollMs: 5 }));
    let writing = true;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; round < 25; round++)
        await db.transaction(async (tx) => {
          await append(tx, `${writer}:${round}`);
          await new Promise((resolve) => setTimeout(resolve, (writer * 7 + round * 3) % 11));
        });
    });
    const live: string[] = [];
    const reader = (async () => {
      for (let from = cursor; ; ) {
        const last = !writing;
        const { events, cursor: next } = await eventsAfter(from);
        live.push(...subjects(events));
        from = next;
        if (last) return;
      }
    })();
    await Promise.all(writers);
    writing = false;
    await reader;
    await Promise.all(others.map((sequencer) => sequencer.close()));
    expect(live).toHaveLength(200);
    expect(new Set(live).size).toBe(200);
    expect(subjects((await eventsAfter(cursor)).events)).toEqual(live);
    for (let writer = 0; writer < 8; writer++)
      expect(live.filter((subject) => subject.startsWith(`${writer}:`))).toEqual(
        Array.from({ length: 25 }, (_, round) => `${writer}:${round}`),
      );
  });

  it("is found by polling alone when no reader was notified", async () => {
    // A database without a server: neither its own sequencer nor a reader may find the event first.
    const database = await createTestDatabase();
    const logger = createLogger("silent");
    const db = createDatabase({
      connection: { connectionString: database.url },
      poolSize: 2,
      logger,
      applicationName: "poll",
    });
    const sequencer = createSequencer({ db, logger, pollMs: 10 });
    try {
      await database.query(
        `with workspace as (insert into workspaces (uuid, name) values (gen_random_uuid(), 'Alone') returning id),
         new as (
           insert into events (workspace_id, uuid, type, payload)
           select id, gen_random_uuid(), 'contact.updated', '{}' from workspace
           returning workspace_id, id, type)
         insert into events_unsequenced select workspace_id, id, type from new`,
      );
      const positions = () => database.query("select 1 from event_positions");
      await until("the event has its position", async () => (await positions()).length === 1);
    } finally {
      await sequencer.close();
      await db.close();
      await database.drop();
    }
  });

  it("moves more than one batch, and a filter finds nothing in one read where nothing matches", async () => {
    const { id: workspace, key } = await parley.createWorkspace();
    const { cursor } = await eventsAfter("", { key });
    const total = 5_100;
    await parley.database.query(
      `with new as (insert into events (workspace_id, uuid, type, payload)
         select $1, gen_random_uuid(), 'contact.updated', '{}' from generate_series(1, $2) returning workspace_id, id, type)
       insert into events_unsequenced select workspace_id, id, type from new`,
      [workspace, total],
    );
    const { data, meta } = await got(`/events?type=message.deleted&cursor=${cursor}`, { key });
    expect([data, meta.has_more]).toEqual([[], false]);
    const [placed] = await parley.database.query<{ count: string }>(
      "select count(*) from event_positions p join events e using (workspace_id) where p.workspace_id = $1 and p.event_id = e.id and e.type = 'contact.updated'",
      [workspace],
    );
    expect(placed?.count).toBe(String(total));
  });
});

describe("GET /event-types", () => {
  it("is the catalogue, for any valid key", async () => {
    const { key } = await parley.createKey({ type: "limited", abilities: ["contacts:read"] });
    const { data } = await got("/event-types", { key });
    expect(data.map(({ name }: Any) => name)).toEqual(EVENT_TYPES);
    expect((await parley.call("GET", "/event-types", { key: null })).status).toBe(401);
    for (const { name, description, example } of data) {
      expect(description).toBe(EVENT_CATALOGUE[name as "message.created"].about);
      expect(Object.keys(example)).toEqual(["id", "type", "timestamp", "data", "actor"]);
      expect(example.type).toBe(name);
    }
  });

  it("has examples that fit their schemas", async () => {
    const ajv = new Ajv({ allErrors: true, strict: false });
    addFormats.default(ajv, ["uuid"]);
    for (const { name, schema, example } of (await got("/event-types")).data) {
      const validate = ajv.compile(schema);
      validate(example.data);
      expect(validate.errors, name).toBeNull();
    }
  });

  it("has schemas that real events match, without further fields", async () => {
    const ajv = new Ajv({ allErrors: true, strict: false });
    addFormats.default(ajv, ["uuid"]);
    const schemas = new Map((await got("/event-types")).data.map(({ name, schema }: Any) => [name, schema]));
    const events = await eventsOf(async () => {
      const { id } = await made("/conversations", { contact: { name: "a" }, message: { body: "a" } });
      const { data } = await got(`/conversations/${id}/messages`);
      await patched(`/conversations/${id}/messages/${data[0].id}`, { attachments: [{ url: "https://a.example" }] });
      await patched(`/conversations/${id}`, { status: "pending", labels: ["x"] });
      await parley.createKey();
      await parley.call("DELETE", `/conversations/${id}`);
    });
    expect(events.length).toBeGreaterThanOrEqual(8);
    for (const { type, data } of events) {
      const schema = schemas.get(type) as Any;
      const fields = Object.keys(schema.properties).filter((name) => schema.required.includes(name) || name in data);
      expect(Object.keys(data), type).toEqual(fields);
      const validate = ajv.compile(schema);
      validate(data);
      expect(validate.errors, type).toBeNull();
    }
  });
});

describe("reading events in other ways", () => {
  it("comes newest first with order=desc, and continues downwards by cursor", async () => {
    for (let n = 0; n < 3; n++) await made("/contacts", { name: `order ${n}` });
    const up = (await eventsAfter()).events.map(({ id }) => id);
    const down: string[] = [];
    for (let cursor = ""; ; ) {
      const { data, meta } = await got(`/events?order=desc&limit=2${cursor}`);
      down.push(...data.map(({ id }: Any) => id));
      if (!meta.has_more) break;
      cursor = `&cursor=${meta.next_cursor}`;
    }
    expect(down).toEqual(up.toReversed());
  });

  it("takes type and event_type for the same, with names, groups and lists", async () => {
    await made("/conversations");
    const typesOf = async (query: string) =>
      new Set((await got(`/events?limit=100&${query}`)).data.map(({ type }: Any) => type));
    expect(await typesOf("event_type=contact.created")).toEqual(new Set(["contact.created"]));
    expect(await typesOf("type=conversation.*,contact.created")).toEqual(
      await typesOf("type=conversation.*&event_type=contact.created"),
    );
    expect((await parley.call("GET", "/events?event_type=contact.made")).status).toBe(422);
  });

  it("finds a rare type at once, and begins at the time asked for", async () => {
    const since = new Date(Date.now() + 3_600_000).toISOString();
    expect((await got(`/events?created_after=${since}`)).data).toEqual([]);
    const all = (await got("/events?limit=100")).data;
    const first = all[0].timestamp;
    expect((await got(`/events?limit=100&created_after=${encodeURIComponent(first)}`)).data).toEqual(all);
    expect((await got(`/events?limit=100&created_before=${encodeURIComponent(first)}`)).data).toEqual([]);
  });
});

describe("GET /events/{event}", () => {
  it("returns the event with its deliveries per webhook", async () => {
    const hook = await made("/webhooks", {
      name: "detail",
      url: "http://127.0.0.1:9/",
      events: ["contact.created"],
      retry_count: 0,
    });
    const contact = await made("/contacts", { name: "in detail" });
    const { data } = await got("/events?order=desc&limit=1&type=contact.created");
    expect(data[0].data.id).toBe(contact.id);
    const event = await until("the delivery has ended", async () => {
      const { data: found } = await got(`/events/${data[0].id}`);
      return found.deliveries[0]?.status === "failed" ? found : null;
    });
    expect(event).toEqual({
      ...data[0],
      deliveries: [
        {
          webhook_id: hook.id,
          webhook_name: "detail",
          status: "failed",
          attempts: 1,
          last_attempt_at: expect.any(String),
          last_response_code: 0,
          last_error: expect.any(String),
          next_attempt_at: null,
          log: [
            {
              id: expect.any(Number),
              attempt: 1,
              status: "failed",
              response_code: 0,
              response_time_ms: expect.any(Number),
              error_message: expect.any(String),
              created_at: expect.stringMatching(/\+00:00$/),
            },
          ],
        },
      ],
    });
    const attempt = event.deliveries[0].log[0];
    const logged = await got(`/webhooks/${hook.id}/logs/${attempt.id}`);
    expect(logged.data).toMatchObject(attempt);
    const reader = await parley.createKey({ type: "limited", abilities: ["events:read"] });
    const seen = await parley.call("GET", `/events/${data[0].id}`, { key: reader.key });
    expect(seen.body.data.deliveries[0]).toMatchObject({ webhook_name: null, last_error: null });
    expect(seen.body.data.deliveries[0].log[0]).toMatchObject({ id: attempt.id, error_message: null });
  });

  it("shows what waited when its webhook was disabled as canceled, before an attempt or a retry", async () => {
    const subscribe = (name: string, url: string) => made("/webhooks", { name, url, events: ["contact.created"] });
    const refusing = await subscribe("refusing", "http://127.0.0.1:9/");
    await made("/contacts", { name: "to be canceled" });
    const { data } = await got("/events?order=desc&limit=1&type=contact.created");
    const statusOf = async (webhook: { id: number }) =>
      (await got(`/events/${data[0].id}`)).data.deliveries.find(
        (delivery: { webhook_id: number }) => delivery.webhook_id === webhook.id,
      );
    await until("a retry is to come", async () => (await statusOf(refusing))?.attempts === 1);
    // A delivery that no attempt was made for yet, as a busy or blocked webhook has them.
    const waiting = await subscribe("waiting", "http://127.0.0.1:9/");
    await parley.database.query(
      `insert into deliveries (workspace_id, webhook_id, event_id, next_attempt_at)
       select workspace_id, $1::bigint, id, now() + interval '1 hour'
       from events
       where uuid = $2::uuid`,
      [waiting.id, data[0].id.replace("evt_", "")],
    );
    for (const { id } of [refusing, waiting]) await parley.call("POST", `/webhooks/${id}/disable`);
    expect(await statusOf(refusing)).toMatchObject({ status: "canceled", attempts: 1, next_attempt_at: null });
    expect(await statusOf(waiting)).toMatchObject({ status: "canceled", attempts: 0, next_attempt_at: null });
  });

  it("is a 404 for another workspace, an unknown id, and an event that the key may not see", async () => {
    const { data } = await got("/events?limit=1");
    const other = await parley.createWorkspace();
    expect((await parley.call("GET", `/events/${data[0].id}`, { key: other.key })).status).toBe(404);
    for (const id of ["evt_00000000000000000000000000000000", "evt_x", "1", "x"])
      expect((await parley.call("GET", `/events/${id}`)).status, id).toBe(404);
    await parley.createKey({ name: "seen by few" });
    const [created] = (await got("/events?order=desc&type=api_key.created")).data;
    const { key } = await parley.createKey({ type: "limited", abilities: ["events:read"] });
    expect((await parley.call("GET", `/events/${created.id}`, { key })).status).toBe(404);
    expect((await parley.call("GET", `/events/${created.id}`)).status).toBe(200);
  });
});
