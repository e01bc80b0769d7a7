import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_API_KEYS_MAX: "40" });
});
afterAll(() => parley.close());

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
const NEXT_WEEK = new Date(Date.now() + 7 * 86_400_000).toISOString();
const LIMITS = { rate_limit_tier: "low", expires_at: TOMORROW, allowed_ips: ["127.0.0.0/8"] };

const forbidden = (reply: Reply, about: RegExp) => {
  expect(reply.status, reply.text).toBe(403);
  expect(reply.body.error).toMatchObject({ code: "FORBIDDEN", message: expect.stringMatching(about) });
};

describe("a key with a tier, an expiry and addresses", () => {
  let limited: { id: number; key: string };
  beforeAll(async () => {
    limited = await parley.createKey(LIMITS);
  });
  const asLimited = (method: string, path: string, body?: object) =>
    parley.call(method, path, { key: limited.key, ...(body ? { body } : {}) });

  it.each([
    ["its expiry", { expires_at: "" }, /expires_at/],
    ["its expiry to a later time", { expires_at: NEXT_WEEK }, /expires_at/],
    ["its addresses", { allowed_ips: [] }, /allowed_ips/],
    ["its addresses to a wider range", { allowed_ips: ["127.0.0.0/7"] }, /allowed_ips/],
    ["its tier", { rate_limit_tier: "standard" }, /rate_limit_tier/],
    ["its tier to no limit", { rate_limit_tier: "unlimited" }, /rate_limit_tier/],
  ])("cannot remove or widen %s", async (_what, patch, about) => {
    forbidden(await asLimited("PATCH", `/api-keys/${limited.id}`, patch), about);
  });

  it.each([
    ["without any limit", {}, /rate_limit_tier/],
    ["with a higher tier", { ...LIMITS, rate_limit_tier: "high" }, /rate_limit_tier/],
    ["that never expires", { ...LIMITS, expires_at: null }, /expires_at/],
    ["that expires later", { ...LIMITS, expires_at: NEXT_WEEK }, /expires_at/],
    ["for any address", { ...LIMITS, allowed_ips: [] }, /allowed_ips/],
    ["for one more address", { ...LIMITS, allowed_ips: ["127.0.0.1", "::1"] }, /allowed_ips/],
  ])("cannot create a key %s", async (_what, input, about) => {
    forbidden(await asLimited("POST", "/api-keys", { name: "copy", ...input }), about);
  });

  it("cannot rotate or change a key with fewer limits than its own, and so never learns its secret", async () => {
    const free = await parley.createKey();
    forbidden(await asLimited("POST", `/api-keys/${free.id}/rotate`), /rate_limit_tier/);
    forbidden(await asLimited("PATCH", `/api-keys/${free.id}`, { name: "mine" }), /rate_limit_tier/);
    expect((await parley.call("GET", "/me", { key: free.key })).status).toBe(200);
  });

  it("can create and manage keys within its own limits", async () => {
    const { status, body, text } = await asLimited("POST", "/api-keys", {
      ...LIMITS,
      name: "narrower",
      allowed_ips: ["127.0.0.1"],
    });
    expect(status, text).toBe(201);
    expect((await asLimited("PATCH", `/api-keys/${body.data.id}`, { name: "renamed" })).status).toBe(200);
    expect((await asLimited("POST", `/api-keys/${body.data.id}/rotate`)).status).toBe(200);
    expect((await asLimited("PATCH", `/api-keys/${limited.id}`, { description: "still mine" })).status).toBe(200);
  });
});

describe("the record of a key", () => {
  it("shows the prefix and the last four characters of its secret, and who created it", async () => {
    const creator = await parley.createKey({ name: "creator" });
    const { key, ...record } = await parley.createKey({ type: "bot" }, { key: creator.key });
    expect(record).toMatchObject({
      secret_prefix: "parley_bot_",
      last_four: key.slice(-4),
      old_secret_expires_at: null,
      created_by: { type: "api_key", id: creator.id, name: "creator" },
    });
    const { body } = await parley.call("GET", "/api-keys?search=Bootstrap");
    expect(body.data[0]).toMatchObject({ secret_prefix: null, last_four: null, created_by: { type: "system" } });
  });

  it("is left as it is by a PATCH that changes nothing, without an audit entry", async () => {
    const { key: _, ...made } = await parley.createKey({ expires_at: TOMORROW, allowed_ips: ["127.0.0.1"] });
    const same = { name: made.name, expires_at: TOMORROW, allowed_ips: ["127.0.0.1"], is_active: true, type: "full" };
    const { status, body } = await parley.call("PATCH", `/api-keys/${made.id}`, { body: same });
    expect(status).toBe(200);
    expect(body.data).toEqual(made);
    const { body: audit } = await parley.call("GET", `/audit-logs?resource_type=api_key&resource_id=${made.id}`);
    expect(audit.data.map((entry: { action: string }) => entry.action)).toEqual(["api_key.created"]);
  });

  it("refuses another type in a PATCH with 422", async () => {
    const { id } = await parley.createKey();
    const { status, body } = await parley.call("PATCH", `/api-keys/${id}`, { body: { type: "bot" } });
    expect(status).toBe(422);
    expect(body.error.details.type[0]).toMatch(/cannot be changed/);
  });

  it("gets a suggestion for an ability that is almost a known one", async () => {
    const { status, body } = await parley.call("POST", "/api-keys", {
      body: { name: "n", abilities: ["message:read"] },
    });
    expect(status).toBe(422);
    expect(body.error.details.abilities[0]).toMatch(/is not a known ability\. Did you mean messages:read\?$/);
  });
});

describe("the quota of keys", () => {
  it("refuses the key past it with a 422 on api_keys, many at once too, and revoked keys do not count", async () => {
    const other = await parley.createWorkspace();
    const create = () => parley.call("POST", "/api-keys", { key: other.key, body: { name: "n" } });
    const replies = await Promise.all(Array.from({ length: 44 }, create));
    const created = replies.filter(({ status }) => status === 201);
    expect(created).toHaveLength(39);
    for (const { status, body } of replies.filter((reply) => !created.includes(reply))) {
      expect(status).toBe(422);
      expect(body.error.details).toEqual({ api_keys: ["This workspace has reached its limit of 40 api keys."] });
    }
    await parley.call("DELETE", `/api-keys/${created[0]?.body.data.id}`, { key: other.key });
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(422);
  });
});
