export interface ErrorInfo {
  /** 0 when there was no HTTP response. */
  status: number;
  code: string;
  message: string;
  /** Quote it when you report a problem. Empty when there was no response. */
  requestId?: string | undefined;
  /** Every invalid field, with sentences. */
  details?: Record<string, string[]> | undefined;
  /** Whole seconds. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Every error of the API, and what this client adds: no connection, no response in time. */
export class ParleyError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  /** Every invalid field, with sentences; empty where none is. */
  readonly details: Record<string, string[]>;
  readonly retryAfter: number | undefined;

  constructor(info: ErrorInfo) {
    super(info.message, info.cause === undefined ? undefined : { cause: info.cause });
    this.name = new.target.name;
    this.status = info.status;
    this.code = info.code;
    this.requestId = info.requestId ?? "";
    this.details = info.details ?? {};
    this.retryAfter = info.retryAfter;
  }
}

export class BadRequestError extends ParleyError {}
export class UnauthorizedError extends ParleyError {}
export class SessionEndedError extends ParleyError {}
export class IdentityRequiredError extends ParleyError {}
export class IdentityExpiredError extends ParleyError {}
export class IdentityInvalidError extends ParleyError {}
export class ForbiddenError extends ParleyError {}
export class BlockedError extends ParleyError {}
export class WidgetInactiveError extends ParleyError {}
export class WrongOriginError extends ParleyError {}
export class NotFoundError extends ParleyError {}
export class MethodNotAllowedError extends ParleyError {}
export class RequestTimeoutError extends ParleyError {}
export class ConflictError extends ParleyError {}
export class PreconditionFailedError extends ParleyError {}
export class PayloadTooLargeError extends ParleyError {}
export class UnsupportedMediaTypeError extends ParleyError {}
export class ExpectationFailedError extends ParleyError {}
export class MisdirectedRequestError extends ParleyError {}
export class ValidationError extends ParleyError {}
export class RateLimitError extends ParleyError {}
export class HeadersTooLargeError extends ParleyError {}
export class InternalError extends ParleyError {}
export class ServiceUnavailableError extends ParleyError {}
export class LoopDetectedError extends ParleyError {}
/** There was no HTTP response: refused, reset, no such host. */
export class ConnectionError extends ParleyError {}
/** There was no response within `timeoutMs`. */
export class TimeoutError extends ParleyError {}
/** A webhook whose signature, timestamp or form is wrong. Respond with 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

export type ErrorClass = new (info: ErrorInfo) => ParleyError;

/** One class per code; a test compares it with the codes of the API's description. */
export const ERROR_CLASSES: Readonly<Record<string, ErrorClass>> = {
  BAD_REQUEST: BadRequestError,
  UNAUTHORIZED: UnauthorizedError,
  SESSION_ENDED: SessionEndedError,
  IDENTITY_REQUIRED: IdentityRequiredError,
  IDENTITY_EXPIRED: IdentityExpiredError,
  IDENTITY_INVALID: IdentityInvalidError,
  FORBIDDEN: ForbiddenError,
  BLOCKED: BlockedError,
  WIDGET_INACTIVE: WidgetInactiveError,
  WRONG_ORIGIN: WrongOriginError,
  NOT_FOUND: NotFoundError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  REQUEST_TIMEOUT: RequestTimeoutError,
  CONFLICT: ConflictError,
  PRECONDITION_FAILED: PreconditionFailedError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  EXPECTATION_FAILED: ExpectationFailedError,
  MISDIRECTED_REQUEST: MisdirectedRequestError,
  VALIDATION_ERROR: ValidationError,
  RATE_LIMIT_EXCEEDED: RateLimitError,
  HEADERS_TOO_LARGE: HeadersTooLargeError,
  INTERNAL_ERROR: InternalError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
  LOOP_DETECTED: LoopDetectedError,
};
