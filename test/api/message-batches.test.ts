import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createConversationWriter } from "../../src/conversations/conversation-writer.ts";
import { insertMessages, messageInput } from "../../src/conversations/message-insert.ts";
import { createMessageWriter } from "../../src/conversations/message-writer.ts";
import type { Caller } from "../../src/core/caller.ts";
import { createOutbox } from "../../src/events/outbox.ts";
import { createFileLinks } from "../../src/files/links.ts";
import { createFanOut } from "../../src/queue/fan-out.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, proxyTo } from "../support/database-proxy.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

let direct: TestDatabase;
let proxy: DatabaseProxy;
let parley: TestParley;
beforeAll(async () => {
  direct = await createTestDatabase();
  proxy = await proxyTo(direct);
  parley = await startParley({ PARLEY_DATABASE_POOL: "12" }, proxy.database);
});
afterAll(async () => {
  await parley?.app.close();
  await proxy?.close();
  await direct?.drop();
});

const { made, got, eventsOf, thisKey } = wordsOf(() => parley);
const post = (id: number, body: object) => parley.call("POST", `/conversations/${id}/messages`, { body });

describe("messages written at the same time", () => {
  it("have numbers without gaps, one event each, and their own errors", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.push((await made("/conversations")).id);
    const targets = Array.from({ length: 90 }, (_, n) => ids[n % 3] as number).concat([999_999_999, 999_999_998]);
    let replies: Any[] = [];
    const events = await eventsOf(async () => {
      replies = await Promise.all(targets.map((id, n) => post(id, { body: `m${n}`, direction: n % 2 ? "in" : "out" })));
    });
    expect(replies.map(({ status }) => status)).toEqual([...Array(90).fill(201), 404, 404]);
    for (const id of ids) {
      const own = replies.filter(({ body }) => body.data?.conversation_id === id).map(({ body }) => body.data);
      own.sort((a, b) => a.seq - b.seq);
      expect(own.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
      expect(own.map((message) => message.id)).toEqual([...own.map((message) => message.id)].sort((a, b) => a - b));
      const { data } = await got(`/conversations/${id}/messages?per_page=100`);
      expect(data).toEqual(own.reverse());
      const conversation = (await got(`/conversations/${id}`)).data;
      expect(conversation.last_message).toMatchObject({ seq: 30 });
      expect(conversation.waiting_since === null).toBe(data[0].direction === "out");
    }
    const written = events.filter(({ type }) => type === "message.created").map(({ data }) => data);
    expect(written).toHaveLength(90);
    expect(new Map(written.map((data) => [data.id, data]))).toEqual(
      new Map(replies.slice(0, 90).map(({ body }) => [body.data.id, body.data])),
    );
  });

  it("leave their conversation as the same messages one after the other do", async () => {
    const { db } = parley.app.store;
    const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
    const { workspace } = (await got("/me")).data;
    const caller = { workspaceId: workspace.id, actor: { type: "api_key", id: 1, name: "x" } } as unknown as Caller;
    const kind = fc.constantFrom<Any>({ direction: "in" }, { direction: "out" }, { direction: "out", private: true });
    const rows = (id: number) =>
      direct.query<Any>(
        `select c.last_seq, c.last_in_seq, c.last_message_at, c.waiting_since, c.first_response_seconds,
           json_agg(json_build_array(m.seq, m.direction, m.private, m.created_at) order by m.id) as messages
         from conversations c
         join messages m on m.workspace_id = c.workspace_id and m.conversation_id = c.id
         where c.id = $1
         group by c.workspace_id, c.id`,
        [id],
      );
    // One transaction for each step, so that the messages of both conversations have the same time.
    const write = (steps: [id: number, messages: Any[]][]) =>
      db.transaction(async (tx) => {
        for (const [id, messages] of steps)
          await insertMessages(
            tx,
            outbox,
            messages.map((message) => messageInput(caller, { id }, { body: "x", attachments: [], ...message })),
          );
      });
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { maxLength: 2 }), fc.array(kind, { minLength: 2 }), async (before, messages) => {
        const [together, alone] = [(await made("/conversations")).id, (await made("/conversations")).id];
        await write([together, alone].flatMap((id) => before.map((message) => [id, [message]] as [number, Any[]])));
        await write([[together, messages], ...messages.map((message) => [alone, [message]] as [number, Any[]])]);
        expect(await rows(together)).toEqual(await rows(alone));
      }),
      { numRuns: 60 },
    );
  });

  it("are all stored when some name their conversation by its id and others by its uuid", async () => {
    const { id, uuid } = await made("/conversations");
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        parley.call("POST", `/conversations/${n % 2 ? id : uuid}/messages`, { body: { body: `${n}` } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(201));
    const numbers = replies.map(({ body }) => body.data.seq).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    // In one statement, those of the first name are written; the writer writes the others in a transaction.
    const { db } = parley.app.store;
    const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
    const { workspace } = (await got("/me")).data;
    const caller = { workspaceId: workspace.id, actor: { type: "api_key", id: 1, name: "x" } } as unknown as Caller;
    const inputs = [{ id }, { uuid }].map((ref) => messageInput(caller, ref, { body: "x", attachments: [] }));
    const written = await db.transaction((tx) => insertMessages(tx, outbox, inputs));
    expect(written.map((message) => message?.seq ?? null)).toEqual([41, null]);
  });

  it("reopen their resolved conversation once, whatever else was written to it in the same batch", async () => {
    const { id } = await made("/conversations", { status: "resolved" });
    let replies: Any[] = [];
    const events = await eventsOf(async () => {
      replies = await Promise.all(
        Array.from({ length: 24 }, (_, n) => post(id, { body: `${n}`, direction: n % 3 ? "out" : "in" })),
      );
    });
    expect(replies.map(({ status }) => status)).toEqual(Array(24).fill(201));
    expect(events.filter(({ type }) => type === "conversation.status_changed")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "message.created")).toHaveLength(24);
    expect((await got(`/conversations/${id}`)).data).toMatchObject({ status: "open", last_message: { seq: 24 } });
  });

  it("lock their conversations in the order of ids, however they are named and whatever the plan is", async () => {
    const { db } = parley.app.store;
    const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
    const [first, second, third] = [
      await made("/conversations"),
      await made("/conversations"),
      await made("/conversations"),
    ];
    const { workspace } = (await got("/me")).data;
    const caller = { workspaceId: workspace.id, actor: { type: "api_key", id: 1, name: "x" } } as unknown as Caller;
    const inputs = () =>
      [{ id: third.id }, { uuid: first.uuid }, { id: second.id }].map((ref) =>
        messageInput(caller, ref, { body: "x", attachments: [] }),
      );
    const isLocked = async ({ id }: Any) =>
      (await direct.query("select from conversations where id = $1 for update skip locked", [id])).length === 0;
    for (const setting of ["enable_nestloop", "enable_indexscan", "enable_hashjoin", "enable_sort"]) {
      const holder = new pg.Client({ connectionString: direct.url });
      await holder.connect();
      await holder.query("begin");
      await holder.query("select 1 from conversations where id = $1 for update", [second.id]);
      const { rows } = await holder.query("select pg_backend_pid() as pid");
      const written = db.transaction(async (tx) => {
        await tx.query({ name: "", text: `set local ${setting} = off` });
        return insertMessages(tx, outbox, inputs());
      });
      await until("the batch waits for the second conversation", async () => {
        const waiting = "select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
        return (await direct.query(waiting, [rows[0].pid])).length > 0;
      });
      expect([await isLocked(first), await isLocked(third)]).toEqual([true, false]);
      await holder.query("commit");
      await holder.end();
      expect(await written).not.toContain(null);
    }
  });

  it("are stored although the database refuses one of them", async () => {
    const { db } = parley.app.store;
    const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
    const writer = createMessageWriter(db, outbox);
    const { id } = await made("/conversations");
    const { workspace } = (await got("/me")).data;
    const callerOf = (type: string): Caller =>
      ({ workspaceId: workspace.id, actor: { type, id: 1, name: "x" }, scopes: new Set() }) as unknown as Caller;
    const links = createFileLinks(parley.app.store.secretBox, () => parley.url);
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        db.transaction(
          (tx) => {
            const caller = callerOf(n === 17 ? "ghost" : "api_key");
            return writer.create({ tx, outbox, caller, links }, { id }, { body: `${n}` });
          },
          { mayLeave: true },
        ),
      ),
    );
    expect(results.flatMap(({ status }, n) => (status === "rejected" ? [n] : []))).toEqual([17]);
    const { data } = await got(`/conversations/${id}/messages?per_page=100`);
    expect(data.map(({ seq }: Any) => seq)).toEqual(Array.from({ length: 29 }, (_, n) => 29 - n));
  });

  it("do not wait for a conversation that another transaction has locked, unless they are written to it", async () => {
    const [locked, free] = [await made("/conversations"), await made("/conversations")];
    const holder = new pg.Client({ connectionString: direct.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select 1 from conversations where id = $1 for update", [locked.id]);
    const blocked = Array.from({ length: 6 }, (_, n) => post(locked.id, { body: `blocked ${n}` }));
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => post(free.id, { body: `free ${n}` })));
    await holder.query("commit");
    await holder.end();
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect((await Promise.all(blocked)).map(({ status }) => status)).toEqual(Array(6).fill(201));
  });

  it("are stored once, and their requests fail, when the connection is lost before the result arrives", async () => {
    const { id } = await made("/conversations");
    const stored = async (): Promise<string[]> =>
      (await direct.query<Any>("select body from messages where conversation_id = $1", [id])).map(({ body }) => body);
    proxy.delayResponses(700);
    const replies = Promise.all(Array.from({ length: 20 }, (_, n) => post(id, { body: `once ${n}` })));
    await until("a batch is stored", async () => (await stored()).length > 6, { timeoutMs: 20_000 });
    proxy.drop();
    proxy.delayResponses(0);
    const statuses = (await replies).map(({ status }) => status);
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => ![201, 503].includes(status))).toEqual([]);
    const bodies = await stored();
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(bodies.length).toBeGreaterThanOrEqual(statuses.filter((status) => status === 201).length);
    expect((await thisKey()).type).toBe("api_key");
    expect((await post(id, { body: "and on" })).status).toBe(201);
  });
});

describe("contacts created at the same time", () => {
  const create = (body: object) => parley.call("POST", "/contacts", { body });

  it("get one event each, with what the response shows, and of two equal external_ids one is refused", async () => {
    let replies: Any[] = [];
    const events = await eventsOf(async () => {
      replies = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          create({
            external_id: `same-${n % 30}`,
            name: `"${n}" é`,
            email: "a@example.com",
            attributes: { n, b: [1] },
          }),
        ),
      );
    });
    const created = replies.filter(({ status }) => status === 201).map(({ body }) => body.data);
    expect(created.map(({ external_id }) => external_id).sort()).toEqual(
      Array.from({ length: 30 }, (_, n) => `same-${n}`).sort(),
    );
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(10);
    const announced = events.filter(({ type }) => type === "contact.created").map(({ data }) => data);
    expect(new Map(announced.map((data) => [data.id, data]))).toEqual(new Map(created.map((data) => [data.id, data])));
    for (const contact of created.slice(0, 3)) expect((await got(`/contacts/${contact.id}`)).data).toEqual(contact);
  });

  it("do not wait for an external_id that another transaction is creating, unless it is theirs", async () => {
    const { workspace } = (await got("/me")).data;
    const holder = new pg.Client({ connectionString: direct.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query(
      "insert into contacts (workspace_id, uuid, external_id) values ($1, gen_random_uuid(), 'held')",
      [workspace.id],
    );
    const blocked = Array.from({ length: 6 }, () => create({ external_id: "held" }));
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ external_id: `free-${n}` })));
    await holder.query("commit");
    await holder.end();
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect((await Promise.all(blocked)).map(({ status }) => status)).toEqual(Array(6).fill(409));
  });
});

describe("conversations opened at the same time", () => {
  const open = (body: object) => parley.call("POST", "/conversations", { body });

  it("have their own contact, message and events, in the order of cause and effect", async () => {
    const known = await made("/contacts", { name: "Known", email: "known@example.com" });
    const kinds = [
      { subject: "named", contact_id: known.id, attributes: { plan: "a" } },
      { subject: "by uuid", contact_id: known.uuid, priority: "high" },
      { subject: "anonymous", message: { body: "hello", direction: "in" } },
      { subject: "new contact", contact: { name: "New" }, message: { body: "welcome" } },
      { subject: "labelled", labels: ["vip"] },
      { contact: { external_id: "same-for-all" }, status: "pending" },
    ];
    let replies: Any[] = [];
    const events = await eventsOf(async () => {
      replies = await Promise.all(Array.from({ length: 60 }, (_, n) => open(kinds[n % kinds.length] as object)));
    });
    expect(replies.map(({ status }) => status)).toEqual(Array(60).fill(201));
    const opened = replies.map(({ body }) => body.data);
    expect(opened.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 60 }, (_, n) => kinds[n % 6]?.subject ?? null),
    );
    for (const { message, ...conversation } of opened) {
      expect((await got(`/conversations/${conversation.id}`)).data).toEqual(conversation);
      const own = events.filter(({ type, data }) => type === "conversation.created" && data.id === conversation.id);
      expect(own.map(({ data }) => data)).toEqual([conversation]);
      const position = events.indexOf(own[0] as Any);
      const ofContact = events.findIndex(
        ({ type, data }) => type === "contact.created" && data.id === conversation.contact.id,
      );
      expect(ofContact).toBeLessThan(position);
      const ofMessage = events.findIndex(
        ({ type, data }) => type === "message.created" && data.conversation_id === conversation.id,
      );
      expect(ofMessage > position).toBe(message !== undefined);
      if (message) expect(events[ofMessage]?.data).toEqual(message);
    }
    expect(
      new Set(
        opened
          .slice(0)
          .filter((_, n) => n % 6 === 5)
          .map(({ contact }) => contact.id),
      ).size,
    ).toBe(1);
  });

  it("are opened although the contact of one of them does not exist", async () => {
    const { db, secretBox } = parley.app.store;
    const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
    const writer = createConversationWriter(db, outbox);
    const { workspace } = (await got("/me")).data;
    const caller = {
      workspaceId: workspace.id,
      actor: { type: "api_key", id: 1, name: "x" },
      scopes: new Set(),
    } as unknown as Caller;
    const links = createFileLinks(secretBox, () => parley.url);
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        db.transaction(
          (tx) => {
            const input = { subject: `${n}`, ...(n === 17 ? { contact_id: 999_999_999 } : {}) };
            return writer.create({ tx, outbox, caller, links }, input);
          },
          { mayLeave: true },
        ),
      ),
    );
    expect(results.flatMap(({ status }, n) => (status === "rejected" ? [n] : []))).toEqual([17]);
    expect(results[17]).toMatchObject({ reason: { code: "VALIDATION_ERROR" } });
    const opened = results.flatMap((result) => (result.status === "fulfilled" ? [result.value.subject] : []));
    expect(opened).toEqual(Array.from({ length: 30 }, (_, n) => `${n}`).filter((subject) => subject !== "17"));
  });

  it("do not wait for a contact that another transaction has locked, unless they are opened with it", async () => {
    const [locked, free] = [await made("/contacts", { name: "locked" }), await made("/contacts", { name: "free" })];
    const holder = new pg.Client({ connectionString: direct.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select 1 from contacts where id = $1 for update", [locked.id]);
    const blocked = Array.from({ length: 6 }, () => open({ contact_id: locked.id }));
    const replies = await Promise.all(Array.from({ length: 20 }, () => open({ contact_id: free.id })));
    await holder.query("commit");
    await holder.end();
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect((await Promise.all(blocked)).map(({ status }) => status)).toEqual(Array(6).fill(201));
  });
});
