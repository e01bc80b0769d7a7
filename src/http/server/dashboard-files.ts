import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Answers a page of the dashboard, where the request is a browser's navigation to a path nothing else lies at. */
export type DashboardPages = (request: FastifyRequest, reply: FastifyReply) => boolean;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Never a page, whatever a browser asks for: a mistyped API address must not look like the dashboard. */
const NO_PAGES = /^\/(?:api|dashboard-api|health|assets)(?:\/|$)/;

/**
 * Serves the built dashboard from memory (a few hundred kB, read once): each file is a route of its own, so there is no path
 * to escape from, and every page's path gets index.html. Without a build there are no pages, and the API works as ever.
 */
export function registerDashboardFiles(fastify: FastifyInstance, directory = BUILT): DashboardPages {
  if (!existsSync(join(directory, "index.html"))) return () => false;
  for (const path of filesUnder(directory)) {
    if (path === "index.html" || !TYPES[extname(path)]) continue;
    const file = readFile(directory, path);
    fastify.get(`/${path}`, (request, reply) => send(file, request, reply));
  }
  const index = readFile(directory, "index.html");
  return (request, reply) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    if (NO_PAGES.test(request.url) || !(request.headers.accept ?? "").includes("text/html")) return false;
    send(index, request, reply);
    return true;
  };
}

/** The same from `src` and from `dist`. */
const BUILT = fileURLToPath(new URL("../../../dashboard/dist", import.meta.url));

interface StoredFile {
  readonly type: string;
  readonly etag: string;
  /** Its name holds a digest of its content. */
  readonly immutable: boolean;
  readonly plain: Buffer;
  readonly encoded: readonly { readonly name: "br" | "gzip"; readonly body: Buffer }[];
}

function readFile(directory: string, path: string): StoredFile {
  const plain = readFileSync(join(directory, path));
  const forms = [
    { name: "br", file: join(directory, `${path}.br`) },
    { name: "gzip", file: join(directory, `${path}.gz`) },
  ] as const;
  return {
    type: TYPES[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    immutable: path.startsWith("assets/"),
    plain,
    encoded: forms.filter(({ file }) => existsSync(file)).map(({ name, file }) => ({ name, body: readFileSync(file) })),
  };
}

function send(file: StoredFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(200).headers({
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: file.etag,
    vary: "accept-encoding",
  });
  // Weak or strong, one or several: the digest occurs in the header or it does not.
  if (request.headers["if-none-match"]?.includes(file.etag)) return reply.code(304).send();
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoded = file.encoded.find(({ name }) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepted),
  );
  if (encoded) reply.header("content-encoding", encoded.name);
  return reply.type(file.type).send(encoded ? encoded.body : file.plain);
}

function filesUnder(directory: string, prefix = ""): string[] {
  return readdirSync(join(directory, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(directory, path) : entry.name.startsWith(".") ? [] : [path];
  });
}
