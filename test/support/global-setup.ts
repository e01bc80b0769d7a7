import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase } from "../../src/db/database.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { serverSettings } from "../../src/db/embedded/server/settings.ts";
import { migrate } from "../../src/db/migrate.ts";
import { accessRules, startPostgres } from "./own-database.ts";
import { until } from "./wait.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Socket directory of the suite's PostgreSQL. */
    databaseHost: string;
  }
}

export const TEMPLATE = "parley_template";
/** The embedded server's superuser; the product itself connects as `parley`, which only owns its database. */
export const ADMIN = "parley_admin";

/** Nothing here has to outlive the machine: tests of crashes start their own server. */
const WITHOUT_DISK = { fsync: "off", full_page_writes: "off" };
/** For every worker's files, some of which start several nodes. */
const ROOM = { max_connections: "300" };

let server: ChildProcess;
let directory: string;

/** One real PostgreSQL for the whole run, with a migrated template that each test file clones. */
export async function setup(project: TestProject): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), "parley-test-"));
  // As root the server runs as another user, who must be able to enter.
  chmodSync(directory, 0o755);
  const made = await startEmbedded({ dataDir: directory, mode: "own", logger: createLogger("warn") });
  await made.close();
  const { host, user } = made.connection;
  server = startPostgres(made, {
    ...serverSettings(made.dataDir, String(host)),
    ...accessRules(made.dataDir),
    ...WITHOUT_DISK,
    ...ROOM,
  });
  const admin = await until("PostgreSQL accepts connections", () => connectAsAdmin(String(host)), {
    timeoutMs: 30_000,
  });
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

async function connectAsAdmin(host: string): Promise<pg.Client | null> {
  const client = new pg.Client({ host, user: ADMIN, database: "postgres" });
  return client.connect().then(
    () => client,
    () => null,
  );
}

export async function teardown(): Promise<void> {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGQUIT");
  await ended;
  rmSync(directory, { recursive: true, force: true });
}
