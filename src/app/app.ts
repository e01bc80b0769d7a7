import { endSessionsWithoutSso } from "../accounts/sessions.ts";
import { renewSetupLink } from "../accounts/setup.ts";
import { createSso, type SsoOptions } from "../accounts/sso.ts";
import { ensureBootstrapKey } from "../auth/bootstrap-key.ts";
import { type Config, ConfigError } from "../config/index.ts";
import { mailConfigOf } from "../config/mail.ts";
import { createClosers } from "../core/closers.ts";
import { type Database, sql } from "../db/database.ts";
import { readDatabaseNumbers } from "../db/database-numbers.ts";
import { createNotifications } from "../db/notifications.ts";
import { watchSchema } from "../db/schema-watch.ts";
import { createMailCounts, type MailCounts, readMailNumbers } from "../email/counts.ts";
import { type ApiDescription, describeApi } from "../http/docs/openapi.ts";
import { DASHBOARD_API_BASE } from "../http/pipeline/route.ts";
import { dashboardRoutes } from "../http/routes/dashboard/index.ts";
import { apiRoutes, type RouteOptions } from "../http/routes/v1/index.ts";
import { type MetricSources, type Metrics, startMetrics } from "../http/server/metrics.ts";
import type { Server } from "../http/server/server.ts";
import { readQueueTotals } from "../queue/totals.ts";
import { openStore, type Store, type StoreOptions } from "../store.ts";
import { createOperatorFetch } from "../url-guard/index.ts";
import type { AlertParts } from "./alert-parts.ts";
import { startDeliveryParts } from "./delivery-parts.ts";
import { announceAppended } from "./event-order.ts";
import { listening, type MailIn, startMailIn } from "./mail-in-parts.ts";
import { startMailParts } from "./mail-parts.ts";
import { openTracing, type PartsOptions, startParts } from "./parts.ts";
import { createAppServer, type ServerSettings } from "./server.ts";

export interface App {
  readonly store: Store;
  readonly server: Server;
  /** Where it listens. */
  readonly url: string;
  /** No key exists yet. */
  readonly firstRun: boolean;
  /** The one-time link that creates the owner; null once there is one. */
  readonly setupUrl: string | null;
  readonly metrics: Metrics | null;
  readonly alerts: Pick<AlertParts, "check">;
  readonly mailIn: Pick<MailIn, "ports">;
  close(): Promise<void>;
}

export type AppOptions = PartsOptions & ServerSettings;

/** The composition root: builds every part, hands values down, closes them in reverse order. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, logger, dashboard = "serve" } = options;
  const closers = createClosers();
  // Before anything is opened, so that a mistake in the settings is reported at once.
  mailConfigOf(config);
  try {
    const parts = await startParts(options, closers);
    const { store, deliveryParts, streams, visitorStreams, waits, alerts } = parts;
    const { db, secretBox } = store;
    const hadKeys = await hasKeys(db);
    const bootstrapSecret = config.PARLEY_BOOTSTRAP_API_KEY;
    if (bootstrapSecret && !(await ensureBootstrapKey(db, parts.keys, parts.workspace.id, bootstrapSecret)))
      logger.warn("the workspace of PARLEY_BOOTSTRAP_API_KEY is moving or has moved to another cell: set another key");
    const metrics = await openMetrics(config, db, {
      mailCounts: parts.mailCounts,
      delivery: deliveryParts.delivery.stats,
      schemaProblem: parts.schema.problem,
      streams: streams.count,
      limiter: parts.tiers.stats,
      notifications: alerts.stats,
    });
    if (metrics) closers.add(metrics);
    const sso = openSso(config, { db, secretBox, logger });
    if (sso) closers.add(sso);
    if (config.PARLEY_OIDC_ONLY) await endSessionsWithoutSso(db);
    const server = createAppServer(options, { ...parts, metrics, sso: sso?.sso ?? null });
    // Side by side: a request that waits for a test of a webhook ends with the test.
    closers.add({ close: async () => void (await Promise.all([server.close(), deliveryParts.close()])) });
    // Built before the server, closed before it too: it waits for every response to end, and streams have no end.
    closers.add(streams);
    closers.add(waits);
    closers.add(visitorStreams);
    const setupToken = dashboard === "serve" ? await renewSetupLink(db) : null;
    const url = await server.listen(config.HOST, config.PORT);
    const mailIn = closers.add(await startMailIn(config, logger, parts, config.PARLEY_PUBLIC_URL ?? url));
    const setupUrl = setupToken && `${config.PARLEY_PUBLIC_URL ?? url}/setup?token=${setupToken}`;
    const firstRun = !hadKeys && !bootstrapSecret;
    return { store, server, url, firstRun, setupUrl, metrics, alerts, mailIn, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Delivery alone: any number of these may work on one database. */
export async function startWorker(options: Omit<StoreOptions, "mode">): Promise<{ close(): Promise<void> }> {
  const closers = createClosers();
  try {
    // Next to a server that keeps the embedded database, or on a database of the operator's own.
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
    const counts = createMailCounts();
    const mail = closers.add(startMailParts({ config, logger, store, outbox: parts.outbox, counts, deliver: true }));
    const stopWriting = async () => void (await Promise.all([parts.close(), mail.close()]));
    const schema = closers.add(watchSchema({ db: store.db, logger, notifications, onOutdated: stopWriting }));
    const sources = { delivery: parts.delivery.stats, schemaProblem: schema.problem, mailCounts: counts };
    const metrics = await openMetrics(config, store.db, sources);
    if (metrics) closers.add(metrics);
    return { close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

type OwnSources = Pick<MetricSources, "delivery" | "schemaProblem" | "streams" | "limiter" | "notifications"> & {
  mailCounts: MailCounts;
};

async function openMetrics(config: Config, db: Database, sources: OwnSources): Promise<Metrics | null> {
  const { HOST, PARLEY_METRICS_PORT: port } = config;
  if (port === null) return null;
  const metrics = {
    ...sources,
    mail: { counts: sources.mailCounts, numbers: () => readMailNumbers(db) },
    queue: () => readQueueTotals(db),
    pool: () => ({ total: db.pool.totalCount, waiting: db.pool.waitingCount }),
    database: () => readDatabaseNumbers(db),
  };
  return listening("PARLEY_METRICS_PORT", port, () => startMetrics(HOST, port, metrics));
}

/** Single sign-on, where the settings name a provider. */
function openSso(config: Config, parts: Pick<SsoOptions, "db" | "secretBox" | "logger">) {
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
export const describeWholeApi = (): ApiDescription => describeApi(apiRoutes({} as RouteOptions));

/** The dashboard's own API: not public, described only so that the dashboard's types are generated from it. */
export const describeDashboardApi = (): ApiDescription =>
  describeApi(dashboardRoutes({} as never), { base: DASHBOARD_API_BASE, title: "Parley dashboard API" });

const anyKey = sql("any_key", "select exists (select from api_keys) as present");

async function hasKeys(db: Database): Promise<boolean> {
  const [row] = await db.query<{ present: boolean }>(anyKey);
  return row?.present ?? false;
}
