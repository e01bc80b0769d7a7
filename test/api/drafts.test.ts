import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, join, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let owner: Browser;
let agent: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
});
afterAll(() => parley.close());

const { made, got, patched, eventsOf, thisKey, wrongFields } = wordsOf(() => parley);
const opened = async (): Promise<string> => `/conversations/${(await made("/conversations")).id}`;
const api = (browser: Browser, method: string, path: string, body?: object) =>
  browser.call(method, `//api/v1${path}`, body);

describe("a suggestion of a key", () => {
  it("is visible to every member, with events, and every documented field", async () => {
    const path = `${await opened()}/drafts`;
    let draft: Any;
    const created = await eventsOf(async () => {
      draft = await made(path, { body: "Try turning it off and on" });
    });
    const author = await thisKey();
    expect(draft).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      conversation_id: expect.any(Number),
      author,
      body: "Try turning it off and on",
      private: false,
      attachments: [],
      created_at: expect.stringMatching(/\+00:00$/),
      updated_at: draft.created_at,
    });
    expect(created.map(({ type, data, actor }) => [type, data, actor])).toEqual([["draft.created", draft, author]]);
    for (const browser of [owner, agent]) expect((await api(browser, "GET", path)).body.data).toEqual([draft]);
    const changed = await eventsOf(() => api(agent, "PATCH", `${path}/${draft.id}`, { body: "Restart it" }));
    expect(changed.map(({ type, data }) => [type, data.body])).toEqual([["draft.updated", "Restart it"]]);
    const gone = await eventsOf(() => api(agent, "DELETE", `${path}/${draft.uuid}`));
    expect(gone.map(({ type }) => type)).toEqual(["draft.deleted"]);
    expect((await got(path)).data).toEqual([]);
  });

  it("must say something, and there are at most 100 in a conversation", async () => {
    const path = `${await opened()}/drafts`;
    expect(await wrongFields("POST", path, {})).toEqual(["body"]);
    const draft = await made(path, { body: "x" });
    for (const body of ["", " \n"])
      expect(await wrongFields("PATCH", `${path}/${draft.id}`, { body })).toEqual(["body"]);
    await parley.database.query(
      `insert into drafts (workspace_id, uuid, conversation_id, author_type, author_id, body)
       select workspace_id, gen_random_uuid(), conversation_id, author_type, author_id, body
       from drafts, generate_series(1, 99) where id = $1`,
      [draft.id],
    );
    expect(await wrongFields("POST", path, { body: "x" })).toEqual(["drafts"]);
  });

  it("stays in its conversation: another conversation_id is refused, its own is accepted in both forms", async () => {
    const conversation = await made("/conversations");
    const other = await made("/conversations");
    const draft = await made(`/conversations/${conversation.id}/drafts`, { body: "x" });
    const item = `/conversations/${conversation.id}/drafts/${draft.id}`;
    for (const conversation_id of [other.id, other.uuid, 999_999_999]) {
      expect(await wrongFields("PATCH", item, { conversation_id, body: "y" })).toEqual(["conversation_id"]);
      expect(await wrongFields("PATCH", item, { conversation_id, body: " " })).toEqual(["body", "conversation_id"]);
    }
    expect((await got(item)).data).toEqual(draft);
    for (const conversation_id of [conversation.id, conversation.uuid, conversation.uuid.toUpperCase(), null])
      expect((await patched(item, { conversation_id, body: `in ${conversation_id}` })).body).toBe(
        `in ${conversation_id}`,
      );
  });

  it("can be proposed and never sent by a key without messages:write", async () => {
    const { key } = await parley.createKey({ type: "limited", abilities: ["drafts:write"] });
    const path = `${await opened()}/drafts`;
    const proposed = await parley.call("POST", path, { key, body: { body: "A proposal" } });
    expect([proposed.status, Object.keys(proposed.body.data).sort()]).toEqual([201, ["body", "id", "uuid"]]);
    const sent = await parley.call("POST", `${path}/${proposed.body.data.id}/send`, { key });
    expect([sent.status, sent.body.error.code]).toEqual([403, "FORBIDDEN"]);
  });
});

describe("the suggestions of a conversation", () => {
  it("have at most 2 MiB of text together, whether they are created or changed", async () => {
    const path = `${await opened()}/drafts`;
    const longest = "一".repeat(65_536);
    for (let i = 0; i < 10; i++) await made(path, { body: longest });
    const short = await made(path, { body: "x".repeat(65_536) });
    const tooMuch = [
      await parley.call("POST", path, { body: { body: longest } }),
      // As many characters, and three times the bytes.
      await parley.call("PATCH", `${path}/${short.id}`, { body: { body: longest } }),
    ];
    for (const { status, body } of tooMuch)
      expect([status, body.error.details]).toEqual([
        422,
        { drafts: ["drafts of one conversation must not be larger than 2 MiB together."] },
      ]);
    expect((await parley.call("PATCH", `${path}/${short.id}`, { body: { body: "shorter" } })).status).toBe(200);
  });
});

describe("a person's draft", () => {
  it("is one per conversation, is replaced by the next, causes no events and is hidden from everyone else", async () => {
    const path = `${await opened()}/drafts`;
    const events = await eventsOf(async () => {
      const first = await api(agent, "POST", path, { body: "He" });
      const second = await api(agent, "POST", path, { body: "Hello", private: true });
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(second.body.data).toMatchObject({ id: first.body.data.id, body: "Hello", private: true });
      expect((await api(agent, "GET", path)).body.data).toEqual([second.body.data]);
      const item = `${path}/${first.body.data.id}`;
      for (const method of ["GET", "PATCH", "DELETE"]) {
        expect((await api(owner, method, item, method === "PATCH" ? { body: "x" } : undefined)).status).toBe(404);
        expect((await parley.call(method, item, method === "PATCH" ? { body: { body: "x" } } : {})).status).toBe(404);
      }
      expect((await api(owner, "POST", `${item}/send`)).status).toBe(404);
      expect([(await got(path)).data, (await api(owner, "GET", path)).body.data]).toEqual([[], []]);
      expect((await api(agent, "POST", path, { body: "" })).status).toBe(200);
      expect((await api(agent, "POST", `${item}/send`)).status).toBe(422);
      expect((await api(agent, "DELETE", item)).status).toBe(200);
    });
    expect(events).toEqual([]);
  });
});

describe("sending a draft", () => {
  it("writes the message as the sender, names the draft and its author, and deletes the draft", async () => {
    const path = await opened();
    const draft = await made(`${path}/drafts`, { body: "Suggested", attachments: [{ url: "https://a.example/b" }] });
    const events = await eventsOf(async () => {
      const sent = await api(agent, "POST", `${path}/drafts/${draft.id}/send`);
      expect(sent.status).toBe(201);
      expect(sent.body.data).toMatchObject({
        seq: 1,
        sender: { type: "user", name: "agnes" },
        body: "Suggested",
        attachments: draft.attachments,
        draft: { id: draft.id, author: draft.author },
      });
      expect((await got(`${path}/messages/${sent.body.data.id}`)).data).toEqual(sent.body.data);
    });
    expect(events.map(({ type }) => type)).toEqual(["draft.deleted", "message.created", "conversation.assigned"]);
    expect((await got(`${path}/drafts`)).data).toEqual([]);
  });

  it("happens once, however many send at the same time", async () => {
    const path = await opened();
    const draft = await made(`${path}/drafts`, { body: "Once" });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => parley.call("POST", `${path}/drafts/${draft.id}/send`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(404)]);
    expect((await got(`${path}/messages`)).data).toHaveLength(1);
    const again = await patched(path, { subject: "still there" });
    expect(again.last_message.seq).toBe(1);
  });
});

describe("an agent", () => {
  it("reads events about conversations, messages, contacts and drafts, and no others", async () => {
    await parley.createKey();
    await made(`${await opened()}/drafts`, { body: "x" });
    const types = async (query = "") =>
      (await api(agent, "GET", `/events?limit=100${query}`)).body.data.map(({ type }: Any) => type.split(".")[0]);
    expect(new Set(await types())).toEqual(new Set(["conversation", "message", "contact", "draft"]));
    expect(await types("&type=api_key.*")).toEqual([]);
    expect(await types("&type=draft.created")).not.toEqual([]);
  });
});
