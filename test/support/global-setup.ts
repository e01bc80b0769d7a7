import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase } from "../../src/db/database.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../src/db/embedded/index.ts";
import { migrate } from "../../src/db/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Socket directory of the suite's PostgreSQL. */
    databaseHost: string;
  }
}

export const TEMPLATE = "parley_template";
/** The embedded server's superuser; the product itself connects as `parley`, which only owns its database. */
export const ADMIN = "parley_admin";

let server: EmbeddedDatabase;
let directory: string;

/** One real PostgreSQL for the whole run, with a migrated template that each test file clones. */
export async function setup(project: TestProject): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), "parley-test-"));
  // As root the server runs as another user, who must be able to enter.
  chmodSync(directory, 0o755);
  server = await startEmbedded({ dataDir: directory, mode: "own", logger: createLogger("warn") });
  const { host, user } = server.connection;
  const admin = new pg.Client({ host, user: ADMIN, database: "postgres" });
  await admin.connect();
  // This server is never killed, and tests of crashes start their own: nothing here has to outlive the machine.
  for (const setting of ["fsync", "full_page_writes"]) await admin.query(`alter system set ${setting} = off`);
  await admin.query("select pg_reload_conf()");
  await admin.query(`create database ${TEMPLATE} owner ${user}`);
  await admin.end();
  const db = createDatabase({
    connection: { host, user, database: TEMPLATE },
    poolSize: 1,
    logger: createLogger("warn"),
    applicationName: "parley-test",
  });
  await migrate(db);
  await db.close();
  project.provide("databaseHost", host);
}

export async function teardown(): Promise<void> {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
}
