import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Span, type Tracing, withTrace } from "../../core/tracing.ts";

/** One span per request, named by its route. What its handler causes belongs to the same trace. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();

  fastify.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url;
    // Load balancers check every second: such traces have no use.
    if (route === undefined || route.startsWith("/health/")) return done();
    const parent = request.headers.traceparent;
    const span = tracing.startSpan({
      name: `${request.method} ${route}`,
      kind: "server",
      parent: typeof parent === "string" ? parent : null,
      attributes: { "http.request.method": request.method, "http.route": route, "parley.request_id": request.id },
    });
    spans.set(request, span);
    done();
  });
  // Not earlier: the body arrives in events of the connection, which are not tied to the request.
  fastify.addHook("preHandler", (request, _reply, done) => {
    withTrace(spans.get(request)?.traceparent ?? null, done);
  });
  fastify.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    const error = statusCode >= 500 ? `HTTP ${statusCode}` : null;
    spans.get(request)?.end({ "http.response.status_code": statusCode }, error);
    done();
  });
}
