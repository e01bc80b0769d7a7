import { createPasswords } from "../accounts/passwords.ts";
import type { Sso } from "../accounts/sso.ts";
import type { Config } from "../config/index.ts";
import { Fault } from "../core/errors.ts";
import { createFairQueue } from "../core/fair-queue.ts";
import type { Logger } from "../core/logger.ts";
import { readVersion } from "../core/package-files.ts";
import { createAttemptStore } from "../db/attempt-counters.ts";
import type { Database } from "../db/database.ts";
import { createSignInLimits } from "../http/pipeline/sign-in-limits.ts";
import { dashboardRoutes } from "../http/routes/dashboard/index.ts";
import { apiRoutes } from "../http/routes/v1/index.ts";
import type { Metrics } from "../http/server/metrics.ts";
import { createServer, type Server } from "../http/server/server.ts";
import { registerMcp } from "../mcp/http.ts";
import { createCountingLimiter } from "../rate-limit/counting-limiter.ts";
import { createLimiter, DEFAULT_TIERS } from "../rate-limit/limiter.ts";
import { checkDestination, checkHost, createGuardedGet } from "../url-guard/index.ts";
import { databaseProblem } from "./database-problem.ts";
import { inboundOf } from "./mail-in-parts.ts";
import { queuedNetworkOf } from "./network.ts";
import type { AppParts } from "./parts.ts";
import { fileLimitsOf, sessionPolicyOf } from "./settings.ts";
import { createVisitorParts, type VisitorParts } from "./visitor-parts.ts";

export interface ServerSettings {
  config: Config;
  logger: Logger;
  passwords?: Parameters<typeof createPasswords>[0];
  /** `off`: neither the pages of the dashboard nor what only they use. */
  dashboard?: "serve" | "off";
}

interface ServerParts extends AppParts {
  metrics: Metrics | null;
  sso: Sso | null;
}

/** What the routes of the API and those of the dashboard share. */
interface SharedParts {
  checkUrl: ReturnType<typeof createUrlCheck>;
  visitors: VisitorParts;
}

/** Of one workspace, on one node. */
const MCP_REQUESTS_AT_ONCE = 4;
const MCP_REQUESTS_WAITING_MAX = 50;

/** The HTTP server with every route. It does not listen yet. */
export function createAppServer(settings: ServerSettings, parts: ServerParts): Server {
  const { config, logger, dashboard = "serve" } = settings;
  const { store, verifier, tiers, usage, tracing, metrics, schema } = parts;
  const { db, secretBox } = store;
  const checkUrl = createUrlCheck(config);
  const visitors = createVisitorParts(config, parts);
  const shared = { checkUrl, visitors };
  const server = createServer({
    db,
    logger,
    verifier,
    tiers,
    workspaceLimiter: tiers.workspaces,
    authFailures: createLimiter({ requests: config.PARLEY_AUTH_FAILURES_PER_MINUTE, windowSeconds: 60 }),
    secretBox,
    routes: apiRoutesOf(config, parts, shared),
    dashboard,
    dashboardRoutes: dashboard === "off" ? [] : dashboardRoutesOf(settings, parts, shared),
    visitorRoutes: visitors.routes,
    usage,
    tracing,
    metrics,
    unreadyBecause: async () => schema.problem() ?? (await databaseProblem(parts.store)),
    readOnlyBecause: schema.problem,
    trustedProxies: config.PARLEY_TRUSTED_PROXIES,
    publicUrl: config.PARLEY_PUBLIC_URL,
    sessionPolicy: sessionPolicyOf(config),
    bodyBytesMax: config.PARLEY_BODY_BYTES_MAX,
    allowedOrigins: config.PARLEY_CORS_ORIGINS,
    connections: { total: config.PARLEY_CONNECTIONS_MAX, perAddress: config.PARLEY_CONNECTIONS_PER_ADDRESS_MAX },
    databasePool: config.PARLEY_DATABASE_POOL,
    fetchImage: createImageFetch(config),
  });
  registerMcp(server.fastify, {
    allowSend: config.PARLEY_MCP_ALLOW_SEND,
    version: readVersion(),
    bodyBytesMax: config.PARLEY_BODY_BYTES_MAX,
    runInTurn: createMcpTurns(),
    onError: (error: Error) => logger.debug({ err: error.message }, "an MCP request failed"),
  });
  return server;
}

const apiRoutesOf = (config: Config, parts: ServerParts, { checkUrl, visitors }: SharedParts) =>
  apiRoutes({
    db: parts.store.db,
    outbox: parts.deliveryParts.outbox,
    keys: parts.keys,
    secretBox: parts.store.secretBox,
    delivery: parts.deliveryParts.delivery,
    checkUrl,
    sequencer: parts.sequencer,
    streams: parts.streams,
    ownChanged: visitors.presence.ownChanged,
    waits: parts.waits,
    visitors: visitors.signals,
    webhooksMax: config.PARLEY_WEBHOOKS_MAX,
    mailboxes: {
      check: parts.mailCheck.check,
      checks: parts.tiers.limiterOf({ requests: 10, windowSeconds: 60 }, "mailbox-checks"),
      secretBox: parts.store.secretBox,
      rules: {
        domains: config.PARLEY_MAIL_DOMAINS,
        ports: config.PARLEY_MAIL_PORTS,
        checkHost: createHostCheck(config),
        checkUrl,
      },
    },
    fileLimits: fileLimitsOf(config),
    mail: { ...inboundOf(config, parts), mailBytesMax: config.PARLEY_MAIL_BYTES_MAX },
    replyMailer: parts.mailOut.replyMailer,
    mailQueued: parts.mailOut.onQueued,
  });

const dashboardRoutesOf = (
  { config, passwords }: ServerSettings,
  parts: ServerParts,
  { checkUrl, visitors }: SharedParts,
) =>
  dashboardRoutes({
    db: parts.store.db,
    secretBox: parts.store.secretBox,
    keys: parts.keys,
    usage: parts.usage,
    checkUrl,
    sso: parts.sso,
    notices: parts.alerts.notices,
    sendTestMessage: parts.alerts.sendTestMessage,
    pushes: parts.pushes,
    backups: !parts.store.embedded ? "external" : config.PARLEY_BACKUP_DIR ? "scheduled" : "missing",
    limits: signInLimitsOf(parts.store.db),
    passwords: createPasswords(passwords),
    ...sessionPolicyOf(config),
    ssoPolicy: { joinWorkspaceId: config.PARLEY_OIDC_WORKSPACE, joinRole: config.PARLEY_OIDC_ROLE },
    publicUrl: config.PARLEY_PUBLIC_URL,
    tierLimits: { ...DEFAULT_TIERS, ...config.PARLEY_RATE_LIMIT_TIERS },
    retrySchedule: config.PARLEY_RETRY_SCHEDULE,
    presence: visitors.presence,
    mailboxTests: {
      compose: parts.mailOut.compose,
      limit: parts.tiers.limiterOf({ requests: 10, windowSeconds: 60 }, "mailbox-tests"),
    },
  });

function signInLimitsOf(db: Database) {
  const attempts = createAttemptStore(db);
  return createSignInLimits((limit, name) => createCountingLimiter(limit, name, attempts));
}

/** Each request holds its result in memory, as large as a list, until the client has read it. */
function createMcpTurns() {
  const turns = createFairQueue({
    perKey: MCP_REQUESTS_AT_ONCE,
    waitingPerKeyMax: MCP_REQUESTS_WAITING_MAX,
    onFull: () =>
      new Fault("RATE_LIMIT_EXCEEDED", "Too many requests of this workspace to /mcp are in progress. Try again soon."),
  });
  return <T>(workspaceId: number, work: () => Promise<T>) => turns.run(workspaceId, work);
}

/** Judges the URL of a new or changed webhook, with bounded lookups per workspace. */
function createUrlCheck(config: Config) {
  const { policy, lookup } = queuedNetworkOf(config);
  const ports = { httpsOnly: config.PARLEY_WEBHOOK_HTTPS_ONLY, allowed: config.PARLEY_WEBHOOK_PORTS };
  return (url: string, workspaceId: number) =>
    checkDestination(url, { policy, lookup, ports, group: String(workspaceId) });
}

/** Pictures that mails name: their addresses were chosen by their senders. */
function createImageFetch(config: Config) {
  return createGuardedGet({
    ...queuedNetworkOf(config),
    userAgent: "Mozilla/5.0 (Parley-Images)",
    timeoutMs: 10_000,
    bytesMax: 5 * 1024 * 1024,
    redirectsMax: 5,
  });
}

/** The same for the host of a mail server. */
function createHostCheck(config: Config) {
  const { policy, lookup } = queuedNetworkOf(config);
  return (host: string, workspaceId: number) => checkHost(host, { policy, lookup, group: String(workspaceId) });
}
