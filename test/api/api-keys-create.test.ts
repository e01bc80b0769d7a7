import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_RATE_LIMIT_TIERS: "gold=5000/60" });
});
afterAll(() => parley.close());

const create = (body: unknown) => parley.call("POST", "/api-keys", { body });
const details = async (body: unknown): Promise<Record<string, string[]>> => {
  const reply = await create(body);
  expect(reply.status, reply.text).toBe(422);
  expect(reply.body).toMatchObject({ success: false, error: { code: "VALIDATION_ERROR" } });
  expect(typeof reply.body.error.message).toBe("string");
  return reply.body.error.details;
};

describe("POST /api-keys", () => {
  it("creates a full key of tier standard with all abilities from a name alone", async () => {
    const { status, body } = await create({ name: "plain" });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(["data", "message", "success"]);
    expect(body.success).toBe(true);
    expect(body.data).toMatchObject({
      name: "plain",
      description: "",
      type: "full",
      abilities: ["*"],
      rate_limit_tier: "standard",
      is_active: true,
      last_used_at: null,
      rotated_at: null,
      expires_at: null,
      allowed_ips: [],
      revoked_at: null,
    });
    const { key, ...record } = body.data;
    expect(typeof key).toBe("string");
    expect((await parley.call("GET", `/api-keys/${record.id}`)).body.data).toEqual(record);
  });

  it("keeps every field it is given", async () => {
    const { body } = await create({
      name: "all of it",
      description: "  what it is for ",
      type: "limited",
      abilities: ["messages:read", "audit:read", "messages:read"],
      rate_limit_tier: "gold",
      expires_at: "2099-12-31T23:59:59Z",
      allowed_ips: ["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "192.0.2.7"],
    });
    expect(body.data).toMatchObject({
      name: "all of it",
      description: "  what it is for ",
      type: "limited",
      abilities: ["messages:read", "audit:read"],
      rate_limit_tier: "gold",
      expires_at: "2099-12-31T23:59:59+00:00",
      allowed_ips: ["10.0.0.0/8", "192.0.2.7/32", "2001:db8::/32"],
    });
  });

  it("trims the name before its length is checked", async () => {
    const { body } = await create({ name: `  ${"é".repeat(255)}\n` });
    expect(body.data.name).toBe("é".repeat(255));
    expect((await create({ name: "😀".repeat(255) })).status).toBe(201);
  });

  it("ignores unknown fields and never echoes them", async () => {
    const foreign = {
      id: 1,
      uuid: "00000000-0000-7000-8000-000000000000",
      key: "my-own-secret-of-more-than-32-characters",
      secret: "my-own-secret-of-more-than-32-characters",
      digest: "00",
      is_active: false,
      paused: true,
      last_used_at: "2020-01-01T00:00:00+00:00",
      created_at: "2020-01-01T00:00:00+00:00",
      rotated_at: "2020-01-01T00:00:00+00:00",
      revoked_at: "2020-01-01T00:00:00+00:00",
      workspace_id: 999,
      bootstrap: true,
      revision: 9,
      colour: "red",
      constructor: { prototype: { polluted: true } },
    };
    const { status, body } = await create({ name: "mass", ...foreign });
    expect(status).toBe(201);
    expect(body.data.id).not.toBe(1);
    expect(body.data.uuid).not.toBe(foreign.uuid);
    expect(body.data.key).not.toBe(foreign.key);
    expect(body.data).toMatchObject({ is_active: true, last_used_at: null, rotated_at: null, revoked_at: null });
    expect(body.data.created_at.slice(0, 4)).not.toBe("2020");
    // Only their names, in the warnings.
    for (const word of ["workspace_id", "bootstrap", "colour", "red", "digest", "polluted"])
      expect(JSON.stringify(body.data)).not.toContain(word);
    expect(JSON.stringify(body.warnings)).not.toMatch(/999|my-own-secret|"red"|polluted/);
    expect((await parley.call("GET", "/me", { key: foreign.key })).status).toBe(401);
    expect(await parley.database.query("select id from api_keys where bootstrap")).toHaveLength(1);
  });

  it("takes null for an optional field as absent", async () => {
    const { status, body } = await create({
      name: "nulls",
      description: null,
      type: null,
      abilities: null,
      rate_limit_tier: null,
      expires_at: null,
      allowed_ips: null,
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ description: "", type: "full", abilities: ["*"], rate_limit_tier: "standard" });
  });

  it("takes any ISO 8601 form of expires_at", async () => {
    for (const [given, shown] of [
      ["2098-07-14T10:00:00+00:00", "2098-07-14T10:00:00+00:00"],
      ["2098-07-14T10:00:00Z", "2098-07-14T10:00:00+00:00"],
      ["2098-07-14T12:00:00.999+02:00", "2098-07-14T10:00:00+00:00"],
      ["2098-07-14 10:00:00", "2098-07-14T10:00:00+00:00"],
      ["2098-07-14", "2098-07-14T00:00:00+00:00"],
      ["20980714T100000Z", "2098-07-14T10:00:00+00:00"],
    ]) {
      const { body } = await create({ name: "iso", expires_at: given });
      expect(body.data?.expires_at, given).toBe(shown);
    }
  });
});

describe("a request that POST /api-keys refuses", () => {
  it.each([
    ["no name", {}, "name"],
    ["a null name", { name: null }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a blank name", { name: " \t\n " }, "name"],
    ["a name of 256 characters", { name: "x".repeat(256) }, "name"],
    ["a number as name", { name: 3 }, "name"],
    ["a name with a NUL", { name: "a\0b" }, "name"],
    ["half a surrogate pair", { name: "a\ud800b" }, "name"],
    ["a description of 2,001 characters", { name: "n", description: "x".repeat(2001) }, "description"],
    ["a number as description", { name: "n", description: 1 }, "description"],
    ["an unknown type", { name: "n", type: "admin" }, "type"],
    ["a type in capitals", { name: "n", type: "FULL" }, "type"],
    ["a list as type", { name: "n", type: ["full"] }, "type"],
    ["abilities that are text", { name: "n", abilities: "*" }, "abilities"],
    ["abilities that are an object", { name: "n", abilities: { 0: "*" } }, "abilities"],
    ["an empty list of abilities", { name: "n", abilities: [] }, "abilities"],
    ["a number among the abilities", { name: "n", abilities: ["*", 1] }, "abilities"],
    ["a null among the abilities", { name: "n", abilities: [null] }, "abilities"],
    ["an unknown ability", { name: "n", abilities: ["messages:delete"] }, "abilities"],
    ["an unknown group", { name: "n", abilities: ["users:*"] }, "abilities"],
    ["an ability in capitals", { name: "n", abilities: ["MESSAGES:READ"] }, "abilities"],
    ["an empty ability", { name: "n", abilities: [""] }, "abilities"],
    ["too many abilities", { name: "n", abilities: Array(65).fill("*") }, "abilities"],
    ["an unknown tier", { name: "n", rate_limit_tier: "platinum" }, "rate_limit_tier"],
    ["a tier named like an inherited property", { name: "n", rate_limit_tier: "toString" }, "rate_limit_tier"],
    ["a number as tier", { name: "n", rate_limit_tier: 1 }, "rate_limit_tier"],
    ["an expiry in the past", { name: "n", expires_at: "2020-01-01T00:00:00+00:00" }, "expires_at"],
    ["an expiry that is no time", { name: "n", expires_at: "tomorrow" }, "expires_at"],
    ["an expiry that is empty", { name: "n", expires_at: "" }, "expires_at"],
    ["a day that does not exist", { name: "n", expires_at: "2098-02-30T00:00:00Z" }, "expires_at"],
    ["unix seconds as expiry", { name: "n", expires_at: 4_000_000_000 }, "expires_at"],
    ["an expiry past the year 9999", { name: "n", expires_at: "9999-12-31T23:59:59-12:00" }, "expires_at"],
    ["addresses that are text", { name: "n", allowed_ips: "10.0.0.0/8" }, "allowed_ips"],
    ["an address that is none", { name: "n", allowed_ips: ["example.com"] }, "allowed_ips"],
    ["a CIDR with too many bits", { name: "n", allowed_ips: ["10.0.0.0/33"] }, "allowed_ips"],
    ["an address in an odd spelling", { name: "n", allowed_ips: ["0x7f.1"] }, "allowed_ips"],
    ["101 addresses", { name: "n", allowed_ips: Array(101).fill("10.0.0.1") }, "allowed_ips"],
  ])("names the field: %s", async (_what, body, field) => {
    const found = await details(body);
    expect(Object.keys(found)).toEqual([field]);
    for (const message of found[field] as string[]) expect(message).toMatch(/\w.*\.( Did you mean [\w:-]+\?)?$/);
  });

  it("names every wrong field at once, those of the schema and those of the rules", async () => {
    const found = await details({
      name: "",
      description: 1,
      type: "nope",
      abilities: ["x"],
      rate_limit_tier: "nope",
      expires_at: "2020-01-01",
      allowed_ips: ["nope"],
    });
    expect(Object.keys(found).sort()).toEqual([
      "abilities",
      "allowed_ips",
      "description",
      "expires_at",
      "name",
      "rate_limit_tier",
      "type",
    ]);
  });

  it("names the position inside a list", async () => {
    const found = await details({ name: "n", abilities: ["messages:read", "nope"], allowed_ips: ["10.0.0.1", "x"] });
    expect(found.abilities?.[0]).toContain("abilities[1]");
    expect(found.allowed_ips?.[0]).toContain("allowed_ips[1]");
    expect((await details({ name: "n", abilities: [1, "*"] })).abilities?.[0]).toContain("abilities[0]");
  });

  it("creates no key", async () => {
    const before = (await parley.call("GET", "/api-keys")).body.data.length;
    await details({ name: "" });
    expect((await parley.call("GET", "/api-keys")).body.data).toHaveLength(before);
  });
});
