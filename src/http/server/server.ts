import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { SessionPolicy } from "../../accounts/sessions.ts";
import type { Usage } from "../../auth/usage.ts";
import type { Verifier } from "../../auth/verifier.ts";
import { DELIVERY_HEADER } from "../../core/delivery-header.ts";
import { Fault, unavailable } from "../../core/errors.ts";
import { newRequestId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Tracing } from "../../core/tracing.ts";
import type { Database } from "../../db/database.ts";
import type { Limiter, TierLimiter } from "../../rate-limit/limiter.ts";
import { createAccess } from "../pipeline/access.ts";
import { acceptBodies } from "../pipeline/body.ts";
import { NO_ENDPOINT, rawResponse, sendClientError, sendError } from "../pipeline/errors.ts";
import { registerRoute } from "../pipeline/register.ts";
import { API_BASE, DASHBOARD_API_BASE, type RouteSpec } from "../pipeline/route.ts";
import { leaveBodiesUnread } from "../pipeline/upload-body.ts";
import { compileValidator } from "../pipeline/validation.ts";
import { createVisitorAccess, VISITOR_API_BASE } from "../pipeline/visitor-access.ts";
import { createWorkspaceTurns } from "../pipeline/workspace-turns.ts";
import { limitBodyTime } from "./body-time.ts";
import { compressResponses } from "./compression.ts";
import { type ConnectionLimits, limitConnections } from "./connection-limits.ts";
import { allowOrigins } from "./cors.ts";
import { registerDashboardFiles } from "./dashboard-files.ts";
import { registerDemoShop } from "./demo-shop.ts";
import { createDrain, type DrainLimits } from "./drain.ts";
import { registerFileDownloads } from "./file-downloads.ts";
import { limitResponses } from "./large-responses.ts";
import { type MailImageOptions, registerMailImages } from "./mail-images.ts";
import type { Metrics } from "./metrics.ts";
import { acceptBeforeServing } from "./new-connections.ts";
import { registerPages } from "./pages.ts";
import { createPathTable } from "./path-table.ts";
import { logRequests } from "./request-log.ts";
import { traceRequests } from "./request-traces.ts";
import { isHttps, securityHeaders } from "./security-headers.ts";
import { compileSerializer } from "./serializer.ts";
import { registerWidgetFiles } from "./widget-files.ts";

interface ServerOptions {
  db: Database;
  logger: Logger;
  verifier: Verifier;
  tiers: TierLimiter;
  workspaceLimiter?: Limiter | null;
  authFailures: Limiter;
  secretBox: SecretBox;
  routes: readonly RouteSpec[];
  /** What the dashboard's pages use in addition to the API. */
  dashboardRoutes?: readonly RouteSpec[];
  /** What the frame of a widget uses. */
  visitorRoutes?: readonly RouteSpec[];
  /** Counts the responses sent to each key. */
  usage?: Pick<Usage, "record">;
  trustedProxies: readonly string[];
  publicUrl: string | null;
  sessionPolicy?: SessionPolicy;
  bodyBytesMax: number;
  /** Why no traffic should be sent here; null: it should. */
  unreadyBecause: () => Promise<string | null>;
  /** Why nothing may be written through this node; null: it may. */
  readOnlyBecause?: () => string | null;
  metrics?: Metrics | null;
  tracing?: Tracing | null;
  /** Origins whose scripts may call the API with a key. */
  allowedOrigins?: readonly string[];
  connections?: Partial<Omit<ConnectionLimits, "trustedProxies">>;
  /** How many connections the database pool has, of which one workspace may use a part. */
  databasePool?: number;
  /** Pictures that mails name elsewhere. */
  fetchImage?: MailImageOptions["fetchImage"];
  /** `off`: only the API is served. */
  dashboard?: "serve" | "off";
  /** Shorter in tests of slow clients. */
  headersMsMax?: number;
  requestMsMax?: number;
  stalledMsMax?: number;
  drain?: Partial<DrainLimits>;
}

export interface Server {
  readonly fastify: FastifyInstance;
  readonly routes: readonly RouteSpec[];
  readonly dashboardRoutes: readonly RouteSpec[];
  readonly visitorRoutes: readonly RouteSpec[];
  listen(host: string, port: number): Promise<string>;
  /** Reports that it is stopping, so that balancers send their requests elsewhere, and still serves those that come. */
  announceStop(): void;
  /** New requests get 503 from here on; those in progress are finished. */
  close(): Promise<void>;
}

/** Together with what is closed after the server this stays below the 30 s in which a process ends. */
const DRAIN: DrainLimits = { slowMsMax: 8_000, workMsMax: 20_000 };
const CONNECTIONS = { total: 20_000, perAddress: 512 };
/**
 * New connections that the kernel keeps while the process is busy, which is Linux' own limit too. Of one that finds no room
 * the client learns nothing: it tries again after a second. Node's default is 511.
 */
const WAITING_CONNECTIONS_MAX = 4_096;
const DATABASE_POOL_DEFAULT = 12;
/** Longer than the 60 s that a test of a webhook may take to respond. */
const STALLED_MS_MAX = 90_000;
const REQUEST_MS_MAX = 30_000;
/** 25 MiB at 45 kB per second. */
const UPLOAD_MS_MAX = 600_000;

export function createServer(options: ServerOptions): Server {
  const { routes, dashboardRoutes = [], visitorRoutes = [] } = options;
  const headers = securityHeaders(options.publicUrl);
  const state: ServerState = { stopping: false, draining: false, readOnlyBecause: options.readOnlyBecause };
  const fastify = createFastify(options, headers);
  fastify.decorate("usesHostCookies", isHttps(options.publicUrl));
  fastify.decorate("trustedProxies", options.trustedProxies);
  fastify.setValidatorCompiler(compileValidator as never);
  fastify.setSerializerCompiler(compileSerializer);
  fastify.setErrorHandler(sendError);
  acceptBodies(fastify);
  limitBodyTime(fastify, { bodyMsMax: options.requestMsMax ?? REQUEST_MS_MAX, uploadMsMax: UPLOAD_MS_MAX });
  fastify.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...headers, "x-request-id": request.id });
    // The next request of this client goes to another node.
    if (state.stopping) reply.header("connection", "close");
    requireServable(request, state);
  });
  const drain = createDrain(fastify, { ...DRAIN, ...options.drain });
  allowOrigins(fastify, options.allowedOrigins ?? []);
  compressResponses(fastify);
  const unread = limitResponses(fastify);
  logRequests(fastify, options);
  if (options.tracing) traceRequests(fastify, options.tracing);
  respondToUnknownPaths(fastify, options.dashboard ?? "serve");

  fastify.decorateRequest("principal", null);
  fastify.decorateRequest("session", null);
  fastify.decorateRequest("visitor", null);
  fastify.decorateRequest("originalQuery", null);
  fastify.decorateRequest("ignoredBody", null);
  fastify.decorateRequest("unknownFields", null);
  const access = createAccess(options);
  const turns = createWorkspaceTurns(options.databasePool ?? DATABASE_POOL_DEFAULT);
  const api = { ...options, turns, unread, base: API_BASE, admit: access.toApi };
  const visitors = { ...api, base: VISITOR_API_BASE, admit: createVisitorAccess(options) };
  registerRoutes(fastify, routes, api);
  registerRoutes(fastify, visitorRoutes, visitors);
  registerRoutes(fastify, dashboardRoutes, { ...api, base: DASHBOARD_API_BASE, admit: access.toDashboard });
  registerFileDownloads(fastify, options);
  registerMailImages(fastify, { secretBox: options.secretBox, fetchImage: options.fetchImage ?? null });
  registerWidgetFiles(fastify, options);
  registerDemoShop(fastify, options);
  registerPages(fastify, {
    routes,
    publicUrl: options.publicUrl,
    unreadyBecause: async () => (state.stopping ? STOPPING : options.unreadyBecause()),
  });
  respondToOddRequests(fastify);
  limitConnections(fastify.server, { ...CONNECTIONS, ...options.connections, trustedProxies: options.trustedProxies });

  return {
    fastify,
    routes,
    dashboardRoutes,
    visitorRoutes,
    listen: (host, port) => fastify.listen({ host, port, backlog: WAITING_CONNECTIONS_MAX }),
    announceStop() {
      state.stopping = true;
    },
    async close() {
      state.stopping = true;
      state.draining = true;
      await drain.close();
    },
  };
}

/** Uploads in a scope of their own, where bodies are left unread. */
function registerRoutes(
  fastify: FastifyInstance,
  specs: readonly RouteSpec[],
  options: Parameters<typeof registerRoute>[2],
): void {
  for (const spec of specs.filter(({ upload }) => !upload)) registerRoute(fastify, spec, options);
  fastify.register(async (scope) => {
    leaveBodiesUnread(scope);
    for (const spec of specs.filter(({ upload }) => upload)) registerRoute(scope, spec, options);
  });
}

function createFastify(options: ServerOptions, headers: Record<string, string>): FastifyInstance {
  const { headersMsMax = 10_000, stalledMsMax = STALLED_MS_MAX } = options;
  const fastify = Fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: options.bodyBytesMax,
    routerOptions: { maxParamLength: 16_384 },
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // The longest that any request may take to arrive; most get less (see body-time.ts).
    requestTimeout: UPLOAD_MS_MAX,
    keepAliveTimeout: 65_000,
    // A client that stops reading in the middle of a response would keep it, and the connection, forever.
    connectionTimeout: stalledMsMax,
    http: {
      headersTimeout: headersMsMax,
      connectionsCheckingInterval: Math.min(1_000, headersMsMax),
      // Node's own 400 has no body; the hook responds with the envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: sendClientError,
    rewriteUrl: ({ url = "/" }) => decodable(url),
    // No hook runs for a path that cannot be decoded.
    frameworkErrors(error, request, reply) {
      reply.headers({ ...headers, "x-request-id": request.id });
      sendError(error, request, reply);
    },
  });
  acceptBeforeServing(fastify.server);
  return fastify;
}

/** Escapes the percent signs of a path that cannot be decoded: what it names is unknown then, like any other wrong id. */
function decodable(url: string): string {
  if (!url.includes("%")) return url;
  const [path = ""] = url.split("?", 1);
  return decoded(path) === null ? path.replaceAll("%", "%25") + url.slice(path.length) : url;
}

/** Null: it cannot be decoded. Its result is used: the bundler would leave out a call whose result is not. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

interface ServerState {
  /** Requests should go elsewhere. */
  stopping: boolean;
  /** Requests are refused. */
  draining: boolean;
  readOnlyBecause: ServerOptions["readOnlyBecause"];
}

/** A name, an IPv4 address or an IPv6 address in brackets, with a port or without. Empty: HTTP/1.0 knows no Host. */
const HOST = /^[\w.-]*(?:\[[\da-f:.]+\])?(?::\d*)?$/i;
const STOPPING = "The server is stopping.";
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Node keeps the first one, and a proxy in front may have judged the other (RFC 9112, section 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts > 1;
}

function requireServable(request: FastifyRequest, { draining, readOnlyBecause }: ServerState): void {
  if (hasTwoHosts(request.raw.rawHeaders)) throw new Fault("BAD_REQUEST", "The request has more than one Host header.");
  // It becomes the base of the links in responses.
  if (!HOST.test(request.headers.host ?? "")) throw new Fault("BAD_REQUEST", "The Host header is not valid.");
  if (request.headers.host === undefined && request.raw.httpVersion === "1.1")
    throw new Fault("BAD_REQUEST", "The request has no Host header.");
  if (request.headers[DELIVERY_HEADER] !== undefined)
    throw new Fault("LOOP_DETECTED", "A webhook of Parley points at Parley's own API. Change its URL.");
  if (draining && !request.url.startsWith("/health/")) throw unavailable(`${STOPPING} Try again soon.`);
  const problem = READS.has(request.method) ? null : readOnlyBecause?.();
  if (problem) throw unavailable(problem);
}

/** 404 and 405, or a page of the dashboard. */
function respondToUnknownPaths(fastify: FastifyInstance, dashboard: "serve" | "off"): void {
  const paths = createPathTable();
  fastify.addHook("onRoute", ({ method, url }) => paths.add(url, method));
  const sendPage = dashboard === "serve" ? registerDashboardFiles(fastify) : () => false;

  function unknownPath(request: FastifyRequest, reply: FastifyReply): Fault {
    const allowed = paths.methodsAt(request.url.split("?")[0] ?? "");
    if (allowed.length === 0) return new Fault("NOT_FOUND", NO_ENDPOINT);
    reply.header("allow", allowed.join(", "));
    return new Fault("METHOD_NOT_ALLOWED", `Allowed methods: ${allowed.join(", ")}.`);
  }

  // Before its body is read: nobody has been authenticated here.
  fastify.addHook("onRequest", async (request, reply) => {
    if (request.is404 && request.method !== "GET" && request.method !== "HEAD") throw unknownPath(request, reply);
  });
  fastify.setNotFoundHandler((request, reply) => {
    const fault = unknownPath(request, reply);
    if (fault.code === "NOT_FOUND" && sendPage(request, reply)) return;
    throw fault;
  });
}

/** Errors to which Node would respond by closing the connection. */
function respondToOddRequests({ server }: FastifyInstance): void {
  server.on("checkExpectation", (_request, response) => {
    const fault = new Fault("EXPECTATION_FAILED", "Only `Expect: 100-continue` is understood.");
    response.socket?.end(rawResponse(fault));
  });
  server.on("connect", (_request, socket) => {
    socket.end(rawResponse(new Fault("BAD_REQUEST", "This server is not a proxy.")));
  });
}

declare module "fastify" {
  interface FastifyRequest {
    principal: import("../../auth/principal.ts").Principal | null;
    /** Set where the request was admitted by its session cookie. */
    session: import("../pipeline/access.ts").CurrentSession | null;
    /** Set on the routes of the visitors of a widget. */
    visitor: import("../../visitors/visitor.ts").Visitor | null;
    /** As it came, before validation; for the links of a page. */
    originalQuery: Record<string, unknown> | null;
    /** What was sent to a route that takes no body. */
    ignoredBody: object | null;
    /** What the request names and its route does not know; null: nothing. */
    unknownFields: import("../pipeline/unknown-fields.ts").UnknownField[] | null;
  }
  interface FastifyInstance {
    /** Cookies carry the `__Host-` prefix, because the public address is https. */
    usesHostCookies: boolean;
    /** CIDRs. */
    trustedProxies: readonly string[];
  }
  interface FastifyContextConfig {
    spec?: RouteSpec;
  }
}
