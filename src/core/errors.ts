/**
 * Every error the product can respond with. The HTTP mapper reads the status from here; docs/errors.md is tested
 * against it. Domain code throws a `Fault` and never sees a status code.
 */
export const ERROR_CATALOGUE = {
  BAD_REQUEST: { status: 400, when: "The bytes received are not a well-formed HTTP request." },
  UNAUTHORIZED: { status: 401, when: "The API key is missing, unknown, paused, expired or revoked." },
  SESSION_ENDED: { status: 401, when: "Widget: the visitor's session is missing or has ended." },
  IDENTITY_REQUIRED: { status: 401, when: "Widget: it has `require_identity`, and the visitor has no identity." },
  IDENTITY_EXPIRED: {
    status: 401,
    when: "Widget: the visitor's identity token has expired; the page gives a new one.",
  },
  IDENTITY_INVALID: { status: 401, when: "Widget: the identity token is refused; the message says why." },
  FORBIDDEN: {
    status: 403,
    when: "The key is valid but lacks the scope, is used from an address outside its `allowed_ips`, or would create, change or rotate a key that can do more than itself.",
  },
  BLOCKED: { status: 403, when: "Widget: the visitor's contact is blocked." },
  WIDGET_INACTIVE: { status: 403, when: "Widget: it is not active." },
  WRONG_ORIGIN: { status: 403, when: "Widget: the request comes from another origin than Parley's own frame." },
  NOT_FOUND: { status: 404, when: "The path is unknown, or the resource does not exist in this key's workspace." },
  METHOD_NOT_ALLOWED: { status: 405, when: "The path exists, with other methods; `Allow` names them." },
  REQUEST_TIMEOUT: {
    status: 408,
    when: "The request did not arrive completely within the time limit: 10 seconds for its headers, 30 seconds for a body, 10 minutes for a file.",
  },
  CONFLICT: {
    status: 409,
    when: "The state of the resource does not allow it, or an `Idempotency-Key` was reused with another body or query.",
  },
  PRECONDITION_FAILED: {
    status: 412,
    when: "`If-Match` names a version of the resource that is not the current one: it has changed in the meantime.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: "The body is larger than the limit: 1 MiB, and 25 MiB for a file, unless configured; 16 KiB where no key is needed. The message names it.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: "The body is a form, multipart or compressed; send plain JSON. `POST /files` takes any type and multipart, not compressed.",
  },
  EXPECTATION_FAILED: { status: 417, when: "The `Expect` header asks for something other than `100-continue`." },
  MISDIRECTED_REQUEST: {
    status: 421,
    when: "The workspace has moved to another cell; `X-Parley-Cell` names it. A proxy that routes by cells sends the request there.",
  },
  VALIDATION_ERROR: {
    status: 422,
    when: "A body field or query parameter is invalid, or the body is not a JSON object; `details` names every wrong field.",
  },
  RATE_LIMIT_EXCEEDED: { status: 429, when: "Too many requests; wait `retry_after` seconds." },
  HEADERS_TOO_LARGE: { status: 431, when: "The request's headers are larger than 16 KiB." },
  INTERNAL_ERROR: { status: 500, when: "A fault of the server; quote `request_id` when you report it." },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: "The database is unavailable or did not finish in time, the server is stopping or has too many connections or streams, this node is too old for the database, a list or search took longer than 3 seconds (narrow it down), or the workspace is being moved to another cell; try again soon.",
  },
  LOOP_DETECTED: {
    status: 508,
    when: "The request is a webhook delivery of Parley itself: a webhook must not point at Parley's own API.",
  },
} as const;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

export type FieldErrors = Record<string, string[]>;

interface FaultExtra {
  details?: FieldErrors;
  /** Whole seconds. Of RATE_LIMIT_EXCEEDED 1 unless given. */
  retryAfter?: number;
  cause?: unknown;
}

/** A failure with a public message; the cause stays inside, for the log. */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly details: FieldErrors | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, extra: FaultExtra = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = "Fault";
    this.code = code;
    this.details = extra.details;
    this.retryAfter = extra.retryAfter ?? (code === "RATE_LIMIT_EXCEEDED" ? 1 : undefined);
  }
}

/** The same words for an unknown id and for another workspace's id: nobody can distinguish the two. */
export const notFound = (what: string): Fault => new Fault("NOT_FOUND", `The ${what} does not exist.`);

/** The row of the record that a query looked for. */
export function found<Row>(what: string, [row]: readonly Row[]): Row {
  if (row === undefined) throw notFound(what);
  return row;
}

export const conflict = (message: string): Fault => new Fault("CONFLICT", message);

export const forbidden = (message: string): Fault => new Fault("FORBIDDEN", message);

export const invalid = (details: FieldErrors): Fault =>
  new Fault("VALIDATION_ERROR", "The given data was invalid.", { details });

/** Leaves out the fields with which nothing is wrong. */
export const problems = (found: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(found).filter(([, messages]) => messages.length > 0));

export const unavailable = (message: string, cause?: unknown): Fault =>
  new Fault("SERVICE_UNAVAILABLE", message, { retryAfter: 2, cause });
