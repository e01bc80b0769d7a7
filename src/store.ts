import type { PoolConfig } from "pg";
import type { KeyOptions } from "./auth/keys.ts";
import type { Config } from "./config/index.ts";
import { createClosers } from "./core/closers.ts";
import type { Logger } from "./core/logger.ts";
import type { SecretBox } from "./core/secret-box.ts";
import { ensureCell } from "./db/cell.ts";
import { createDatabase, type Database, limitsOf, QUERY_MS_MAX } from "./db/database.ts";
import { type EmbeddedDatabase, type IfMissing, startEmbedded } from "./db/embedded/index.ts";
import { migrate } from "./db/migrate.ts";
import { probePooling } from "./db/pooler.ts";
import { isSameDatabase } from "./db/same-database.ts";
import { createOutbox } from "./events/outbox.ts";
import { openSecretBox } from "./installation-key/open-secret-box.ts";
import { createFanOut } from "./queue/fan-out.ts";
import { createTierLimiter } from "./rate-limit/limiter.ts";

// Every query has its index. A plan that reads a whole table, made while the table was small, must not be kept: no
// sequential scans. No JIT: up to PostgreSQL 17, a plan that needs such a scan anyway then looks so costly that it would be
// compiled each time. No parallel plans: starting their processes takes longer than any statement here, and one tenant's
// search would take several processors.
export const PLAN_BY_INDEX = "-c enable_seqscan=off -c jit=off -c max_parallel_workers_per_gather=0";

export const ANOTHER_DATABASE =
  "PARLEY_DATABASE_DIRECT_URL leads to another database than DATABASE_URL, or to a standby of it, where no notification " +
  "arrives. Set it to the same database past the connection pooler, or remove it.";

/** What every command needs: a migrated database and the key that opens sealed secrets. */
export interface Store {
  readonly db: Database;
  readonly secretBox: SecretBox;
  readonly embedded: EmbeddedDatabase | null;
  /** For parts that need connections of their own. */
  readonly connection: PoolConfig;
  /** For notifications. Null: a pooler is in between that does not pass them on. */
  readonly listenConnection: PoolConfig | null;
  close(): Promise<void>;
}

export interface StoreOptions {
  config: Config;
  logger: Logger;
  /** `own`: this process keeps the embedded server running. `attach-or-start`: a command that may run next to it. */
  mode: "own" | "attach-or-start";
  /** Whether an embedded database is created where there is none; it is by default. */
  ifMissing?: IfMissing | undefined;
  report: (line: string) => void;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { config, logger, report } = options;
  const closers = createClosers();
  try {
    const { embedded, connection } = closers.add(await openServer(options));
    const listenConnection = embedded ? connection : await findListenConnection(config, connection, logger);
    const settings = { connection, logger, applicationName: "parley" };
    await migrateWith(settings, async (db) => {
      await migrate(db, (name) => report(`Migrating: ${name}`));
      await ensureCell(db, config.PARLEY_CELL);
    });
    const planned = { ...settings, connection: { ...connection, options: PLAN_BY_INDEX } };
    const db = closers.add(createDatabase({ ...planned, poolSize: config.PARLEY_DATABASE_POOL }));
    if (config.DATABASE_URL && !config.PARLEY_SECRET_KEY)
      logger.warn("PARLEY_SECRET_KEY is not set: secrets are sealed with a key file that only this machine has");
    const secretBox = await openSecretBox(db, { keys: config.PARLEY_SECRET_KEY, dataDir: config.PARLEY_DATA_DIR });
    return { db, secretBox, embedded, connection, listenConnection, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Also refuses a pooler with which Parley cannot work, and a direct URL that leads elsewhere. */
async function findListenConnection(
  { PARLEY_DATABASE_DIRECT_URL: directUrl }: Config,
  connection: PoolConfig,
  logger: Logger,
): Promise<PoolConfig | null> {
  // As the pools connect, so that what would be refused there is refused here, with its reason.
  const likeThePools = { ...connection, ...limitsOf(QUERY_MS_MAX), options: PLAN_BY_INDEX };
  const pooling = await probePooling(likeThePools);
  const direct = directUrl === null ? connection : { connectionString: directUrl };
  if (directUrl === null && pooling === "session") return direct;
  if (directUrl !== null) {
    const directPooling = await probePooling(direct, "PARLEY_DATABASE_DIRECT_URL");
    if (!(await isSameDatabase(connection, direct))) throw new Error(ANOTHER_DATABASE);
    if (directPooling === "session") return direct;
  }
  logger.warn(
    directUrl === null
      ? "a transaction pooler is between Parley and PostgreSQL: no notifications, polling instead; set PARLEY_DATABASE_DIRECT_URL"
      : "PARLEY_DATABASE_DIRECT_URL leads to a transaction pooler too: no notifications, polling instead",
  );
  return null;
}

export interface Server {
  readonly embedded: EmbeddedDatabase | null;
  readonly connection: PoolConfig;
  close(): Promise<void>;
}

/** The PostgreSQL that the settings name, whatever is in it. */
export async function openServer({ config, logger, mode, ifMissing, report }: StoreOptions): Promise<Server> {
  if (config.DATABASE_URL)
    return { embedded: null, connection: { connectionString: config.DATABASE_URL }, close: async () => {} };
  const embedded = await startEmbedded({ dataDir: config.PARLEY_DATA_DIR, mode, ifMissing, logger, report });
  return { embedded, connection: { ...embedded.connection, ssl: false }, close: () => embedded.close() };
}

/** A connection without a time limit, for the length of a migration. */
export async function migrateWith<T>(
  settings: { connection: PoolConfig; logger: Logger; applicationName: string },
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const migrator = createDatabase({ ...settings, poolSize: 1, queryMsMax: 0 });
  try {
    return await work(migrator);
  } finally {
    await migrator.close();
  }
}

/** The parts of a key operation, for a command that runs next to the server. */
export function keyOptionsOf(config: Config): KeyOptions {
  const tiers = createTierLimiter(config.PARLEY_RATE_LIMIT_TIERS);
  // Processes with an engine find the new deliveries by polling.
  const outbox = createOutbox({ fanOut: createFanOut(() => {}), onAppended: () => {} });
  return { tiers, keysMax: config.PARLEY_API_KEYS_MAX, onChanged: () => {}, outbox };
}
