import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PACKAGE_ROOT } from "../../core/package-files.ts";
import { CONTENT_TYPES, filesUnder, readStoredFile, sendStoredFile } from "./stored-files.ts";

/** Sends a page of the dashboard, where the request is a navigation to a path that nothing else has. */
type DashboardPages = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** Never a page, whatever a browser asks for: a mistyped API address must not look like the dashboard. */
const NO_PAGES = /^\/(?:api|dashboard-api|files|health|assets)(?:\/|$)/;

/**
 * Serves the built dashboard from memory (a few hundred kB, read once): each file is a route of its own, so there is no path
 * to escape from, and every page's path gets index.html. Without a build there are no pages; the API is not affected.
 */
export function registerDashboardFiles(fastify: FastifyInstance, directory = BUILT): DashboardPages {
  if (!existsSync(join(directory, "index.html"))) return () => false;
  for (const path of filesUnder(directory)) {
    if (path === "index.html" || !CONTENT_TYPES[extname(path)]) continue;
    const file = readStoredFile(directory, path, { immutable: path.startsWith("assets/") });
    fastify.get(`/${path}`, (request, reply) => sendStoredFile(file, request, reply));
  }
  const index = readStoredFile(directory, "index.html");
  return (request, reply) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    if (NO_PAGES.test(request.url) || !wantsPage(request)) return false;
    sendStoredFile(index, request, reply);
    return true;
  };
}

/** The address that the start prints is a page for `curl` and health checks too; elsewhere only a browser gets one. */
function wantsPage({ url, headers: { accept = "*/*" } }: FastifyRequest): boolean {
  return accept.includes("text/html") || (/^\/(?:\?|$)/.test(url) && accept.includes("*/*"));
}

/** The same from `src` and from `dist`. */
const BUILT = join(PACKAGE_ROOT, "dashboard", "dist");
