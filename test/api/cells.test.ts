import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { createTestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";

const STEP = 1024;
const FROM = 2 ** 40;
const CELL = 7;

let parley: TestParley;
const { made, got } = wordsOf(() => parley);
beforeAll(async () => {
  parley = await startParley({ PARLEY_CELL: String(CELL) });
});
afterAll(() => parley.close());

const isOfCell = (id: number): boolean => id >= FROM && id < 2 ** 53 && (id - FROM) % STEP === CELL;

describe("a cell from 1 to 1023", () => {
  it("gives every sequence of the database ids that no other cell gives", async () => {
    const sequences = await parley.database.query<Any>(
      "select sequencename, start_value::float8, increment_by::int from pg_sequences where schemaname = 'public'",
    );
    expect(sequences.length).toBeGreaterThan(10);
    for (const { sequencename, start_value, increment_by } of sequences)
      expect([increment_by, isOfCell(start_value)], sequencename).toEqual([STEP, true]);
  });

  it("creates records with these ids, exact in JSON, and finds them by them", async () => {
    const contact = await made("/contacts", { name: "Zoë" });
    const conversation = await made("/conversations", { contact_id: contact.id, subject: "Delivery" });
    const first = await made(`/conversations/${conversation.id}/messages`, { body: "the lighthouse" });
    const second = await made(`/conversations/${conversation.id}/messages`, { body: "another lighthouse" });
    const key = await parley.createKey();
    for (const { id } of [contact, conversation, first, second, key]) expect(isOfCell(id), String(id)).toBe(true);
    expect(second.id - first.id).toBe(STEP);
    expect((await got(`/contacts/${contact.id}`)).data.name).toBe("Zoë");
    const hits = (await got("/search?q=lighthouse&type=message")).data;
    expect(hits.map(({ id }: Any) => id)).toEqual([second.id, first.id]);
    expect((await got("/events?order=desc&limit=1")).data[0].data.id).toBe(key.id);
  });

  it("is part of new keys, also after a rotation, and they are accepted", async () => {
    const { id, key, secret_prefix } = await parley.createKey({ type: "bot" });
    expect(key).toMatch(/^parley_bot_c7_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    expect(secret_prefix).toBe("parley_bot_c7_");
    expect((await parley.call("GET", "/me", { key })).status).toBe(200);
    const rotated = await parley.call("POST", `/api-keys/${id}/rotate`);
    expect(rotated.body.data.key).toMatch(/^parley_bot_c7_/);
    expect((await parley.call("GET", "/me", { key: rotated.body.data.key })).status).toBe(200);
  });

  it("is part of the cookie of a session, which is accepted as a whole only", async () => {
    await setUp(parley, {});
    const browser = openBrowser(parley);
    const reply = await browser.call("POST", "/sign-in", { email: "olive@example.com", password: PASSWORD });
    expect(reply.status, reply.text).toBe(200);
    const [, token = ""] = /^parley_session=([^;]+)/.exec(browser.setCookie ?? "") ?? [];
    expect(token).toMatch(/^c7\.[A-Za-z0-9_-]{43}$/);
    expect((await browser.call("GET", "/session")).status).toBe(200);
    const withCookie = (value: string) =>
      parley.call("GET", "//dashboard-api/session", { key: null, headers: { cookie: `parley_session=${value}` } });
    expect((await withCookie(token)).status).toBe(200);
    expect((await withCookie(token.slice(3))).status).toBe(401);
    expect((await withCookie(token.replace("c7.", "c8."))).status).toBe(401);
  });

  it("keeps to its cell after a restart, and refuses another one with a clear sentence", async () => {
    const again = await startParley({ PARLEY_CELL: "" }, parley.database);
    expect((await again.createKey()).key).toMatch(/^parley_full_c7_/);
    await again.close();
    await expect(startParley({ PARLEY_CELL: "8" }, parley.database)).rejects.toThrow(
      "PARLEY_CELL is 8, but this database was set up as cell 7, which cannot be changed",
    );
  });
});

describe("an installation without PARLEY_CELL", () => {
  it("is cell 0 with ids 1, 2, 3, and cannot become another cell", async () => {
    const database = await createTestDatabase();
    const plain = await startParley({ PARLEY_CELL: "" }, database);
    const { id, key } = await plain.createKey();
    expect([id, key]).toEqual([2, expect.stringMatching(/^parley_full_[0-9A-Za-z]{32}_/)]);
    await plain.close();
    await expect(startParley({ PARLEY_CELL: "3" }, database)).rejects.toThrow("was set up as cell 0");
    await database.drop();
  });
});
