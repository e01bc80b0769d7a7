import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../core/errors.ts";
import { PACKAGE_ROOT } from "../../core/package-files.ts";
import { NO_ENDPOINT } from "../pipeline/errors.ts";
import { openStoredFiles } from "./stored-files.ts";

/** Sends a page of the dashboard, where the request is a navigation to a path that nothing else has. */
type DashboardPages = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** Never a page, whatever a browser asks for: a mistyped API address must not look like the dashboard. */
const NO_PAGES = /^\/(?:api|dashboard-api|files|health|assets|widget|widget-api|widget\.js)(?:\/|$)/;

/** An empty page into which the dashboard puts the HTML of a mail. */
const MAIL_FRAME = "mail-frame.html";

/**
 * Mail brings its styles with it. Nothing runs, and nothing is loaded but pictures from here. A policy of its own holds
 * wherever the page is opened, whatever the frame around it allows.
 */
const MAIL_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  ].join("; "),
  "x-frame-options": "SAMEORIGIN",
};

/**
 * Serves the built dashboard: its files, and index.html at every page's path. Without a build there are no pages; the API is
 * not affected.
 */
export function registerDashboardFiles(fastify: FastifyInstance, directory = BUILT): DashboardPages {
  const files = openStoredFiles(directory);
  if (!files.has("index.html")) return () => false;
  const isAsset = (path: string) => path.startsWith("assets/");
  fastify.get(`/${MAIL_FRAME}`, (request, reply) => files.send(MAIL_FRAME, request, reply, MAIL_HEADERS));
  const special = ["index.html", MAIL_FRAME];
  for (const path of files.paths().filter((one) => !special.includes(one) && !isAsset(one)))
    fastify.get(`/${path}`, (request, reply) => files.send(path, request, reply));
  fastify.get("/assets/*", (request, reply) => {
    const path = `assets/${(request.params as { "*": string })["*"]}`;
    if (!files.has(path)) throw new Fault("NOT_FOUND", NO_ENDPOINT);
    return files.send(path, request, reply);
  });
  return (request, reply) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    if (NO_PAGES.test(request.url) || !wantsPage(request)) return false;
    files.send("index.html", request, reply);
    return true;
  };
}

/** The address that the start prints is a page for `curl` and health checks too; elsewhere only a browser gets one. */
function wantsPage({ url, headers: { accept = "*/*" } }: FastifyRequest): boolean {
  return accept.includes("text/html") || (/^\/(?:\?|$)/.test(url) && accept.includes("*/*"));
}

/** The same from `src` and from `dist`. */
const BUILT = join(PACKAGE_ROOT, "dashboard", "dist");
