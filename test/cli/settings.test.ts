import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startFakePooler } from "../support/fake-pooler.ts";
import { startParley } from "../support/parley.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Starts with these settings and closes again; gives what the test asked of it. */
async function withParley<T>(
  settings: Record<string, string>,
  work: (parley: Awaited<ReturnType<typeof startParley>>) => Promise<T>,
): Promise<T> {
  const parley = await startParley(settings, database);
  try {
    return await work(parley);
  } finally {
    await parley.close();
  }
}

describe("at the start,", () => {
  it("PORT 0 takes a free port on HOST", async () => {
    await withParley({}, async ({ url }) => expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/));
  });

  it("PARLEY_LOG_LEVEL silent logs nothing, info logs each request as one JSON line", async () => {
    const silent = await withParley({ PARLEY_LOG_LEVEL: "silent" }, async (parley) => {
      await parley.call("GET", "/me");
      return parley.logs();
    });
    expect(silent).toBe("");
    const lines = await withParley({ PARLEY_LOG_LEVEL: "info" }, async (parley) => {
      const { headers } = await parley.call("GET", "/me?secret=hush");
      const id = headers.get("x-request-id");
      return parley
        .logs()
        .split("\n")
        .filter((line) => id && line.includes(id));
    });
    expect(lines).toHaveLength(1);
    const line = JSON.parse(lines[0] as string);
    expect(line).toMatchObject({ method: "GET", path: "/api/v1/me", status: 200, ip: "127.0.0.1" });
    expect(line.api_key_id).toEqual(expect.any(Number));
    expect(lines[0]).not.toContain("hush");
  });

  it("PARLEY_SECRET_KEY must be able to open what was sealed before", async () => {
    const [first, second] = ["the-first-secret-key-of-32-characters", "the-second-secret-key-of-32-characters"];
    const fresh = await createTestDatabase();
    const start = async (keys: string) => (await startParley({ PARLEY_SECRET_KEY: keys }, fresh)).close();
    await start(first as string);
    await start(`${second},${first}`);
    await expect(start("a-third-secret-key-that-opens-nothing-here")).rejects.toThrow(/PARLEY_SECRET_KEY/);
    await fresh.drop();
  });

  it("PARLEY_DATABASE_DIRECT_URL must lead to the database of DATABASE_URL", async () => {
    await withParley({ PARLEY_DATABASE_DIRECT_URL: database.url }, async ({ call }) =>
      expect((await call("GET", "/me")).status).toBe(200),
    );
    const other = await createTestDatabase({ empty: true });
    await expect(startParley({ PARLEY_DATABASE_DIRECT_URL: other.url }, database)).rejects.toThrow(
      /^PARLEY_DATABASE_DIRECT_URL leads to another database than DATABASE_URL/,
    );
    await other.drop();
  });

  it.each([
    [
      "refuses a parameter",
      /refuses a parameter that Parley sends \(unsupported startup parameter: statement_timeout\)/,
    ],
    ["loses statements", /loses prepared statements \(prepared statement "pooler_probe" does not exist\)/],
  ] as const)(
    "a connection pooler that %s is refused with the name of the setting that leads to it",
    async (fault, reason) => {
      const pooler = await startFakePooler(fault);
      const messageOf = (settings: Record<string, string>, url: string) =>
        startParley(settings, { ...database, url }).then(
          () => "started",
          (error: Error) => error.message,
        );
      const pooled = await messageOf({}, pooler.url);
      const direct = await messageOf({ PARLEY_DATABASE_DIRECT_URL: pooler.url }, database.url);
      await pooler.close();
      expect(pooled).toMatch(reason);
      expect(pooled).toMatch(/^The connection pooler in DATABASE_URL /);
      expect(direct).toMatch(reason);
      expect(direct).toMatch(/^The connection pooler in PARLEY_DATABASE_DIRECT_URL /);
    },
  );

  it("a database that refuses the connection is named by its setting, with the reason", async () => {
    const nowhere = "postgres://parley@127.0.0.1:1/parley";
    await expect(startParley({}, { ...database, url: nowhere })).rejects.toThrow(
      "The database is not available: connect ECONNREFUSED 127.0.0.1:1.",
    );
    await expect(startParley({ PARLEY_DATABASE_DIRECT_URL: nowhere }, database)).rejects.toThrow(
      "The database in PARLEY_DATABASE_DIRECT_URL is not available: connect ECONNREFUSED 127.0.0.1:1.",
    );
    const missing = database.url.replace(database.name, "missing_database");
    await expect(startParley({ PARLEY_DATABASE_DIRECT_URL: missing }, database)).rejects.toThrow(
      'PARLEY_DATABASE_DIRECT_URL cannot be used: database "missing_database" does not exist.',
    );
  });

  it("an absent PARLEY_BOOTSTRAP_API_KEY leaves the key of the last start in place", async () => {
    const secret = "a-bootstrap-key-of-the-last-start-0123456789";
    await withParley({ PARLEY_BOOTSTRAP_API_KEY: secret }, async () => {});
    await withParley({ PARLEY_BOOTSTRAP_API_KEY: "" }, async (parley) => {
      expect((await parley.call("GET", "/me", { key: secret })).status).toBe(200);
    });
  });
});
