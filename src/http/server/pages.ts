import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { describeApi } from "../docs/openapi.ts";
import { API_BASE, type RouteSpec } from "../pipeline/route.ts";
import { registerDocsFiles } from "./docs-files.ts";

interface PagesOptions {
  routes: readonly RouteSpec[];
  /** Why no traffic should be sent here; null: it should. */
  unreadyBecause: () => Promise<string | null>;
  publicUrl: string | null;
}

/** What is served outside the API's envelope of keys and scopes: health, the API's description, the documentation. */
export function registerPages(fastify: FastifyInstance, { routes, unreadyBecause, publicUrl }: PagesOptions): void {
  fastify.get("/health/live", async () => ({ success: true, data: { status: "live" } }));
  fastify.get("/health/ready", async (_request, reply) => {
    const message = await unreadyBecause();
    if (message === null) return { success: true, data: { status: "ready" } };
    reply.header("retry-after", "2").status(503);
    return { success: false, error: { code: "SERVICE_UNAVAILABLE", message } };
  });

  // Anybody may request it as often as they like: as bytes, which need no encoding, and none at all where they are known.
  let openapi: { readonly bytes: Buffer; readonly etag: string } | undefined;
  fastify.get(`${API_BASE}/openapi.json`, async (request, reply) => {
    openapi ??= tagged(JSON.stringify(describeApi(routes, { publicUrl })));
    reply.header("cache-control", "no-cache").header("etag", openapi.etag);
    if (request.headers["if-none-match"]?.includes(openapi.etag)) return reply.status(304).send();
    return reply.type("application/json; charset=utf-8").send(openapi.bytes);
  });

  registerDocsFiles(fastify);
}

function tagged(text: string): { bytes: Buffer; etag: string } {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"` };
}
