import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Usage } from "../../auth/usage.ts";
import type { Verifier } from "../../auth/verifier.ts";
import { DELIVERY_HEADER } from "../../core/delivery-header.ts";
import { Fault, unavailable } from "../../core/errors.ts";
import { newRequestId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import type { Limiter, TierLimiter } from "../../rate-limit/limiter.ts";
import { createAccess } from "../pipeline/access.ts";
import { acceptBodies } from "../pipeline/body.ts";
import { registerRoute } from "../pipeline/register.ts";
import { API_BASE, DASHBOARD_API_BASE, type RouteSpec } from "../pipeline/route.ts";
import { compileValidator } from "../pipeline/validation.ts";
import { registerDashboardFiles } from "./dashboard-files.ts";
import { NO_ENDPOINT, rawResponse, sendClientError, sendError } from "./errors.ts";
import type { Metrics } from "./metrics.ts";
import { registerPages } from "./pages.ts";
import { createPathTable } from "./path-table.ts";

export interface ServerOptions {
  db: Database;
  logger: Logger;
  verifier: Verifier;
  tiers: TierLimiter;
  authFailures: Limiter;
  secretBox: SecretBox;
  routes: readonly RouteSpec[];
  /** What the dashboard's pages ask beside the API. */
  dashboardRoutes?: readonly RouteSpec[];
  /** Counts the answers given to each key. */
  usage?: Pick<Usage, "record">;
  trustedProxies: readonly string[];
  publicUrl: string | null;
  /** Everybody needs a second factor, in every workspace. */
  requireTwoFactor?: boolean;
  bodyBytesMax: number;
  isReady: () => Promise<boolean>;
  metrics?: Metrics | null;
  /** Shorter in tests of slow clients. */
  headersMsMax?: number;
  requestMsMax?: number;
  stalledMsMax?: number;
}

export interface Server {
  readonly fastify: FastifyInstance;
  readonly routes: readonly RouteSpec[];
  readonly dashboardRoutes: readonly RouteSpec[];
  listen(host: string, port: number): Promise<string>;
  /** New requests get 503 from here on; those under way are finished. */
  close(): Promise<void>;
}

const DRAIN_MS_MAX = 8_000;
/** Longer than the 60 s for which a test of a webhook may have nothing to say. */
const STALLED_MS_MAX = 90_000;

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

// A key that was pasted where an id belongs. No id is longer than a uuid, and ours say what they are.
const SECRET_SEGMENT = /(?<=\/)(?:[^/]{37,}|(?:parley|whsec)_[^/]+)/g;

/** The path as the log shows it: without its query, and without what may be a secret. */
const loggedPath = (url: string): string | undefined => url.split("?")[0]?.replace(SECRET_SEGMENT, "[redacted]");

export function createServer(options: ServerOptions): Server {
  const { logger, routes, dashboardRoutes = [], usage } = options;
  const { headersMsMax = 10_000, requestMsMax = 30_000, stalledMsMax = STALLED_MS_MAX } = options;
  let draining = false;
  // The line of a request names its own fields, none of them a secret; looking for secrets in it cost 2 % of a read.
  const lines = logger.child({}, { redact: [] });

  const fastify = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: options.bodyBytesMax,
    routerOptions: { maxParamLength: 16_384 },
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    requestTimeout: requestMsMax,
    keepAliveTimeout: 65_000,
    // Whoever stops reading in the middle of an answer would keep it, and the connection, for ever.
    connectionTimeout: stalledMsMax,
    http: {
      headersTimeout: headersMsMax,
      connectionsCheckingInterval: Math.min(1_000, headersMsMax),
      // Node's own 400 has no body; the hook below answers with the envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: sendClientError,
    // A path that cannot be decoded meets no hook.
    frameworkErrors(error, request, reply) {
      reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id });
      sendError(error, request, reply);
    },
  });

  fastify.setValidatorCompiler(compileValidator as never);
  fastify.setErrorHandler(sendError);
  acceptBodies(fastify);
  fastify.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id });
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1")
      throw new Fault("BAD_REQUEST", "The request has no Host header.");
    if (request.headers[DELIVERY_HEADER] !== undefined)
      throw new Fault("LOOP_DETECTED", "A webhook of Parley points at Parley's own API. Change its URL.");
    if (draining && !request.url.startsWith("/health/")) throw unavailable("The server is stopping. Try again soon.");
  });
  fastify.addHook("onResponse", async (request, reply) => {
    const { principal } = request;
    if (principal?.kind === "api_key") usage?.record(principal.workspaceId, principal.keyId, reply.statusCode);
    options.metrics?.request(request.method, request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime);
    const level = reply.statusCode >= 500 ? "warn" : "info";
    lines[level](
      {
        request_id: request.id,
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        api_key_id: principal?.kind === "api_key" ? principal.keyId : undefined,
        user_id: principal?.kind === "user" ? principal.userId : undefined,
      },
      "request",
    );
  });

  const paths = createPathTable();
  fastify.addHook("onRoute", ({ method, url }) => paths.add(url, method));
  const answerPage = registerDashboardFiles(fastify);
  fastify.setNotFoundHandler((request, reply) => {
    const allowed = paths.methodsAt(request.url.split("?")[0] ?? "");
    if (allowed.length === 0) {
      if (answerPage(request, reply)) return;
      throw new Fault("NOT_FOUND", NO_ENDPOINT);
    }
    reply.header("allow", allowed.join(", "));
    throw new Fault("METHOD_NOT_ALLOWED", `Allowed methods: ${allowed.join(", ")}.`);
  });

  fastify.decorateRequest("principal", null);
  fastify.decorateRequest("session", null);
  fastify.decorateRequest("originalQuery", null);
  const access = createAccess(options);
  for (const spec of routes) registerRoute(fastify, spec, { ...options, base: API_BASE, admit: access.toApi });
  for (const spec of dashboardRoutes)
    registerRoute(fastify, spec, { ...options, base: DASHBOARD_API_BASE, admit: access.toDashboard });
  registerPages(fastify, {
    routes,
    publicUrl: options.publicUrl,
    isReady: async () => !draining && (await options.isReady()),
  });

  fastify.server.on("checkExpectation", (_request, response) => {
    const fault = new Fault("EXPECTATION_FAILED", "Only `Expect: 100-continue` is understood.");
    response.socket?.end(rawResponse(fault));
  });
  // Without a listener Node closes the connection without a word.
  fastify.server.on("connect", (_request, socket) => {
    socket.end(rawResponse(new Fault("BAD_REQUEST", "This server is not a proxy.")));
  });

  return {
    fastify,
    routes,
    dashboardRoutes,
    listen: (host, port) => fastify.listen({ host, port }),
    async close() {
      draining = true;
      // Whoever has not finished sending or reading by then would keep the process from ending.
      const cut = setTimeout(() => fastify.server.closeAllConnections(), DRAIN_MS_MAX);
      await fastify.close();
      clearTimeout(cut);
    },
  };
}

declare module "fastify" {
  interface FastifyRequest {
    principal: import("../../auth/principal.ts").Principal | null;
    /** Set where a session cookie let the request in. */
    session: import("../pipeline/access.ts").CurrentSession | null;
    /** As it came, before validation; for the links of a page. */
    originalQuery: Record<string, unknown> | null;
  }
  interface FastifyContextConfig {
    spec?: RouteSpec;
  }
}
