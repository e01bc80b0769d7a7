import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/auth/scopes.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, TEST_KEY } from "../support/parley.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const withKey = (secret: string) => startParley({ PARLEY_BOOTSTRAP_API_KEY: secret }, database);

describe("PARLEY_BOOTSTRAP_API_KEY", () => {
  it("is after start an active full key with abilities * and tier unlimited", async () => {
    const parley = await withKey(TEST_KEY);
    const { body } = await parley.call("GET", "/me", { key: TEST_KEY });
    expect(body.data.api_key).toMatchObject({
      type: "full",
      abilities: ["*"],
      rate_limit_tier: "unlimited",
      is_active: true,
      expires_at: null,
      allowed_ips: [],
    });
    expect(body.data.scopes).toEqual(SCOPES);
    await parley.close();
  });

  it("stays the same key across restarts and changed values; an old value becomes invalid", async () => {
    const ids: number[] = [];
    const values = [TEST_KEY, TEST_KEY, "another-value-of-more-than-thirty-two-characters"];
    for (const value of values) {
      const parley = await withKey(value);
      ids.push((await parley.call("GET", "/me", { key: value })).body.data.api_key.id);
      await parley.close();
    }
    expect(new Set(ids).size).toBe(1);
    const parley = await withKey(values[2] as string);
    expect((await parley.call("GET", "/me", { key: TEST_KEY })).status).toBe(401);
    await parley.close();
  });

  it.each([
    ["with a wrong checksum", `parley_full_${"a".repeat(32)}_000000`],
    ["with spaces inside", "correct horse battery staple and a few more words"],
    ["with odd characters", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~!\"#$%&'()*+"],
    ["of exactly 32 characters", "0123456789abcdef0123456789abcdef"],
    ["of a thousand characters", "k".repeat(1_000)],
  ])("may be any string: %s", async (_what, secret) => {
    const parley = await withKey(secret);
    expect((await parley.call("GET", "/me", { key: secret })).status).toBe(200);
    await parley.close();
  });

  it("may hold characters beyond ASCII, sent as UTF-8", async () => {
    const secret = "schlüssel-für-die-prüfung-mit-umlauten-€";
    const parley = await withKey(secret);
    const sent = Buffer.from(secret, "utf8").toString("latin1");
    expect((await parley.call("GET", "/me", { key: sent })).status).toBe(200);
    await parley.close();
  });

  it("brings back what was revoked, paused, narrowed or rotated since", async () => {
    const first = await withKey(TEST_KEY);
    const { id } = (await first.call("GET", "/me", { key: TEST_KEY })).body.data.api_key;
    const rotated = (await first.call("POST", `/api-keys/${id}/rotate`, { key: TEST_KEY })).body.data.key;
    await first.call("PATCH", `/api-keys/${id}`, {
      key: rotated,
      body: { abilities: ["api-keys:manage"], rate_limit_tier: "low", expires_at: "2099-01-01" },
    });
    await first.call("DELETE", `/api-keys/${id}`, { key: rotated });
    await first.close();

    const second = await withKey(TEST_KEY);
    const { body } = await second.call("GET", "/me", { key: TEST_KEY });
    expect(body.data.api_key).toMatchObject({
      id,
      abilities: ["*"],
      rate_limit_tier: "unlimited",
      is_active: true,
      revoked_at: null,
      expires_at: null,
    });
    expect((await second.call("GET", "/me", { key: rotated })).status).toBe(401);
    await second.close();
  });

  it("set to the secret of an ordinary key makes that one the bootstrap key and ends the former", async () => {
    const first = await withKey(TEST_KEY);
    const made = await first.createKey({ type: "bot" });
    await first.close();
    const second = await withKey(made.key);
    const { body } = await second.call("GET", "/me", { key: made.key });
    expect(body.data.api_key).toMatchObject({
      id: made.id,
      type: "full",
      abilities: ["*"],
      rate_limit_tier: "unlimited",
    });
    expect((await second.call("GET", "/me", { key: TEST_KEY })).status).toBe(401);
    await second.close();
  });

  it("becomes one key when two nodes start at once", async () => {
    const fresh = await createTestDatabase();
    const nodes = await Promise.all([0, 1].map(() => startParley({ PARLEY_BOOTSTRAP_API_KEY: TEST_KEY }, fresh)));
    for (const node of nodes)
      expect((await node.call("GET", "/api-keys", { key: TEST_KEY })).body.data).toHaveLength(1);
    for (const node of nodes) await node.close();
    await fresh.drop();
  });
});
