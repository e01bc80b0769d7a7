import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Fault, unavailable } from "../core/errors.ts";
import { asFault } from "./errors.ts";

/**
 * What is between us and PostgreSQL. `session`: nothing, or something that keeps a client on its server connection.
 * `transaction`: a pooler that gives each transaction whichever server connection is free, so that nothing that belongs to
 * a session outlasts it: no LISTEN.
 */
type Pooling = "session" | "transaction";

const CONNECT_MS_MAX = 5_000;
const PROBE_MS_MAX = 2_000;
const ROUNDS = 5;
/** More than one, because others may use the pool at the same time. */
const HOLDERS = 3;

const whichServer = { name: "pooler_probe", text: "select pg_backend_pid() as pid" };

/** The setting that names a connection, for messages about it. */
type UrlSetting = "DATABASE_URL" | "PARLEY_DATABASE_DIRECT_URL";

/**
 * Finds out by looking, and refuses a pooler with which statements would fail: later, one by one, and without a cause
 * that anybody could guess.
 */
export async function probePooling(
  connection: pg.ClientConfig,
  setting: UrlSetting = "DATABASE_URL",
): Promise<Pooling> {
  const clients: pg.Client[] = [];

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_MS_MAX });
    client.on("error", () => {});
    clients.push(client);
    await client.connect().catch((error: Error) => {
      throw explainRefusal(error, setting);
    });
    return client;
  }

  try {
    return await probeWith(open);
  } catch (error) {
    throw explainLostStatement(error, setting);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

async function probeWith(open: () => Promise<pg.Client>): Promise<Pooling> {
  const probe = await open();
  // PostgreSQL names its process when a client connects; a pooler, which has no one process, names something else.
  if ((await serverOf(probe)) === (probe as pg.Client & { processID?: number }).processID) return "session";
  const holders = await Promise.all(Array.from({ length: HOLDERS }, open));
  for (let round = 0; round < ROUNDS; round++) if (await isShared(probe, holders)) return "transaction";
  return "session";
}

/**
 * Whether the server connection that the probe used last is in use by another client now. If so, the probe's next statement
 * goes to another one: there it must find what it has prepared.
 */
async function isShared(probe: pg.Client, holders: readonly pg.Client[]): Promise<boolean> {
  const last = await serverOf(probe);
  try {
    for (const holder of holders) {
      await holder.query("begin");
      if ((await serverOf(holder)) !== last) continue;
      await Promise.race([serverOf(probe), sleep(PROBE_MS_MAX, undefined, { ref: false })]);
      return true;
    }
    return false;
  } finally {
    for (const holder of holders) await holder.query("rollback").catch(() => {});
  }
}

async function serverOf(client: pg.Client): Promise<number | undefined> {
  const [row] = (await client.query(whichServer)).rows as { pid: number }[];
  return row?.pid;
}

/** 26000: the statement does not exist; 42P05: it exists already. */
function explainLostStatement(error: unknown, setting: UrlSetting): unknown {
  if (error instanceof Fault) return error;
  const { code, message } = error as Error & { code?: string };
  if (code !== "26000" && code !== "42P05") return asFault(error);
  return new Error(
    `The connection pooler in ${setting} loses prepared statements (${message}). ` +
      "With PgBouncer use 1.21 or newer with max_prepared_statements above 0, or pool_mode = session.",
  );
}

function explainRefusal(error: Error, setting: UrlSetting): unknown {
  if (/unsupported startup parameter/.test(error.message))
    return new Error(
      `The connection pooler in ${setting} refuses a parameter that Parley sends (${error.message}). Set ` +
        "ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout in PgBouncer; " +
        "docs/operations.md says what to set for the user instead.",
    );
  if (asFault(error) === error) return new Error(`${setting} cannot be used: ${reasonOf(error)}.`);
  const database = setting === "DATABASE_URL" ? "The database" : `The database in ${setting}`;
  return unavailable(`${database} is not available: ${reasonOf(error)}.${adviceFor(error, setting)}`, error);
}

const UNREACHABLE = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENOENT", "EHOSTUNREACH"];

function adviceFor(error: Error, setting: UrlSetting): string {
  if (!UNREACHABLE.some((code) => reasonOf(error).includes(code))) return "";
  const without = setting === "DATABASE_URL" ? "; without DATABASE_URL Parley runs a PostgreSQL of its own" : "";
  return ` Check the host and the port in ${setting}, and that PostgreSQL runs there${without}.`;
}

/** An error of several addresses has no message of its own. */
function reasonOf(error: Error): string {
  const first = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  return error.message || first?.message || (error as Error & { code?: string }).code || "unknown reason";
}
