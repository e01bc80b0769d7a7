import type { ClientConfig } from "pg";
import type { Config } from "../config/index.ts";
import { Fault } from "../core/errors.ts";
import { readDecidedCell } from "../db/cell.ts";
import { limitsOf, QUERY_MS_MAX, type Queryable } from "../db/database.ts";
import { probePooling } from "../db/pooler.ts";
import { isSameDatabase } from "../db/same-database.ts";
import { findKeyProblem } from "../installation-key/open-secret-box.ts";
import { ANOTHER_DATABASE, PLAN_BY_INDEX } from "../store.ts";

/** What the next start would refuse in a database that has been set up. */
export async function inspectInstallation(db: Queryable, config: Config): Promise<{ what: string; toDo?: string }[]> {
  const cell = await readDecidedCell(db);
  const key = await findKeyProblem(db, { keys: config.PARLEY_SECRET_KEY, dataDir: config.PARLEY_DATA_DIR });
  return [
    cell !== null && config.PARLEY_CELL !== null && config.PARLEY_CELL !== cell
      ? {
          what: `PARLEY_CELL is ${config.PARLEY_CELL}, but the database was set up as cell ${cell}`,
          toDo: `Remove the setting, or set it to ${cell}.`,
        }
      : { what: `Cell ${cell ?? config.PARLEY_CELL ?? 0}` },
    key === null
      ? { what: "The secret key opens what is sealed" }
      : { what: "The secret key does not open what is sealed", toDo: key },
  ];
}

const POLLING =
  "A transaction pooler is in DATABASE_URL: without PARLEY_DATABASE_DIRECT_URL, nodes poll for changes of other nodes";

/** What is between Parley and PostgreSQL, as the server finds out at its start. */
export async function inspectPooling(config: Config): Promise<{ what: string; toDo?: string }[]> {
  if (!config.DATABASE_URL) return [];
  const { PARLEY_DATABASE_DIRECT_URL: directUrl } = config;
  const connection = { connectionString: config.DATABASE_URL, ...limitsOf(QUERY_MS_MAX), options: PLAN_BY_INDEX };
  try {
    const pooling = await probePooling(connection);
    if (directUrl !== null) return await inspectDirect(connection, { connectionString: directUrl });
    if (pooling === "session") return [];
    return [{ what: POLLING }];
  } catch (error) {
    // If it is not available at all, the next check says so.
    if (error instanceof Fault) return [];
    return [{ what: (error as Error).message, toDo: "Correct DATABASE_URL, or what it leads to." }];
  }
}

async function inspectDirect(
  connection: ClientConfig,
  direct: ClientConfig,
): Promise<{ what: string; toDo?: string }[]> {
  const problem = await probePooling(direct, "PARLEY_DATABASE_DIRECT_URL")
    .then(() => isSameDatabase(connection, direct))
    .then((same) => (same ? null : ANOTHER_DATABASE))
    .catch((error: Error) => error.message);
  if (problem === null) return [];
  return [{ what: problem, toDo: "Correct PARLEY_DATABASE_DIRECT_URL, or what it leads to, or remove it." }];
}
