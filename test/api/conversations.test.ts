import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let workspaceId: number;
beforeAll(async () => {
  parley = await startParley();
  workspaceId = (await parley.call("GET", "/me")).body.data.workspace.id;
});
afterAll(() => parley.close());
const { made, got, patched, eventsOf, everyPage, thisKey, wrongFields } = wordsOf(() => parley);

/** A member, written directly: the suite needs no invitation, which is how people join. */
async function createMember(name: string, workspace: number | null = workspaceId): Promise<Any> {
  const [user] = await parley.database.query<Any>(
    "insert into users (uuid, email, name, password_hash) values ($1, $2, $3, '') returning id::float8 as id, uuid, name",
    [randomUUID(), `${randomUUID()}@example.com`, name],
  );
  if (workspace !== null)
    await parley.database.query("insert into memberships (workspace_id, user_id, role) values ($1, $2, 'agent')", [
      workspace,
      user.id,
    ]);
  return user;
}

describe("POST /conversations", () => {
  it("opens one with an anonymous contact, with every documented field", async () => {
    const conversation = await made("/conversations", {});
    expect(conversation).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      subject: null,
      status: "open",
      snoozed_until: null,
      priority: null,
      channel: "api",
      mailbox_id: null,
      widget_id: null,
      page: null,
      contact_read_seq: 0,
      contact: expect.objectContaining({ name: null, email: null, external_id: null, attributes: {} }),
      assignee: null,
      labels: [],
      attributes: {},
      waiting_since: null,
      last_message_at: null,
      last_message: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      updated_at: conversation.created_at,
    });
    expect((await got(`/contacts/${conversation.contact.id}`)).data).toEqual(conversation.contact);
  });

  it("takes every field", async () => {
    const member = await createMember("Grace Hopper");
    const conversation = await made("/conversations", {
      subject: "  Where is my order? ",
      status: "pending",
      channel: "email",
      assignee_id: member.id,
      labels: [" vip ", "orders", "vip"],
      attributes: { order: 5521 },
      contact: { name: " Ada ", email: "ada@example.com", phone: null, attributes: { plan: "pro" } },
    });
    expect(conversation).toMatchObject({
      subject: "Where is my order?",
      status: "pending",
      channel: "email",
      assignee: { id: member.id, uuid: member.uuid, name: "Grace Hopper" },
      labels: ["vip", "orders"],
      attributes: { order: 5521 },
      contact: { name: "Ada", email: "ada@example.com", phone: null, attributes: { plan: "pro" } },
    });
  });

  it("takes a contact by id and by uuid, and refuses an id given as text", async () => {
    const contact = await made("/contacts", { name: "Known" });
    for (const contact_id of [contact.id, contact.uuid])
      expect((await made("/conversations", { contact_id })).contact).toEqual(contact);
    expect(await wrongFields("POST", "/conversations", { contact_id: String(contact.id) })).toEqual(["contact_id"]);
  });

  it("takes the contact that has the external_id already, as it is", async () => {
    const contact = await made("/contacts", { external_id: "known", name: "Known" });
    const conversation = await made("/conversations", { contact: { external_id: " known ", name: "Renamed" } });
    expect(conversation.contact).toEqual(contact);
  });

  it("creates one contact when conversations of a new external_id come at once", async () => {
    const opened = await Promise.all(
      Array.from({ length: 10 }, () => made("/conversations", { contact: { external_id: "crowd" } })),
    );
    expect(new Set(opened.map(({ contact }) => contact.id)).size).toBe(1);
  });

  it("writes the first message", async () => {
    const conversation = await made("/conversations", {
      contact: { name: "Ada" },
      message: { body: "Hello", direction: "in", private: null },
    });
    const { data } = await got(`/conversations/${conversation.id}/messages`);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      seq: 1,
      body: "Hello",
      direction: "in",
      sender: { type: "contact", id: conversation.contact.id, name: "Ada" },
    });
    expect(conversation.last_message_at).toBe(data[0].created_at);
  });

  it("creates nothing at all when any part is wrong", async () => {
    const before = (await got("/contacts")).meta.pagination.total;
    await wrongFields("POST", "/conversations", { contact: { name: "Ghost" }, assignee_id: 999_999 });
    await wrongFields("POST", "/conversations", { contact: { name: "Ghost" }, message: { body: "" } });
    expect((await got("/contacts")).meta.pagination.total).toBe(before);
  });

  it("reports all wrong fields at once", async () => {
    const fields = await wrongFields("POST", "/conversations", {
      subject: "x".repeat(501),
      status: "closed",
      channel: "fax",
      contact_id: 999_999_999,
      assignee_id: 999_999_999,
      labels: ["  "],
      attributes: [],
      contact: { email: "nobody" },
      message: { direction: "up" },
    });
    expect(fields).toEqual([
      "assignee_id",
      "attributes",
      "channel",
      "contact",
      "contact_id",
      "labels",
      "message",
      "status",
      "subject",
    ]);
  });

  it.each([
    ["contact_id", { contact_id: "nobody" }],
    ["contact_id", { contact_id: 1.5 }],
    ["contact_id", { contact_id: 0 }],
    ["contact_id", { contact_id: "00000000-0000-4000-8000-000000000000" }],
    ["contact", { contact: "Ada" }],
    ["contact", { contact: { name: 7 } }],
    ["contact", { contact: { name: "x".repeat(256) } }],
    ["contact", { contact: { attributes: { a: "x".repeat(16_384) } } }],
    ["message", { message: {} }],
    ["message", { message: { body: "x".repeat(65_537) } }],
    ["message", { message: { body: "x", private: true, direction: "in" } }],
    ["message", { message: { attachments: [{ url: "nowhere" }] } }],
    ["labels", { labels: Array.from({ length: 51 }, (_, index) => `l${index}`) }],
    ["labels", { labels: ["x".repeat(65)] }],
    ["labels", { labels: "vip" }],
    ["attributes", { attributes: { a: "x".repeat(16_384) } }],
    ["assignee_id", { assignee_id: -1 }],
  ])("refuses on %s: %j", async (field, body) => {
    expect(await wrongFields("POST", "/conversations", body)).toEqual([field]);
  });

  it("refuses contact and contact_id together, and another workspace's contact like an unknown one", async () => {
    const { id } = await made("/contacts", {});
    expect(await wrongFields("POST", "/conversations", { contact_id: id, contact: {} })).toEqual(["contact"]);
    const { key } = await parley.createWorkspace();
    const foreign = await parley.call("POST", "/conversations", { key, body: { contact_id: id } });
    const unknown = await parley.call("POST", "/conversations", { key, body: { contact_id: 999_999_999 } });
    expect([foreign.status, foreign.body]).toEqual([422, unknown.body]);
  });

  it("asks for messages:write where there is a first message, before it looks at the body", async () => {
    const { key } = await parley.createKey({ type: "limited", abilities: ["conversations:write"] });
    expect((await parley.call("POST", "/conversations", { key, body: {} })).status).toBe(201);
    for (const message of [{ body: "Hi" }, { body: 1 }])
      expect((await parley.call("POST", "/conversations", { key, body: { message } })).status).toBe(403);
  });

  it("creates one conversation for one Idempotency-Key, whatever happens to its parts", async () => {
    const member = await createMember("Leaver");
    const headers = { "idempotency-key": "conversation-once" };
    const body = { assignee_id: member.id, contact: { name: "Once" }, message: { body: "Hi" } };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => parley.call("POST", "/conversations", { body, headers })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    await parley.database.query("delete from users where id = $1", [member.id]);
    const repeat = await parley.call("POST", "/conversations", { body, headers });
    expect([repeat.status, repeat.text]).toEqual([201, replies[0]?.text]);
    const other = await parley.call("POST", "/conversations", { body: { ...body, subject: "x" }, headers });
    expect(other.status).toBe(409);
  });
});

describe("GET /conversations", () => {
  let key: string;
  let member: Any;
  let contact: Any;
  beforeAll(async () => {
    const workspace = await parley.createWorkspace();
    key = workspace.key;
    member = await createMember("Agent", workspace.id);
    contact = await made("/contacts", {}, { key });
    const open = (body: object) => made("/conversations", body, { key });
    await open({ subject: "100% Ada", status: "resolved", labels: ["vip", "a"], contact_id: contact.id });
    await open({ subject: "a_b", channel: "widget", assignee_id: member.id });
    await open({ channel: "email", status: "snoozed", labels: ["vip"] });
  });

  it.each([
    ["", [null, "a_b", "100% Ada"]],
    ["status=resolved", ["100% Ada"]],
    ["status=open", ["a_b"]],
    ["channel=email", [null]],
    ["label=vip", [null, "100% Ada"]],
    ["label=vi", []],
    ["label=vip&status=snoozed", [null]],
    ["search=aDA", ["100% Ada"]],
    ["search=%25", ["100% Ada"]],
    ["search=_", ["a_b"]],
    ["contact_id=:contact.id", ["100% Ada"]],
    ["contact_id=:contact.uuid", ["100% Ada"]],
    ["contact_id=999999999", []],
    ["contact_id=00000000-0000-4000-8000-000000000000", []],
    ["assignee_id=:member.id", ["a_b"]],
    ["assignee_id=:member.uuid", ["a_b"]],
    ["assignee_id=0", [null, "100% Ada"]],
    ["updated_since=2999-01-01T00:00:00 00:00", []],
    ["updated_since=2020-01-01", [null, "a_b", "100% Ada"]],
  ])("filters by %s", async (query, subjects) => {
    const asked = query.replace(/:(\w+)\.(\w+)/, (_, who, field) => ({ member, contact })[who as "member"][field]);
    const { data, meta } = await got(`/conversations?${asked}`, { key });
    expect(data.map((conversation: Any) => conversation.subject)).toEqual(subjects);
    expect(meta.pagination.total).toBe(subjects.length);
  });

  it("refuses wrong parameters, all at once", async () => {
    expect(
      await wrongFields("GET", "/conversations?status=closed&channel=fax&contact_id=x&assignee_id=-1&page=0"),
    ).toEqual(["assignee_id", "channel", "contact_id", "page", "status"]);
  });

  it("has pages that do not drift while conversations are added", async () => {
    for (let index = 1; index <= 5; index++) await made("/conversations", { subject: `drift ${index}` });
    const all = await everyPage("/conversations?per_page=2&search=drift", () =>
      made("/conversations", { subject: "drift later" }),
    );
    expect(all.map(({ subject }) => subject)).toEqual(["drift 5", "drift 4", "drift 3", "drift 2", "drift 1"]);
  });
});

describe("a conversation", () => {
  it("is read by id and by uuid, and by nobody else", async () => {
    const conversation = await made("/conversations", { subject: "Mine" });
    expect((await got(`/conversations/${conversation.id}`)).data).toEqual(conversation);
    expect((await got(`/conversations/${conversation.uuid}`)).data).toEqual(conversation);
    const { key } = await parley.createWorkspace();
    const unknown = await parley.call("GET", "/conversations/999999999");
    for (const method of ["GET", "PATCH", "DELETE"])
      for (const ref of [conversation.id, conversation.uuid]) {
        const body = method === "PATCH" ? { body: { status: "wrong" } } : {};
        const foreign = await parley.call(method, `/conversations/${ref}`, { key, ...body });
        expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
      }
    expect((await got(`/conversations?contact_id=${conversation.contact.id}`, { key })).data).toEqual([]);
    expect((await got(`/conversations/${conversation.id}`)).data).toEqual(conversation);
  });

  it("is changed field by field; an empty subject clears it", async () => {
    const conversation = await made("/conversations", { subject: "Old", labels: ["a"], attributes: { a: 1 } });
    const path = `/conversations/${conversation.id}`;
    const changed = await patched(path, { labels: [" b ", "b"], subject: null, id: 7 });
    expect(changed).toEqual({ ...conversation, labels: ["b"], updated_at: changed.updated_at });
    expect(await patched(path, { subject: "", labels: [], attributes: { b: 2 } })).toMatchObject({
      subject: null,
      labels: [],
      attributes: { b: 2 },
    });
  });

  it("is assigned to members of the workspace, by id or uuid, and to nobody by 0", async () => {
    const path = `/conversations/${(await made("/conversations")).id}`;
    const member = await createMember("Member");
    const stranger = await createMember("Stranger", null);
    const { id: otherWorkspace } = await parley.createWorkspace();
    const foreign = await createMember("Foreign", otherWorkspace);
    expect((await patched(path, { assignee_id: member.uuid })).assignee).toEqual(member);
    expect((await patched(path, { assignee_id: null, subject: "x" })).assignee).toEqual(member);
    const refusals = await Promise.all(
      [stranger.id, foreign.id, foreign.uuid, 999_999_999].map((assignee_id) =>
        parley.call("PATCH", path, { body: { assignee_id } }),
      ),
    );
    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1);
    expect((await patched(path, { assignee_id: 0 })).assignee).toBeNull();
  });

  it("keeps both of two concurrent edits of different fields, while messages are added", async () => {
    const { id } = await made("/conversations");
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        patched(`/conversations/${id}`, { subject: `subject ${round}` }),
        patched(`/conversations/${id}`, { labels: [`label ${round}`] }),
        made(`/conversations/${id}/messages`, { body: "x" }),
      ]);
      const { data } = await got(`/conversations/${id}`);
      expect(data).toMatchObject({ subject: `subject ${round}`, labels: [`label ${round}`] });
    }
    expect((await got(`/conversations/${id}/messages`)).data[0].seq).toBe(10);
  });

  it("takes its messages with it when it is deleted", async () => {
    const { message: _message, ...conversation } = await made("/conversations", { message: { body: "x" } });
    const gone = await parley.call("DELETE", `/conversations/${conversation.id}`);
    expect([gone.status, gone.body.data]).toEqual([200, conversation]);
    expect((await parley.call("GET", `/conversations/${conversation.id}`)).status).toBe(404);
    expect((await parley.call("GET", `/conversations/${conversation.id}/messages`)).status).toBe(404);
    const left = await parley.database.query("select 1 from messages where conversation_id = $1", [conversation.id]);
    expect(left).toEqual([]);
  });
});

describe("events of conversations", () => {
  it("are about contact, conversation and message in this order, as the response shows them", async () => {
    let opened: Any;
    const events = await eventsOf(async () => {
      opened = await made("/conversations", { contact: { name: "Ada" }, message: { body: "Hi" } });
    });
    const { message, ...conversation } = opened;
    expect((await got(`/conversations/${conversation.id}/messages`)).data).toEqual([message]);
    const actor = await thisKey();
    expect(events.map(({ type, data, actor: by }) => [type, data, by])).toEqual([
      ["contact.created", conversation.contact, actor],
      ["conversation.created", conversation, actor],
      ["message.created", message, actor],
    ]);
  });

  it.each([
    [{ subject: "New" }, ["conversation.updated"]],
    [{ labels: ["new"] }, ["conversation.updated"]],
    [{ attributes: { new: true } }, ["conversation.updated"]],
    [{ channel: "widget" }, ["conversation.updated"]],
    [{ status: "resolved" }, ["conversation.status_changed"]],
    [{ subject: "New", status: "snoozed" }, ["conversation.updated", "conversation.status_changed"]],
    [{}, []],
    [
      { subject: "Old", labels: ["old"], attributes: { b: 1, a: 2 }, status: "open", assignee_id: 0, channel: "api" },
      [],
    ],
  ])("of a change of %j are %j", async (patch, types) => {
    const { id } = await made("/conversations", { subject: "Old", labels: ["old"], attributes: { a: 2, b: 1 } });
    let after: Any;
    const events = await eventsOf(async () => {
      after = await patched(`/conversations/${id}`, patch);
    });
    expect(events.map(({ type }) => type)).toEqual(types);
    for (const { data } of events) expect(data).toEqual(after);
  });

  it("report an assignment, a reassignment and an unassignment", async () => {
    const { id } = await made("/conversations");
    const [one, two] = [await createMember("One"), await createMember("Two")];
    const events = await eventsOf(async () => {
      await patched(`/conversations/${id}`, { assignee_id: one.id });
      await patched(`/conversations/${id}`, { assignee_id: one.uuid });
      await patched(`/conversations/${id}`, { assignee_id: two.id, status: "pending" });
      await patched(`/conversations/${id}`, { assignee_id: 0 });
    });
    expect(events.map(({ type, data }) => [type, data.assignee?.name ?? null])).toEqual([
      ["conversation.assigned", "One"],
      ["conversation.assigned", "Two"],
      ["conversation.status_changed", "Two"],
      ["conversation.assigned", null],
    ]);
  });

  it("are about a deletion once, with the last state", async () => {
    const { message: _message, ...conversation } = await made("/conversations", { message: { body: "x" } });
    const events = await eventsOf(() => parley.call("DELETE", `/conversations/${conversation.id}`));
    expect(events.map(({ type, data }) => [type, data])).toEqual([["conversation.deleted", conversation]]);
  });

  it("are not there for a change that failed", async () => {
    const { id } = await made("/conversations");
    const events = await eventsOf(async () => {
      await parley.call("PATCH", `/conversations/${id}`, { body: { subject: "x", assignee_id: 999_999 } });
      await parley.call("POST", "/conversations", { body: { contact: { name: "x" }, assignee_id: 999_999 } });
    });
    expect(events).toEqual([]);
  });
});

describe("scopes of conversations", () => {
  it("are each required for their own operation", async () => {
    const { id } = await made("/conversations");
    const reader = await parley.createKey({ type: "limited", abilities: ["conversations:read"] });
    const writer = await parley.createKey({ type: "limited", abilities: ["conversations:write"] });
    const bot = await parley.createKey({ type: "bot" });
    const webhook = await parley.createKey({ type: "webhook" });
    const statuses = async (key: string) => [
      (await parley.call("GET", "/conversations", { key })).status,
      (await parley.call("GET", `/conversations/${id}`, { key })).status,
      (await parley.call("POST", "/conversations", { key, body: {} })).status,
      (await parley.call("PATCH", `/conversations/${id}`, { key, body: {} })).status,
    ];
    expect(await statuses(reader.key)).toEqual([200, 200, 403, 403]);
    expect(await statuses(writer.key)).toEqual([403, 403, 201, 200]);
    expect(await statuses(bot.key)).toEqual([200, 200, 201, 200]);
    expect(await statuses(webhook.key)).toEqual([403, 403, 403, 403]);
    expect((await parley.call("DELETE", `/conversations/${id}`, { key: reader.key })).status).toBe(403);
    expect((await parley.call("DELETE", `/conversations/${id}`, { key: writer.key })).status).toBe(200);
  });
});
