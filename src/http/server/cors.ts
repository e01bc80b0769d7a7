import type { FastifyInstance } from "fastify";
import { API_BASE } from "../pipeline/route.ts";

const ALLOWED_HEADERS = "authorization, content-type, idempotency-key, if-match, last-event-id, prefer";
const EXPOSED_HEADERS =
  "x-request-id, retry-after, ratelimit, ratelimit-policy, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, etag, preference-applied";
const PREFLIGHT_SECONDS = 600;

/**
 * Lets scripts on the named origins call the API with a key. Off without an origin. Cookies are never allowed from
 * elsewhere, so a session cannot be used by another site.
 */
export function allowOrigins(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  fastify.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith(`${API_BASE}/`)) return undefined;
    reply.header("vary", "origin");
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return undefined;
    reply.header("access-control-allow-origin", origin);
    reply.header("access-control-expose-headers", EXPOSED_HEADERS);
    reply.header("cross-origin-resource-policy", "cross-origin");
    if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined)
      return undefined;
    reply.headers({
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    });
    return reply.status(200).type("application/json; charset=utf-8").send('{"success":true,"data":null}');
  });
}
