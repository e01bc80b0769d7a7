type OutboundErrorCode =
  | "invalid_request" // the url or a header cannot be sent; nothing was
  | "template_too_large" // there is no body to send; nothing was
  | "refused_address" // the guard said no; nothing was sent
  | "proxy" // the egress proxy is at fault; nothing was sent to the receiver
  | "dns"
  | "connect_refused"
  | "connect"
  | "tls"
  | "no_connection" // every connection to this origin stayed busy until the deadline; nothing was sent
  | "timeout"
  | "reset"
  | "protocol"
  | "headers_too_large"
  | "aborted";

export interface OutboundError {
  code: OutboundErrorCode;
  /** True and for people; goes into the delivery log as it is. Never holds an address the guard refused. */
  message: string;
}

/** Carries our own verdict through undici, whose client looks at `code` to decide whether to connect again by itself. */
export class OutboundFailure extends Error {
  readonly code = "PARLEY_OUTBOUND";
  readonly detail: OutboundError;

  constructor(code: OutboundErrorCode, message: string) {
    super(message);
    this.detail = { code, message };
  }
}

export function lookupFailure(error: unknown): OutboundFailure {
  const code = codeOf(error);
  if (code === "ENOTFOUND" || code === "ENODATA") return new OutboundFailure("dns", "the host name does not resolve");
  if (code === "ETIMEOUT") return new OutboundFailure("dns", "the name server did not respond");
  if (code === "EBACKOFF")
    return new OutboundFailure("dns", "the name server did not respond shortly before and was not asked again yet");
  return new OutboundFailure("dns", `the host name could not be looked up${suffix(code)}`);
}

export function connectFailure(error: unknown): OutboundFailure {
  const code = codeOf(error);
  switch (code) {
    case "ECONNREFUSED":
      return new OutboundFailure("connect_refused", "connection refused");
    case "ECONNRESET":
    case "EPIPE":
      return new OutboundFailure("reset", "connection reset while connecting");
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return new OutboundFailure("connect", "no route to the host");
    case "ETIMEDOUT":
      return new OutboundFailure("connect", "the host did not respond to the connection request");
    case "EMFILE":
    case "ENFILE":
      return new OutboundFailure("connect", "this server has too many open files to connect");
    case "EADDRNOTAVAIL":
      return new OutboundFailure("connect", "this server has no free local port or address to connect from");
    default:
      return new OutboundFailure("connect", `could not connect${suffix(code)}`);
  }
}

const TLS_TEXT: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "TLS certificate has expired",
  CERT_NOT_YET_VALID: "TLS certificate is not valid yet",
  CERT_REVOKED: "TLS certificate has been revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "TLS certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "TLS certificate chain ends in an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT: "TLS certificate chain is incomplete or its authority is unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "TLS certificate chain is incomplete or its authority is unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "TLS certificate chain is incomplete or its authority is unknown",
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS certificate is for another host name",
  ERR_SSL_WRONG_VERSION_NUMBER: "TLS handshake failed: the port does not speak TLS",
  ECONNRESET: "connection closed by the receiver during the TLS handshake",
  EPIPE: "connection closed by the receiver during the TLS handshake",
};

export function tlsFailure(error: unknown): OutboundFailure {
  const code = codeOf(error);
  // Node reports this one as EPROTO on some releases, with OpenSSL's text in the message only.
  const wrongVersion = code === "EPROTO" && String(error).includes("wrong version number");
  const text = TLS_TEXT[wrongVersion ? "ERR_SSL_WRONG_VERSION_NUMBER" : code];
  return new OutboundFailure("tls", text ?? `TLS handshake failed${suffix(code)}`);
}

/** What undici, its parser or the socket said once a connection stood. `stage` ends the sentence: "before responding". */
export function exchangeError(error: Error, stage: string): OutboundError {
  if (error instanceof OutboundFailure) return error.detail;
  const code = codeOf(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return { code: "headers_too_large", message: "the response's headers are too large" };
  }
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED") {
    return { code: "invalid_request", message: `the request cannot be sent: ${error.message}` };
  }
  // By name: undici 7 looks the parser's code up in a table that runs the other way and leaves `code` undefined.
  if (error.name === "HTTPParserError") {
    const reason = /\((.*)\)$/.exec(error.message)?.[1];
    return { code: "protocol", message: `the response is not valid HTTP/1.1${reason ? `: ${reason}` : ""}` };
  }
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") {
    return { code: "protocol", message: "the response's content-length contradicts itself or the body" };
  }
  if (code === "UND_ERR_SOCKET" && error.message === "bad upgrade") {
    return { code: "protocol", message: "the receiver tried to switch protocols" };
  }
  if (code === "UND_ERR_SOCKET" && error.message === "bad response") {
    return { code: "protocol", message: "the response is not valid HTTP/1.1: unexpected 100 Continue or stray bytes" };
  }
  if (code === "UND_ERR_SOCKET") return { code: "reset", message: `connection closed by the receiver ${stage}` };
  if (code === "ECONNRESET" || code === "EPIPE") {
    return { code: "reset", message: `connection reset by the receiver ${stage}` };
  }
  if (code === "ERR_ASSERTION") return { code: "protocol", message: "the response is not valid HTTP/1.1" };
  return { code: "reset", message: `connection failed ${stage}${suffix(code)}` };
}

/** The errors of a kept-alive connection that the receiver had already closed. */
export function isConnectionLoss(error: Error): boolean {
  const code = codeOf(error);
  if (code === "UND_ERR_SOCKET") return error.message === "other side closed" || error.message === "closed";
  return code === "ECONNRESET" || code === "EPIPE";
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : "";
}

function suffix(code: string): string {
  return code === "" ? "" : ` (${code})`;
}
