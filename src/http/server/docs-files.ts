import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../core/errors.ts";
import { PACKAGE_ROOT } from "../../core/package-files.ts";
import { filesUnder, readStoredFile, type StoredFile, sendStoredFile } from "./stored-files.ts";

/** The same from `src` and from `dist`. */
const BUILT = join(PACKAGE_ROOT, "site", "dist");

/**
 * Serves the built documentation below /docs. Only names that the build has made are looked up, so there is no path to escape
 * from; a file is read with its first request and kept.
 */
export function registerDocsFiles(fastify: FastifyInstance, directory = BUILT): void {
  const names = new Set(existsSync(join(directory, "index.html")) ? filesUnder(directory) : []);
  const kept = new Map<string, StoredFile>();
  const serve = (path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const name = [path, `${path}.html`].find((one) => names.has(one));
    if (name === undefined) throw new Fault("NOT_FOUND", "There is no such page in the documentation.");
    const file = kept.get(name) ?? readStoredFile(directory, name);
    kept.set(name, file);
    return sendStoredFile(file, request, reply);
  };
  fastify.get("/docs", (request, reply) => serve("index", request, reply));
  fastify.get("/docs/*", (request, reply) =>
    serve((request.params as { "*": string })["*"] || "index", request, reply),
  );
  fastify.get("/llms.txt", (request, reply) => serve("llms.txt", request, reply));
}
