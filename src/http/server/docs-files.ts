import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../core/errors.ts";
import { PACKAGE_ROOT } from "../../core/package-files.ts";
import { openStoredFiles } from "./stored-files.ts";

/** The same from `src` and from `dist`. */
const BUILT = join(PACKAGE_ROOT, "site", "dist");

/** Serves the built documentation below /docs. */
export function registerDocsFiles(fastify: FastifyInstance, directory = BUILT): void {
  const files = openStoredFiles(directory);
  const serve = (path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const found = [path, `${path}.html`].find(files.has);
    if (found === undefined) throw new Fault("NOT_FOUND", "There is no such page in the documentation.");
    return files.send(found, request, reply);
  };
  fastify.get("/docs", (request, reply) => serve("index", request, reply));
  fastify.get("/docs/*", (request, reply) =>
    serve((request.params as { "*": string })["*"] || "index", request, reply),
  );
  fastify.get("/llms.txt", (request, reply) => serve("llms.txt", request, reply));
}
