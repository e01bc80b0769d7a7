import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Everything comes from this server, and nothing is written into a page: no inline script, no inline style. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const CONTENT_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

interface StoredFile {
  readonly type: string;
  readonly etag: string;
  /** Its name holds a digest of its content. */
  readonly immutable: boolean;
  readonly plain: Buffer;
  readonly encoded: readonly { readonly name: "br" | "gzip"; readonly body: Buffer }[];
}

interface StoredFiles {
  has(path: string): boolean;
  paths(): string[];
  /** `headers` replace those of the same name. */
  send(path: string, request: FastifyRequest, reply: FastifyReply, headers?: Record<string, string>): FastifyReply;
  /** The page of an address that does not exist. */
  sendMissing(path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

interface StoredFilesOptions {
  /** The page by which a new build is noticed. */
  index?: string;
  /** Where names hold a digest of the content; null: nowhere, a file keeps its name when it changes. */
  digests?: string | null;
}

/**
 * The files that a build has made; none where there is no build. Only these are looked up, so there is no path to escape from.
 * A file is read with its first request and kept. A later build replaces all of them, also beneath a running server.
 */
export function openStoredFiles(
  directory: string,
  { index = "index.html", digests = "assets/" }: StoredFilesOptions = {},
): StoredFiles {
  let paths = new Set<string>();
  let built: string | undefined;
  const kept = new Map<string, StoredFile>();
  const isImmutable = (path: string): boolean => digests !== null && path.startsWith(digests);
  const follow = () => {
    const page = statSync(join(directory, index), { throwIfNoEntry: false });
    // Between two builds there is none for a moment: the files of the last one stay.
    if (!page) return;
    // Two builds may have the same time.
    const now = `${page.ino} ${page.mtimeMs}`;
    if (now === built) return;
    built = now;
    paths = new Set(filesUnder(directory));
    // A page of the last build may still ask for its code, whose names no other content has.
    for (const path of kept.keys()) if (!isImmutable(path)) kept.delete(path);
  };
  follow();
  const fileAt = (path: string): StoredFile => {
    const file = kept.get(path) ?? { ...readStoredFile(directory, path), immutable: isImmutable(path) };
    kept.set(path, file);
    return file;
  };
  return {
    has(path) {
      follow();
      return paths.has(path) || kept.has(path);
    },
    paths: () => [...paths],
    send(path, request, reply, headers = {}) {
      follow();
      const file = fileAt(path);
      return sendStoredFile(file, request, reply.code(200).headers({ ...headersOf(file), ...headers }));
    },
    sendMissing(path, request, reply) {
      const file = fileAt(path);
      return sendStoredFile(file, request, reply.code(404).headers(headersOf(file)));
    },
  };
}

/** With its compressed forms, where the build has made them. */
function readStoredFile(directory: string, path: string): Omit<StoredFile, "immutable"> {
  const plain = readFileSync(join(directory, path));
  const forms = [
    { name: "br", file: join(directory, `${path}.br`) },
    { name: "gzip", file: join(directory, `${path}.gz`) },
  ] as const;
  return {
    type: CONTENT_TYPES[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    plain,
    encoded: forms.filter(({ file }) => existsSync(file)).map(({ name, file }) => ({ name, body: readFileSync(file) })),
  };
}

const headersOf = ({ immutable, etag }: StoredFile) => ({
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cache-control": immutable ? "public, max-age=31536000, immutable" : "no-cache",
  etag,
  vary: "accept-encoding",
});

function sendStoredFile(file: StoredFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Weak or strong, one or several: the digest occurs in the header or it does not.
  const isFresh = reply.statusCode === 200 && request.headers["if-none-match"]?.includes(file.etag);
  if (isFresh) return reply.code(304).send();
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
    if (entry.isDirectory()) return filesUnder(directory, path);
    return CONTENT_TYPES[extname(path)] ? [path] : [];
  });
}
