import { createPasswords } from "./accounts/passwords.ts";
import { renewSetupLink } from "./accounts/setup.ts";
import { createSso, type SsoDeps } from "./accounts/sso.ts";
import { type AlertParts, startAlertParts } from "./app/alert-parts.ts";
import { policyOf, startDeliveryParts } from "./app/delivery-parts.ts";
import { announceAppended, shareEventOrder } from "./app/event-order.ts";
import { ensureBootstrapKey } from "./auth/bootstrap-key.ts";
import type { KeyDeps } from "./auth/keys.ts";
import { createLastUsed } from "./auth/last-used.ts";
import { createUsage } from "./auth/usage.ts";
import { createVerifier } from "./auth/verifier.ts";
import { ensureFirstWorkspace } from "./auth/workspaces.ts";
import { type Config, ConfigError } from "./config/index.ts";
import { mailConfigOf } from "./config/mail.ts";
import { createPresence, type Presence } from "./conversations/presence.ts";
import { startSearchUpkeep } from "./conversations/search-upkeep.ts";
import { type Closers, createClosers } from "./core/closers.ts";
import type { Logger } from "./core/logger.ts";
import { readVersion } from "./core/package-files.ts";
import type { Tracing } from "./core/tracing.ts";
import { createDatabase, type Database, sql } from "./db/database.ts";
import { readDatabaseNumbers } from "./db/database-numbers.ts";
import { createLeaseStore } from "./db/lease-store.ts";
import { startFolding } from "./db/list-counts.ts";
import { createNotifications, type Notifications } from "./db/notifications.ts";
import { watchSchema } from "./db/schema-watch.ts";
import { createEventTail } from "./events/event-tail.ts";
import { createSequencer } from "./events/sequencer.ts";
import { type ApiDescription, describeApi } from "./http/docs/openapi.ts";
import { createReverifier } from "./http/pipeline/credentials.ts";
import { DASHBOARD_API_BASE } from "./http/pipeline/route.ts";
import { createSignInLimits } from "./http/pipeline/sign-in-limits.ts";
import { type DashboardDeps, dashboardRoutes } from "./http/routes/dashboard/index.ts";
import { apiRoutes, type RouteDeps } from "./http/routes/v1/index.ts";
import { type MetricSources, type Metrics, startMetrics } from "./http/server/metrics.ts";
import { createServer, type Server } from "./http/server/server.ts";
import { createEventStreams } from "./http/streams/event-stream.ts";
import { registerMcp } from "./mcp/http.ts";
import { readQueueTotals } from "./queue/totals.ts";
import { createLimiter, createTierLimiter, DEFAULT_TIERS } from "./rate-limit/limiter.ts";
import { createSharedLimiter } from "./rate-limit/shared-limiter.ts";
import { foldConversationStats } from "./stats/conversation-stats.ts";
import { foldDeliveryStats } from "./stats/delivery-stats.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";
import { checkDestination, createLookup, createOperatorFetch, queueLookups } from "./url-guard/index.ts";

export interface App {
  readonly store: Store;
  readonly server: Server;
  /** Where it listens. */
  readonly url: string;
  /** No key exists yet. */
  readonly firstRun: boolean;
  /** The one-time link that makes the owner; null once there is one. */
  readonly setupUrl: string | null;
  readonly metrics: Metrics | null;
  readonly alerts: Pick<AlertParts, "check">;
  close(): Promise<void>;
}

export interface AppOptions extends Omit<StoreOptions, "mode"> {
  passwords?: Parameters<typeof createPasswords>[0];
  /** False: webhooks are left to other nodes and to workers. */
  deliver?: boolean;
  /** `off`: neither the pages of the dashboard nor what only they use. */
  dashboard?: "serve" | "off";
}

/** The composition root: builds every part, hands values down, closes them in reverse order. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, logger, deliver = true, dashboard = "serve" } = options;
  const closers = createClosers();
  // Before anything is opened, so that a mistake in the settings is reported at once.
  mailConfigOf(config);
  try {
    const store = closers.add(await openStore({ ...options, mode: "own" }));
    const tracing = await openTracing(config, closers);
    const { db, secretBox } = store;
    const workspace = await ensureFirstWorkspace(db);
    const tiers = closers.add(await startTierLimiter(config, logger, store));
    const lastUsed = closers.add(createLastUsed(db, logger));
    const usage = closers.add(createUsage(db, logger));
    closers.add(startFolding(db, logger, [foldDeliveryStats, foldConversationStats]));
    closers.add(startSearchUpkeep(db, logger));
    const bootstrapSecret = config.PARLEY_BOOTSTRAP_API_KEY;
    const verifier = closers.add(await createVerifier({ db, logger, lastUsed, bootstrapSecret }));
    const sequencer = closers.add(createSequencer({ db, logger }));
    const tail = closers.add(createEventTail({ db, logger, sequencer }));
    const reverifier = createReverifier({ db, verifier });
    const limits = streamLimitsOf(config);
    const streams = createEventStreams({ db, logger, sequencer, tail, verifier: reverifier, limits });
    const notifications = closers.add(createNotifications({ db, connection: store.listenConnection, logger }));
    shareEventOrder(notifications, { sequencer, tail }, tiers.nodes);
    const deliveryParts = closers.add(
      await startDeliveryParts({
        ...{ config, logger, store, notifications, onAppended: sequencer.wake, deliver, tracing },
      }),
    );
    const alerts = closers.add(startAlertParts(config, logger, store));
    const stopWriting = async () => void (await Promise.all([deliveryParts.close(), alerts.close()]));
    const schema = closers.add(watchSchema({ db, logger, notifications, onOutdated: stopWriting }));
    const { outbox, delivery } = deliveryParts;
    const keys: KeyDeps = { outbox, tiers, keysMax: config.PARLEY_API_KEYS_MAX, onChanged: verifier.forget };
    const hadKeys = await hasKeys(db);
    if (bootstrapSecret) await ensureBootstrapKey(db, keys, workspace.id, bootstrapSecret);
    const metrics = await openMetrics(config, db, {
      ...{ delivery: delivery.stats, schemaProblem: schema.problem, streams: streams.count, limiter: tiers.stats },
      notifications: alerts.stats,
    });
    if (metrics) closers.add(metrics);
    const sso = openSso(config, { db, secretBox, logger });
    if (sso) closers.add(sso);
    const checkUrl = createUrlCheck(config);
    const server = createServer({
      db,
      logger,
      verifier,
      tiers,
      authFailures: createLimiter({ requests: config.PARLEY_AUTH_FAILURES_PER_MINUTE, windowSeconds: 60 }),
      secretBox,
      routes: apiRoutes({
        ...{ db, outbox, keys, secretBox, delivery, checkUrl, sequencer, streams },
        ...workspaceLimitsOf(config),
      }),
      dashboard,
      dashboardRoutes: dashboardRoutesOf(options, {
        ...{ db, secretBox, keys, usage, checkUrl, sso: sso?.sso ?? null, notifications, notices: alerts.notices },
        sendTestMessage: alerts.sendTestMessage,
        backups: !store.embedded ? "external" : config.PARLEY_BACKUP_DIR ? "scheduled" : "missing",
      }),
      ...serverSettingsOf(config),
      usage,
      tracing,
      unreadyBecause: async () => schema.problem() ?? ((await responds(db)) ? null : "The database is unavailable."),
      readOnlyBecause: schema.problem,
      metrics,
    });
    registerMcp(server.fastify, mcpSettingsOf(config, logger));
    // Side by side: a request that waits for a test of a webhook ends with the test.
    closers.add({ close: async () => void (await Promise.all([server.close(), deliveryParts.close()])) });
    // Built before the server, closed before it too: it waits for every response to end, and streams have no end.
    closers.add(streams);
    const setupToken = dashboard === "serve" ? await renewSetupLink(db) : null;
    const url = await server.listen(config.HOST, config.PORT);
    const setupUrl = setupToken && `${config.PARLEY_PUBLIC_URL ?? url}/setup?token=${setupToken}`;
    const firstRun = !hadKeys && !bootstrapSecret;
    return { store, server, url, firstRun, setupUrl, metrics, alerts, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

type DashboardParts = Pick<
  DashboardDeps,
  "db" | "secretBox" | "keys" | "usage" | "checkUrl" | "sso" | "backups" | "notices" | "sendTestMessage"
> & {
  notifications: Notifications;
};

function dashboardRoutesOf({ config, passwords, dashboard }: AppOptions, { notifications, ...parts }: DashboardParts) {
  if (dashboard === "off") return [];
  return dashboardRoutes({
    ...parts,
    limits: createSignInLimits(),
    passwords: createPasswords(passwords),
    requireTwoFactor: config.PARLEY_REQUIRE_TWO_FACTOR,
    ssoOnly: parts.sso !== null && config.PARLEY_OIDC_ONLY,
    ssoPolicy: { joinWorkspaceId: config.PARLEY_OIDC_WORKSPACE, joinRole: config.PARLEY_OIDC_ROLE },
    publicUrl: config.PARLEY_PUBLIC_URL,
    tierLimits: { ...DEFAULT_TIERS, ...config.PARLEY_RATE_LIMIT_TIERS },
    retrySchedule: config.PARLEY_RETRY_SCHEDULE,
    presence: startPresence(notifications),
  });
}

/** Delivery alone: any number of these may work on one database. */
export async function startWorker(options: Omit<StoreOptions, "mode">): Promise<{ close(): Promise<void> }> {
  const closers = createClosers();
  try {
    // Beside a server that keeps the embedded database, or on a database of the operator's own.
    const store = closers.add(await openStore({ ...options, mode: "attach-or-start", ifMissing: "refuse" }));
    const { config, logger } = options;
    const notifications = closers.add(
      createNotifications({ db: store.db, connection: store.listenConnection, logger }),
    );
    const onAppended = announceAppended(notifications);
    const tracing = await openTracing(config, closers);
    const parts = closers.add(
      await startDeliveryParts({ config, logger, store, notifications, onAppended, deliver: true, tracing }),
    );
    const schema = closers.add(watchSchema({ db: store.db, logger, notifications, onOutdated: parts.close }));
    const sources = { delivery: parts.delivery.stats, schemaProblem: schema.problem };
    const metrics = await openMetrics(config, store.db, sources);
    if (metrics) closers.add(metrics);
    return { close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Apart from the pool of the API, so that leases neither wait for requests nor keep them waiting. */
const LIMITS_POOL_SIZE = 2;
const LEASE_MS_MAX = 2_000;

const streamLimitsOf = (config: Config) => ({
  perKey: config.PARLEY_STREAMS_PER_KEY_MAX,
  perWorkspace: config.PARLEY_STREAMS_PER_WORKSPACE_MAX,
});

const workspaceLimitsOf = (config: Config) => ({
  webhooksMax: config.PARLEY_WEBHOOKS_MAX,
  fileLimits: {
    fileBytesMax: config.PARLEY_FILE_BYTES_MAX,
    workspaceBytesMax: config.PARLEY_FILE_BYTES_PER_WORKSPACE_MAX,
  },
});

const serverSettingsOf = (config: Config) => ({
  trustedProxies: config.PARLEY_TRUSTED_PROXIES,
  publicUrl: config.PARLEY_PUBLIC_URL,
  requireTwoFactor: config.PARLEY_REQUIRE_TWO_FACTOR,
  bodyBytesMax: config.PARLEY_BODY_BYTES_MAX,
  allowedOrigins: config.PARLEY_CORS_ORIGINS,
  connections: { total: config.PARLEY_CONNECTIONS_MAX, perAddress: config.PARLEY_CONNECTIONS_PER_ADDRESS_MAX },
  databasePool: config.PARLEY_DATABASE_POOL,
});

const mcpSettingsOf = (config: Config, logger: Logger) => ({
  allowSend: config.PARLEY_MCP_ALLOW_SEND,
  bodyBytesMax: config.PARLEY_BODY_BYTES_MAX,
  onError: (error: Error) => logger.debug({ err: error.message }, "an MCP request failed"),
});

/** Rate limits that all nodes share, with database connections of their own. */
async function startTierLimiter(config: Config, logger: Logger, { connection }: Store) {
  const closers = createClosers();
  const settings = { connection, poolSize: LIMITS_POOL_SIZE, logger, queryMsMax: LEASE_MS_MAX };
  const db = closers.add(createDatabase({ ...settings, applicationName: "parley-limits" }));
  const leases = closers.add(await createLeaseStore(db, logger));
  let fallbacks = 0;
  const onFallback = () => {
    fallbacks++;
  };
  const tiers = createTierLimiter(config.PARLEY_RATE_LIMIT_TIERS, (limit, tier) =>
    createSharedLimiter(limit, tier, leases, { onFallback }),
  );
  const stats = () => ({ nodes: leases.nodes(), fallbacks });
  return { ...tiers, nodes: leases.nodes, stats, close: closers.close };
}

type OwnSources = Pick<MetricSources, "delivery" | "schemaProblem" | "streams" | "limiter" | "notifications">;

async function openMetrics(config: Config, db: Database, sources: OwnSources): Promise<Metrics | null> {
  if (config.PARLEY_METRICS_PORT === null) return null;
  return startMetrics(config.HOST, config.PARLEY_METRICS_PORT, {
    ...sources,
    queue: () => readQueueTotals(db),
    pool: () => ({ total: db.pool.totalCount, idle: db.pool.idleCount, waiting: db.pool.waitingCount }),
    database: () => readDatabaseNumbers(db),
  });
}

/** Who looks at which conversation, shared by all nodes. */
function startPresence(notifications: Notifications): Presence {
  const presence: Presence = createPresence((text) => channel.publish(text));
  const channel = notifications.open("parley_presence", (messages) => messages?.forEach(presence.receive));
  return presence;
}

/** Judges the URL of a new or changed webhook, with bounded lookups per workspace. */
function createUrlCheck(config: Config) {
  const lookup = queueLookups(createLookup({ servers: config.PARLEY_DNS_SERVERS }));
  const policy = policyOf(config);
  const ports = { httpsOnly: config.PARLEY_WEBHOOK_HTTPS_ONLY, allowed: config.PARLEY_WEBHOOK_PORTS };
  return (url: string, workspaceId: number) =>
    checkDestination(url, { policy, lookup, ports, group: String(workspaceId) });
}

/** Loaded only where it is on. */
async function openTracing(config: Config, closers: Closers): Promise<Tracing | null> {
  const { PARLEY_TRACES_URL: url, PARLEY_TRACES_HEADERS: headers, PARLEY_TRACES_PERCENT: percent } = config;
  if (url === null) return null;
  const { startTracing } = await import("./tracing/otlp.ts");
  return closers.add(await startTracing({ url, headers, percent, version: readVersion() }));
}

/** Single sign-on, where the settings name a provider. */
function openSso(config: Config, parts: Pick<SsoDeps, "db" | "secretBox" | "logger">) {
  const { PARLEY_OIDC_ISSUER: issuer, PARLEY_OIDC_CLIENT_ID: clientId } = config;
  if (issuer === null && !config.PARLEY_OIDC_ONLY) return null;
  if (issuer === null || clientId === null)
    throw new ConfigError(["PARLEY_OIDC_ISSUER and PARLEY_OIDC_CLIENT_ID are needed together for single sign-on."]);
  const { fetch, close } = createOperatorFetch();
  const settings = {
    issuer,
    clientId,
    clientSecret: config.PARLEY_OIDC_CLIENT_SECRET,
    name: config.PARLEY_OIDC_NAME,
  };
  return { sso: createSso({ ...parts, settings, fetch }), close };
}

/** The API's description needs no database: the routes' parts are only reached by requests. */
export const describeWholeApi = (): ApiDescription => describeApi(apiRoutes({} as RouteDeps));

/** The dashboard's own API: not public, described only so that the dashboard's types are generated from it. */
export const describeDashboardApi = (): ApiDescription =>
  describeApi(dashboardRoutes({} as DashboardDeps), { base: DASHBOARD_API_BASE, title: "Parley dashboard API" });

const ping = sql("ping", "select 1");
const anyKey = sql("any_key", "select exists (select from api_keys) as present");

async function responds(db: Database): Promise<boolean> {
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
