import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ERROR_CATALOGUE, type ErrorCode, Fault } from "../../core/errors.ts";
import { newRequestId } from "../../core/ids.ts";
import { lingerBeforeClose } from "./lingering-close.ts";

/** The envelope of an error; the one place that knows its form. */
function errorBody(fault: Fault, requestId: string): object {
  return {
    success: false,
    // Two 401 bodies are known; ours is both (decision 0018).
    ...(fault.code === "UNAUTHORIZED" ? { message: "Unauthenticated" } : {}),
    error: {
      code: fault.code,
      message: fault.message,
      ...(fault.details ? { details: fault.details } : {}),
      ...(fault.code === "RATE_LIMIT_EXCEEDED" ? { retry_after: fault.retryAfter } : {}),
      ...(fault.code === "INTERNAL_ERROR" ? { request_id: requestId } : {}),
    },
  };
}

/** The one mapper from anything thrown to a response. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const fault = toFault(error, request.routeOptions?.bodyLimit);
  if (fault.code === "INTERNAL_ERROR") request.log.error({ err: error }, "the request failed");
  if (fault.code === "SERVICE_UNAVAILABLE") request.log.warn({ err: (fault.cause as Error)?.message }, fault.message);
  const { status } = ERROR_CATALOGUE[fault.code];
  if (fault.code === "UNAUTHORIZED") reply.header("www-authenticate", "Bearer");
  if (fault.retryAfter !== undefined) reply.header("retry-after", String(fault.retryAfter));
  // The rest of a refused body is not read: the connection cannot be used for another request.
  if (status === 413 || status === 503) reply.header("connection", "close");
  if (status === 413) lingerBeforeClose(request.raw.socket);
  reply.status(status).type("application/json; charset=utf-8").serializer(JSON.stringify);
  reply.send(errorBody(fault, request.id));
}

/** Fastify's own errors, by their status, as errors of the catalogue. */
function toFault(error: unknown, bodyBytesMax?: number): Fault {
  if (error instanceof Fault) return error;
  const status = (error as FastifyError)?.statusCode;
  const code = (error as FastifyError)?.code;
  if (code === "FST_ERR_BAD_URL") return new Fault("NOT_FOUND", NO_ENDPOINT);
  if (status === 413)
    return new Fault(
      "PAYLOAD_TOO_LARGE",
      bodyBytesMax === undefined
        ? "The body is larger than the limit."
        : `The body is larger than the limit of ${bodyBytesMax} bytes.`,
    );
  if (status === 415) return new Fault("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json.");
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH")
    return new Fault("BAD_REQUEST", "The body does not have the length that Content-Length says.");
  if (status !== undefined && status >= 400 && status < 500) return new Fault("BAD_REQUEST", MALFORMED);
  return new Fault("INTERNAL_ERROR", "Something went wrong on our side.", { cause: error });
}

export const NO_ENDPOINT = "No such endpoint.";
const MALFORMED = "This is not a well-formed HTTP request.";

const CLIENT_ERRORS: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ["HEADERS_TOO_LARGE", "The headers of the request are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "The request did not arrive in time."],
};

/** Bytes that never became a request still get the envelope. */
export function sendClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  // As in Node's own handler: nothing may be written into the middle of a response.
  const { _httpMessage: inProgress } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  if (!socket.writable || inProgress?.headersSent) {
    socket.destroy();
    return;
  }
  const [code, message] = CLIENT_ERRORS[error.code ?? ""] ?? ["BAD_REQUEST", MALFORMED];
  socket.end(rawResponse(new Fault(code, message)), () => socket.destroy());
}

export function rawResponse(fault: Fault): string {
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(fault, requestId));
  const { status } = ERROR_CATALOGUE[fault.code];
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...(fault.retryAfter === undefined ? [] : [`retry-after: ${fault.retryAfter}`]),
    "connection: close",
    "",
    body,
  ].join("\r\n");
}
