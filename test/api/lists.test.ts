import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foldListCounts } from "../../src/db/list-counts.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let contactId: number;
let otherContactId: number;
const { made, got, patched, wrongFields } = wordsOf(() => parley);
const ids = (records: Any[]): number[] => records.map(({ id }) => id);

const MANY = 1_150;

beforeAll(async () => {
  parley = await startParley();
  const [created] = await parley.database.query<{ id: number; other_id: number }>(
    `with created as (
       insert into contacts (workspace_id, uuid, name, email, updated_at)
       select workspace.id, gen_random_uuid(), 'Bulk ' || n, case when n % 2 = 0 then 'even@example.com' end, now()
       from generate_series(1, $1::int) n, workspaces workspace
       returning id
     )
     select min(id)::float8 as id, max(id)::float8 as other_id
     from created`,
    [MANY],
  );
  contactId = created?.id ?? 0;
  otherContactId = created?.other_id ?? 0;
});
afterAll(() => parley.close());

/** All records of a list by its cursors. */
async function byCursor(path: string, limit: number, after?: string): Promise<Any[]> {
  const records: Any[] = [];
  for (let cursor = after ? `&cursor=${after}` : ""; ; ) {
    const { data, meta, links } = await got(`${path}${path.includes("?") ? "&" : "?"}limit=${limit}${cursor}`);
    expect(links).toBeUndefined();
    records.push(...data);
    expect(meta).toEqual({ next_cursor: meta.has_more ? expect.any(String) : null, has_more: meta.has_more });
    if (!meta.has_more) return records;
    cursor = `&cursor=${meta.next_cursor}`;
  }
}

describe("a list read by cursor", () => {
  it("gives every record once, newest first, whatever is added meanwhile, and no totals", async () => {
    const first = await got("/contacts?limit=100");
    const added = await made("/contacts", { name: "added" });
    const rest = await byCursor("/contacts", 100, first.meta.next_cursor);
    const all = ids([...first.data, ...rest]);
    expect(all).toHaveLength(MANY);
    expect(all).toEqual([...new Set(all)].sort((a, b) => b - a));
    expect(all).not.toContain(added.id);
    await parley.call("DELETE", `/contacts/${added.id}`);
  });

  it("continues with 25 records where only the cursor is given", async () => {
    const { meta } = await got("/contacts?limit=1");
    expect((await got(`/contacts?cursor=${meta.next_cursor}`)).data).toHaveLength(25);
  });

  it("refuses to be mixed with page numbers, and names what is too much", async () => {
    const { meta } = await got("/contacts?limit=1");
    expect(await wrongFields("GET", "/contacts?limit=5&page=1")).toEqual(["limit"]);
    expect(await wrongFields("GET", `/contacts?per_page=5&limit=5&cursor=${meta.next_cursor}`)).toEqual([
      "cursor",
      "limit",
    ]);
    expect(await wrongFields("GET", "/contacts?limit=101")).toEqual(["limit"]);
  });

  it("refuses a cursor of another list, another order, another workspace, and garbage", async () => {
    const { meta } = await got("/contacts?limit=1");
    await made("/conversations", { contact_id: contactId });
    await made("/conversations", { contact_id: contactId });
    const created = (await got("/conversations?limit=1")).meta.next_cursor;
    const other = await parley.createWorkspace();
    for (const path of [
      `/conversations?cursor=${meta.next_cursor}`,
      `/conversations?sort=last_activity&cursor=${created}`,
      "/contacts?cursor=AAAA",
      "/contacts?cursor=%00",
    ])
      expect(await wrongFields("GET", path), path).toEqual(["cursor"]);
    const reply = await parley.call("GET", `/contacts?cursor=${meta.next_cursor}`, { key: other.key });
    expect(reply.status).toBe(422);
  });
});

describe("totals", () => {
  it("of an unfiltered list are exact, before and after the counters are folded", async () => {
    const total = async () => (await got("/contacts?per_page=1")).meta.pagination.total;
    const { id } = await made("/contacts");
    expect(await total()).toBe(MANY + 1);
    while (await foldListCounts(parley.app.store.db));
    expect(await total()).toBe(MANY + 1);
    await parley.call("DELETE", `/contacts/${id}`);
    expect(await total()).toBe(MANY);
  });

  it("of a filtered list are exact up to 1,000 rows", async () => {
    const { meta, links } = await got("/contacts?email=EVEN@example.com&per_page=100");
    expect(meta.pagination).toEqual({
      total: MANY / 2,
      per_page: 100,
      current_page: 1,
      last_page: 6,
      from: 1,
      to: 100,
    });
    expect(links.last).toContain("page=6");
  });

  it("of a filtered list with more rows are a lower bound, and the pages continue by links.next", async () => {
    const since = "updated_since=2020-01-01T00:00:00Z";
    const { meta, links } = await got(`/contacts?${since}&per_page=100`);
    expect(meta.pagination).toMatchObject({ total: 1_000, total_is_lower_bound: true, last_page: 10 });
    expect(links.last).toBeNull();
    const beyond = await got(`/contacts?${since}&per_page=100&page=12`);
    expect(beyond.data).toHaveLength(50);
    expect(beyond.meta.pagination).toMatchObject({ from: 1_101, to: 1_150 });
    expect(beyond.links.next).toBeNull();
    expect(beyond.links.prev).toContain("page=11");
  });

  it("of a filtered list end at 10,000 rows: deeper pages receive a 422 that names the cursor", async () => {
    const reply = await parley.call("GET", "/contacts?search=Bulk&per_page=100&page=101");
    expect(reply.status).toBe(422);
    expect(reply.body.error.details.page[0]).toContain("cursor");
    expect((await got("/contacts?search=Bulk&per_page=100&page=100")).data).toEqual([]);
    expect((await got("/contacts?per_page=100&page=5000")).data).toEqual([]);
  });

  it("of messages leave out the deleted ones, and the last page is read from the end", async () => {
    const { id } = await made("/conversations", { contact_id: contactId });
    for (let n = 1; n <= 7; n++) await made(`/conversations/${id}/messages`, { body: `m${n}` });
    const { data } = await got(`/conversations/${id}/messages`);
    await parley.call("DELETE", `/conversations/${id}/messages/${data[0].id}`);
    const last = await got(`/conversations/${id}/messages?per_page=4&page=2`);
    expect(last.meta.pagination).toMatchObject({ total: 6, last_page: 2, from: 5, to: 6 });
    expect(last.data.map(({ body }: Any) => body)).toEqual(["m2", "m1"]);
  });
});

describe("conversations by last_activity", () => {
  it("come with the latest message first, by page, by cursor, by status and by assignee", async () => {
    const first = await made("/conversations", { subject: "first", contact_id: contactId });
    const second = await made("/conversations", { subject: "second", contact_id: contactId, status: "pending" });
    const third = await made("/conversations", { subject: "third", contact_id: otherContactId });
    await made(`/conversations/${first.id}/messages`, { body: "hello" });
    const order = [first.id, third.id, second.id];
    const top = async (query: string) => ids((await got(`/conversations?sort=last_activity&${query}`)).data);
    expect((await top("")).slice(0, 3)).toEqual(order);
    expect(ids(await byCursor("/conversations?sort=last_activity", 1)).slice(0, 3)).toEqual(order);
    expect((await top("status=pending,open")).slice(0, 3)).toEqual(order);
    expect((await top("status=open")).slice(0, 2)).toEqual([first.id, third.id]);
    expect((await top("assignee_id=0")).slice(0, 3)).toEqual(order);
    await patched(`/conversations/${second.id}`, { status: "resolved", labels: ["billing"] });
    expect(await top("status=resolved&label=billing&channel=api")).toEqual([second.id]);
    expect(await top(`contact_id=${third.contact.id}`)).toEqual([third.id]);
    const { total } = (await got("/conversations?sort=last_activity&per_page=1")).meta.pagination;
    expect(await byCursor("/conversations?sort=last_activity", 50)).toHaveLength(total);
    expect(await byCursor("/conversations", 50)).toHaveLength(total);
    await parley.call("DELETE", `/conversations/${second.id}`);
    expect(await top("")).not.toContain(second.id);
  });

  it("of several statuses are one list, newest first, without repeats", async () => {
    const { data } = await got("/conversations?status=open,pending,open&per_page=100");
    expect(new Set(data.map(({ status }: Any) => status))).toEqual(new Set(["open"]));
    expect(ids(data)).toEqual([...new Set(ids(data))].sort((a, b) => b - a));
    expect(await wrongFields("GET", "/conversations?status=open,closed")).toEqual(["status"]);
    expect(await wrongFields("GET", "/conversations?sort=oldest")).toEqual(["sort"]);
  });
});

describe("GET /api-keys beyond 1,000 keys", () => {
  it("returns the first 1,000 with meta, and links that lead to the rest", async () => {
    const { key, id } = await parley.createWorkspace();
    await parley.database.query(
      `insert into api_keys (workspace_id, uuid, name, type, abilities, rate_limit_tier)
       select $1, gen_random_uuid(), 'key ' || n, 'full', '{*}', 'standard'
       from generate_series(1, 1049) n`,
      [id],
    );
    const { data, meta, links } = await got("/api-keys", { key });
    expect(data).toHaveLength(1_000);
    expect(meta.pagination).toMatchObject({ total: 1_050, from: 1, to: 1_000 });
    const rest = await got(links.next.slice(`${parley.url}/api/v1`.length), { key });
    expect(rest.data).toHaveLength(50);
    expect(new Set(ids([...data, ...rest.data])).size).toBe(1_050);
    expect(rest.links.next).toBeNull();
    expect(await byCursorOf("/api-keys", key)).toBe(1_050);
  });

  async function byCursorOf(path: string, key: string): Promise<number> {
    let [count, cursor] = [0, ""];
    for (;;) {
      const { data, meta } = await got(`${path}?limit=100${cursor}`, { key });
      count += data.length;
      if (!meta.has_more) return count;
      cursor = `&cursor=${meta.next_cursor}`;
    }
  }
});

describe("a short list", () => {
  const paths: Record<string, string> = { labels: "/labels", members: "/members", "saved replies": "/saved-replies" };
  beforeAll(async () => {
    const conversation = await made("/conversations", { contact_id: contactId, labels: ["a", "B", "c", "ä", "e"] });
    paths.drafts = `/conversations/${conversation.id}/drafts`;
    for (const name of ["a", "B", "c", "ä", "e"]) {
      await made("/saved-replies", { name, body: "Hello" });
      await made(paths.drafts, { body: name });
    }
    await parley.database.query(
      `with person as (
         insert into users (uuid, email, name, password_hash)
         select gen_random_uuid(), n || '@example.com', 'Person ' || n, 'x'
         from generate_series(1, 5) n
         returning id)
       insert into memberships (workspace_id, user_id, role)
       select (select min(id) from workspaces), id, 'agent'
       from person`,
    );
  });

  it.each(["labels", "members", "saved replies", "drafts"])(
    "of %s is whole without parameters, and is read by cursor or by page like every other",
    async (kind) => {
      const path = paths[kind] as string;
      const whole = await got(path);
      expect([whole.data.length, whole.meta, whole.links]).toEqual([5, undefined, undefined]);
      expect(await byCursor(path, 2)).toEqual(whole.data);
      expect(await byCursor(path, 5)).toEqual(whole.data);
      const second = await got(`${path}?page=2&per_page=2`);
      expect(second.data).toEqual(whole.data.slice(2, 4));
      expect(second.meta.pagination).toMatchObject({ total: 5, current_page: 2, last_page: 3, from: 3, to: 4 });
      expect(second.links.next).toContain(`/api/v1${path}?per_page=2&page=3`);
      expect((await got(`${path}?page=9`)).data).toEqual([]);
      expect(await wrongFields("GET", `${path}?limit=1&page=1`)).toEqual(["limit"]);
      const foreign = (await got(`${path === "/labels" ? "/members" : "/labels"}?limit=1`)).meta.next_cursor;
      for (const cursor of ["x", foreign])
        expect(await wrongFields("GET", `${path}?cursor=${cursor}`)).toEqual(["cursor"]);
    },
  );

  it("continues at the next record when the one before it was deleted meanwhile", async () => {
    const whole = await got("/saved-replies");
    const { meta } = await got("/saved-replies?limit=2");
    await parley.call("DELETE", `/saved-replies/${whole.data[1].id}`);
    expect((await got(`/saved-replies?limit=9&cursor=${meta.next_cursor}`)).data).toEqual(whole.data.slice(2));
  });
});

describe("conversations with a label", () => {
  const label = "lists-by-label";
  const listed = async (query: string) => ids((await got(`/conversations?label=${label}${query}`)).data);
  const remove = (id: number) => parley.call("DELETE", `/conversations/${id}`);

  it("are listed in either order as their labels, status and messages change", async () => {
    const [first, second, third] = [
      await made("/conversations", { labels: [label, "another"] }),
      await made("/conversations", { labels: [label] }),
      await made("/conversations", {}),
    ].map(({ id }) => id as number) as [number, number, number];
    expect(await listed("")).toEqual([second, first]);
    await patched(`/conversations/${third}`, { labels: [label] });
    expect(await listed("")).toEqual([third, second, first]);
    await made(`/conversations/${first}/messages`, { body: "Hello." });
    expect(await listed("&sort=last_activity")).toEqual([first, third, second]);
    await patched(`/conversations/${third}`, { status: "resolved" });
    expect(await listed("&status=open")).toEqual([second, first]);
    expect(await listed("&status=open,resolved&sort=last_activity")).toEqual([first, third, second]);
    expect(await listed("&status=resolved&assignee_id=none")).toEqual([third]);
    expect((await got(`/conversations?label=${label}`)).meta.pagination.total).toBe(3);
    await patched(`/conversations/${second}`, { labels: [] });
    await remove(third);
    expect(await listed("")).toEqual([first]);
    expect(await listed("&sort=last_activity&search=nothing")).toEqual([]);
    expect(await byCursor(`/conversations?label=another`, 1)).toHaveLength(1);
    await remove(first);
    expect(await listed("&sort=last_activity")).toEqual([]);
    const left = await parley.database.query("select 1 from labelled_conversations where label = $1", [label]);
    expect(left).toEqual([]);
  });
});

it("the members past the first 1,000 are linked to by the list, and read by page and by cursor", async () => {
  const { id, key } = await parley.createWorkspace();
  await parley.database.query(
    `with person as (
       insert into users (uuid, email, name, password_hash)
       select gen_random_uuid(), 'many' || n || '@example.com', 'Member ' || to_char(n, 'FM0000'), 'x'
       from generate_series(1, 1003) n
       returning id)
     insert into memberships (workspace_id, user_id, role)
     select $1, id, 'agent'
     from person`,
    [id],
  );
  const whole = await got("/members", { key });
  expect([whole.data.length, whole.meta.pagination.total]).toEqual([1000, 1003]);
  const rest = await got(`/${whole.links.next.split("/api/v1/")[1]}`, { key });
  expect(rest.data.map(({ name }: { name: string }) => name)).toEqual(["Member 1001", "Member 1002", "Member 1003"]);
  expect(rest.links.next).toBeNull();
  const last = await got("/members?limit=100", { key });
  expect(last.meta.has_more).toBe(true);
});
