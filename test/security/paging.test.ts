import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { scale, seeded } from "../support/proof.ts";
import { fill, type MadeIds } from "../support/route-fixtures.ts";
import { until } from "../support/wait.ts";

const ROWS = scale(30, 100);
const STATUSES = ["open", "pending", "snoozed", "resolved"];

let parley: TestParley;
const { made, got, everyPage, eventsAfter } = wordsOf(() => parley);
const ids: MadeIds = {};
const { seed } = seeded("random pages");
const RUNS = { seed, numRuns: scale(6, 30) };

/** Every list there is, with filters whose result can be foretold from the whole list. */
const LISTS: Record<string, Record<string, (record: Any, value: string) => boolean>> = {
  "/contacts": { search: (contact, value) => contact.name?.includes(value) },
  "/conversations": {
    status: (conversation, value) => conversation.status === value,
    label: (conversation, value) => conversation.labels.includes(value),
  },
  "/conversations/{conversation}/messages": { search: (message, value) => message.body.includes(value) },
  "/api-keys": {
    search: (key, value) => key.name.includes(value),
    is_active: (key, value) => String(key.is_active) === value,
  },
  "/webhooks": {},
  "/webhooks/{webhook}/logs": { status: (log, value) => log.status === value },
  "/audit-logs": {},
  "/mailboxes": {},
  "/widgets": {},
};
/** Read as a whole and paged in memory (test/api/lists.test.ts). */
const SHORT_LISTS = [
  "/consumers",
  "/conversations/{conversation}/drafts",
  "/labels",
  "/members",
  "/saved-replies",
  "/views",
];
const VALUES: Record<string, string[]> = {
  search: ["7", "1", "row", "nothing like it"],
  status: [...STATUSES, "success", "failed"],
  label: ["even", "odd"],
  is_active: ["true", "false"],
};

beforeAll(async () => {
  parley = await startParley({ PARLEY_RETRY_SCHEDULE: "3600" });
  ids.conversation = (await made("/conversations")).id;
  ids.webhook = (await made("/webhooks", { name: "n", url: "http://127.0.0.1:9/", events: ["api_key.rotated"] })).id;
  const hook = { name: "n", url: "http://127.0.0.1:9/", events: ["webhook.test"] };
  for (let i = 0; i < ROWS; i++)
    await Promise.all([
      made("/contacts", { name: `row ${i}` }),
      made("/conversations", { status: STATUSES[i % 4], labels: [i % 2 ? "odd" : "even"] }),
      made(`/conversations/${ids.conversation}/messages`, { body: `row ${i}` }),
      made("/api-keys", { name: `row ${i}` }),
      parley.call("POST", `/webhooks/${ids.webhook}/test`),
      ...(i < 20 ? [made("/webhooks", hook)] : []),
      ...(i < 20 ? [made("/widgets", { name: "n", allowed_origins: ["https://shop.example"] })] : []),
      ...(i < 20 ? [made("/mailboxes", { name: "n", address: `row-${i}@mail.example` })] : []),
    ]);
});
afterAll(() => parley.close());

it("the lists of this test are all that have pages", () => {
  const paged = parley.app.server.routes.filter(({ success }) => success.paged).map(({ path }) => path);
  expect(paged.sort()).toEqual([...Object.keys(LISTS), ...SHORT_LISTS].sort());
});

it.each(Object.entries(LISTS))(
  "the list %s gives every record once, newest first, with any page size and filter",
  async (route, filters) => {
    const path = fill(route, (name) => ids[name] ?? "");
    const whole: Any[] = await everyPage(`${path}?page=1&per_page=100`);
    expect(whole.length).toBeGreaterThanOrEqual(20);
    expect(whole.map(({ id }) => id)).toEqual(whole.map(({ id }) => id).sort((a, b) => b - a));
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);

    // The shared words of status fit two lists; each takes its own.
    const fits = (name: string, value: string) =>
      name !== "status" || (route.endsWith("logs") ? ["success", "failed"] : STATUSES).includes(value);
    const filter = fc.constantFrom(
      ...Object.keys(filters).flatMap((name) =>
        (VALUES[name] ?? []).filter((value) => fits(name, value)).map((value) => [name, value] as const),
      ),
      null,
    );
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 100 }), filter, async (perPage, chosen) => {
      const query = chosen ? `&${chosen[0]}=${encodeURIComponent(chosen[1])}` : "";
      const expected = whole.filter((record) => !chosen || filters[chosen[0]]?.(record, chosen[1]));
      const walked = await everyPage(`${path}?page=1&per_page=${Math.max(perPage, Math.ceil(ROWS / 20))}${query}`);
      expect(walked.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    });
    await fc.assert(property, RUNS);
  },
  120_000,
);

it("a walk sees each record once while others are added before it", async () => {
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 12 }), async (perPage) => {
    const before = (await everyPage("/contacts?page=1&per_page=100")).map(({ id }) => id);
    const walked = await everyPage(`/contacts?page=1&per_page=${Math.max(perPage, Math.ceil(ROWS / 15))}`, () =>
      made("/contacts", { name: "added meanwhile" }),
    );
    expect(walked.map(({ id }) => id)).toEqual(before);
  });
  await fc.assert(property, { ...RUNS, numRuns: scale(2, 8) });
});

it("the list /events gives every event once in one order, with any sizes one after the other", async () => {
  const { events } = await until("every event has its place", async () => {
    const found = await eventsAfter();
    return found.events.length >= ROWS * 4 ? found : null;
  });
  const whole = events.map(({ id }) => id);
  expect(new Set(whole).size).toBe(whole.length);
  const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(sizes, async (limits) => {
    const walked: string[] = [];
    for (let cursor = "", step = 0; ; step++) {
      const limit = limits[step % limits.length] ?? 1;
      const { data, meta } = await got(
        `/events?limit=${Math.max(limit, Math.ceil(whole.length / 40))}&cursor=${cursor}`,
      );
      walked.push(...data.map(({ id }: Any) => id));
      cursor = meta.next_cursor;
      if (!meta.has_more) break;
    }
    expect(walked).toEqual(whole);
  });
  await fc.assert(property, RUNS);
});
