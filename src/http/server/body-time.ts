import type { FastifyInstance } from "fastify";
import { sendClientError } from "../pipeline/errors.ts";
import type { RouteSpec } from "../pipeline/route.ts";

interface BodyTime {
  bodyMsMax: number;
  uploadMsMax: number;
}

/** Limits how long a body may take to arrive, a file longer. Node's own limit, for all requests, is that of files. */
export function limitBodyTime(fastify: FastifyInstance, { bodyMsMax, uploadMsMax }: BodyTime): void {
  fastify.addHook("onRequest", (request, _reply, done) => {
    const { raw, headers } = request;
    const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    if (hasBody && !raw.complete) {
      const spec: RouteSpec | undefined = request.routeOptions.config.spec;
      const late = () => sendClientError(Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), raw.socket);
      const timer = setTimeout(late, spec?.upload ? uploadMsMax : bodyMsMax).unref();
      const clear = () => clearTimeout(timer);
      raw.once("end", clear);
      raw.once("close", clear);
    }
    done();
  });
}
