import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newKeySecret } from "../../src/auth/key-secret.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { proxyTo } from "../support/database-proxy.ts";
import { startParley, TEST_KEY, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_LOG_LEVEL: "trace" });
});
afterAll(() => parley.close());

const FORM = /^parley_(full|limited|webhook|bot)_(?:c\d+_)?([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/;

/** Another last character: the checksum no longer fits. */
const mistype = (secret: string): string => secret.slice(0, -1) + (secret.endsWith("A") ? "B" : "A");

describe("a secret", () => {
  it.each(["full", "limited", "webhook", "bot"])(
    "of a %s key has brand, type, random part and checksum",
    async (type) => {
      const { key } = await parley.createKey({ type, ...(type === "limited" ? { abilities: ["messages:read"] } : {}) });
      const [, inside, random = ""] = FORM.exec(key) ?? [];
      expect(inside).toBe(type);
      // log2(62) bits a character.
      expect(random.length * Math.log2(62)).toBeGreaterThanOrEqual(160);
      expect(key).toMatch(/^\w+$/);
    },
  );

  it("is never the same twice", async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => parley.createKey()));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(20);
  });

  it("is shown by create and rotate alone", async () => {
    const made = await parley.createKey();
    const replies = [
      await parley.call("GET", "/api-keys"),
      await parley.call("GET", `/api-keys/${made.id}`),
      await parley.call("PATCH", `/api-keys/${made.id}`, { body: { name: "x" } }),
      await parley.call("GET", "/me", { key: made.key }),
      await parley.call("GET", "/audit-logs"),
      await parley.call("DELETE", `/api-keys/${made.id}`),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(made.key);
      expect(reply.text).not.toMatch(/"(key|secret|digest)":"/);
    }
  });

  it("is compared whole: no prefix, no other case, no surrounding characters", async () => {
    const { key } = await parley.createKey();
    for (const wrong of [key.slice(0, -1), `${key}x`, key.toUpperCase(), key.slice(1), `"${key}"`, mistype(key)])
      expect((await parley.call("GET", "/me", { key: wrong })).status, wrong).toBe(401);
    const stranger = newKeySecret("full");
    expect((await parley.call("GET", "/me", { key: stranger })).status, "well-formed, of no key").toBe(401);
  });
});

describe("while the database is unavailable,", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it("a mistyped secret is still refused, and other forms receive a 503", async () => {
    const proxy = await proxyTo(database);
    const cut = await startParley({}, proxy.database);
    const { key } = await cut.createKey();
    await proxy.cut();

    const mistyped = await cut.call("GET", "/me", { key: mistype(key) });
    expect(mistyped.status).toBe(401);
    for (const other of [`parley_full_${"0".repeat(32)}`, "another-form-of-key"]) {
      const reply = await cut.call("GET", "/me", { key: other });
      expect(reply.status, reply.text).toBe(503);
      expect(reply.body).toEqual({
        success: false,
        error: { code: "SERVICE_UNAVAILABLE", message: expect.any(String) },
      });
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(reply.text).not.toMatch(/ECONN|postgres|select|127\.0\.0\.1/i);
    }
    expect((await cut.call("GET", "//health/live", { key: null })).status).toBe(200);
    const unready = await cut.call("GET", "//health/ready", { key: null });
    expect(unready.status).toBe(503);
    expect(unready.body.error.code).toBe("SERVICE_UNAVAILABLE");
    expect(unready.headers.get("retry-after")).toMatch(/^\d+$/);

    await proxy.restore();
    await until("it serves again", async () => (await cut.call("GET", "/me", { key })).status === 200);
    expect((await cut.call("GET", "//health/ready", { key: null })).status).toBe(200);
    await cut.close();
    await proxy.close();
  });
});

describe("a warm key", () => {
  it("is verified without the database, but for no more than a second after its state was last read", async () => {
    const database = await createTestDatabase();
    const proxy = await proxyTo(database);
    const cut = await startParley({}, proxy.database);
    const { key } = await cut.createKey({ type: "bot", rate_limit_tier: "unlimited" });
    // Refused for its scope: a response that needs nothing but the verification.
    const ask = async () => (await cut.call("GET", "/api-keys", { key })).status;
    expect(await ask()).toBe(403);
    await proxy.cut();
    const cutAt = performance.now();
    expect(await ask()).toBe(403);
    await until("what is remembered is no longer trusted", async () => (await ask()) === 503, { timeoutMs: 1_500 });
    expect(performance.now() - cutAt).toBeLessThan(atMost(1_500));
    await proxy.restore();
    await until("it is verified again", async () => (await ask()) === 403);
    await cut.close();
    await proxy.close();
    await database.drop();
  });
});

describe("last_used_at", () => {
  const lastUsed = async (id: number) => (await parley.call("GET", `/api-keys/${id}`)).body.data.last_used_at;

  it("is null until the first use, and that use is written before its response", async () => {
    const made = await parley.createKey();
    expect(await lastUsed(made.id)).toBeNull();
    const { body } = await parley.call("GET", "/me", { key: made.key });
    expect(body.data.api_key.last_used_at).toMatch(/\+00:00$/);
    const at = await lastUsed(made.id);
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(atMost(5_000));
  });

  it("is written by a use that is refused for its scope too, and not by a wrong secret", async () => {
    const made = await parley.createKey({ type: "bot" });
    await parley.call("GET", "/me", { key: mistype(made.key) });
    expect(await lastUsed(made.id)).toBeNull();
    expect((await parley.call("GET", "/api-keys", { key: made.key })).status).toBe(403);
    expect(await lastUsed(made.id)).not.toBeNull();
  });

  it("of many first uses at once is written before each response", async () => {
    const made = await parley.createKey();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => parley.call("GET", "/me", { key: made.key, headers: { connection: "close" } })),
    );
    for (const { body } of replies) expect(body.data.api_key.last_used_at).not.toBeNull();
  });
});

describe("a search for every secret", () => {
  it("finds none in logs, in any row of any table, in errors or in lists", async () => {
    const secrets: string[] = [TEST_KEY];
    const responses: string[] = [];
    const keep = async (reply: Promise<{ text: string }>) => void responses.push((await reply).text);

    const made = await parley.createKey({ name: "hunted" }, { headers: { "idempotency-key": "hunt-1" } });
    secrets.push(made.key);
    const rotated = await parley.call("POST", `/api-keys/${made.id}/rotate`, {
      body: { overlap_seconds: 3_600 },
      headers: { "idempotency-key": "hunt-2" },
    });
    secrets.push(rotated.body.data.key);
    for (const key of [...secrets]) {
      await keep(parley.call("GET", "/me", { key }));
      await keep(parley.call("GET", `/nowhere?key=${key}`, { key }));
      await keep(parley.call("GET", `/api-keys?search=${key}&type=${"x"}`, { key }));
      await keep(parley.call("POST", "/api-keys", { key, rawBody: "{" }));
      await keep(parley.call("PUT", "/api-keys", { key }));
      await keep(parley.call("GET", "/me", { key: `${key}x` }));
    }
    await keep(
      parley.call("POST", "/api-keys", { body: { name: "hunted" }, headers: { "idempotency-key": "hunt-1" } }),
    );
    await keep(parley.call("GET", "/api-keys"));
    await keep(parley.call("GET", "/audit-logs?per_page=100"));
    await parley.call("DELETE", `/api-keys/${made.id}`);

    const tables = await parley.database.query<{ table_schema: string; table_name: string }>(
      `select table_schema, table_name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    );
    expect(tables.map((table) => table.table_name)).toContain("idempotency_keys");
    const rows: string[] = [];
    for (const { table_schema, table_name } of tables) {
      const found = await parley.database.query<{ row: string }>(
        `select t::text as row from "${table_schema}"."${table_name}" t`,
      );
      rows.push(...found.map(({ row }) => `${table_name}: ${row}`));
    }
    expect(rows.length).toBeGreaterThan(10);

    await until("the log has the requests", () => parley.logs().includes("/nowhere"));
    for (const secret of secrets) {
      // In rows bytes show as hex, so the secret's own bytes are looked for too.
      const hex = Buffer.from(secret).toString("hex");
      const base64 = Buffer.from(secret).toString("base64").slice(0, -4);
      for (const row of rows) for (const form of [secret, hex, base64]) expect(row).not.toContain(form);
      for (const response of responses) expect(response).not.toContain(secret);
      expect(parley.logs()).not.toContain(secret);
    }
    // The random part alone would be enough to guess the rest.
    const random = FORM.exec(made.key)?.[2] as string;
    expect([...rows, ...responses, parley.logs()].join("\n")).not.toContain(random);
  });
});
