import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, chmodSync, closeSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { createLogger } from "../../src/core/logger.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../src/db/embedded/index.ts";
import type { TestDatabase } from "./database.ts";
import { until } from "./wait.ts";

/** A PostgreSQL that the operator runs, as far as the product can tell, and that can be crashed. */
interface OwnDatabase extends TestDatabase {
  /** kill -9, and a start as a supervisor would do it. Resolves when it accepts connections again. */
  crash(): Promise<void>;
}

/** Between two writes of the log by PostgreSQL itself: within that time a crash loses what did not wait for the disk. */
const FORGETFUL = "wal_writer_delay = 10s\n";

/** Makes the server of this data directory forget commits that did not wait for the disk, at its next start. */
export const makeForgetful = (cluster: string): void =>
  appendFileSync(join(cluster, "postgresql.auto.conf"), FORGETFUL);

export async function startOwnDatabase(): Promise<OwnDatabase> {
  const directory = mkdtempSync(join(tmpdir(), "parley-own-"));
  // As root the server runs under another user, who needs access.
  chmodSync(directory, 0o755);
  const made = await startEmbedded({ dataDir: directory, mode: "own", logger: createLogger("silent") });
  const connection = made.connection as { host: string; user: string; database: string; password?: string };
  await made.close();
  makeForgetful(made.dataDir);
  let server: ChildProcess | null = null;

  async function query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]> {
    const client = new pg.Client(connection);
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Backends of a killed server hold its memory for a moment, and a new one refuses to start until they have ended. */
  async function start(): Promise<void> {
    await until(
      "PostgreSQL accepts connections",
      async () => {
        if (server === null || server.exitCode !== null || server.signalCode !== null)
          server = startPostgres(made, {
            listen_addresses: "",
            unix_socket_directories: connection.host,
            ...accessRules(made.dataDir),
          });
        return (await query("select 1").catch(() => null)) !== null;
      },
      { timeoutMs: 30_000, everyMs: 50 },
    );
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server as ChildProcess;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await ended;
  }

  await start();
  const { host, user, database: name, password } = connection;
  const login = password ? `&password=${encodeURIComponent(password)}` : "";
  return {
    name,
    url: `postgresql:///${name}?host=${encodeURIComponent(host)}&user=${user}${login}`,
    query,
    async crash() {
      await end("SIGKILL");
      await start();
    },
    async drop() {
      await end("SIGQUIT");
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The product's own rules of who may connect, which it passes on its command line too. */
export const accessRules = (cluster: string): Record<string, string> => ({
  hba_file: join(cluster, "parley_hba.conf"),
  ident_file: join(cluster, "parley_ident.conf"),
});

/** The server of a cluster that the product has made and no longer runs; it continues the product's log. */
export function startPostgres(
  { binDir, dataDir }: Pick<EmbeddedDatabase, "binDir" | "dataDir">,
  settings: Record<string, string>,
): ChildProcess {
  const { uid, gid } = statSync(dataDir);
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(join(dirname(dataDir), "postgres.log"), "a");
  const server = spawn(join(binDir, "postgres"), ["-D", dataDir, ...args], {
    ...(process.geteuid?.() === 0 ? { uid, gid } : {}),
    cwd: dataDir,
    env: { LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  return server;
}
