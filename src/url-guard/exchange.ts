import type { Dispatcher } from "undici";
import { createPaced } from "../core/paced.ts";
import { createTimeSlicer } from "../core/time-slicer.ts";
import { exchangeError, isConnectionLoss, type OutboundError } from "./failure.ts";
import { type Connection, type OriginPool, type PooledExchange, WIRE_BYTES_MAX } from "./origin-pool.ts";

const BODY_KEPT_BYTES = 16 * 1024;
/** Read past what is kept, so that an ordinary error page does not cost its connection; then the socket is cut. */
const BODY_DISCARDED_BYTES = 64 * 1024;
const HEADERS_KEPT_MAX = 100;
const HEADERS_KEPT_BYTES = 8 * 1024;
const INFORMATIONAL_MAX = 16;

export interface OutboundTimings {
  /** Null when nothing was looked up (an IP literal, a reused connection). */
  dnsMs: number | null;
  /** Null on a reused connection. */
  connectMs: number | null;
  /** Null without TLS and on a reused connection. */
  tlsMs: number | null;
  /** From the request's first byte handed to the socket to the response's first byte. */
  firstByteMs: number | null;
  /** From `send` to the last byte read, waiting for a connection included. */
  totalMs: number;
}

export interface OutboundResult {
  /** 0 exactly when `error` is set: a response that was incomplete or came too late does not count as one. */
  statusCode: number;
  error: OutboundError | null;
  /** As received, first HEADERS_KEPT_MAX and HEADERS_KEPT_BYTES; also set when the body then failed. */
  headers: [string, string][];
  /** The first BODY_KEPT_BYTES, still encoded as the receiver sent them. */
  body: Buffer;
  bodyTruncated: boolean;
  timings: OutboundTimings;
  /** The address connected to, if a connection was established. */
  address: string | null;
  reusedConnection: boolean;
}

interface ExchangeOptions {
  path: string;
  headers: string[];
  body: string | Buffer;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

const NO_BODY = Buffer.alloc(0);

/**
 * One POST in flight: undici's dispatch handler, in the raw form (the controller form costs a wrapper object and a
 * parsed header object per request). It ends exactly once, whatever comes first: response, failure, deadline, abort.
 */
export class Exchange implements PooledExchange {
  readonly request: Dispatcher.DispatchOptions;
  readonly #pool: OriginPool;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (result: OutboundResult) => void;
  readonly #startedAt = performance.now();
  readonly #deadline: NodeJS.Timeout;
  readonly #onAbort: (() => void) | undefined;
  #ended = false;
  /** Set at the deadline: how it ends once its connection is closed. */
  #expired: { error: OutboundError; at: number } | null = null;
  #connection: Connection | null = null;
  #resent = false;
  #sentAt = 0;
  #firstByteAt = 0;
  #reused = false;
  #informational = 0;
  #statusCode = 0;
  #headers: [string, string][] = [];
  #body: Buffer = NO_BODY;
  #bodyBytes = 0;

  constructor(pool: OriginPool, options: ExchangeOptions, resolve: (result: OutboundResult) => void) {
    this.request = { path: options.path, method: "POST", headers: options.headers, body: options.body };
    this.#pool = pool;
    this.#timeoutMs = options.timeoutMs;
    this.#signal = options.signal;
    this.#resolve = resolve;
    this.#deadline = setTimeout(onDeadline, options.timeoutMs, this);
    if (options.signal !== undefined) {
      this.#onAbort = () => this.abort("aborted by this server");
      options.signal.addEventListener("abort", this.#onAbort, { once: true });
    }
  }

  abort(message: string): void {
    if (this.#expired) this.closeExpired();
    else this.#end({ code: "aborted", message });
  }

  /** The queue of the pool has no room for it. */
  rejectedByFullQueue(): void {
    this.#end({ code: "no_connection", message: "not sent: too many requests wait for this origin already" });
  }

  /** Called by the connection that took this exchange, again when it is sent a second time. */
  assigned(connection: Connection): void {
    this.#connection = connection;
  }

  /** The response has more bytes than allowed in all, framing included. */
  tooMuchRead(): void {
    this.#end({ code: "protocol", message: `the response exceeded ${WIRE_BYTES_MAX / 1024} KiB without completing` });
  }

  onConnect(): void {
    this.#sentAt = performance.now();
    this.#reused = this.#connection?.startExchange() ?? false;
  }

  onResponseStarted(): void {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
  }

  onHeaders(statusCode: number, headers: Buffer[]): boolean {
    if (this.#ended) return true;
    if (statusCode >= 200) {
      this.#statusCode = statusCode;
      this.#headers = keptHeaders(headers);
    } else if (++this.#informational > INFORMATIONAL_MAX) {
      this.#end({ code: "protocol", message: "the receiver sends informational responses without end" });
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#ended) return true;
    const room = BODY_KEPT_BYTES - this.#body.length;
    this.#bodyBytes += chunk.length;
    // Copies: a view would keep the socket's whole 64 KiB buffer alive for as long as the log row waits.
    if (room > 0) {
      const piece = chunk.length > room ? chunk.subarray(0, room) : chunk;
      this.#body = this.#body.length === 0 ? Buffer.from(piece) : Buffer.concat([this.#body, piece]);
    }
    if (this.#bodyBytes > BODY_KEPT_BYTES + BODY_DISCARDED_BYTES) this.#end(null);
    return true;
  }

  onComplete(): void {
    if (this.#ended) return;
    const connection = this.#connection;
    this.#connection = null;
    this.#finish(null, connection);
    if (connection !== null) this.#pool.release(connection);
  }

  onError(error: Error): void {
    if (this.#ended) return;
    if (this.#reused && this.#firstByteAt === 0 && !this.#resent && isConnectionLoss(error)) {
      this.#sendAgain();
      return;
    }
    this.#end(exchangeError(error, this.#stage()));
  }

  /**
   * A kept-alive connection the receiver closed while we were writing to it. Not a failure of the destination, and
   * sending again at once is safe: delivery is at least once and `webhook-id` is the same.
   */
  #sendAgain(): void {
    this.#resent = true;
    this.#reused = false;
    this.#sentAt = 0;
    const stale = this.#connection;
    this.#connection = null;
    if (stale !== null) this.#pool.discard(stale);
    this.#pool.submitFresh(this);
  }

  /** The deadline passed before its connection sent the request: ends it at once, so that it is not sent. */
  endUnsent(): void {
    this.#end(this.#timeout());
  }

  /** It was sent, or waits in the pool, from which `expire` removes it: nothing more is sent, so closing can wait. */
  get isSentOrQueued(): boolean {
    return this.#connection === null || this.#sentAt !== 0;
  }

  /** The deadline passed: a response that arrives later is ignored. `closeExpired` follows. */
  expire(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#expired = { error: this.#timeout(), at: performance.now() };
    if (this.#connection === null) this.#pool.withdraw(this);
  }

  /** Closes the connection of an expired exchange and resolves with the timeout. */
  closeExpired(): void {
    const expired = this.#expired;
    if (!expired) return;
    const connection = this.#connection;
    this.#connection = null;
    this.#finish(expired.error, connection);
    this.#expired = null;
    if (connection !== null) this.#pool.discard(connection);
  }

  #timeout(): OutboundError {
    const after = `after ${this.#timeoutMs / 1000} s`;
    if (this.#connection === null && !this.#resent)
      return { code: "no_connection", message: `not sent: no connection to this origin came free ${after}` };
    if (this.#connection?.waitsForLookup())
      return { code: "no_connection", message: `not sent: other lookups of this workspace took all turns ${after}` };
    const code = this.#connection?.waitsForProxy() ? "proxy" : "timeout";
    return { code, message: `timed out ${after} while ${this.#doing(this.#connection)}` };
  }

  #doing(connection: Connection | null): string {
    if (connection === null) return "waiting for a new connection";
    if (this.#sentAt === 0) return connection.connectingTo();
    if (this.#statusCode !== 0) return `reading the body of an HTTP ${this.#statusCode} response`;
    if (this.#firstByteAt === 0 && connection.unsentBytes() > 0) return "sending the request";
    return "waiting for the response's headers";
  }

  #stage(): string {
    if (this.#statusCode !== 0) return `while reading the body of an HTTP ${this.#statusCode} response`;
    return this.#firstByteAt === 0 ? "before responding" : "in the middle of the response's headers";
  }

  /** Every end but a complete response: the connection is in an unknown state and is discarded. */
  #end(error: OutboundError | null): void {
    if (this.#ended) return;
    const connection = this.#connection;
    this.#connection = null;
    this.#finish(error, connection);
    if (connection === null) this.#pool.withdraw(this);
    else this.#pool.discard(connection);
  }

  #finish(error: OutboundError | null, connection: Connection | null): void {
    this.#ended = true;
    clearTimeout(this.#deadline);
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener("abort", this.#onAbort);
    const connected = connection?.connected ?? null;
    const fresh = this.#reused ? null : connected;
    this.#resolve({
      statusCode: error === null ? this.#statusCode : 0,
      error,
      headers: this.#headers,
      body: this.#body,
      bodyTruncated: this.#bodyBytes > this.#body.length,
      timings: {
        dnsMs: rounded(fresh?.dnsMs ?? null),
        connectMs: rounded(fresh?.connectMs ?? null),
        tlsMs: rounded(fresh?.tlsMs ?? null),
        firstByteMs: this.#firstByteAt === 0 ? null : rounded(this.#firstByteAt - this.#sentAt),
        totalMs: rounded((this.#expired?.at ?? performance.now()) - this.#startedAt),
      },
      address: connected?.address ?? null,
      reusedConnection: this.#reused,
    });
  }
}

// Requests that started together time out together, hundreds of them if a receiver hangs. Closing one costs little, but the
// next delivery to that receiver follows: all at once they kept the process busy for a second.
const closeLater = createPaced((exchange: Exchange) => exchange.closeExpired());
const toEnd: Exchange[] = [];
const endAll = createTimeSlicer(
  () => toEnd.shift(),
  (exchange) => exchange.endUnsent(),
);

/** A request that its connection has not sent yet must be stopped at once; any other one may be closed a little later. */
function onDeadline(exchange: Exchange): void {
  if (exchange.isSentOrQueued) {
    exchange.expire();
    closeLater(exchange);
    return;
  }
  toEnd.push(exchange);
  endAll();
}

function keptHeaders(raw: Buffer[]): [string, string][] {
  const kept: [string, string][] = [];
  let bytes = 0;
  for (let index = 0; index + 1 < raw.length && kept.length < HEADERS_KEPT_MAX; index += 2) {
    const name = raw[index];
    const value = raw[index + 1];
    if (name === undefined || value === undefined) break;
    bytes += name.length + value.length;
    if (bytes > HEADERS_KEPT_BYTES) break;
    kept.push([name.toString("latin1"), value.toString("latin1")]);
  }
  return kept;
}

function rounded(ms: number): number;
function rounded(ms: number | null): number | null;
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100;
}
