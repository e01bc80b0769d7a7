import { Client, type ClientConfig, type DatabaseError } from "pg";
import { withClient } from "../../client.ts";
import type { Account } from "../host/accounts.ts";
import { EmbeddedRefusal } from "../host/refusal.ts";
import { SOCKET_PORT, socketDirProblem, socketFile } from "../layout/socket-dir.ts";
import { ADMIN_ROLE, APPLICATION_ROLE, DATABASE, MAINTENANCE_DATABASE } from "./settings.ts";

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/**
 * `absent`: no server listens. `busy`: one does and cannot serve yet (recovery, shutdown, no slot free). `full`: its disk is
 * full, which a person has to change.
 */
type Attempt =
  | { readonly kind: "ready"; readonly client: Client }
  | { readonly kind: "absent" | "busy" | "full"; readonly reason: string };

const CONNECT_MS = 5_000;

export function applicationConnection(socketDir: string): Connection {
  return { host: socketDir, port: SOCKET_PORT, user: APPLICATION_ROLE, database: DATABASE };
}

/** One attempt. Creates role and database when they do not exist yet: a start may have been killed before that. */
export async function tryConnect(socketDir: string, account: Account, applicationName: string): Promise<Attempt> {
  const problem = socketDirProblem(socketDir, account);
  if (problem !== null) return { kind: "absent", reason: problem };
  try {
    return { kind: "ready", client: await openAdmin(socketDir, applicationName) };
  } catch (error) {
    const { code, message } = error as DatabaseError;
    if (code === "3D000") {
      const failure = await createDatabase(socketDir, applicationName).catch((cause: Error) => cause);
      return { kind: "busy", reason: failure ? failure.message : "the database was just created" };
    }
    return classify(code, message, socketDir);
  }
}

function classify(code: string | undefined, message: string, socketDir: string): Attempt {
  if (code === "ENOENT" || code === "ECONNREFUSED") return { kind: "absent", reason: message };
  if (code === "EACCES" || code === "EPERM" || code?.startsWith("28")) {
    throw new EmbeddedRefusal(
      `The database's socket ${socketFile(socketDir)} may not be used by this user (${message}). ` +
        "Run Parley as the user who runs the server, or as root.",
    );
  }
  if (isDiskFull(code, message)) return { kind: "full", reason: message };
  // The rest passes by itself: 57P03 starting or stopping, 53300 no free connection, a lost connection.
  return { kind: "busy", reason: message };
}

/** PostgreSQL writes a file for some new sessions, and ends them where it cannot. */
export const isDiskFull = (code: string | undefined, message: string): boolean =>
  code === "53100" || /No space left on device|Disk quota exceeded/.test(message);

export const adminConnection = (socketDir: string, applicationName: string, database = DATABASE): ClientConfig => ({
  ...applicationConnection(socketDir),
  user: ADMIN_ROLE,
  database,
  application_name: applicationName,
  // PGSSLMODE in the user's shell must have no effect here.
  ssl: false,
  connectionTimeoutMillis: CONNECT_MS,
});

async function openAdmin(socketDir: string, applicationName: string): Promise<Client> {
  const client = new Client(adminConnection(socketDir, applicationName));
  // An unhandled 'error' would end the process; callers that need to know listen to 'end'.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function createDatabase(socketDir: string, applicationName: string): Promise<void> {
  await withClient(adminConnection(socketDir, applicationName, MAINTENANCE_DATABASE), async (client) => {
    await client.query(`CREATE ROLE ${APPLICATION_ROLE} LOGIN`).catch(ignoreDuplicate);
    await client.query(`CREATE DATABASE ${DATABASE} OWNER ${APPLICATION_ROLE}`).catch(ignoreDuplicate);
  });
}

/** Another process was first. */
function ignoreDuplicate(error: DatabaseError): void {
  if (!["42710", "42P04", "23505"].includes(error.code ?? "")) throw error;
}
