import type { FastifyInstance } from "fastify";
import type { RouteSpec } from "../pipeline/route.ts";
import { sendClientError } from "./errors.ts";

interface BodyTime {
  bodyMsMax: number;
  uploadMsMax: number;
}

/**
 * A body has to arrive in time, a file in a longer time. Node knows one limit for all requests: this is the shorter one.
 */
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
