import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let parley: TestParley;
const made: Record<string, { id: number; uuid: string; key: string }> = {};

beforeAll(async () => {
  parley = await startParley();
  for (const [name, input] of Object.entries({
    one: { name: "Invoice reader", description: "reads", type: "limited", abilities: ["messages:read"] },
    two: { name: "100% sure_thing", type: "webhook" },
    three: { name: "100 sure thing", type: "bot" },
    four: { name: "Übung für INVOICES", type: "full" },
    paused: { name: "invoice paused", type: "webhook" },
  }))
    made[name] = await parley.createKey(input);
  await parley.call("PATCH", `/api-keys/${made.paused?.id}`, { body: { is_active: false } });
});
afterAll(() => parley.close());

const list = async (query = "") => {
  const reply = await parley.call("GET", `/api-keys${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
const names = async (query: string): Promise<string[]> =>
  (await list(query)).data.map((key: { name: string }) => key.name);
const refused = async (query: string) => {
  const { status, body } = await parley.call("GET", `/api-keys${query}`);
  expect(status).toBe(422);
  expect(body).toMatchObject({ success: false, error: { code: "VALIDATION_ERROR" } });
  return body.error.details as Record<string, string[]>;
};

describe("GET /api-keys", () => {
  it("returns the success envelope and nothing else", async () => {
    const body = await list();
    expect(Object.keys(body).sort()).toEqual(["data", "success"]);
    expect(body.success).toBe(true);
    expect(Array.isArray(body.data)).toBe(true);
  });

  it("gives each field of a record with its JSON type, and no secret", async () => {
    const { data } = await list();
    for (const key of data) {
      expect(Object.keys(key)).toEqual([
        "id",
        "uuid",
        "name",
        "description",
        "type",
        "abilities",
        "rate_limit_tier",
        "is_active",
        "last_used_at",
        "created_at",
        "rotated_at",
        "expires_at",
        "allowed_ips",
        "revoked_at",
        "secret_prefix",
        "last_four",
        "old_secret_expires_at",
        "created_by",
      ]);
      expect(Number.isInteger(key.id) && key.id > 0).toBe(true);
      expect(key.uuid).toMatch(UUID);
      expect(typeof key.name).toBe("string");
      expect(typeof key.description).toBe("string");
      expect(["full", "limited", "webhook", "bot"]).toContain(key.type);
      expect(key.abilities.every((ability: unknown) => typeof ability === "string")).toBe(true);
      expect(typeof key.rate_limit_tier).toBe("string");
      expect(typeof key.is_active).toBe("boolean");
      expect(key.created_at).toMatch(TIMESTAMP);
    }
  });

  it("returns a record as it was created", async () => {
    const { data } = await list();
    expect(data.find((key: { id: number }) => key.id === made.one?.id)).toMatchObject({
      uuid: made.one?.uuid,
      name: "Invoice reader",
      description: "reads",
      type: "limited",
      abilities: ["messages:read"],
      rate_limit_tier: "standard",
      is_active: true,
      last_used_at: null,
      rotated_at: null,
      expires_at: null,
      allowed_ips: [],
      revoked_at: null,
    });
  });

  it("lists a record exactly as it is read alone, whatever its text and with an old secret that works", async () => {
    const { id } = await parley.createKey({
      name: 'Quotes " <é🙂>',
      description: "two\n\\lines",
      allowed_ips: ["10.0.0.0/8"],
    });
    await parley.call("POST", `/api-keys/${id}/rotate`, { body: { overlap_seconds: 3_600 } });
    const alone = (await parley.call("GET", `/api-keys/${id}`)).body.data;
    expect(alone.old_secret_expires_at).toMatch(TIMESTAMP);
    const listed = (await list(`?search=${encodeURIComponent("<é🙂>")}`)).data;
    expect(listed).toEqual([alone]);
    expect(Object.keys(listed[0])).toEqual(Object.keys(alone));
  });

  it("writes every timestamp as UTC in seconds, offset +00:00", async () => {
    const key = await parley.createKey({ name: "times", expires_at: "2099-01-02T03:04:05.678+02:00" });
    await parley.call("GET", "/me", { key: key.key });
    await parley.call("POST", `/api-keys/${key.id}/rotate`);
    await parley.call("DELETE", `/api-keys/${key.id}`);
    const found = (await list("?search=times")).data[0];
    for (const field of ["last_used_at", "created_at", "rotated_at", "revoked_at"])
      expect(found[field], field).toMatch(TIMESTAMP);
    expect(found.expires_at).toBe("2099-01-02T01:04:05+00:00");
    const age = Date.now() - Date.parse(found.created_at);
    expect(age).toBeGreaterThan(-2_000);
    expect(age).toBeLessThan(60_000);
  });

  it("lists the newest first", async () => {
    const ids = (await list()).data.map((key: { id: number }) => key.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const late = await parley.createKey({ name: "late" });
    expect((await list()).data[0].id).toBe(late.id);
  });

  it("returns all keys, however many, when no page is asked for", async () => {
    const other = await parley.createWorkspace();
    await Promise.all(Array.from({ length: 120 }, (_, i) => parley.createKey({ name: `k${i}` }, { key: other.key })));
    const { body } = await parley.call("GET", "/api-keys", { key: other.key });
    expect(body.data).toHaveLength(121);
    expect(body).not.toHaveProperty("meta");
  });

  it("works whatever Accept says, and without one", async () => {
    for (const accept of ["application/json", "text/html", "*/*", "image/png;q=0.1", "nonsense"]) {
      const { status } = await parley.call("GET", "/api-keys", { headers: { accept } });
      expect(status).toBe(200);
    }
  });

  it("shows another workspace nothing", async () => {
    const other = await parley.createWorkspace();
    const { body } = await parley.call("GET", "/api-keys", { key: other.key });
    expect(body.data.map((key: { name: string }) => key.name)).toEqual(["other"]);
  });
});

describe("the filters of GET /api-keys", () => {
  it.each(["full", "limited", "webhook", "bot"])("type=%s gives that type alone", async (type) => {
    const { data } = await list(`?type=${type}`);
    expect(data.length).toBeGreaterThan(0);
    for (const key of data) expect(key.type).toBe(type);
  });

  it("is_active separates active from inactive keys, and both together are the whole list", async () => {
    const all = (await list()).data.length;
    const active = (await list("?is_active=true")).data;
    const inactive = (await list("?is_active=false")).data;
    expect(active.every((key: { is_active: boolean }) => key.is_active)).toBe(true);
    expect(inactive.some((key: { id: number }) => key.id === made.paused?.id)).toBe(true);
    expect(active.length + inactive.length).toBe(all);
  });

  it.each(["true", "TRUE", "True", "1"])("is_active=%s is true", async (value) => {
    expect((await list(`?is_active=${value}`)).data).toEqual((await list("?is_active=true")).data);
  });

  it.each(["false", "FALSE", "False", "0"])("is_active=%s is false", async (value) => {
    const { data } = await list(`?is_active=${value}`);
    expect(data.map((key: { is_active: boolean }) => key.is_active)).not.toContain(true);
  });

  it("search finds a substring of the name in any case", async () => {
    expect(await names("?search=INVOICE")).toEqual(["invoice paused", "Übung für INVOICES", "Invoice reader"]);
    expect(await names("?search=voice%20r")).toEqual(["Invoice reader"]);
    expect(await names(`?search=${encodeURIComponent("üBUNG FÜR")}`)).toEqual(["Übung für INVOICES"]);
  });

  it("search does not look at anything but the name", async () => {
    expect(await names("?search=reads")).toEqual([]);
  });

  it("search takes % and _ and \\ as plain characters", async () => {
    expect(await names("?search=100%25")).toEqual(["100% sure_thing"]);
    expect(await names("?search=sure_thing")).toEqual(["100% sure_thing"]);
    expect(await names("?search=%25")).toEqual(["100% sure_thing"]);
    expect(await names("?search=_")).toEqual(["100% sure_thing"]);
    expect(await names("?search=%5C")).toEqual([]);
  });

  it("search takes text that looks like SQL as text", async () => {
    expect(await names(`?search=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
  });

  it("all filters hold together", async () => {
    expect(await names("?type=webhook&is_active=false&search=invoice")).toEqual(["invoice paused"]);
    expect(await names("?type=webhook&is_active=true&search=invoice")).toEqual([]);
  });

  it("an empty value counts as absent", async () => {
    expect(await names("?type=&is_active=&search=&page=&per_page=&up_to_id=")).toEqual(await names(""));
    expect(await list("?page=&per_page=")).not.toHaveProperty("meta");
  });

  it("an unknown parameter is ignored", async () => {
    expect(await names("?colour=red&__proto__=1")).toEqual(await names(""));
  });

  it.each([
    ["type=Full", "type"],
    ["type=admin", "type"],
    ["is_active=yes", "is_active"],
    ["is_active=2", "is_active"],
    ["is_active=null", "is_active"],
    [`search=${"x".repeat(256)}`, "search"],
    ["search=a%00b", "search"],
    ["page=0", "page"],
    ["page=-1", "page"],
    ["page=1.5", "page"],
    ["page=one", "page"],
    ["page=99999999999999999999", "page"],
    ["per_page=0", "per_page"],
    ["per_page=101", "per_page"],
    ["per_page=ten", "per_page"],
    ["up_to_id=-1", "up_to_id"],
    ["type=full&type=bot", "type"],
    ["is_active=true&is_active=false", "is_active"],
    ["search=a&search=b", "search"],
  ])("?%s is a 422 that names the parameter", async (query, field) => {
    const details = await refused(`?${query}`);
    expect(Object.keys(details)).toEqual([field]);
    expect(details[field]?.[0]).toContain(field);
  });

  it("names every wrong parameter at once", async () => {
    const details = await refused("?type=x&is_active=x&page=x&per_page=x");
    expect(Object.keys(details).sort()).toEqual(["is_active", "page", "per_page", "type"]);
  });
});
