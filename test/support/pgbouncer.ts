import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestDatabase } from "./database.ts";
import { debianPackage } from "./debian.ts";
import { freePort } from "./free-port.ts";
import { until } from "./wait.ts";

interface Program {
  path: string;
  env: Record<string, string>;
  /** Such as 1.18. */
  version: number[];
}

/** The one that `PARLEY_TEST_PGBOUNCER` names, else Debian's; where there is none, why. */
export async function findPgBouncer(): Promise<{ program: Program | null; missing: string }> {
  const given = process.env.PARLEY_TEST_PGBOUNCER;
  const found = given ? { home: "", env: {}, missing: "" } : await debianPackage("pgbouncer");
  if (found.home === null) return { program: null, missing: found.missing };
  const path = given ?? join(found.home, "usr/sbin/pgbouncer");
  const env = { PATH: "/usr/bin:/bin", ...found.env };
  const text = execFileSync(path, ["--version"], { env, encoding: "utf8" });
  const version = (/PgBouncer (\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
  return { program: { path, env, version }, missing: "" };
}

/** Whether it can keep prepared statements over transactions. */
export const keepsStatements = ({ version: [major = 0, minor = 0] }: Program): boolean => major > 1 || minor >= 21;

export interface Pooler {
  /** The database, through the pooler. */
  database: TestDatabase;
  close(): Promise<void>;
}

const WANTED_PARAMETERS = "options,statement_timeout,idle_in_transaction_session_timeout";

/** PgBouncer before the server of the suite, with these settings. */
export async function startPgBouncer(
  program: Program,
  database: TestDatabase,
  settings: Record<string, string>,
): Promise<Pooler> {
  const socketFolder = decodeURIComponent(/host=([^&]+)/.exec(database.url)?.[1] ?? "");
  // The server accepts the account that runs it, and PgBouncer refuses to run as root, as it does.
  const account = statSync(socketFolder);
  const folder = mkdtempSync(join(tmpdir(), "parley-pgbouncer-"));
  const port = await freePort();
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "any",
    max_client_conn: "300",
    default_pool_size: "30",
    ignore_startup_parameters: WANTED_PARAMETERS,
    ...(keepsStatements(program) ? { max_prepared_statements: "300" } : {}),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const target = `${database.name} = host=${socketFolder} dbname=${database.name} user=parley`;
  writeFileSync(join(folder, "pgbouncer.ini"), ["[databases]", target, "[pgbouncer]", ...lines, ""].join("\n"));
  const { command, env } = reachable(program, folder);
  chownSync(folder, account.uid, account.gid);
  const child = spawn(command, [join(folder, "pgbouncer.ini")], {
    env,
    cwd: folder,
    stdio: "ignore",
    ...(process.getuid?.() === 0 ? { uid: account.uid, gid: account.gid } : {}),
  });
  await until("PgBouncer listens", () => canConnect(port));
  return {
    database: { ...database, url: `postgres://parley@127.0.0.1:${port}/${database.name}` },
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A copy that another account can read, wherever the checkout is. */
function reachable({ path, env }: Program, folder: string): { command: string; env: Record<string, string> } {
  chmodSync(folder, 0o755);
  const home = dirname(dirname(dirname(path)));
  if (process.getuid?.() !== 0 || !home.includes("debian")) return { command: path, env };
  const copy = join(folder, "tools");
  cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
  const moved = Object.entries(env).map(([name, value]) => [name, value.replaceAll(home, copy)]);
  return { command: path.replace(home, copy), env: Object.fromEntries(moved) };
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
