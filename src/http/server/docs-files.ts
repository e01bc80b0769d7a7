import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../core/errors.ts";
import { PACKAGE_ROOT } from "../../core/package-files.ts";
import { openStoredFiles } from "./stored-files.ts";

/** The same from `src` and from `dist`. */
const BUILT = join(PACKAGE_ROOT, "site", "dist");

const MISSING = "404.html";

/** Serves the built documentation below /docs. */
export function registerDocsFiles(fastify: FastifyInstance, directory = BUILT): void {
  const files = openStoredFiles(directory, { digests: null });
  const serve = (path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const found = [path, `${path}.html`].find(files.has);
    if (found !== undefined) return files.send(found, request, reply);
    // A browser gets a page; a program that reads Markdown gets the error like everywhere else.
    if (request.headers.accept?.includes("text/html") && files.has(MISSING))
      return files.sendMissing(MISSING, request, reply);
    throw new Fault("NOT_FOUND", "There is no such page in the documentation.");
  };
  fastify.get("/docs", (request, reply) => serve("index", request, reply));
  fastify.get("/docs/*", (request, reply) =>
    serve((request.params as { "*": string })["*"] || "index", request, reply),
  );
  fastify.get("/llms.txt", (request, reply) => serve("llms.txt", request, reply));
}
