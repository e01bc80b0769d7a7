import { ensureBootstrapKey } from "./auth/bootstrap-key.ts";
import type { KeyDeps } from "./auth/keys.ts";
import { createLastUsed } from "./auth/last-used.ts";
import { createVerifier } from "./auth/verifier.ts";
import { ensureFirstWorkspace } from "./auth/workspaces.ts";
import type { Config } from "./config/index.ts";
import type { Logger } from "./core/logger.ts";
import { createSecretBox, type SecretBox } from "./core/secret-box.ts";
import { readOrMakeSecretKey } from "./core/secret-key-file.ts";
import { createDatabase, type Database, sql } from "./db/database.ts";
import { type EmbeddedDatabase, startEmbedded } from "./db/embedded/index.ts";
import { migrate } from "./db/migrate.ts";
import { createOutbox } from "./events/outbox.ts";
import { type ApiDescription, describeApi } from "./http/openapi.ts";
import { apiRoutes, type RouteDeps } from "./http/routes/v1/index.ts";
import { createServer, type Server } from "./http/server.ts";
import { createLimiter, createTierLimiter } from "./rate-limit/limiter.ts";
import { rememberSecretKey } from "./webhooks/installation-key.ts";

/** What every command needs: a migrated database and the key that opens sealed secrets. */
export interface Store {
  readonly db: Database;
  readonly secretBox: SecretBox;
  readonly embedded: EmbeddedDatabase | null;
  close(): Promise<void>;
}

export interface StoreOptions {
  config: Config;
  logger: Logger;
  /** `own`: this process keeps the embedded server running. `attach-or-start`: a command that may run beside it. */
  mode: "own" | "attach-or-start";
  report: (line: string) => void;
}

export async function openStore({ config, logger, mode, report }: StoreOptions): Promise<Store> {
  const closers = createClosers();
  try {
    const embedded = config.DATABASE_URL
      ? null
      : closers.add(await startEmbedded({ dataDir: config.PARLEY_DATA_DIR, mode, logger, report }));
    const connection = embedded
      ? { ...embedded.connection, ssl: false }
      : { connectionString: config.DATABASE_URL as string };
    const settings = { connection, logger, applicationName: "parley" };
    const migrator = createDatabase({ ...settings, poolSize: 1, queryMsMax: 0 });
    try {
      await migrate(migrator, (name) => report(`Migrating: ${name}`));
    } finally {
      await migrator.close();
    }
    const db = closers.add(createDatabase({ ...settings, poolSize: config.PARLEY_DATABASE_POOL }));
    const secretBox = createSecretBox(config.PARLEY_SECRET_KEY ?? [readOrMakeSecretKey(config.PARLEY_DATA_DIR)]);
    await rememberSecretKey(db, secretBox);
    return { db, secretBox, embedded, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

export interface App {
  readonly store: Store;
  readonly server: Server;
  /** Where it listens. */
  readonly url: string;
  /** No key exists yet. */
  readonly firstRun: boolean;
  /** The one-time link that makes the owner; null once there is one. */
  readonly setupUrl: string | null;
  close(): Promise<void>;
}

/** The composition root: builds every part, hands values down, closes them in reverse order. */
export async function startApp(options: Omit<StoreOptions, "mode">): Promise<App> {
  const { config, logger } = options;
  const closers = createClosers();
  try {
    const store = closers.add(await openStore({ ...options, mode: "own" }));
    const { db, secretBox } = store;
    const workspace = await ensureFirstWorkspace(db);
    const tiers = createTierLimiter(config.PARLEY_RATE_LIMIT_TIERS);
    const lastUsed = closers.add(createLastUsed(db, logger));
    const bootstrapSecret = config.PARLEY_BOOTSTRAP_API_KEY;
    const verifier = closers.add(await createVerifier({ db, logger, lastUsed, bootstrapSecret }));
    const outbox = createOutbox({ fanOut: async () => {}, onAppended: () => {} });
    const keys: KeyDeps = { outbox, tiers: tiers.tiers, onChanged: verifier.forget };
    const hadKeys = await hasKeys(db);
    if (bootstrapSecret) await ensureBootstrapKey(db, keys, workspace.id, bootstrapSecret);
    const server = closers.add(
      createServer({
        db,
        logger,
        verifier,
        tiers,
        authFailures: createLimiter({ requests: config.PARLEY_AUTH_FAILURES_PER_MINUTE, windowSeconds: 60 }),
        secretBox,
        routes: apiRoutes({ db, outbox, keys }),
        trustedProxies: config.PARLEY_TRUSTED_PROXIES,
        publicUrl: config.PARLEY_PUBLIC_URL,
        bodyBytesMax: config.PARLEY_BODY_BYTES_MAX,
        isReady: () => answers(db),
      }),
    );
    const url = await server.listen(config.HOST, config.PORT);
    return { store, server, url, firstRun: !hadKeys && !bootstrapSecret, setupUrl: null, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** The parts of a key operation, for a command that runs beside the server. */
export function keyDepsOf(config: Config, _store: Store): KeyDeps {
  const tiers = createTierLimiter(config.PARLEY_RATE_LIMIT_TIERS).tiers;
  return { tiers, onChanged: () => {}, outbox: createOutbox({ fanOut: async () => {}, onAppended: () => {} }) };
}

/** The API's description needs no database: the routes' parts are only reached by requests. */
export const describeWholeApi = (): ApiDescription => describeApi(apiRoutes({} as RouteDeps));

const ping = sql("ping", "select 1");
const anyKey = sql("any_key", "select exists (select from api_keys) as present");

async function answers(db: Database): Promise<boolean> {
  try {
    await db.query(ping);
    return true;
  } catch {
    return false;
  }
}

async function hasKeys(db: Database): Promise<boolean> {
  const [row] = await db.query<{ present: boolean }>(anyKey);
  return row?.present ?? false;
}

/** Closes parts in the reverse of the order in which they were built; one that fails does not keep the others open. */
function createClosers() {
  const parts: { close(): Promise<void> }[] = [];
  return {
    add<T extends { close(): Promise<void> }>(part: T): T {
      parts.push(part);
      return part;
    },
    async close(): Promise<void> {
      const failures: unknown[] = [];
      for (let part = parts.pop(); part; part = parts.pop())
        await part.close().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}
