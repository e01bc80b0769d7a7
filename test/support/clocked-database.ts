import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createLogger } from "../../src/core/logger.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import type { Clock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { until } from "./wait.ts";

export interface ClockedDatabase extends TestDatabase {
  /**
   * How often one of its processes has crashed. libfaketime allocates memory whenever the time is read; PostgreSQL also reads it
   * in a signal handler, which may interrupt an allocation: now and then a backend aborts with a corrupted heap, and
   * PostgreSQL restarts.
   */
  crashes(): number;
}

/** A PostgreSQL of its own that uses `clock`, with an empty database. */
export async function startClockedDatabase(clock: Clock): Promise<ClockedDatabase> {
  const directory = mkdtempSync(join(tmpdir(), "parley-clocked-"));
  // As root the server runs under another user, who must be able to come in.
  chmodSync(directory, 0o755);
  // The product makes the cluster and finds the programs; it would start them without the clock.
  const made = await startEmbedded({ dataDir: directory, mode: "own", logger: createLogger("silent") });
  const { host, user, database: name } = made.connection;
  await made.close();
  const server = startPostgres(made.binDir, made.dataDir, host, clock);
  let log = "";
  server.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    log += chunk;
  });
  const pool = new pg.Pool({ host, user, database: name, max: 2 });
  pool.on("error", () => {});
  await until("PostgreSQL responds", () => pool.query("select 1").catch(() => null), { timeoutMs: 30_000 });
  return {
    name,
    url: `postgresql:///${name}?host=${encodeURIComponent(host)}&user=${user}`,
    query: async (text, values) => (await pool.query(text, values)).rows,
    crashes: () => log.match(/was terminated by signal/g)?.length ?? 0,
    async drop() {
      await pool.end();
      await end(server);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const QUIT_MS = 5_000;

/** A postmaster that had no child left was seen waiting forever, for memory that libfaketime shares among its processes. */
async function end(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGQUIT");
  const killing = setTimeout(() => server.kill("SIGKILL"), QUIT_MS);
  await ended;
  clearTimeout(killing);
}

function startPostgres(binDir: string, cluster: string, socketDir: string, clock: Clock): ChildProcess {
  const { uid, gid } = statSync(cluster);
  // The product's own rules of who may connect, which it passes on its command line too.
  const files = [`hba_file=${join(cluster, "parley_hba.conf")}`, `ident_file=${join(cluster, "parley_ident.conf")}`];
  const settings = ["listen_addresses=", `unix_socket_directories=${socketDir}`, "autovacuum_naptime=15s", ...files];
  return spawn(join(binDir, "postgres"), ["-D", cluster, ...settings.flatMap((setting) => ["-c", setting])], {
    ...(process.geteuid?.() === 0 ? { uid, gid } : {}),
    cwd: cluster,
    env: { LC_ALL: "C", TZ: "UTC", ...clock.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
}
