import { ERROR_CLASSES, type ErrorInfo, ParleyError } from "./errors.ts";

/** From a response that is not a success. A proxy's own error page has no envelope and becomes a plain `ParleyError`. */
export function errorOf(response: Response, body: unknown): ParleyError {
  const error = (body as { error?: Record<string, unknown> } | null)?.error ?? {};
  const code = typeof error.code === "string" ? error.code : "UNEXPECTED_RESPONSE";
  const Class = ERROR_CLASSES[code] ?? ParleyError;
  return new Class({
    status: response.status,
    code,
    message: typeof error.message === "string" ? error.message : foreign(response),
    requestId: response.headers.get("x-request-id") ?? "",
    details: error.details as ErrorInfo["details"],
    retryAfter: retryAfterOf(response),
  });
}

/** Below 500 it is most likely the address: another program, or another path of this host. */
function foreign({ status, headers }: Response): string {
  if (status >= 500) return `The server responded with HTTP ${status}.`;
  const type = headers.get("content-type")?.split(";")[0];
  return `This is not a response of the Parley API (HTTP ${status}${type ? `, ${type}` : ""}). Is the address right?`;
}

function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
