import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const { made, eventsAfter, everyPage, thisKey } = wordsOf(() => parley);
const openConversation = (body: object = {}) => made("/conversations", body);

describe("POST /conversations/{conversation}/messages", () => {
  it("writes a message from the key by default, with every documented field", async () => {
    const { id } = await openConversation();
    const message = await made(`/conversations/${id}/messages`, { body: "Hello" });
    expect(message).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      conversation_id: id,
      seq: 1,
      direction: "out",
      sender: { type: "api_key", id: expect.any(Number), name: expect.any(String) },
      private: false,
      body: "Hello",
      attachments: [],
      mentions: [],
      email: null,
      quoted: null,
      delivery: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      updated_at: message.created_at,
    });
    const conversation = (await parley.call("GET", `/conversations/${id}`)).body.data;
    expect(conversation.last_message_at).toBe(message.created_at);
  });

  it("sends in the contact's name when the direction is in", async () => {
    const { id, contact } = await openConversation({ contact: { name: "Ada" } });
    const message = await made(`/conversations/${id}/messages`, { body: "Hi", direction: "in" });
    expect(message.sender).toEqual({ type: "contact", id: contact.id, name: "Ada" });
  });

  it("sends as a bot with a bot key", async () => {
    const key = await parley.createKey({ name: "Robo", type: "bot" });
    const { id } = await openConversation();
    const { body } = await parley.call("POST", `/conversations/${id}/messages`, {
      key: key.key,
      body: { body: "Beep" },
    });
    expect(body.data.sender).toEqual({ type: "bot", id: key.id, name: "Robo" });
  });

  it("takes attachments, with or without a body, and fills in what they leave out", async () => {
    const { uuid } = await openConversation();
    const message = await made(`/conversations/${uuid}/messages`, {
      attachments: [
        { url: "https://files.example.com/A b.pdf", name: "a.pdf", content_type: "application/pdf", size_bytes: 12 },
        { url: "http://files.example.com/b", name: null, extra: 1 },
      ],
    });
    expect(message.body).toBe("");
    expect(message.attachments).toEqual([
      { url: "https://files.example.com/A b.pdf", name: "a.pdf", content_type: "application/pdf", size_bytes: 12 },
      { url: "http://files.example.com/b", name: null, content_type: null, size_bytes: null },
    ]);
  });

  it("reports all wrong fields at once", async () => {
    const { id } = await openConversation();
    const { status, body } = await parley.call("POST", `/conversations/${id}/messages`, {
      body: { body: 1, direction: "up", private: "yes", attachments: [{ url: "ftp://x" }] },
    });
    expect(status).toBe(422);
    expect(Object.keys(body.error.details).sort()).toEqual(["attachments", "body", "direction", "private"]);
  });

  it.each([
    ["no body", {}, "body"],
    ["an empty body", { body: "" }, "body"],
    ["a body of white space", { body: " \n\t\u00a0" }, "body"],
    ["a body of 65,537 characters", { body: "x".repeat(65_537) }, "body"],
    ["a private message of the contact", { body: "x", private: true, direction: "in" }, "private"],
    ["21 attachments", { attachments: Array(21).fill({ url: "https://a.example" }) }, "attachments"],
    ["an attachment without a url", { attachments: [{ name: "a" }] }, "attachments"],
    ["a url of 2,049 characters", { attachments: [{ url: `https://a.example/${"x".repeat(2_031)}` }] }, "attachments"],
    ["a script for a url", { attachments: [{ url: "javascript:alert(1)" }] }, "attachments"],
    ["a negative size", { attachments: [{ url: "https://a.example", size_bytes: -1 }] }, "attachments"],
  ])("refuses %s", async (_what, body, field) => {
    const { id } = await openConversation();
    const reply = await parley.call("POST", `/conversations/${id}/messages`, { body });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details)).toEqual([field]);
    expect(reply.body.error.details[field], "one problem, one sentence").toHaveLength(1);
  });

  it("takes a body of 65,536 characters", async () => {
    const { id } = await openConversation();
    const body = "é".repeat(65_536);
    expect((await made(`/conversations/${id}/messages`, { body })).body).toBe(body);
  });

  it("gives numbers without gaps to 50 writers at once, in the order of ids", async () => {
    const { id } = await openConversation();
    const seqs = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, index) => (await made(`/conversations/${id}/messages`, { body: `m${index}` })).seq,
      ),
    );
    expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    const { body } = await parley.call("GET", `/conversations/${id}/messages?per_page=100`);
    expect(body.data.map((message: Any) => message.seq)).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index));
    const ids = body.data.map((message: Any) => message.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
  });

  it("leaves no gap when a writer fails", async () => {
    const { id } = await openConversation();
    await Promise.all([
      made(`/conversations/${id}/messages`, { body: "a" }),
      parley.call("POST", `/conversations/${id}/messages`, { body: { body: "" } }),
      made(`/conversations/${id}/messages`, { body: "b" }),
    ]);
    expect((await made(`/conversations/${id}/messages`, { body: "c" })).seq).toBe(3);
  });
});

describe("Idempotency-Key", () => {
  const post = (id: number, key: string, body: object) =>
    parley.call("POST", `/conversations/${id}/messages`, { body, headers: { "idempotency-key": key } });

  it("gives the same response to the same body, and creates one message", async () => {
    const { id } = await openConversation();
    const first = await post(id, "once", { body: "a" });
    const second = await post(id, "once", { body: "a" });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect((await parley.call("GET", `/conversations/${id}/messages`)).body.meta.pagination.total).toBe(1);
  });

  it("lets concurrent repeats wait for the first", async () => {
    const { id } = await openConversation();
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(id, "many", { body: "a" })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    expect((await parley.call("GET", `/conversations/${id}/messages`)).body.data).toHaveLength(1);
  });

  it("responds with 409 to another body", async () => {
    const { id } = await openConversation();
    await post(id, "twice", { body: "a" });
    const { status, body } = await post(id, "twice", { body: "b" });
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
  });

  it("repeats the response even if the conversation has been deleted by then", async () => {
    const { id } = await openConversation();
    const first = await post(id, "gone", { body: "a" });
    await parley.call("DELETE", `/conversations/${id}`);
    expect((await post(id, "gone", { body: "a" })).body).toEqual(first.body);
    expect((await post(id, "new", { body: "a" })).status).toBe(404);
  });
});

describe("GET /conversations/{conversation}/messages", () => {
  let id: number;
  beforeAll(async () => {
    id = (await openConversation()).id;
    await made(`/conversations/${id}/messages`, { body: "Plain 100% sure", direction: "in" });
    await made(`/conversations/${id}/messages`, { body: "a_b" });
    await made(`/conversations/${id}/messages`, { body: "note to self", private: true });
  });
  const bodies = async (query: string) =>
    (await parley.call("GET", `/conversations/${id}/messages?${query}`)).body.data.map((message: Any) => message.body);

  it.each([
    ["", ["note to self", "a_b", "Plain 100% sure"]],
    ["direction=in", ["Plain 100% sure"]],
    ["direction=out", ["note to self", "a_b"]],
    ["private=true", ["note to self"]],
    ["private=0", ["a_b", "Plain 100% sure"]],
    ["search=PLAIN", ["Plain 100% sure"]],
    ["search=0%25", ["Plain 100% sure"]],
    ["search=%25", ["Plain 100% sure"]],
    ["search=_", ["a_b"]],
    ["search=", ["note to self", "a_b", "Plain 100% sure"]],
    ["updated_since=2999-01-01T00:00:00Z", []],
    ["updated_since=2020-01-01", ["note to self", "a_b", "Plain 100% sure"]],
  ])("filters by %s", async (query, expected) => {
    expect(await bodies(query)).toEqual(expected);
  });

  it("ends a page by cursor after 2 MiB of text, and refuses a numbered page of more than 8 MiB", async () => {
    const large = (await openConversation()).id;
    // 196,608 bytes each: as long as a message may be.
    for (let i = 0; i < 45; i++) await made(`/conversations/${large}/messages`, { body: "一".repeat(65_536) });
    const path = `/conversations/${large}/messages`;
    const pages: number[] = [];
    const seen: number[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await parley.call("GET", `${path}?limit=25${cursor && `&cursor=${cursor}`}`);
      pages.push(body.data.length);
      seen.push(...body.data.map(({ seq }: Any) => seq));
      expect(body.meta.has_more).toBe(body.meta.next_cursor !== null);
      cursor = body.meta.next_cursor;
    }
    expect(pages).toEqual([11, 11, 11, 11, 1]);
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => 45 - index));
    expect((await parley.call("GET", `${path}?per_page=25`)).body.data).toHaveLength(25);
    const refused = await parley.call("GET", `${path}?per_page=100`);
    expect([refused.status, refused.body.error.details]).toEqual([
      422,
      { per_page: [expect.stringMatching(/more than 8 MiB\. Ask for fewer, or use limit and cursor\.$/)] },
    ]);
    const transcript = await fetch(`${parley.url}/api/v1${path.replace("messages", "transcript")}`, {
      headers: { authorization: `Bearer ${parley.key}` },
    });
    const text = await transcript.text();
    expect(text.split("一".repeat(65_536))).toHaveLength(23);
  });

  it.each(["direction=up", "private=maybe", "updated_since=soon", "page=0", "per_page=101"])(
    "refuses %s",
    async (query) => {
      const { status, body } = await parley.call("GET", `/conversations/${id}/messages?${query}`);
      expect(status).toBe(422);
      expect(Object.keys(body.error.details)).toEqual([query.split("=")[0]]);
    },
  );

  it("has pages that do not drift while messages are added, with numeric ids in the links", async () => {
    const { id: conversation, uuid } = await openConversation();
    for (let index = 1; index <= 5; index++)
      await made(`/conversations/${conversation}/messages`, { body: `m${index}` });
    const first = (await parley.call("GET", `/conversations/${uuid}/messages?per_page=2`)).body;
    expect(first.links.next).toContain(`/api/v1/conversations/${conversation}/messages?`);
    const all = await everyPage(`/conversations/${uuid}/messages?per_page=2`, () =>
      made(`/conversations/${conversation}/messages`, { body: "later" }),
    );
    const seen = all.map((message) => message.body);
    expect(seen).toEqual(["m5", "m4", "m3", "m2", "m1"]);
  });
});

describe("a message", () => {
  it("is read by id and by uuid", async () => {
    const { id, uuid } = await openConversation();
    const message = await made(`/conversations/${id}/messages`, { body: "a" });
    for (const path of [`${id}/messages/${message.id}`, `${uuid}/messages/${message.uuid}`])
      expect((await parley.call("GET", `/conversations/${path}`)).body.data).toEqual(message);
  });

  it("does not exist in another conversation or workspace, as if its id were unknown", async () => {
    const { id } = await openConversation();
    const other = await openConversation();
    const { key } = await parley.createWorkspace();
    const message = await made(`/conversations/${id}/messages`, { body: "a" });
    const unknown = await parley.call("GET", `/conversations/${id}/messages/999999999`);
    expect(unknown.status).toBe(404);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { body: {} } : {};
      const inOther = await parley.call(method, `/conversations/${other.id}/messages/${message.id}`, body);
      const foreign = await parley.call(method, `/conversations/${id}/messages/${message.uuid}`, { key, ...body });
      expect([inOther.status, inOther.body]).toEqual([404, unknown.body]);
      expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    }
    for (const method of ["GET", "POST"]) {
      const foreign = await parley.call(method, `/conversations/${id}/messages`, {
        key,
        ...(method === "POST" ? { body: { body: "a" } } : {}),
      });
      const missing = await parley.call(
        method,
        "/conversations/999999999/messages",
        method === "POST" ? { body: { body: "a" } } : {},
      );
      expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    }
    expect((await parley.call("GET", `/conversations/${id}/messages`)).body.data).toEqual([message]);
  });

  it("is changed field by field", async () => {
    const { id } = await openConversation();
    const message = await made(`/conversations/${id}/messages`, {
      body: "a",
      attachments: [{ url: "https://a.example" }],
    });
    const path = `/conversations/${id}/messages/${message.id}`;
    const patched = (await parley.call("PATCH", path, { body: { body: "b", private: true, seq: 9 } })).body.data;
    expect(patched).toEqual({ ...message, body: "b", private: true, updated_at: patched.updated_at });
    expect((await parley.call("PATCH", path, { body: { attachments: [] } })).body.data.attachments).toEqual([]);
    const emptied = await parley.call("PATCH", path, { body: { body: " " } });
    expect(Object.keys(emptied.body.error.details)).toEqual(["body"]);
  });

  it("of the contact cannot become a private note", async () => {
    const { id } = await openConversation();
    const message = await made(`/conversations/${id}/messages`, { body: "a", direction: "in" });
    const reply = await parley.call("PATCH", `/conversations/${id}/messages/${message.id}`, {
      body: { private: true },
    });
    expect([reply.status, Object.keys(reply.body.error.details)]).toEqual([422, ["private"]]);
  });

  it("keeps both of two concurrent edits of different fields", async () => {
    const { id } = await openConversation();
    const message = await made(`/conversations/${id}/messages`, { body: "a" });
    const path = `/conversations/${id}/messages/${message.id}`;
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        parley.call("PATCH", path, { body: { body: `b${round}` } }),
        parley.call("PATCH", path, { body: { private: round % 2 === 0 } }),
      ]);
      const { data } = (await parley.call("GET", path)).body;
      expect([data.body, data.private]).toEqual([`b${round}`, round % 2 === 0]);
    }
  });

  it("keeps its number from being reused when it is deleted", async () => {
    const { id } = await openConversation();
    const message = await made(`/conversations/${id}/messages`, { body: "a" });
    const path = `/conversations/${id}/messages/${message.id}`;
    const deleted = await parley.call("DELETE", path);
    expect([deleted.status, deleted.body.data]).toEqual([200, message]);
    expect((await parley.call("GET", path)).status).toBe(404);
    expect((await parley.call("DELETE", path)).status).toBe(404);
    expect((await made(`/conversations/${id}/messages`, { body: "b" })).seq).toBe(2);
  });
});

describe("events of messages", () => {
  it("report each change once, with the record as the API returns it, and who did it", async () => {
    const { id, contact } = await openConversation({ contact: { name: "Ada" } });
    const actor = await thisKey();
    const { cursor } = await eventsAfter();
    const message = await made(`/conversations/${id}/messages`, { body: "a" });
    const path = `/conversations/${id}/messages/${message.id}`;
    const patched = (await parley.call("PATCH", path, { body: { body: "b" } })).body.data;
    await parley.call("PATCH", path, { body: { body: "b" } });
    await parley.call("PATCH", path, { body: {} });
    await parley.call("DELETE", path);
    const received = await made(`/conversations/${id}/messages`, { body: "c", direction: "in" });
    const { events } = await eventsAfter(cursor);
    expect(events.map(({ type, data, actor: by }) => [type, data, by])).toEqual([
      ["message.created", message, actor],
      ["message.updated", patched, actor],
      ["message.deleted", patched, actor],
      ["message.created", received, { type: "contact", id: contact.id, name: "Ada" }],
    ]);
  });
});

describe("the event of a new message", () => {
  it("has the message as the API returned it, whatever is in it", async () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }).filter((sample) => sample.trim() !== ""),
      fc.constantFrom('%s "quoted" \\ \n\t', "{}%1$s", "\u0001\u001f\u2028</script>", "'; drop table messages; --"),
    );
    const message = fc.record({
      body: text,
      direction: fc.constantFrom("in", "out"),
      attachments: fc.array(fc.record({ url: fc.webUrl(), name: fc.option(text), size_bytes: fc.option(fc.nat()) }), {
        maxLength: 3,
      }),
    });
    const named = await openConversation({ contact: { name: 'A "B" \\ %s' } });
    const nameless = await openConversation();
    const note = { body: "a note", private: true };
    const { cursor } = await eventsAfter();
    const written = [await made(`/conversations/${named.id}/messages`, note)];
    for (const [index, body] of fc.sample(message, 60).entries())
      written.push(await made(`/conversations/${index % 2 ? named.id : nameless.uuid}/messages`, body));
    const { events } = await eventsAfter(cursor);
    expect(events.map(({ data }) => data)).toEqual(written);
  });
});

describe("scopes of messages", () => {
  it("are each required for their own operation", async () => {
    const { id } = await openConversation();
    const message = await made(`/conversations/${id}/messages`, { body: "a" });
    const reader = await parley.createKey({ type: "limited", abilities: ["messages:read"] });
    const writer = await parley.createKey({ type: "limited", abilities: ["messages:write"] });
    const list = `/conversations/${id}/messages`;
    const status = async (key: string, method: string, path: string) =>
      (await parley.call(method, path, { key, ...(method === "GET" ? {} : { body: { body: "b" } }) })).status;
    expect(await status(reader.key, "GET", list)).toBe(200);
    expect(await status(reader.key, "POST", list)).toBe(403);
    expect(await status(reader.key, "PATCH", `${list}/${message.id}`)).toBe(403);
    expect(await status(writer.key, "GET", list)).toBe(403);
    expect(await status(writer.key, "POST", list)).toBe(201);
    expect(await status(writer.key, "DELETE", `${list}/${message.id}`)).toBe(200);
  });
});
