import type { FastifyInstance } from "fastify";
import type { Usage } from "../../auth/usage.ts";
import type { Logger } from "../../core/logger.ts";
import type { Metrics } from "./metrics.ts";

interface RequestLogOptions {
  logger: Logger;
  /** Counts the responses sent to each key. */
  usage?: Pick<Usage, "record"> | undefined;
  metrics?: Metrics | null | undefined;
}

// A key that was pasted where an id belongs. No id is longer than a uuid, and our secrets begin with what they are.
const SECRET_SEGMENT = /(?<=\/)(?:[^/]{37,}|(?:parley|whsec)_[^/]+)/g;
const SECRET_NAME = /^(?:.{37,}|(?:parley|whsec)_.+)$/;

/** The path as the log shows it: without its query, and without what may be a secret. */
const loggedPath = (url: string): string | undefined => url.split("?")[0]?.replace(SECRET_SEGMENT, "[redacted]");

/** The same for the name of an unknown field. */
const loggedName = (field: string): string =>
  field
    .split(".")
    .map((name) => name.replace(SECRET_NAME, "[redacted]"))
    .join(".");

/** One line, one count and one metric per request. */
export function logRequests(fastify: FastifyInstance, { logger, usage, metrics }: RequestLogOptions): void {
  // The line of a request names its own fields, none of them a secret; looking for secrets in it cost 2 % of a read.
  const lines = logger.child({}, { redact: [] });
  fastify.addHook("onResponse", async (request, reply) => {
    const { principal } = request;
    if (principal?.kind === "api_key") usage?.record(principal.workspaceId, principal.apiKeyId, reply.statusCode);
    metrics?.request(request.method, request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime);
    const level = reply.statusCode >= 500 ? "warn" : "info";
    lines[level](
      {
        request_id: request.id,
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        api_key_id: principal?.kind === "api_key" ? principal.apiKeyId : undefined,
        unknown_fields: request.unknownFields?.map(({ field }) => loggedName(field)),
        user_id: principal?.kind === "user" ? principal.userId : undefined,
      },
      "request",
    );
  });
}
