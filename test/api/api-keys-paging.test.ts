import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
  // With the bootstrap key: 12 in all.
  for (let i = 1; i <= 11; i++) await parley.createKey({ name: `key ${i}`, type: i % 2 ? "full" : "bot" });
});
afterAll(() => parley.close());

const page = async (query: string) => {
  const { status, body, text } = await parley.call("GET", `/api-keys?${query}`);
  expect(status, text).toBe(200);
  return body;
};
const follow = async (link: string) => {
  const { body } = await parley.call("GET", link.slice(`${parley.url}/api/v1`.length));
  return body;
};
const names = (body: { data: { name: string }[] }) => body.data.map((key) => key.name);

describe("a page of GET /api-keys", () => {
  it("adds meta and links when page or per_page is given", async () => {
    for (const query of ["page=1", "per_page=25", "page=1&per_page=25"]) {
      const body = await page(query);
      expect(Object.keys(body).sort()).toEqual(["data", "links", "meta", "success"]);
      expect(body.meta).toEqual({
        pagination: { total: 12, per_page: 25, current_page: 1, last_page: 1, from: 1, to: 12 },
      });
      expect(Object.keys(body.links).sort()).toEqual(["first", "last", "next", "prev"]);
      expect(body.links).toMatchObject({ prev: null, next: null });
    }
  });

  it("counts from and to by record, and the last page may be short", async () => {
    const second = await page("page=2&per_page=5");
    expect(second.meta.pagination).toEqual({
      total: 12,
      per_page: 5,
      current_page: 2,
      last_page: 3,
      from: 6,
      to: 10,
    });
    const third = await page("page=3&per_page=5");
    expect(third.data).toHaveLength(2);
    expect(third.meta.pagination).toMatchObject({ from: 11, to: 12 });
    expect(third.links.next).toBeNull();
  });

  it("has absolute links that carry the page and keep the other parameters", async () => {
    const { links } = await page("page=2&per_page=2&type=full&search=key%20&is_active=1&colour=a&colour=b");
    for (const [name, number] of [
      ["first", "1"],
      ["prev", "1"],
      ["next", "3"],
      ["last", "3"],
    ] as const) {
      const url = new URL(links[name]);
      expect(url.origin).toBe(parley.url);
      expect(url.pathname).toBe("/api/v1/api-keys");
      expect(url.searchParams.get("page")).toBe(number);
      expect(url.searchParams.get("per_page")).toBe("2");
      expect(url.searchParams.get("type")).toBe("full");
      expect(url.searchParams.get("search")).toBe("key ");
      expect(url.searchParams.get("is_active")).toBe("1");
      expect(url.searchParams.getAll("colour")).toEqual(["a", "b"]);
    }
  });

  it("past the end has no data, zeros, no next, and the last page as prev", async () => {
    for (const number of ["4", "999999999999999"]) {
      const body = await page(`page=${number}&per_page=5`);
      expect(body.data).toEqual([]);
      expect(body.meta.pagination).toEqual({
        total: 12,
        per_page: 5,
        current_page: Number(number),
        last_page: 3,
        from: 0,
        to: 0,
      });
      expect(body.links.next).toBeNull();
      expect(new URL(body.links.prev).searchParams.get("page")).toBe("3");
    }
  });

  it("of an empty list is page 1 of 1 with zeros", async () => {
    const body = await page("search=nothing-like-it&per_page=5");
    expect(body.meta.pagination).toEqual({
      total: 0,
      per_page: 5,
      current_page: 1,
      last_page: 1,
      from: 0,
      to: 0,
    });
    expect(new URL(body.links.first).searchParams.get("page")).toBe("1");
    expect(new URL(body.links.last).searchParams.get("page")).toBe("1");
    expect(body.links).toMatchObject({ prev: null, next: null });
  });

  it("counts only what the filters let through", async () => {
    expect((await page("type=bot&per_page=2")).meta.pagination).toMatchObject({ total: 5, last_page: 3 });
  });

  it("walks the whole list by its links, once each, while keys are added", async () => {
    const before = names((await parley.call("GET", "/api-keys")).body);
    let body = await page("per_page=4");
    const seen = names(body);
    while (body.links.next) {
      expect(new URL(body.links.next).searchParams.has("up_to_id")).toBe(true);
      await parley.createKey({ name: "newcomer" });
      body = await follow(body.links.next);
      expect(body.meta.pagination).toMatchObject({ total: before.length, last_page: 3 });
      seen.push(...names(body));
    }
    expect(seen).toEqual(before);
    // And back again.
    const back = await follow(body.links.first);
    expect(names(back)).toEqual(before.slice(0, 4));
  });

  it("may have a per_page of 1 and of 100", async () => {
    expect((await page("per_page=1")).data).toHaveLength(1);
    expect((await page("per_page=100")).meta.pagination.per_page).toBe(100);
  });
});

describe("the address in links", () => {
  it("is the one of the request, without what an unknown proxy says", async () => {
    const { body } = await parley.call("GET", "/api-keys?page=1", {
      headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    });
    expect(new URL(body.links.first).origin).toBe(parley.url);
  });

  it("is what a trusted proxy says", async () => {
    const behind = await startParley({ PARLEY_TRUSTED_PROXIES: "127.0.0.1" });
    const { body } = await behind.call("GET", "/api-keys?page=1", {
      headers: { "x-forwarded-host": "api.example.com", "x-forwarded-proto": "https" },
    });
    expect(new URL(body.links.first).origin).toBe("https://api.example.com");
    await behind.close();
  });

  it("is PARLEY_PUBLIC_URL where that is set, whatever the request says", async () => {
    const named = await startParley({ PARLEY_PUBLIC_URL: "https://chat.example.com/parley/" });
    const { body } = await named.call("GET", "/api-keys?page=1");
    expect(body.links.first).toMatch(/^https:\/\/chat\.example\.com\/parley\/api\/v1\/api-keys\?/);
    await named.close();
  });
});
