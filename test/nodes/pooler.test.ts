import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parleyCommand } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openStream } from "../support/event-stream.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { findPgBouncer, keepsStatements, type Pooler, startPgBouncer } from "../support/pgbouncer.ts";
import { full } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const found = full ? await findPgBouncer() : { program: null, missing: "only `npm run test:nodes` runs this" };
if (found.missing) process.stderr.write(`pooler: skipped, ${found.missing}\n`);
const program = found.program as NonNullable<typeof found.program>;
const isNew = found.program !== null && keepsStatements(found.program);
if (found.program && !isNew)
  process.stderr.write(
    `pooler: PgBouncer ${program.version.join(".")} cannot keep prepared statements: what needs 1.21 is skipped (PARLEY_TEST_PGBOUNCER names another one)\n`,
  );

let database: TestDatabase;
let pooler: Pooler | null = null;
let receiver: Receiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await pooler?.close();
  await database.drop();
});

async function pooled(settings: Record<string, string>): Promise<TestDatabase> {
  await pooler?.close();
  pooler = await startPgBouncer(program, database, settings);
  return pooler.database;
}

/** What a person sees who starts Parley on this database. */
async function startError(url: string): Promise<string> {
  const { code, stderr } = await parleyCommand(["migrate"], {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more",
  });
  expect(code).toBe(1);
  return stderr;
}

async function requireWorking(parley: TestParley, path: string): Promise<void> {
  const stream = await openStream(parley.url, { query: "?type=contact.created" });
  const webhook = { name: path, url: receiver.url(path), events: ["contact.created"] };
  expect((await parley.call("POST", "/webhooks", { body: webhook })).status).toBe(201);
  for (let count = 0; count < 20; count++)
    expect((await parley.call("POST", "/contacts", { body: { name: `c${count}` } })).status).toBe(201);
  await receiver.waitFor(20, path);
  await stream.received(20);
  stream.close();
}

describe.skipIf(!found.program)("a start behind PgBouncer", () => {
  it("that refuses a start-up parameter says which, and what to set", async () => {
    const { url } = await pooled({ pool_mode: "transaction", ignore_startup_parameters: "extra_float_digits" });
    const message = await startError(url);
    expect(message).toMatch(/unsupported startup parameter/);
    expect(message).toContain("ignore_startup_parameters = options,statement_timeout");
  });

  it("that cannot reach it says why", async () => {
    const { url } = await pooled({ pool_mode: "session" });
    await pooler?.close();
    pooler = null;
    expect(await startError(url)).toMatch(/The database is not available: connect ECONNREFUSED/);
  });

  it("in session mode works, with notifications", { timeout: 60_000 }, async () => {
    const parley = await startParley({}, await pooled({ pool_mode: "session", default_pool_size: "60" }));
    await requireWorking(parley, "/session");
    const listening = await database.query(
      "select 1 from pg_stat_activity where application_name = 'parley-notifications' and query like '%listen%'",
    );
    expect(listening).toHaveLength(1);
    await parley.close();
  });
});

describe.skipIf(!found.program)("a transaction pooler that loses prepared statements", () => {
  it("is refused at the start with the reason and the way out", async () => {
    const { url } = await pooled({ pool_mode: "transaction", ...(isNew ? { max_prepared_statements: "0" } : {}) });
    const message = await startError(url);
    expect(message).toMatch(/loses prepared statements \(prepared statement .* (?:does not exist|already exists)\)/);
    expect(message).toContain("use 1.21 or newer with max_prepared_statements above 0");
  });
});

describe.skipIf(!isNew)("a transaction pooler that keeps prepared statements", () => {
  // Whichever connection it went through: the text that is searched for must not be found in this query itself.
  const listeners = () =>
    database.query("select pid from pg_stat_activity where query like '%listen parley_%' and pid <> pg_backend_pid()");

  it("works without listening through it, and says what to set", { timeout: 60_000 }, async () => {
    const parley = await startParley({}, await pooled({ pool_mode: "transaction" }));
    await requireWorking(parley, "/transaction");
    expect(parley.logs()).toContain("set PARLEY_DATABASE_DIRECT_URL");
    expect(await listeners()).toEqual([]);
    await parley.close();
  });

  it("works with notifications past it", { timeout: 60_000 }, async () => {
    const settings = { PARLEY_DATABASE_DIRECT_URL: database.url };
    const parley = await startParley(settings, await pooled({ pool_mode: "transaction" }));
    await requireWorking(parley, "/direct");
    expect(parley.logs()).not.toContain("transaction pooler");
    expect(await listeners()).not.toEqual([]);
    await parley.close();
  });
});
