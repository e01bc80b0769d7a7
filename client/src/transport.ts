import { backOffMs, sleep } from "./back-off.ts";
import { ConnectionError, type ParleyError, TimeoutError } from "./errors.ts";
import { errorOf } from "./response-error.ts";

export interface ParleyOptions {
  /** Where the server is, such as `https://parley.example.com`. */
  url: string;
  /**
   * An API key's secret. Null in a page of the server's own origin: its requests carry the cookie of the user who is
   * signed in, and the header `x-parley-workspace` names the workspace.
   */
  key: string | null;
  /** Further attempts after a temporary failure. 3 by default; 0 turns retries off. */
  maxRetries?: number | undefined;
  /** How long one attempt may take, in milliseconds. 30,000 by default. */
  timeoutMs?: number | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Another implementation of `fetch`. */
  fetch?: typeof fetch | undefined;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** For a POST. A random one is generated for each call otherwise; it stays the same over the retries of that call. */
  idempotencyKey?: string | undefined;
}

export type Query = Record<string, unknown>;

export interface RawRequest extends RequestOptions {
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is; its content type belongs in `headers`. */
  rawBody?: Blob | ArrayBuffer | Uint8Array | string | undefined;
  /** The response is plain text, such as a transcript; it becomes `data`. */
  asText?: boolean | undefined;
  /** The page is being left: the request continues without it. Browsers allow this for small bodies only. */
  keepalive?: boolean | undefined;
}

/** A success as it came, for what the methods leave out: `meta`, `links`, headers. */
export interface RawResponse<T = unknown> {
  status: number;
  headers: Headers;
  requestId: string;
  data: T;
  body: {
    success: true;
    data: T;
    meta?: Record<string, unknown>;
    links?: Record<string, string | null>;
    /** Unknown names, where `headers` asks for `prefer: handling=lenient`; they are an error otherwise. */
    warnings?: { field: string; message: string }[];
  };
}

const BACK_OFF_MS_MAX = 8_000;
/** A server that asks for a longer pause gets its error passed on: the caller decides whether to wait that long. */
const RETRY_AFTER_SECONDS_MAX = 60;

const API_ROOT = "/api/v1";

export class Transport {
  readonly base: string;
  readonly #options: ParleyOptions;
  readonly #fetch: typeof fetch;

  /** @param root what the paths of requests follow */
  constructor(options: ParleyOptions, root = API_ROOT) {
    if (!options.key && options.key !== null) throw new TypeError("`key` is missing: give an API key's secret.");
    const url = URL.canParse(options.url) ? new URL(options.url) : null;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new TypeError("`url` must be the server's http or https URL, such as https://parley.example.com.");
    this.base = `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "")}${root}`;
    this.#options = options;
    // Bound: a browser's fetch refuses to be called as a method of something else.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** One attempt, whatever its outcome; the caller reads or cancels the body. */
  open(method: string, path: string, request: RawRequest): Promise<Response> {
    const { body, rawBody, signal, keepalive = false } = request;
    const { key } = this.#options;
    const headers: Record<string, string> = {
      accept: "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      // A misspelt field is an error here, not a warning that no caller sees.
      prefer: "handling=strict",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...this.#options.headers,
      ...request.headers,
    };
    return this.#fetch(this.base + path + queryText(request.query), {
      method,
      headers,
      ...(keepalive ? { keepalive } : {}),
      ...(signal ? { signal } : {}),
      ...(body !== undefined || rawBody !== undefined
        ? { body: body === undefined ? (rawBody as NonNullable<RequestInit["body"]>) : JSON.stringify(body) }
        : {}),
    });
  }

  /** A request with its retries. */
  async request<T = unknown>(method: string, path: string, request: RawRequest = {}): Promise<RawResponse<T>> {
    const { maxRetries = this.#options.maxRetries ?? 3, signal } = request;
    const key = method === "POST" && (request.idempotencyKey ?? (maxRetries > 0 && crypto.randomUUID()));
    const headers = key ? { "idempotency-key": key, ...request.headers } : request.headers;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt<T>(method, path, { ...request, headers });
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (attempt >= maxRetries || !isTemporary(error as ParleyError)) throw error;
        await sleep(backOffMs(attempt, BACK_OFF_MS_MAX, (error as ParleyError).retryAfter), signal);
      }
    }
  }

  async #attempt<T>(method: string, path: string, request: RawRequest): Promise<RawResponse<T>> {
    const { timeoutMs = this.#options.timeoutMs ?? 30_000, signal } = request;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const onAbort = () => deadline.abort();
    signal?.addEventListener("abort", onAbort);
    try {
      signal?.throwIfAborted();
      const response = await this.open(method, path, { ...request, signal: deadline.signal });
      const body = bodyOf(response, await response.text(), request.asText);
      if (!response.ok || body === null) throw errorOf(response, body);
      return {
        status: response.status,
        headers: response.headers,
        requestId: response.headers.get("x-request-id") ?? "",
        data: (body as RawResponse<T>["body"]).data,
        body: body as RawResponse<T>["body"],
      };
    } catch (error) {
      if (error instanceof Error && "requestId" in error) throw error;
      if (signal?.aborted) throw signal.reason;
      throw unreachable(this.base, error, deadline.signal.aborted ? timeoutMs : null);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }
}

/** What fetch throws says little in `message`; the reason is in its cause. */
export function unreachable(base: string, error: unknown, timeoutMs: number | null): ParleyError {
  const none = { status: 0, requestId: "", cause: error };
  const server = new URL(base).origin;
  if (timeoutMs !== null)
    return new TimeoutError({
      ...none,
      code: "TIMEOUT",
      message: `There was no response from ${server} within ${timeoutMs} ms.`,
    });
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const reason = cause?.code ?? cause?.message ?? message;
  return new ConnectionError({
    ...none,
    code: "CONNECTION_FAILED",
    message: `The request to ${server} failed: ${reason}.`,
  });
}

/** Network errors, 408, 429 and 5xx may succeed later. A 409 does not: the state of the resource does not allow the request. */
const isTemporary = ({ status, retryAfter = 0 }: ParleyError): boolean =>
  (status === 0 || status === 408 || status === 429 || status >= 500) && retryAfter <= RETRY_AFTER_SECONDS_MAX;

function queryText(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (pairs.length === 0) return "";
  return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, text(value)]))}`;
}

const text = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/** Only where text is asked for: the text of another program at a wrong address is not a response of the API. */
const bodyOf = (response: Response, text: string, asText = false): unknown =>
  asText && response.ok && response.headers.get("content-type")?.startsWith("text/plain")
    ? { data: text }
    : parse(text);

export function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
