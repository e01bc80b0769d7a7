import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
});
afterAll(() => parley.close());

const { made } = wordsOf(() => parley);
const listed = async (query: string) => (await owner.call("GET", `//api/v1/conversations?unread=true${query}`)).body;
const unread = async (): Promise<number> =>
  (await made("/conversations", { message: { body: "?", direction: "in" } })).id;

/** Without messages, so that nothing is unread there. */
const read = (count: number) =>
  parley.database.query(
    `insert into conversations (workspace_id, uuid, contact_id, status, last_message_at)
     select workspace_id, gen_random_uuid(), id, case when n % 2 = 0 then 'open' else 'pending' end, now()
     from (select workspace_id, id from contacts limit 1) contact, generate_series(1, $1::int) n`,
    [count],
  );

it("a list of what is unread reads 500 conversations at a time and continues by cursor to its end", async () => {
  const wanted = [await unread()];
  await read(1_100);
  wanted.unshift(await unread());
  await read(300);
  for (const order of ["", "&sort=last_activity", "&status=open&sort=last_activity", "&status=open"]) {
    const found: number[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { data, meta } = await listed(`&limit=25${order}${cursor && `&cursor=${cursor}`}`);
      found.push(...data.map((conversation: Any) => conversation.id));
      sizes.push(data.length);
      expect(meta.has_more).toBe(meta.next_cursor !== null);
      cursor = meta.next_cursor;
    }
    expect(found, order).toEqual(wanted);
    expect(sizes, order).toEqual(order.includes("open") ? [1, 1] : [1, 0, 1]);
  }
});

it("a page by number of what is unread says that there may be more than it looked at", async () => {
  const { data, meta, links } = await listed("&page=1");
  expect(data).toHaveLength(1);
  expect(meta.pagination).toMatchObject({ total: 1, total_is_lower_bound: true });
  expect(links).toMatchObject({ last: null, next: null });
});
