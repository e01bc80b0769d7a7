import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formsOf } from "../../src/conversations/search-words.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
const { made, got } = wordsOf(() => parley);
let ana: Any;
let bo: Any;

beforeAll(async () => {
  parley = await startParley();
  ana = await made("/conversations", {
    subject: "Late parcel",
    contact: { name: "Ana Müller", email: "ana@lighthouse.example", phone: "+49 170 123 45 67" },
    labels: ["Big spender"],
    message: { body: "It should be in the Hauptstraße by now.", direction: "in" },
  });
  bo = await made("/conversations", {
    subject: "Smørrebrød",
    status: "resolved",
    contact: { name: "Łukasz", phone: "00481234567" },
    message: { body: "A parcel too", direction: "in" },
  });
});
afterAll(() => parley.close());

const idsOf = async (path: string, options = {}): Promise<number[]> =>
  (await got(path, options)).data.map(({ id }: Any) => id);
const conversations = (text: string, more = "") => idsOf(`/conversations?text=${encodeURIComponent(text)}${more}`);
const contacts = (search: string) => idsOf(`/contacts?search=${encodeURIComponent(search)}`);

describe("GET /conversations with text", () => {
  it("finds a conversation by what its row shows and by what it contains", async () => {
    const words = ["late", "muller", "ana@lighthouse.example", "lighthouse", "big spend", "hauptstr", `#${ana.id}`];
    for (const text of words) expect(await conversations(text), text).toEqual([ana.id]);
    for (const number of ["+491701234567", "0170/1234567".slice(1)])
      expect(await conversations(number), number).toEqual([ana.id]);
    expect(await conversations("nothing like it")).toEqual([]);
  });

  it("finds within the view only, in its order", async () => {
    expect(await conversations("parcel", "&sort=last_activity")).toEqual([bo.id, ana.id]);
    expect(await conversations("parcel", "&status=resolved&sort=last_activity")).toEqual([bo.id]);
    expect(await conversations("parcel", "&label=Big%20spender")).toEqual([ana.id]);
  });

  it("finds only by what the caller may read", async () => {
    const { key } = await parley.createKey({ type: "limited", abilities: ["conversations:read"] });
    const as = { key };
    expect(await idsOf("/conversations?text=late", as)).toEqual([ana.id]);
    for (const text of ["lighthouse", "hauptstrasse", "+491701234567"])
      expect(await idsOf(`/conversations?text=${text}`, as), text).toEqual([]);
  });
});

describe("letters without an accent to remove", () => {
  it("are found as people type them without their keyboard, and as they are", async () => {
    for (const text of ["hauptstrasse", "Hauptstraße", "HAUPTSTRASSE"])
      expect(await conversations(text), text).toEqual([ana.id]);
    for (const text of ["smorrebrod", "smørrebrød", "lukasz", "łukasz"])
      expect(await conversations(text), text).toEqual([bo.id]);
  });

  it("stand for few forms of a word, however many places it has", () => {
    expect(formsOf("strasse")).toEqual(["strasse", "straße"]);
    expect(formsOf("lodz").toSorted()).toEqual(["lodz", "lødz", "łodz", "łødz"].toSorted());
    expect(formsOf("malopolska")).toContain("małopolska");
    expect(formsOf("hovedlobsforlob")).toContain("hovedløbsforløb");
    expect(formsOf("lollollollo".repeat(20)).length).toBeLessThan(5);
  });
});

describe("GET /contacts with search", () => {
  it("finds names without their accents and special letters", async () => {
    expect(await contacts("muller")).toEqual([ana.contact.id]);
    expect(await contacts("lukasz")).toEqual([bo.contact.id]);
  });

  it("finds phone numbers whatever is between their digits", async () => {
    for (const number of ["+491701234567", "1701234567", "0170/1234567".slice(1), "0170/1234567", "+49 (170) 1234567"])
      expect(await contacts(number), number).toEqual([ana.contact.id]);
    for (const number of ["0048 123 45 67", "+48 123 45 67"])
      expect(await contacts(number), number).toEqual([bo.contact.id]);
    expect(await contacts("000000")).toEqual([]);
    expect(await contacts("+4917012345678")).toEqual([]);
  });
});
