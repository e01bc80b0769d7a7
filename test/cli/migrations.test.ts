import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { migrate, readMigrations, schemaVersion } from "../../src/db/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/wait.ts";

let database: TestDatabase;
let nodes: Database[];
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  nodes = [];
});
afterEach(async () => {
  for (const node of nodes) await node.close();
  await database.drop();
});

/** As one process opens it to migrate. */
function connect(applicationName = "migrator"): Database {
  const node = createDatabase({
    connection: { connectionString: database.url },
    poolSize: 1,
    logger: createLogger("silent"),
    applicationName,
    queryMsMax: 0,
  });
  nodes.push(node);
  return node;
}

const ALL = readMigrations().length;
const tables = async (): Promise<string[]> =>
  (
    await database.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    )
  ).map(({ name }) => name);

/** As a newer version leaves it, which keeps working with nodes of this schema version. */
const migratedByNewer = (compatibleFrom: number) =>
  database.query(
    `insert into schema_migrations (version, name, checksum, compatible_from)
     values (999999, '999999_future', 'x', $1)`,
    [compatibleFrom],
  );

describe("migrations", () => {
  it("are numbered without a gap from 1", () => {
    expect(readMigrations().map(({ version }) => version)).toEqual(Array.from({ length: ALL }, (_, i) => i + 1));
  });

  it("bring an empty database up to date, and then do nothing", async () => {
    const node = connect();
    expect(await schemaVersion(node)).toBe(0);
    const names: string[] = [];
    expect(await migrate(node, (name) => names.push(name))).toBe(ALL);
    expect(names).toEqual(readMigrations().map(({ name }) => name));
    expect(await schemaVersion(node)).toBe(ALL);
    expect(await migrate(node)).toBe(0);
  });

  it("of several nodes that start at once are each applied once", async () => {
    const applied = await Promise.all([connect(), connect(), connect(), connect()].map((node) => migrate(node)));
    expect(applied.reduce((sum, count) => sum + count, 0)).toBe(ALL);
    const rows = await database.query<{ version: number }>("select version from schema_migrations order by version");
    expect(rows.map(({ version }) => version)).toEqual(readMigrations().map(({ version }) => version));
  });

  it("killed in the middle leave nothing behind, and the next run completes them", async () => {
    // An uncommitted table of the same name stops the first migration halfway, at its `create table memberships`.
    const blocker = connect("blocker").pool;
    const client = await blocker.connect();
    await client.query("begin");
    await client.query("create table memberships (id int)");

    const killed = migrate(connect("victim"));
    const refused = expect(killed).rejects.toThrow();
    await until("the migration waits in the middle", async () => {
      const [row] = await database.query(
        "select 1 from pg_stat_activity where application_name = 'victim' and wait_event_type = 'Lock'",
      );
      return row;
    });
    await database.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'");
    await refused;
    await client.query("rollback");
    client.release();
    expect(await tables()).toEqual([]);

    expect(await migrate(connect())).toBe(ALL);
    expect(await tables()).toContain("api_keys");
  });

  it("changed after they were applied are refused", async () => {
    const node = connect();
    await migrate(node);
    await database.query("update schema_migrations set checksum = 'other' where version = 1");
    await expect(migrate(node)).rejects.toThrow(/000001_workspaces_and_accounts was changed after it had been applied/);
  });

  it("of a newer Parley are refused, and nothing is touched", async () => {
    const node = connect();
    await migrate(node);
    await migratedByNewer(ALL + 1);
    const before = await tables();
    await expect(migrate(node)).rejects.toThrow(/999999_future.*Run a newer one/);
    expect(await tables()).toEqual(before);
  });

  it("of a newer Parley that still works with this one are accepted, and nothing is touched", async () => {
    const node = connect();
    await migrate(node);
    await migratedByNewer(ALL);
    expect(await migrate(node)).toBe(0);
  });

  it("each say which nodes still work with them, and are refused where they do not", () => {
    for (const { version, compatibleFrom } of readMigrations()) {
      expect(compatibleFrom).toBeGreaterThan(0);
      expect(compatibleFrom).toBeLessThanOrEqual(version);
    }
    const folder = mkdtempSync(join(tmpdir(), "parley-migrations-"));
    writeFileSync(join(folder, "000001_silent.sql"), "select 1");
    expect(() => readMigrations(folder)).toThrow(/000001_silent.sql.*-- compatible-from: N/);
    rmSync(folder, { recursive: true });
  });

  it("of Parley 0.1 are refused with a sentence that says what to do", async () => {
    const node = connect();
    await migrate(node);
    await database.query("update schema_migrations set name = '000001_foundation' where version = 1");
    await expect(migrate(node)).rejects.toThrow(
      "This database was created by Parley 0.1, whose data this version cannot read: " +
        "set PARLEY_DATA_DIR to a new directory, or DATABASE_URL to an empty database.",
    );
  });
});
