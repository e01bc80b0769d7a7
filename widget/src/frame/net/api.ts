/** What a request of a visitor can end with, apart from its data. */
export class RequestError extends Error {
  readonly code: string;
  readonly retryAfterSeconds: number;
  constructor(code: string, message: string, retryAfterSeconds = 0) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The server was not reached, or could not respond: worth another try. */
export const UNREACHABLE = "UNREACHABLE";

const TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 300_000;

interface Request {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  session: string;
  body?: unknown;
  file?: Blob;
  keepalive?: boolean;
}

type Page<Item> = { items: Item[]; nextCursor: string | null };

interface Envelope<Data> {
  data: Data;
  meta?: { next_cursor?: string | null };
}

export interface VisitorApi {
  request<Data>(path: string, request: Request): Promise<Data>;
  page<Item>(path: string, request: Request): Promise<Page<Item>>;
  /** The response itself, for what is not JSON. */
  raw(path: string, request: Request & { headers?: Record<string, string>; signal?: AbortSignal }): Promise<Response>;
}

/** Requests to the visitor routes of one widget. The session travels in a header; nothing of it is in an address. */
export function createApi(publicId: string): VisitorApi {
  const base = `/widget-api/${encodeURIComponent(publicId)}/`;
  const raw: VisitorApi["raw"] = async (path, { method = "GET", session, body, file, keepalive, headers, signal }) => {
    const response = await fetch(base + path, {
      method,
      credentials: "omit",
      cache: "no-store",
      keepalive: keepalive ?? false,
      headers: {
        "parley-session": session,
        ...(file ? { "content-type": file.type || "application/octet-stream" } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(file ? { body: file } : body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? AbortSignal.timeout(file ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new RequestError(UNREACHABLE, String(error));
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  const json = async <Data>(path: string, request: Request): Promise<Envelope<Data>> => {
    const response = await raw(path, request);
    if (response.status === 204) return { data: undefined as Data };
    return (await response.json().catch((error: unknown) => {
      throw new RequestError(UNREACHABLE, String(error));
    })) as Envelope<Data>;
  };
  return {
    raw,
    request: async <Data>(path: string, request: Request) => (await json<Data>(path, request)).data,
    page: async <Item>(path: string, request: Request) => {
      const { data, meta } = await json<Item[]>(path, request);
      return { items: data, nextCursor: meta?.next_cursor ?? null };
    },
  };
}

async function errorOf(response: Response): Promise<RequestError> {
  const body = (await response.json().catch(() => null)) as {
    error?: { code?: string; message?: string; retry_after?: number; details?: { retry_after?: number } };
  } | null;
  const { code = "", message = "", retry_after } = body?.error ?? {};
  const wait = Number(retry_after ?? body?.error?.details?.retry_after ?? response.headers.get("retry-after")) || 5;
  if (response.status === 429) return new RequestError("RATE_LIMIT_EXCEEDED", message, wait);
  if (response.status >= 500 || response.status === 408) return new RequestError(UNREACHABLE, message);
  return new RequestError(code || `HTTP_${response.status}`, message);
}
