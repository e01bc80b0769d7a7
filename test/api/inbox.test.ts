import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, join, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let owner: Browser;
let agent: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
});
afterAll(() => parley.close());

const { made, got, patched, eventsOf, wrongFields } = wordsOf(() => parley);
const api = (browser: Browser, method: string, path: string, body?: object) =>
  browser.call(method, `//api/v1${path}`, body);

describe("GET /conversations/counts", () => {
  it("follows every change, and equals what the database holds", async () => {
    const { id: me } = (await agent.call("GET", "/session")).body.data.user;
    const [first, second] = [await made("/conversations"), await made("/conversations", { assignee_id: me })];
    await made("/conversations", { status: "pending", message: { body: "?", direction: "in" } });
    const third = await made("/conversations", { status: "resolved" });
    await made(`/conversations/${first.id}/messages`, { body: "?", direction: "in" });
    await made(`/conversations/${second.id}/messages`, { body: "?", direction: "in" });
    await made(`/conversations/${second.id}/messages`, { body: "!" });
    const { data } = (await api(agent, "GET", "/conversations/counts")).body;
    expect(data).toEqual({
      by_status: { open: 2, pending: 1, snoozed: 0, resolved: 1 },
      mine: 1,
      unassigned: 1,
      waiting: 1,
      unread: 2,
      mentioned: 0,
    });
    expect((await got("/conversations/counts")).data).toEqual({
      by_status: data.by_status,
      unassigned: 1,
      waiting: 1,
    });
    await parley.call("DELETE", `/conversations/${third.id}`);
    await patched(`/conversations/${first.id}`, { status: "snoozed" });
    await until("the changes are folded", async () => {
      const [row] = await parley.database.query<Any>("select count(*)::int as left from conversation_deltas");
      return row.left === 0;
    });
    expect((await got("/conversations/counts")).data).toEqual({
      by_status: { open: 1, pending: 1, snoozed: 1, resolved: 0 },
      unassigned: 0,
      waiting: 0,
    });
  });
});

describe("read state", () => {
  const read = async (browser: Browser, id: number): Promise<Any> =>
    (await api(browser, "GET", `/conversations/${id}`)).body.data;

  it("is each person's own, counts messages from the contact, and causes no event", async () => {
    const { id } = await made("/conversations", { message: { body: "1", direction: "in" } });
    const path = `/conversations/${id}`;
    for (const body of ["2", "3"]) await made(`${path}/messages`, { body, direction: "in" });
    await made(`${path}/messages`, { body: "a note", private: true });
    const events = await eventsOf(async () => {
      expect((await read(agent, id)).unread_count).toBe(3);
      expect((await api(agent, "POST", `${path}/read`, { seq: 1 })).body.data.unread_count).toBe(2);
      expect((await api(agent, "POST", `${path}/read`)).body.data.unread_count).toBe(0);
      expect((await api(agent, "POST", `${path}/read`, { seq: 1 })).body.data.unread_count).toBe(0);
      expect((await read(owner, id)).unread_count).toBe(3);
      const listed = (await api(agent, "GET", "/conversations?unread=false")).body.data;
      expect(listed.find((conversation: Any) => conversation.id === id)).toMatchObject({ unread_count: 0 });
      expect((await api(agent, "POST", `${path}/unread`)).body.data.unread_count).toBe(1);
      const unread = (await api(agent, "GET", "/conversations?unread=true")).body.data;
      expect(unread.map((conversation: Any) => conversation.id)).toContain(id);
    });
    expect(events).toEqual([]);
    expect((await got(path)).data).not.toHaveProperty("unread_count");
  });

  it("is for people: a key receives 403, also for a conversation that does not exist", async () => {
    const { id } = await made("/conversations");
    for (const path of [`/conversations/${id}/read`, `/conversations/${id}/unread`, "/conversations/999999999/read"]) {
      const { status, body } = await parley.call("POST", path, { body: {} });
      expect([status, body.error.code]).toEqual([403, "FORBIDDEN"]);
    }
    expect((await api(agent, "POST", "/conversations/999999999/read", {})).status).toBe(404);
  });
});

describe("GET /labels", () => {
  it("counts the labels in use by name", async () => {
    const { id } = await made("/conversations", { labels: ["vip", "billing"] });
    await made("/conversations", { labels: ["vip"] });
    expect((await got("/labels")).data).toEqual([
      { name: "billing", count: 1 },
      { name: "vip", count: 2 },
    ]);
    await patched(`/conversations/${id}`, { labels: ["vip"] });
    await until("the changes are folded", async () => {
      const [row] = await parley.database.query<Any>("select count(*)::int as left from label_deltas");
      return row.left === 0;
    });
    expect((await got("/labels")).data).toEqual([{ name: "vip", count: 2 }]);
    const { key } = await parley.createWorkspace();
    expect((await got("/labels", { key })).data).toEqual([]);
  });

  it("has at most 1,000: a new one beyond that is a 422, a known one is not", async () => {
    await parley.database.query(
      `insert into label_counts (workspace_id, name, conversations)
       select workspace_id, 'label ' || n, 1
       from (select id as workspace_id from workspaces order by id limit 1) w, generate_series(1, 1000) n`,
    );
    const { id } = await made("/conversations");
    expect(await wrongFields("POST", "/conversations", { labels: ["one too many"] })).toEqual(["labels"]);
    expect(await wrongFields("PATCH", `/conversations/${id}`, { labels: ["one too many"] })).toEqual(["labels"]);
    expect((await patched(`/conversations/${id}`, { labels: ["label 7"] })).labels).toEqual(["label 7"]);
  });
});

describe("GET /members", () => {
  it("lists the people of the workspace by name, with their addresses for people only", async () => {
    const { data } = (await api(agent, "GET", "/members")).body;
    expect(data).toMatchObject([
      { name: "agnes", role: "agent", email: "agnes@example.com" },
      { name: "Olive Owner", role: "owner", email: "olive@example.com" },
    ]);
    expect((await got("/members")).data).toEqual(data.map(({ email: _email, ...member }: Any) => member));
    const { key } = await parley.createWorkspace();
    expect((await got("/members", { key })).data).toEqual([]);
  });

  it("shows the name of an assignee only to a caller who may read members", async () => {
    const [{ id, uuid }] = (await got("/members")).data;
    const { key } = await parley.createKey({ type: "limited", abilities: ["conversations:write"] });
    const written = await parley.call("POST", "/conversations", { key, body: { assignee_id: id } });
    expect(written.body.data.assignee).toEqual({ id, uuid });
    const path = `/conversations/${written.body.data.id}`;
    const changed = await parley.call("PATCH", path, { key, body: { assignee_id: uuid } });
    expect(changed.body.data.assignee).toEqual({ id, uuid });
    expect((await got(path)).data.assignee.name).not.toBe("");
  });
});

describe("saved replies", () => {
  it("are created, found, changed and deleted", async () => {
    const reply = await made("/saved-replies", { name: "Thanks", shortcut: "ty", body: "Thanks, {{contact.name}}!" });
    expect(reply).toMatchObject({ name: "Thanks", shortcut: "ty", body: "Thanks, {{contact.name}}!" });
    await made("/saved-replies", { name: "apology", body: "Sorry, {{ agent.name }} here." });
    expect((await got("/saved-replies")).data.map(({ name }: Any) => name)).toEqual(["apology", "Thanks"]);
    expect((await got("/saved-replies?search=SORRY")).data.map(({ name }: Any) => name)).toEqual(["apology"]);
    expect((await patched(`/saved-replies/${reply.uuid}`, { shortcut: "" })).shortcut).toBeNull();
    expect((await parley.call("DELETE", `/saved-replies/${reply.id}`)).status).toBe(200);
    expect((await parley.call("GET", `/saved-replies/${reply.id}`)).status).toBe(404);
  });

  it("have unique shortcuts and only known variables", async () => {
    await made("/saved-replies", { name: "a", shortcut: "same", body: "x" });
    const { id } = await made("/saved-replies", { name: "b", body: "x" });
    for (const [method, path] of [
      ["POST", "/saved-replies"],
      ["PATCH", `/saved-replies/${id}`],
    ] as const) {
      const taken = await parley.call(method, path, { body: { name: "b", shortcut: "same", body: "x" } });
      expect([taken.status, taken.body.error.code]).toEqual([409, "CONFLICT"]);
      const body = { name: "", shortcut: "with blank", body: "{{contact.phone}} {{x}}" };
      const wrong = await parley.call(method, path, { body });
      expect(wrong.status).toBe(422);
      expect(Object.keys(wrong.body.error.details).sort()).toEqual(["body", "name", "shortcut"]);
      expect(wrong.body.error.details.body).toHaveLength(2);
    }
  });

  it("have 4 MiB of text together at most, because all of them are read at once", async () => {
    const { key } = await parley.createWorkspace();
    const longest = "é".repeat(65_536);
    const write = (method: string, path: string, body: object) => parley.call(method, path, { key, body });
    const replies = await Promise.all(
      Array.from({ length: 31 }, (_, n) => write("POST", "/saved-replies", { name: `${n}`, body: longest })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(31).fill(201));
    const { body: short } = await write("POST", "/saved-replies", { name: "short", body: "x" });
    await write("POST", "/saved-replies", { name: "also short", body: "x" });
    const full = { saved_replies: ["This workspace has reached its limit of 4 MiB of saved replies."] };
    for (const [method, path] of [
      ["POST", "/saved-replies"],
      ["PATCH", `/saved-replies/${short.data.id}`],
    ] as const) {
      const refused = await write(method, path, { name: "one more", body: longest });
      expect([refused.status, refused.body.error.details]).toEqual([422, full]);
    }
    expect((await write("PATCH", `/saved-replies/${short.data.id}`, { body: "y" })).status).toBe(200);
    expect((await write("POST", "/saved-replies", { name: "short too", body: "x" })).status).toBe(201);
  });
});
