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

  let openapi: string | undefined;
  fastify.get(`${API_BASE}/openapi.json`, async (_request, reply) => {
    reply.type("application/json; charset=utf-8").header("cache-control", "no-cache");
    openapi ??= JSON.stringify(describeApi(routes, { publicUrl }));
    return openapi;
  });

  registerDocsFiles(fastify);
}
