import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

let database: TestDatabase;
let a: TestParley;
let b: TestParley;
beforeAll(async () => {
  database = await createTestDatabase();
  a = await startParley({}, database);
  b = await startParley({}, database);
});
afterAll(async () => {
  await a.close();
  await b.close();
  await database.drop();
});

const use = async (node: TestParley, key: string): Promise<number> => (await node.call("GET", "/me", { key })).status;

/** Warm on both nodes: what is tested is a memory that must be dropped. */
async function warmKey() {
  const made = await a.createKey({ rate_limit_tier: "unlimited" });
  for (const node of [a, b]) for (let i = 0; i < 3; i++) expect(await use(node, made.key)).toBe(200);
  return made;
}

const CHANGES = [
  ["revoked", "DELETE", "", undefined],
  ["paused", "PATCH", "", { is_active: false }],
  ["expired", "PATCH", "", { expires_at: "2020-01-01T00:00:00Z" }],
  ["rotated", "POST", "/rotate", undefined],
] as const;

describe("of two nodes on one database", () => {
  it.each(CHANGES)("a key %s on one is refused there at once and on the other within 1 s", async (...change) => {
    const [, method, rest, body] = change;
    for (let round = 0; round < 3; round++) {
      const made = await warmKey();
      const reply = await a.call(method, `/api-keys/${made.id}${rest}`, { body });
      expect(reply.status).toBe(200);
      const respondedAt = performance.now();
      expect(await use(a, made.key)).toBe(401);
      await until("the other node refuses it", async () => (await use(b, made.key)) === 401, {
        timeoutMs: 1_000,
        everyMs: 10,
      });
      expect(performance.now() - respondedAt).toBeLessThan(atMost(1_000));
    }
  });

  it("a change of scopes and addresses reaches the other within 1 s too", async () => {
    const made = await warmKey();
    await a.call("PATCH", `/api-keys/${made.id}`, { body: { allowed_ips: ["10.0.0.1"] } });
    await until("the other node responds with 403", async () => (await use(b, made.key)) === 403, { timeoutMs: 1_000 });
  });

  it("a resumed key is accepted on the other node within 1 s, a new one at once", async () => {
    const made = await warmKey();
    await a.call("PATCH", `/api-keys/${made.id}`, { body: { is_active: false } });
    await until("the other node refuses it", async () => (await use(b, made.key)) === 401, { timeoutMs: 1_000 });
    await a.call("PATCH", `/api-keys/${made.id}`, { body: { is_active: true } });
    await until("the other node takes it", async () => (await use(b, made.key)) === 200, { timeoutMs: 1_000 });
    expect(await use(b, (await a.createKey()).key)).toBe(200);
  });

  it("many revocations under load are all obeyed within 1 s", async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, warmKey));
    await Promise.all(keys.map(({ id }) => a.call("DELETE", `/api-keys/${id}`)));
    const respondedAt = performance.now();
    await until(
      "the other node refuses all",
      async () => (await Promise.all(keys.map(({ key }) => use(b, key)))).every((status) => status === 401),
      { timeoutMs: 1_000 },
    );
    expect(performance.now() - respondedAt).toBeLessThan(atMost(1_000));
  });
});
