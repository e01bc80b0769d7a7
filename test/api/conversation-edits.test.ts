import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const { made, got, patched, eventsOf, wrongFields } = wordsOf(() => parley);
const bulk = (body: object, headers: Record<string, string> = {}) =>
  parley.call("POST", "/conversations/bulk", { body, headers });

describe("POST /conversations/bulk", () => {
  it("changes each conversation with its own events, and reports those that it could not change", async () => {
    const first = await made("/conversations", { labels: ["old", "both"] });
    const second = await made("/conversations", { labels: ["old"], status: "resolved" });
    const full = await made("/conversations", { labels: Array.from({ length: 50 }, (_, n) => `l${n}`) });
    const ids = [full.id, 999_999_999, second.uuid, first.id, first.id];
    const set = { status: "resolved", priority: "high", add_labels: ["new"], remove_labels: ["old"] };
    let result: Any;
    const events = await eventsOf(async () => {
      result = (await bulk({ ids, set })).body.data;
    });
    expect(result.updated).toEqual(expect.arrayContaining([first.id, second.id]));
    expect(result.updated).toHaveLength(2);
    expect(result.failed.map(({ id, code }: Any) => [id, code])).toEqual(
      expect.arrayContaining([
        [999_999_999, "NOT_FOUND"],
        [full.id, "VALIDATION_ERROR"],
      ]),
    );
    const types = (id: number) => events.filter(({ data }) => data.id === id).map(({ type }) => type);
    expect(types(first.id)).toEqual(["conversation.updated", "conversation.status_changed"]);
    expect(types(second.id)).toEqual(["conversation.updated"]);
    expect(events).toHaveLength(3);
    expect((await got(`/conversations/${first.id}`)).data.labels).toEqual(["both", "new"]);
    const { key } = await parley.createWorkspace();
    const foreign = await parley.call("POST", "/conversations/bulk", { key, body: { ids: [first.id], set } });
    expect(foreign.body.data).toMatchObject({ updated: [], failed: [{ id: first.id, code: "NOT_FOUND" }] });
  });

  it("changes a conversation that is named by its id and by its uuid once", async () => {
    const [first, second] = [await made("/conversations"), await made("/conversations")];
    const ids = [second.uuid, first.id, first.uuid.toUpperCase(), second.id, first.id];
    const { body } = await parley.call("POST", "/conversations/bulk", { body: { ids, set: { status: "pending" } } });
    expect(body.data).toEqual({ updated: [first.id, second.id], failed: [] });
  });

  it("refuses an empty change, an unknown member, a snooze in the past and over 100 ids as a whole", async () => {
    const { id } = await made("/conversations");
    const wrong: [object, string[]][] = [
      [{ ids: [id], set: {} }, ["set"]],
      [{ ids: [id], set: { status: null } }, ["set"]],
      [{ ids: [id], set: { status: "resolved", assignee_id: 999_999 } }, ["set"]],
      [{ ids: [id], set: { status: "snoozed", snoozed_until: "2020-01-01" } }, ["set"]],
      [{ ids: [], set: { status: "odd", priority: 3 } }, ["ids", "set"]],
      [{ ids: Array(101).fill(id), set: { status: "resolved" } }, ["ids"]],
      [{ ids: [String(id)], set: { status: "resolved" } }, ["ids"]],
    ];
    for (const [body, fields] of wrong) expect(await wrongFields("POST", "/conversations/bulk", body)).toEqual(fields);
    expect((await got(`/conversations/${id}`)).data.status).toBe("open");
  });
});

describe("If-Match", () => {
  const etagOf = async (path: string): Promise<string> =>
    (await parley.call("GET", path)).headers.get("etag") ?? "none";
  const patch = (path: string, body: object, etag: string) =>
    parley.call("PATCH", path, { body, headers: { "if-match": etag } });

  it("refuses a change of a conversation that has changed in the meantime, and accepts messages", async () => {
    const { id } = await made("/conversations");
    const path = `/conversations/${id}`;
    const etag = await etagOf(path);
    await made(`${path}/messages`, { body: "Hello", direction: "in" });
    const first = await patch(path, { subject: "mine" }, etag);
    expect([first.status, first.headers.get("etag")]).toEqual([200, await etagOf(path)]);
    const second = await patch(path, { subject: "yours" }, etag);
    expect([second.status, second.body.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect((await got(path)).data.subject).toBe("mine");
    expect((await patched(path, { subject: "last" })).subject).toBe("last");
  });

  it("lets one of two concurrent changes of a contact succeed", async () => {
    const path = `/contacts/${(await made("/contacts", { name: "Ada" })).id}`;
    const etag = await etagOf(path);
    const replies = await Promise.all(["a", "b"].map((name) => patch(path, { name }, etag)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
  });
});

describe("what a caller may see", () => {
  it("is id, uuid and what the request wrote without the read scope, and contacts without theirs", async () => {
    const keyFor = async (...abilities: string[]) => (await parley.createKey({ type: "limited", abilities })).key;
    const contact = await made("/contacts", { external_id: "known", email: "ada@example.com" });
    const writer = await keyFor("conversations:write", "messages:write");
    const body = { contact: { external_id: "known" }, subject: "x", message: { body: "Hi" } };
    const opened = await parley.call("POST", "/conversations", { key: writer, body });
    expect(opened.status).toBe(201);
    expect(opened.body.data).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      subject: "x",
      contact: { id: contact.id, uuid: contact.uuid },
      message: { id: expect.any(Number), uuid: expect.any(String), body: "Hi" },
    });
    const path = `/conversations/${opened.body.data.id}`;
    const reader = await keyFor("conversations:read");
    const seen = (await parley.call("GET", path, { key: reader })).body.data;
    expect(seen.contact).toEqual({ id: contact.id, uuid: contact.uuid });
    expect([seen.last_message, seen.last_message_at]).toEqual([null, expect.any(String)]);
    const listed = (await parley.call("GET", "/conversations", { key: reader })).body.data;
    expect(listed[0]).toEqual(seen);
    const written = await parley.call("POST", `${path}/messages`, { key: writer, body: { body: "Again" } });
    expect(Object.keys(written.body.data).sort()).toEqual(["body", "id", "uuid"]);
    const contacts = await keyFor("contacts:write");
    const deleted = await parley.call("DELETE", `/contacts/${(await made("/contacts")).id}`, { key: contacts });
    expect(Object.keys(deleted.body.data).sort()).toEqual(["id", "uuid"]);
  });

  it("creates an inline contact only with contacts:write", async () => {
    const bot = await parley.createKey({ type: "bot" });
    const open = (body: object) => parley.call("POST", "/conversations", { key: bot.key, body });
    for (const contact of [{ name: "New" }, { external_id: "unknown" }]) {
      const refused = await open({ contact });
      expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
    }
    const { id } = await made("/contacts", { external_id: "met before" });
    expect((await open({ contact: { external_id: "met before" } })).body.data.contact.id).toBe(id);
    expect((await open({})).status).toBe(201);
    expect((await open({ contact: { name: null } })).status).toBe(201);
  });
});

describe("PATCH", () => {
  it("refuses another contact, direction or conversation, and takes the stored one", async () => {
    const { id, contact, message } = await made("/conversations", { message: { body: "x" } });
    const other = await made("/contacts");
    const path = `/conversations/${id}`;
    expect(await wrongFields("PATCH", path, { contact_id: other.id, subject: "x" })).toEqual(["contact_id"]);
    expect((await patched(path, { contact_id: contact.uuid, subject: "y" })).subject).toBe("y");
    const item = `${path}/messages/${message.id}`;
    expect(await wrongFields("PATCH", item, { direction: "in", conversation_id: id + 1 })).toEqual([
      "conversation_id",
      "direction",
    ]);
    expect((await patched(item, { direction: "out", conversation_id: id, body: "y" })).body).toBe("y");
  });

  it("that changes nothing leaves updated_at and causes no event", async () => {
    const conversation = await made("/conversations", { subject: "x", labels: ["a"], message: { body: "m" } });
    const path = `/conversations/${conversation.id}`;
    await parley.database.query("update conversations set updated_at = '2020-01-01' where id = $1", [conversation.id]);
    const events = await eventsOf(async () => {
      const same = await patched(path, { subject: "x", labels: ["a"], status: "open", priority: "" });
      expect(same.updated_at).toBe("2020-01-01T00:00:00+00:00");
      await patched(`${path}/messages/${conversation.message.id}`, { body: "m" });
      await patched(`/contacts/${conversation.contact.id}`, { name: "" });
    });
    expect(events).toEqual([]);
  });

  it("and POST report all problems inside arrays and nested objects at once", async () => {
    const attachments = [{ url: "ftp://a" }, { url: 5, size_bytes: -1 }, { name: "no url" }];
    const { body } = await parley.call("POST", "/conversations", {
      body: { labels: ["", 3], contact: { email: "no", name: 7 }, message: { direction: "up", attachments } },
    });
    expect(body.error.details).toEqual({
      labels: ["labels[0] must not be empty.", "labels[1] must be a string."],
      contact: expect.arrayContaining(["contact.name must be a string.", "contact.email must be an e-mail address."]),
      message: expect.arrayContaining([
        "message.direction must be one of: in, out.",
        "message.attachments[0].url must be an http or https URL.",
        "message.attachments[1].url must be a string.",
        "message.attachments[1].size_bytes must be at least 0.",
        "message.attachments[2] must have either file_id or url.",
      ]),
    });
  });

  it("and POST report items of a wrong type together with items of a wrong value, by their positions", async () => {
    const key = await parley.call("POST", "/api-keys", {
      body: { name: "n", abilities: ["webhook:manage", 1], allowed_ips: [5, "1.2.3.4/33", "10.0.0.0/8"] },
    });
    expect(key.body.error.details).toEqual({
      abilities: [
        "abilities[1] must be a string.",
        'abilities[0] ("webhook:manage") is not a known ability. Did you mean webhooks:manage?',
      ],
      allowed_ips: ["allowed_ips[0] must be a string.", "allowed_ips[1] must be an address or a CIDR."],
    });
    const webhook = await parley.call("POST", "/webhooks", {
      body: { name: "n", url: "https://example.com", events: ["message.created", null, "mesage.*"] },
    });
    expect(webhook.body.error.details).toEqual({
      events: ["events[1] must be a string.", 'events[2] ("mesage.*") is not a known event. Did you mean message.*?'],
    });
  });

  it("and POST say one sentence about a value that is not allowed, also where its type is wrong", async () => {
    for (const wrong of [3, true, "nope"]) {
      const key = await parley.call("POST", "/api-keys", { body: { name: "n", type: wrong } });
      expect(key.body.error.details).toEqual({ type: ["type must be one of: full, limited, webhook, bot."] });
      const conversation = await parley.call("POST", "/conversations", { body: { priority: wrong } });
      expect(conversation.body.error.details).toEqual({
        priority: ["priority must be one of: low, medium, high, urgent."],
      });
    }
  });

  it("and POST say the same about everything that cannot be an id", async () => {
    for (const contact_id of ["abc", "3", 1.5, -1, {}, true]) {
      const { status, body } = await parley.call("POST", "/conversations", { body: { contact_id } });
      expect([status, body.error.details]).toEqual([
        422,
        { contact_id: ["contact_id must be an integer id or a uuid."] },
      ]);
    }
  });
});
