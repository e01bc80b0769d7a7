import { chosenWorkspace } from "../lib/workspace.ts";
import type { PageLinks, PageMeta } from "./schema.ts";

/** An error the server answered, or the lack of an answer (`status` 0). Its message is fit to be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, string[]>;
  readonly retryAfter: number | null;
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, more: Partial<ApiError> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details ?? {};
    this.retryAfter = more.retryAfter ?? null;
    this.requestId = more.requestId ?? null;
  }
}

export type QueryValues = Record<string, string | number | boolean | null | undefined>;

export interface CallOptions {
  body?: unknown;
  query?: QueryValues;
  signal?: AbortSignal;
}

export interface Page<T> {
  data: T[];
  meta: PageMeta;
  links: PageLinks;
}

/** Calls the public API (`/api/v1` + path) as the signed-in person and answers `data`. */
export const api = async <T>(method: string, path: string, options?: CallOptions): Promise<T> =>
  ((await send(method, `/api/v1${path}`, options)) as { data: T }).data;

/** The same for a paged list: with `meta` and `links`. */
export const apiPage = async <T>(path: string, options?: CallOptions): Promise<Page<T>> =>
  (await send("GET", `/api/v1${path}`, options)) as Page<T>;

/** Calls what only the dashboard uses (`/dashboard-api` + path) and answers `data`. */
export const dashboardApi = async <T>(method: string, path: string, options?: CallOptions): Promise<T> =>
  ((await send(method, `/dashboard-api${path}`, options)) as { data: T }).data;

const onSignedOut = new Set<() => void>();

/** Told when the server no longer knows the session. */
export function whenSignedOut(listener: () => void): () => void {
  onSignedOut.add(listener);
  return () => onSignedOut.delete(listener);
}

async function send(method: string, path: string, { body, query, signal }: CallOptions = {}): Promise<unknown> {
  const workspace = chosenWorkspace();
  const headers: Record<string, string> = { accept: "application/json" };
  if (workspace !== null) headers["x-parley-workspace"] = workspace;
  // The server asks for it on every write, with or without a body: a form on another site cannot send it.
  if (method !== "GET") headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(path + searchOf(query), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "UNREACHABLE", "The server did not answer. Check your connection, then try again.");
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  const error = toApiError(response, answer);
  if (error.status === 401 && !PUBLIC_CALLS.test(path)) for (const listener of onSignedOut) listener();
  throw error;
}

/** Where 401 means a wrong password, or simply that nobody is signed in yet. */
const PUBLIC_CALLS = /^\/dashboard-api\/(?:session|sign-in|setup|accept-invitation|invitation-preview)$/;

interface ErrorBody {
  error?: { code?: string; message?: string; details?: Record<string, string[]>; retry_after?: number };
}

function toApiError(response: Response, answer: ErrorBody | null): ApiError {
  const { code = "UNKNOWN", message = "The server answered in a way this page does not understand." } =
    answer?.error ?? {};
  const header = Number(response.headers.get("retry-after"));
  return new ApiError(response.status, code, message, {
    details: answer?.error?.details ?? {},
    retryAfter: answer?.error?.retry_after ?? (header > 0 ? header : null),
    requestId: response.headers.get("x-request-id"),
  });
}

function searchOf(query: QueryValues | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}
