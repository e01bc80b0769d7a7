import { Client, type DatabaseError } from "pg";
import type { Account } from "./accounts.ts";
import { EmbeddedRefusal } from "./refusal.ts";
import { DATABASE, MAINTENANCE_DATABASE, SOCKET_PORT, SUPERUSER } from "./settings.ts";
import { socketDirProblem, socketFile } from "./socket-dir.ts";

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** `absent`: nobody listens. `busy`: somebody does and cannot serve yet (recovery, shutdown, no slot free). */
export type Attempt =
  | { readonly kind: "ready"; readonly client: Client }
  | { readonly kind: "absent" | "busy"; readonly reason: string };

const CONNECT_MS = 5_000;

export function connectionTo(socketDir: string): Connection {
  return { host: socketDir, port: SOCKET_PORT, user: SUPERUSER, database: DATABASE };
}

/** One attempt. Makes our database when the server does not have it yet: a start may have been killed before that. */
export async function tryConnect(socketDir: string, account: Account, applicationName: string): Promise<Attempt> {
  const notOurs = socketDirProblem(socketDir, account);
  if (notOurs !== null) return { kind: "absent", reason: notOurs };
  const settings = { ...connectionTo(socketDir), application_name: applicationName };
  try {
    return { kind: "ready", client: await open(settings) };
  } catch (error) {
    const { code, message } = error as DatabaseError;
    if (code === "3D000") {
      const problem = await createDatabase({ ...settings, database: MAINTENANCE_DATABASE }).catch((e: Error) => e);
      return { kind: "busy", reason: problem ? problem.message : "the database was just made" };
    }
    return classify(code, message, socketDir);
  }
}

function classify(code: string | undefined, message: string, socketDir: string): Attempt {
  if (code === "ENOENT" || code === "ECONNREFUSED") return { kind: "absent", reason: message };
  if (code === "EACCES" || code === "EPERM") {
    throw new EmbeddedRefusal(
      `The database's socket ${socketFile(socketDir)} may not be used by this user (${message}). ` +
        "Run Parley as the user who runs the server, or as root.",
    );
  }
  // Class 28: pg_hba.conf was edited. Everything else passes: 57P03 starting or stopping, 53300 all slots taken, a cut.
  if (code?.startsWith("28")) {
    throw new EmbeddedRefusal(
      `The embedded database does not let Parley in: ${message}. Its pg_hba.conf must hold the line "local all all trust".`,
    );
  }
  return { kind: "busy", reason: message };
}

export async function open(settings: Connection & { application_name: string }): Promise<Client> {
  // ssl: PGSSLMODE of somebody's shell must not matter here.
  const client = new Client({ ...settings, ssl: false, connectionTimeoutMillis: CONNECT_MS });
  // An unhandled 'error' would end the process; whoever needs to know listens to 'end'.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function createDatabase(settings: Connection & { application_name: string }): Promise<void> {
  const client = await open(settings);
  try {
    await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    // 42P04, 23505: another process was first.
    if (!["42P04", "23505"].includes((error as DatabaseError).code ?? "")) throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
