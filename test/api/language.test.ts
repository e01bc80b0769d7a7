import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
});
afterAll(() => parley.close());

const current = async () => (await owner.call("GET", "/session")).body.data.language;
const choose = (language: string) => owner.call("PATCH", "/profile", { language });

describe("the language of the dashboard", () => {
  it("is the browser's until a user chooses one, and again when they clear it", async () => {
    expect(await current()).toBeNull();
    expect((await choose("pt-BR")).body.data.language).toBe("pt-BR");
    expect(await current()).toBe("pt-BR");
    expect((await owner.call("PATCH", "/profile", { name: "Olga" })).body.data.language).toBe("pt-BR");
    expect((await choose("")).body.data.language).toBeNull();
    expect(await current()).toBeNull();
  });

  it("is one of those that there are", async () => {
    const { status, body } = await choose("tlh");
    expect([status, Object.keys(body.error.details)]).toEqual([422, ["language"]]);
  });
});
