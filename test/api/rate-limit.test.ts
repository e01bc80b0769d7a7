import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({
    PARLEY_RATE_LIMIT_TIERS: "low=3/60,brief=2/1,bulk=unlimited",
    PARLEY_AUTH_FAILURES_PER_MINUTE: "20",
    PARLEY_TRUSTED_PROXIES: "127.0.0.1",
  });
});
afterAll(() => parley.close());

const LIMIT_HEADERS = [
  "ratelimit-policy",
  "ratelimit",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
];
const me = (key: string) => parley.call("GET", "/me", { key });

/** What the headers say, each checked against the others. */
function limitOf({ headers }: Reply) {
  const [, tier, quota, window] = /^"(\w+)";q=(\d+);w=(\d+)$/.exec(headers.get("ratelimit-policy") ?? "") ?? [];
  const [, sameTier, remaining, resetSeconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "") ?? [];
  expect(sameTier).toBe(tier);
  expect(headers.get("x-ratelimit-limit")).toBe(quota);
  expect(headers.get("x-ratelimit-remaining")).toBe(remaining);
  const resetAt = Number(headers.get("x-ratelimit-reset"));
  expect(Number.isInteger(resetAt)).toBe(true);
  expect(Math.abs(resetAt - (Date.now() / 1000 + Number(resetSeconds)))).toBeLessThan(3);
  return {
    tier,
    quota: Number(quota),
    window: Number(window),
    remaining: Number(remaining),
    reset: Number(resetSeconds),
  };
}

describe("a limited key", () => {
  it("counts down in the headers of every response, including errors", async () => {
    const { key } = await parley.createKey({ rate_limit_tier: "low" });
    const replies = [
      await me(key),
      await parley.call("GET", "/api-keys/999999", { key }),
      await parley.call("POST", "/api-keys", { key, rawBody: "{" }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 404, 422]);
    const limits = replies.map(limitOf);
    expect(limits.map(({ remaining }) => remaining)).toEqual([2, 1, 0]);
    for (const limit of limits) {
      expect(limit).toMatchObject({ tier: "low", quota: 3, window: 60 });
      expect(limit.reset).toBeGreaterThan(0);
      expect(limit.reset).toBeLessThanOrEqual(60);
    }
  });

  it("past the limit gets 429 with retry_after in whole seconds, equal to Retry-After", async () => {
    const { key } = await parley.createKey({ rate_limit_tier: "low" });
    for (let i = 0; i < 3; i++) expect((await me(key)).status).toBe(200);
    const reply = await me(key);
    expect(reply.status).toBe(429);
    expect(reply.body).toEqual({
      success: false,
      error: { code: "RATE_LIMIT_EXCEEDED", message: expect.any(String), retry_after: expect.any(Number) },
    });
    const { retry_after } = reply.body.error;
    expect(Number.isInteger(retry_after)).toBe(true);
    expect(retry_after).toBeGreaterThanOrEqual(1);
    expect(retry_after).toBeLessThanOrEqual(60);
    expect(reply.headers.get("retry-after")).toBe(String(retry_after));
    expect(limitOf(reply)).toMatchObject({ remaining: 0, reset: retry_after });
  });

  it("is served again after retry_after seconds", async () => {
    const { key } = await parley.createKey({ rate_limit_tier: "brief" });
    const refused = await until("the limit is reached", async () => {
      const reply = await me(key);
      return reply.status === 429 ? reply : null;
    });
    expect(refused.body.error.retry_after).toBe(1);
    const began = performance.now();
    await until("it is served again", async () => (await me(key)).status === 200, { timeoutMs: 3_000, everyMs: 100 });
    expect(performance.now() - began).toBeLessThan(atMost(1_500));
  });

  it("is counted separately from others, and across a rotation", async () => {
    const a = await parley.createKey({ rate_limit_tier: "low" });
    const b = await parley.createKey({ rate_limit_tier: "low" });
    for (let i = 0; i < 4; i++) await me(a.key);
    expect((await me(a.key)).status).toBe(429);
    expect((await me(b.key)).status).toBe(200);
    const { key } = (await parley.call("POST", `/api-keys/${a.id}/rotate`)).body.data;
    expect((await me(key)).status).toBe(429);
  });

  it("gets no more out of many requests at once", async () => {
    const { key } = await parley.createKey({ rate_limit_tier: "low" });
    const replies = await Promise.all(Array.from({ length: 12 }, () => me(key)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(3);
  });

  it("moved to another tier follows that one at once", async () => {
    const { id, key } = await parley.createKey({ rate_limit_tier: "low" });
    for (let i = 0; i < 4; i++) await me(key);
    await parley.call("PATCH", `/api-keys/${id}`, { body: { rate_limit_tier: "high" } });
    expect(limitOf(await me(key))).toMatchObject({ tier: "high", quota: 10_000, window: 60 });
  });
});

describe("tiers", () => {
  it.each([
    ["low", 3, 60],
    ["standard", 1_000, 60],
    ["high", 10_000, 60],
    ["brief", 2, 1],
  ])("%s allows %i requests in %i s: configured ones are merged over the defaults", async (tier, quota, window) => {
    const { key } = await parley.createKey({ rate_limit_tier: tier });
    expect(limitOf(await me(key))).toMatchObject({ tier, quota, window });
  });

  it("low is 60 per minute by default", async () => {
    const plain = await startParley();
    const { key } = await plain.createKey({ rate_limit_tier: "low" });
    expect(limitOf(await plain.call("GET", "/me", { key }))).toMatchObject({ tier: "low", quota: 60, window: 60 });
    await plain.close();
  });

  it.each(["unlimited", "bulk"])("%s has no limit and no headers about one", async (tier) => {
    const { key } = await parley.createKey({ rate_limit_tier: tier });
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await me(key);
      expect(status).toBe(200);
      for (const name of LIMIT_HEADERS) expect(headers.has(name)).toBe(false);
    }
  });

  it("are named in the 422 for one that does not exist", async () => {
    const { body } = await parley.call("POST", "/api-keys", { body: { name: "n", rate_limit_tier: "x" } });
    for (const tier of ["low", "standard", "high", "unlimited", "brief", "bulk"])
      expect(body.error.details.rate_limit_tier[0]).toContain(tier);
  });

  it("ask nothing of what needs no key", async () => {
    const { headers } = await parley.call("GET", "/openapi.json", { key: null });
    for (const name of LIMIT_HEADERS) expect(headers.has(name)).toBe(false);
  });
});

describe("failed authentications", () => {
  const from = (address: string, key: string | null) =>
    parley.call("GET", "/me", { key, headers: { "x-forwarded-for": address } });

  it("past the limit get 429 by address, while a valid key from there passes", async () => {
    const { key } = await parley.createKey();
    for (let i = 0; i < 20; i++) expect((await from("203.0.113.9", i % 2 ? `wrong-${i}` : null)).status).toBe(401);
    const reply = await from("203.0.113.9", "wrong");
    expect(reply.status).toBe(429);
    expect(reply.body.error).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retry_after: expect.any(Number) });
    expect(reply.headers.get("retry-after")).toBe(String(reply.body.error.retry_after));
    expect(reply.body.error.retry_after).toBeGreaterThanOrEqual(1);
    for (let i = 0; i < 5; i++) expect((await from("203.0.113.9", key)).status).toBe(200);
    expect((await from("203.0.113.10", "wrong")).status).toBe(401);
  });

  it("of one IPv6 network count together", async () => {
    for (let i = 0; i < 20; i++) await from(`2001:db8:1:2::${i.toString(16)}`, "wrong");
    expect((await from("2001:db8:1:2:ffff::1", "wrong")).status).toBe(429);
    expect((await from("2001:db8:1:3::1", "wrong")).status).toBe(401);
  });

  it("are 1,000 per minute by default", async () => {
    const plain = await startParley({ PARLEY_LOG_LEVEL: "silent" });
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 26; batch++) {
      const replies = await Promise.all(Array.from({ length: 40 }, () => plain.call("GET", "/me", { key: null })));
      for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 1_000, 429: 40 });
    expect((await plain.call("GET", "/me")).status).toBe(200);
    await plain.close();
  });
});
