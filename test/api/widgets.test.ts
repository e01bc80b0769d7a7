import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const GOOD = { name: "Shop", allowed_origins: ["https://shop.example"] };
const create = (body: object = {}) => parley.call("POST", "/widgets", { body: { ...GOOD, ...body } });
const fetchText = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(parley.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe("a widget", () => {
  it("has its defaults, a public id and, when it is created, an identity secret", async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const { id, uuid, public_id, secret, created_at, updated_at, ...rest } = body.data;
    expect(public_id).toMatch(/^wid_[a-z0-9]{24}$/);
    expect(secret).toMatch(/^wis_[A-Za-z0-9+/]{43}=$/);
    expect(rest).toEqual({
      ...GOOD,
      is_active: true,
      require_identity: false,
      color: "#0f766e",
      position: "right",
      texts: {},
      ask_name: "no",
      ask_email: "optional",
      collect_page: true,
      mailbox_id: null,
    });
    const read = (await parley.call("GET", `/widgets/${uuid}`)).body.data;
    expect(read).toEqual({ id, uuid, public_id, created_at, updated_at, ...rest });
    expect((await parley.call("GET", "/widgets")).text).not.toContain("wis_");
  });

  it("stores origins as browsers send them, each once", async () => {
    const origins = ["HTTPS://Shop.Example:443", "https://shop.example", "http://localhost:3000", "http://[::1]:8080"];
    const { body } = await create({ allowed_origins: [...origins, "https://bücher.example", "http://127.0.0.1:1"] });
    expect(body.data.allowed_origins).toEqual([
      "https://shop.example",
      "http://localhost:3000",
      "http://[::1]:8080",
      "https://xn--bcher-kva.example",
      "http://127.0.0.1:1",
    ]);
  });

  it.each([
    "https://shop.example/",
    "https://shop.example/path",
    "https://shop.example?a",
    "https://user@shop.example",
    "https://*.shop.example",
    "https://shop.example;script-src",
    "https://shop.example'",
    "https://a,b",
    "*",
    "null",
    "shop.example",
    "ftp://shop.example",
    "http://shop.example",
    "http://localhost.shop.example",
    "https://shop.example\n",
  ])("refuses %j as an origin", async (origin) => {
    const { status, body } = await create({ allowed_origins: ["https://ok.example", origin] });
    expect(status).toBe(422);
    expect(body.error.details.allowed_origins[0]).toMatch(/^allowed_origins\[1\] must be/);
  });

  it("names each wrong field of a request", async () => {
    const { status, body } = await parley.call("POST", "/widgets", {
      body: {
        name: " ",
        allowed_origins: [],
        is_active: "yes",
        color: "red",
        position: "top",
        texts: { "not a tag": { title: "x" }, de: { title: "x".repeat(501) } },
        ask_name: "maybe",
        mailbox_id: 1,
      },
    });
    expect(status).toBe(422);
    expect(Object.keys(body.error.details).sort()).toEqual(
      ["allowed_origins", "ask_name", "color", "is_active", "mailbox_id", "name", "position", "texts"].sort(),
    );
    expect(body.error.details.color).toEqual(["color must be a color such as #0f766e."]);
  });

  it("takes 50 languages and no more, and keeps known texts only", async () => {
    const texts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`en-x${index}`, { title: "Hi", other: 1 }]));
    expect((await create({ texts: texts(51) })).body.error.details.texts).toEqual([
      "texts must have at most 50 entries.",
    ]);
    const { body } = await create({ texts: { ...texts(48), de: { title: null, greeting: "Hallo" }, fr: null } });
    expect(body.data.texts.de).toEqual({ greeting: "Hallo" });
    expect(body.data.texts["en-x0"]).toEqual({ title: "Hi" });
    expect(Object.keys(body.data.texts)).toHaveLength(49);
  });

  it("changes by PATCH, where null restores a default and clears nothing that has none", async () => {
    const { id } = (await create({ color: "#ABCDEF", texts: { en: { title: "Hi" } }, ask_email: "required" })).body
      .data;
    const path = `/widgets/${id}`;
    const kept = await parley.call("PATCH", path, { body: { position: "left" } });
    expect(kept.body.data).toMatchObject({ color: "#abcdef", position: "left", ask_email: "required" });
    const body = { color: null, texts: null, ask_email: null, position: null, mailbox_id: null };
    const { data } = (await parley.call("PATCH", path, { body })).body;
    expect(data).toMatchObject({ color: "#0f766e", texts: {}, ask_email: "optional", position: "right" });
    const refused = await parley.call("PATCH", path, { body: { name: null, allowed_origins: null } });
    expect(Object.keys(refused.body.error.details).sort()).toEqual(["allowed_origins", "name"]);
  });

  it("rotates and shows its identity secret, and each change leaves an audit entry", async () => {
    const made = (await create()).body.data;
    const path = `/widgets/${made.id}`;
    expect((await parley.call("GET", `${path}/secret`)).body.data).toEqual({ secret: made.secret });
    const rotated = await parley.call("POST", `${path}/rotate-secret`, { body: { overlap_seconds: 60 } });
    expect(rotated.body.data.secret).not.toBe(made.secret);
    expect((await parley.call("GET", `${path}/secret`)).body.data.secret).toBe(rotated.body.data.secret);
    const wrong = await parley.call("POST", `${path}/rotate-secret`, { body: { overlap_seconds: 604_801 } });
    expect(wrong.status).toBe(422);
    await parley.call("PATCH", path, { body: { name: "Other" } });
    await parley.call("PATCH", path, { body: { name: "Other" } });
    expect((await parley.call("DELETE", path)).status).toBe(200);
    expect((await parley.call("GET", path)).status).toBe(404);
    const entries = (await parley.call("GET", `/audit-logs?resource_type=widget&resource_id=${made.id}`)).body.data;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      "widget.deleted",
      "widget.updated",
      "widget.secret_read",
      "widget.secret_rotated",
      "widget.secret_read",
      "widget.created",
    ]);
    expect(entries[1].changes).toEqual({ name: { from: "Shop", to: "Other" } });
    expect(JSON.stringify(entries)).not.toContain("wis_");
  });

  it("is in lists by pages and by cursor, newest first", async () => {
    const first = (await parley.call("GET", "/widgets?per_page=2&page=1")).body;
    expect(first.data).toHaveLength(2);
    expect(first.meta.pagination.total).toBeGreaterThan(2);
    const one = (await parley.call("GET", "/widgets?limit=1")).body;
    const two = (await parley.call("GET", `/widgets?limit=1&cursor=${one.meta.next_cursor}`)).body;
    expect([one.data[0].id, two.data[0].id]).toEqual(first.data.map(({ id }: { id: number }) => id));
    expect((await parley.call("GET", "/widgets?is_active=false")).body.data).toEqual([]);
  });
});

describe("the public settings of a widget", () => {
  it("are JSON for the frame and a script for the page, cacheable and without a cookie", async () => {
    const { public_id } = (await create({ texts: { en: { title: "</script>\u2028" } } })).body.data;
    const json = await fetchText(`/widget/${public_id}/settings.json`);
    const settings = JSON.parse(json.text);
    expect(settings).toEqual({
      public_id,
      is_active: true,
      color: "#0f766e",
      position: "right",
      texts: { en: { title: "</script>\u2028" } },
      ask_name: "no",
      ask_email: "optional",
      require_identity: false,
      replies_by_mail: false,
      frame_version: settings.frame_version,
    });
    const script = await fetchText(`/widget/${public_id}/settings.js`);
    expect(script.text).not.toMatch(/[<\u2028]/);
    const called: unknown[] = [];
    new Function("window", script.text)({ __parleyWidget: (given: unknown) => called.push(given) });
    expect(called).toEqual([settings]);
    expect(script.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(script.headers.get("content-type")).toMatch(/^text\/javascript/);
    for (const { headers } of [json, script]) {
      expect(headers.get("cache-control")).toBe("public, max-age=60");
      expect(headers.get("set-cookie")).toBeNull();
    }
    const repeated = await fetchText(`/widget/${public_id}/settings.js`, {
      "if-none-match": script.headers.get("etag") ?? "",
    });
    expect(repeated.status).toBe(304);
  });

  it("say only that it is not active where it is unknown or inactive, and its frame is a 404", async () => {
    const { public_id } = (await create({ is_active: false })).body.data;
    for (const id of [public_id, `wid_${"0".repeat(24)}`, "anything"]) {
      const settings = await fetchText(`/widget/${id}/settings.json`);
      expect([settings.status, JSON.parse(settings.text)]).toEqual([200, { public_id: id, is_active: false }]);
      expect((await fetchText(`/widget/${id}/frame`, { accept: "text/html" })).status).toBe(404);
    }
  });
});
