import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { excerptOf, parseSearch } from "../../src/conversations/search-words.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
const { made, got, wrongFields } = wordsOf(() => parley);
let conversation: Any;
let contact: Any;
let message: Any;

beforeAll(async () => {
  parley = await startParley();
  contact = await made("/contacts", {
    name: "Zoë Krüger",
    email: "zoe@lighthouse.example",
    phone: "+49 170 555",
    external_id: "crm-77",
  });
  conversation = await made("/conversations", { contact_id: contact.id, subject: "Broken Café machine" });
  message = await made(`/conversations/${conversation.id}/messages`, {
    body: `${"Some words before it. ".repeat(20)}The ESPRESSO machine leaks water 😀 since New York.`,
  });
  await made(`/conversations/${conversation.id}/messages`, { body: "York is new to me." });
});
afterAll(() => parley.close());

const hits = async (query: string, options = {}): Promise<Any[]> => (await got(`/search?${query}`, options)).data;
const found = async (q: string) => (await hits(`q=${encodeURIComponent(q)}`)).map(({ type, id }) => `${type} ${id}`);

describe("GET /search", () => {
  it("finds words and beginnings of words in any case and without accents, in all types", async () => {
    expect(await found("espre")).toEqual([`message ${message.id}`]);
    expect(await found("CAFE mach")).toEqual([`conversation ${conversation.id}`]);
    expect(await found("kruger zoe")).toEqual([`contact ${contact.id}`]);
    for (const q of ["lighthouse", "zoe@lighthouse.example", "crm-77", "555", "Zoë"])
      expect(await found(q), q).toContain(`contact ${contact.id}`);
    expect(await found("machine")).toEqual([`message ${message.id}`, `conversation ${conversation.id}`]);
    expect(await found("spresso")).toEqual([]);
    expect(await found("espresso absent")).toEqual([]);
  });

  it("finds contacts by their number whatever is between its digits, and each contact once", async () => {
    for (const q of ["+49170555", "0170555", "0170/555", "170 555", "+49 170 555", "0049 (170) 555"])
      expect(await found(q), q).toEqual([`contact ${contact.id}`]);
    expect(await found("+491705556")).toEqual([]);
    expect(await hits("q=0170555&type=message,conversation")).toEqual([]);
  });

  it("folds letters without an accent in contacts as in messages", async () => {
    const { key } = await parley.createWorkspace();
    const body = { contact: { name: "Søren Łukaszewski, Königstraße" }, message: { body: "Größe łódź smørrebrød" } };
    await parley.call("POST", "/conversations", { key, body });
    for (const [q, type] of [
      ["soren", "contact"],
      ["lukaszewski", "contact"],
      ["konigstrasse", "contact"],
      ["grosse", "message"],
      ["lodz", "message"],
      ["smorrebrod", "message"],
    ]) {
      const { data } = (await parley.call("GET", `/search?q=${q}`, { key })).body;
      expect(
        data.map((hit: Any) => hit.type),
        q,
      ).toEqual([type]);
      const listed = (await parley.call("GET", `/contacts?search=${q}`, { key })).body.data;
      expect(listed.length, q).toBe(type === "contact" ? 1 : 0);
      const filtered = (await parley.call("GET", `/conversations?text=${q}`, { key })).body.data;
      expect(filtered.length, q).toBe(1);
    }
  });

  it("finds a rare word with one that is in many of the newest messages, and nothing that lacks either", async () => {
    const { id } = await made("/conversations", { subject: "Parcels" });
    const written: Any[] = [];
    for (let n = 0; n < 14; n++)
      written.push(await made(`/conversations/${id}/messages`, { body: `Parcel quince${n}` }));
    await made(`/conversations/${id}/messages`, { body: "quince3 alone" });
    expect(await found("parc quince3")).toEqual([`message ${written[3].id}`]);
    expect(await found('quince3 parcel "parcel quince3"')).toEqual([`message ${written[3].id}`]);
    expect(await found("parcel quince99")).toEqual([]);
  });

  it("takes no longer because the newest messages are long ones", async () => {
    const { key } = await parley.createWorkspace();
    const opened = await parley.call("POST", "/conversations", { key, body: { message: { body: "a lone zebra" } } });
    const path = `/conversations/${opened.body.data.id}/messages`;
    const body = { body: "éeeeeeeeee ".repeat(5_900) };
    for (let count = 0; count < 150; count++) expect((await parley.call("POST", path, { key, body })).status).toBe(201);
    for (const q of ["zebra", "lone zebra", "nowhere at all"]) {
      const { status, body: found } = await parley.call("GET", `/search?q=${encodeURIComponent(q)}`, { key });
      expect([q, status, found.data?.length]).toEqual([q, 200, q.includes("zebra") ? 1 : 0]);
    }
  });

  it("folds only the part of a long text that has the first match word by word", () => {
    const late = `${"éclat ".repeat(9_000)}the éclair itself`;
    const folded = vi.spyOn(String.prototype, "normalize");
    excerptOf(late, parseSearch("eclair"));
    expect(folded.mock.calls.length, "of 9,003 words").toBeLessThan(1_000);
    folded.mockRestore();
  });

  it("cuts the excerpt of a long text out in a few times what folding it as a whole takes", async () => {
    const msOf = (work: () => unknown): number => {
      const startedAt = performance.now();
      work();
      return performance.now() - startedAt;
    };
    const often = "éclair ".repeat(9_000);
    const late = `${"éclat ".repeat(9_000)}the éclair itself`;
    const never = "xéclair ".repeat(8_000);
    for (const [text, excerpt] of [
      [often, { excerpt: often.slice(0, 200), highlights: Array.from({ length: 28 }, (_, n) => [n * 7, n * 7 + 6]) }],
      [late, { excerpt: late.slice(-73), highlights: [[60, 66]] }],
      [never, { excerpt: never.slice(0, 200), highlights: [] }],
    ] as const) {
      expect(excerptOf(text, parseSearch("eclair"))).toEqual(excerpt);
      const fold = () =>
        text
          .toLowerCase()
          .normalize("NFKD")
          .replace(/[\u0300-\u036f]/g, "");
      let [folding, cutting] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      // The shortest of many times: only other work on the machine makes one longer.
      const times = () => {
        folding = Math.min(folding, msOf(fold));
        cutting = Math.min(
          cutting,
          msOf(() => excerptOf(text, parseSearch("eclair"))),
        );
        return cutting / folding;
      };
      for (let count = 0; count < 7; count++) times();
      await expect.poll(times, { interval: 10 }).toBeLessThan(8);
    }
  });

  it("finds a phrase in quotes, word after word", async () => {
    expect(await found('"new york"')).toEqual([`message ${message.id}`]);
    expect(await found("new york")).toHaveLength(2);
  });

  it("gives an excerpt around the match, with the matches as ranges of UTF-16 units", async () => {
    const [hit] = await hits("q=york%20espresso&type=message");
    expect(hit).toMatchObject({ conversation_id: conversation.id, title: "Broken Café machine" });
    expect(hit.excerpt.length).toBeLessThanOrEqual(200);
    expect(hit.highlights.map(([start, end]: number[]) => hit.excerpt.slice(start, end))).toEqual(["ESPRESSO", "York"]);
    const [subject] = await hits("q=caf");
    expect(subject.excerpt.slice(...subject.highlights[0])).toBe("Caf");
  });

  it("follows changes and deletions, and is restricted to types and a number of hits", async () => {
    const { id } = await made(`/conversations/${conversation.id}/messages`, { body: "first thought" });
    await parley.call("PATCH", `/conversations/${conversation.id}/messages/${id}`, {
      body: { body: "second thought" },
    });
    expect(await found("first thought")).toEqual([]);
    expect(await found("second")).toEqual([`message ${id}`]);
    await parley.call("DELETE", `/conversations/${conversation.id}/messages/${id}`);
    expect(await found("second")).toEqual([]);
    expect(await hits("q=machine&type=conversation")).toHaveLength(1);
    expect(await hits("q=machine&limit=1")).toHaveLength(1);
  });

  it("searches only types whose read scope the key holds; none of them is a 403", async () => {
    const { key } = await parley.createKey({ type: "limited", abilities: ["messages:read"] });
    const [hit, ...others] = await hits("q=machine", { key });
    expect([hit.type, hit.title, others]).toEqual(["message", "", []]);
    const none = await parley.createKey({ type: "limited", abilities: ["events:read"] });
    expect((await parley.call("GET", "/search?q=machine", { key: none.key })).status).toBe(403);
    expect((await parley.call("GET", "/search?q=machine&type=contact", { key })).status).toBe(403);
  });

  it("finds nothing of another workspace", async () => {
    const { key } = await parley.createWorkspace();
    expect(await hits("q=machine", { key })).toEqual([]);
  });

  it("refuses too short, too long and empty searches, and unknown types", async () => {
    for (const q of ["a", "x".repeat(201), "%25%25", '""'])
      expect(await wrongFields("GET", `/search?q=${q}`), q).toEqual(["q"]);
    expect(await wrongFields("GET", "/search")).toEqual(["q"]);
    expect(await wrongFields("GET", "/search?q=ab&type=webhook")).toEqual(["type"]);
  });

  it("does not count blanks around the words towards the shortest and the longest search", async () => {
    for (const q of ["  a", "a%20%20", "%20%09a%0A", "%20%20%20"]) {
      const { status, body } = await parley.call("GET", `/search?q=${q}`);
      expect([status, body.error?.details], q).toEqual([422, { q: ["q must have at least 2 characters."] }]);
    }
    expect(await hits("q=%20%20machine%20")).toEqual(await hits("q=machine"));
    expect(await hits(`q=machine${"%20".repeat(200)}`)).toEqual(await hits("q=machine"));
  });

  it("takes every character for what it is", async () => {
    for (const q of ["' | 'x", "a & !b:*", "\\'; drop", "ab\u0301c <-> d", "日本"])
      expect((await parley.call("GET", `/search?q=${encodeURIComponent(q)}`)).status, q).toBe(200);
  });
});

describe("search in lists", () => {
  it("finds any part of the text, also a short one; % and _ are plain characters", async () => {
    const names = async (search: string) =>
      (await got(`/contacts?search=${encodeURIComponent(search)}`)).data.map(({ name }: Any) => name);
    expect(await names("HTHOUSE.ex")).toEqual(["Zoë Krüger"]);
    expect(await names("rü")).toEqual(["Zoë Krüger"]);
    for (const part of ["170 5", "+49 170", "49 170 555", "crm-77"])
      expect(await names(part), part).toEqual(["Zoë Krüger"]);
    for (const part of ["171 555", "Zoë 170", "170 556"]) expect(await names(part), part).toEqual([]);
    expect(await names("%")).toEqual([]);
    expect(await names("Zo_ K")).toEqual([]);
    expect((await got("/conversations?search=afé%20MACH&sort=last_activity")).data).toHaveLength(1);
  });

  it("finds a number wherever it stands in the text, next to any character", async () => {
    const { key } = await parley.createWorkspace();
    const call = { key };
    const between = [" ", "-", "_", ".", "/", "#", "(", "'", "\\", "№", "·", "é", "²", "0", "x", "e", "ß "];
    const names = between.flatMap((before) =>
      between.slice(0, 3).map((after) => `Unit${before}4711${after}${before}5 end`),
    );
    for (const name of names)
      expect((await parley.call("POST", "/contacts", { ...call, body: { name } })).status).toBe(201);
    const searches = [...new Set(names.flatMap((name) => [name.slice(3, 9), name.slice(4, 12)]))];
    for (const search of [...searches, " 4711", "-471", "4711", "711 "].filter((text) => text.trim() === text)) {
      const path = `/contacts?limit=100&search=${encodeURIComponent(search)}`;
      const found = (await parley.call("GET", path, call)).body.data.map(({ name }: Any) => name).reverse();
      expect(found, search).toEqual(names.filter((name) => name.toLowerCase().includes(search.toLowerCase())));
    }
  });
});
