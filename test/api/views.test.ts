import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, join, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let owner: Browser;
let agent: Browser;
let agentId = 0;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
  agentId = (await agent.call("GET", "/session")).body.data.user.id;
});
afterAll(() => parley.close());

const { made, got, patched, wrongFields } = wordsOf(() => parley);
const api = (browser: Browser, method: string, path: string, body?: object) =>
  browser.call(method, `//api/v1${path}`, body);
const own = async (browser: Browser, body: object): Promise<Any> => {
  const reply = await api(browser, "POST", "/views", body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
};
const listed = async (query: string): Promise<number[]> =>
  (await got(`/conversations?${query}`)).data.map(({ id }: Any) => id);

describe("a view", () => {
  it("of a person is visible to that person only, until it is shared", async () => {
    const view = await own(agent, { name: "Mine", filters: { assignee_id: "me", status: ["open", "pending"] } });
    expect(view).toMatchObject({
      shared: false,
      owner: { type: "user", id: agentId },
      filters: { assignee_id: "me", status: ["open", "pending"] },
      sort: "created",
    });
    const path = `/views/${view.uuid}`;
    for (const method of ["GET", "PATCH", "DELETE"]) {
      expect((await api(owner, method, path, method === "PATCH" ? { name: "x" } : undefined)).status).toBe(404);
      expect((await parley.call(method, path, method === "PATCH" ? { body: { name: "x" } } : {})).status).toBe(404);
    }
    expect((await got("/views")).data).toEqual([]);
    expect((await api(owner, "GET", `/conversations?view=${view.id}`)).body.error.details).toEqual({
      view: ["view is not a known view."],
    });
    expect((await api(agent, "PATCH", path, { shared: true })).body.data.shared).toBe(true);
    expect((await got("/views")).data.map(({ id }: Any) => id)).toEqual([view.id]);
    expect((await api(owner, "PATCH", path, { name: "Ours" })).body.data.name).toBe("Ours");
    expect((await api(owner, "PATCH", path, { shared: false })).status).toBe(403);
    expect((await api(agent, "PATCH", path, { shared: null })).body.data.shared).toBe(false);
    expect((await api(agent, "DELETE", path)).body.data.name).toBe("Ours");
  });

  it("of a key is shared, and a private one is refused", async () => {
    const view = await made("/views", { name: "All" });
    expect(view).toMatchObject({ shared: true, owner: { type: "api_key" }, filters: {} });
    expect((await api(agent, "GET", `/views/${view.id}`)).body.data.name).toBe("All");
    expect(await wrongFields("POST", "/views", { name: "n", shared: false })).toEqual(["shared"]);
    expect(await wrongFields("PATCH", `/views/${view.id}`, { shared: false })).toEqual(["shared"]);
    await parley.call("DELETE", `/views/${view.id}`);
  });

  it("comes last unless it has a position, and null restores defaults", async () => {
    const [a, b] = [await made("/views", { name: "a" }), await made("/views", { name: "b", sort: "last_activity" })];
    const names = async () => (await got("/views")).data.map(({ name }: Any) => name);
    expect(await names()).toEqual(["a", "b"]);
    await patched(`/views/${b.id}`, { position: 0 });
    await patched(`/views/${a.id}`, { position: 1 });
    expect(await names()).toEqual(["b", "a"]);
    const restored = await patched(`/views/${b.id}`, { position: null, sort: null, filters: null });
    expect(restored).toMatchObject({ position: 2, sort: "created", filters: {} });
    expect(await names()).toEqual(["a", "b"]);
    for (const { id } of [a, b]) await parley.call("DELETE", `/views/${id}`);
  });

  it("with wrong filters is a 422 that says where, and unknown ones are named and not stored", async () => {
    const wrong = async (filters: unknown) => {
      const reply = await parley.call("POST", "/views", { body: { name: "n", filters } });
      expect(reply.status, JSON.stringify(filters)).toBe(422);
      return Object.keys(reply.body.error.details);
    };
    const bad = { status: "closed", assignee_id: "someone", contact_id: "x", updated_since: "soon" };
    const reply = await parley.call("POST", "/views", { body: { name: "n", filters: bad } });
    expect(reply.body.error.details.filters).toHaveLength(4);
    expect(reply.body.error.details.filters[0]).toMatch(/^filters\.status must be/);
    for (const filters of [[], "open", { waiting: "yes" }, { status: [1] }, { channel: "fax" }])
      expect(await wrong(filters)).toEqual(["filters"]);
    expect(await wrongFields("POST", "/views", { name: null, position: -1, sort: "up" })).toEqual([
      "name",
      "position",
      "sort",
    ]);
    const lax = await parley.call("POST", "/views", { body: { name: "n", filters: { lable: "a", label: null } } });
    expect(lax.body.data.filters).toEqual({});
    expect(lax.body.warnings[0]).toMatchObject({ field: "filters.lable" });
    const headers = { prefer: "handling=strict" };
    const strict = await parley.call("POST", "/views", { body: { name: "n", filters: { lable: "a" } }, headers });
    expect([strict.status, Object.keys(strict.body.error.details)]).toEqual([422, ["filters"]]);
    await parley.call("DELETE", `/views/${lax.body.data.id}`);
  });

  it("leaves an audit entry for each change, and none for a change of nothing", async () => {
    const view = await made("/views", { name: "Audited" });
    await patched(`/views/${view.id}`, { name: "Renamed" });
    await patched(`/views/${view.id}`, { name: "Renamed" });
    await parley.call("DELETE", `/views/${view.id}`);
    const { data } = await got(`/audit-logs?resource_type=view&resource_id=${view.id}`);
    expect(data.map(({ action }: Any) => action)).toEqual(["view.deleted", "view.updated", "view.created"]);
  });

  it("of a member who leaves is deleted, unless it was shared", async () => {
    const leaver = await join(parley, owner, "agent", "lea@example.com");
    const { id: userId } = (await leaver.call("GET", "/session")).body.data.user;
    const [hidden, shared] = [await own(leaver, { name: "h" }), await own(leaver, { name: "s", shared: true })];
    const removed = await owner.call("DELETE", `/members/${userId}`);
    expect(removed.status, removed.text).toBe(200);
    const rows = await parley.database.query<Any>("select id::int from views where id in ($1, $2)", [
      hidden.id,
      shared.id,
    ]);
    expect(rows).toEqual([{ id: shared.id }]);
    await parley.call("DELETE", `/views/${shared.id}`);
  });
});

describe("GET /conversations?view=", () => {
  it("applies the view and its order, and other filters narrow it further", async () => {
    const [first, second, third] = [
      await made("/conversations", { labels: ["vip", "de"], priority: "high", subject: "Lamp" }),
      await made("/conversations", { labels: ["vip"], status: "pending", subject: "Desk" }),
      await made("/conversations", { labels: ["vip"], status: "resolved" }),
    ];
    await made(`/conversations/${first.id}/messages`, { body: "?", direction: "in" });
    const filters = { label: "vip", status: "open,pending" };
    const view = await made("/views", { name: "VIP", filters, sort: "last_activity" });
    const within = (query: string) => listed(`view=${view.uuid}${query}`);
    expect(await within("")).toEqual([first.id, second.id]);
    expect(await within("&sort=created")).toEqual([second.id, first.id]);
    expect(await within("&status=pending,resolved")).toEqual([second.id]);
    expect(await within("&status=resolved")).toEqual([]);
    expect(await within("&label=de")).toEqual([first.id]);
    expect(await within("&label=vip&priority=high")).toEqual([first.id]);
    expect(await within("&priority=low")).toEqual([]);
    expect(await within("&search=desk")).toEqual([second.id]);
    expect(await within("&text=lamp&waiting=true")).toEqual([first.id]);
    expect(await within(`&contact_id=${first.contact.uuid}`)).toEqual([first.id]);
    const one = await made("/views", { name: "One", filters: { contact_id: third.contact.id, label: "vip" } });
    expect(await listed(`view=${one.id}&contact_id=${third.contact.uuid}`)).toEqual([third.id]);
    expect(await listed(`view=${one.id}&contact_id=${first.contact.id}`)).toEqual([]);
    const page = await got(`/conversations?view=${view.id}&page=1&per_page=1`);
    expect(page.meta.pagination.total).toBe(2);
    const begun = await got(`/conversations?view=${view.id}&limit=1`);
    expect(await listed(`view=${view.id}&limit=1&cursor=${begun.meta.next_cursor}`)).toEqual([second.id]);
    const { data } = (await agent.call("GET", "/view-counts")).body;
    expect(data).toEqual([
      { id: view.id, count: 2 },
      { id: one.id, count: 1 },
    ]);
  });

  it("means the reader by `me`, and is a 422 for a key", async () => {
    const mine = await made("/conversations", { assignee_id: agentId });
    const view = await made("/views", { name: "Mine", filters: { assignee_id: "me" } });
    const read = async (browser: Browser) =>
      (await api(browser, "GET", `/conversations?view=${view.id}`)).body.data.map(({ id }: Any) => id);
    expect(await read(agent)).toEqual([mine.id]);
    expect(await read(owner)).toEqual([]);
    expect(await wrongFields("GET", `/conversations?view=${view.id}`)).toEqual(["view"]);
    for (const name of ["999999", "nonsense"])
      expect(await wrongFields("GET", `/conversations?view=${name}`)).toEqual(["view"]);
  });
});

it("a person has at most 50 views and a workspace 100, also when they are created at once", async () => {
  const create = (body: object) => api(agent, "POST", "/views", body);
  const before = (await parley.database.query<Any>("select count(*)::int as n from views"))[0].n;
  const statuses = (await Promise.all(Array.from({ length: 52 }, (_, n) => create({ name: `v${n}` })))).map(
    ({ status }) => status,
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(50);
  expect((await create({ name: "more" })).body.error.details).toEqual({
    views: ["A person can have at most 50 views."],
  });
  for (let n = before + 50; n < 100; n++) await made("/views", { name: `k${n}` });
  expect(await wrongFields("POST", "/views", { name: "more" })).toEqual(["views"]);
});
