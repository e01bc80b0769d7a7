import { ParleyError as ApiError, type PageLinks, type PageMeta, type RawResponse, Transport } from "@parley/client";
import { language } from "../lib/language.ts";
import { PAGE_ID } from "../lib/random-id.ts";
import { noteServerTime } from "../lib/server-clock.ts";
import { t, withTexts } from "../lib/texts.ts";
import { workspaceInUrl } from "../lib/workspace.ts";

/** An error response, or the lack of a response (`status` 0). Its message can be shown as it is. */
export { ParleyError as ApiError } from "@parley/client";

/** What an error says where no form shows its fields. An exception of the page itself arrives here too. */
export const reasonOf = (error: Error): string =>
  error instanceof ApiError
    ? Object.values(error.details).flat().join(" ") || error.message
    : t("Something went wrong in this page. Reload it.");

/**
 * What an error says beyond the fields that a form shows, such as a quota; null: each of its problems is shown at its
 * field.
 */
export function beyondFields({ message, details }: ApiError, fields: readonly string[]): string | null {
  const names = Object.keys(details);
  if (names.length === 0) return message;
  return names.flatMap((name) => (fields.includes(name) ? [] : (details[name] ?? []))).join(" ") || null;
}

export type QueryValues = Record<string, string | number | boolean | null | undefined>;

export interface CallOptions {
  body?: unknown;
  query?: QueryValues;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Another workspace than the one in the address. */
  workspace?: number | null;
  /** The page is being left: the request continues without it. Browsers allow this for small bodies only. */
  keepalive?: boolean;
}

export interface Page<T> {
  data: T[];
  meta: PageMeta;
  links: PageLinks;
}

/** A list read by cursor: `limit` in the query selects it. */
export interface CursorPage<T> {
  data: T[];
  meta: { next_cursor: string | null; has_more: boolean };
}

/** A record with the version that `If-Match` wants back. */
export interface Versioned<T> {
  record: T;
  etag: string | null;
}

/** Calls the public API (`/api/v1` + path) as the signed-in user and returns `data`. */
export const api = async <T>(method: string, path: string, options?: CallOptions): Promise<T> =>
  (await send<T>(method, path, options)).data;

/** The same for a list with page numbers: with `meta` and `links`. */
export const apiPage = async <T>(path: string, options?: CallOptions): Promise<Page<T>> =>
  (await send("GET", path, options)).body as unknown as Page<T>;

/** The same for a list read by cursor. */
export const apiCursorPage = async <T>(path: string, options?: CallOptions): Promise<CursorPage<T>> =>
  (await send("GET", path, options)).body as unknown as CursorPage<T>;

/** The same for one record, with its version. */
export async function apiVersioned<T>(method: string, path: string, options?: CallOptions): Promise<Versioned<T>> {
  const { data, headers } = await send<T>(method, path, options);
  return { record: data, etag: headers.get("etag") };
}

/** Calls what only the dashboard uses (`/dashboard-api` + path) and returns `data`. */
export const dashboardApi = async <T>(method: string, path: string, options?: CallOptions): Promise<T> =>
  (await send<T>(method, path, options, DASHBOARD_ROOT)).data;

/** The same for a list with page numbers. */
export const dashboardPage = async <T>(path: string, options?: CallOptions): Promise<Page<T>> =>
  (await send("GET", path, options, DASHBOARD_ROOT)).body as unknown as Page<T>;

/** Every record of a list that is read as a whole: what a response cannot hold is read page by page after it. */
export async function apiAll<T>(path: string, { signal }: Pick<CallOptions, "signal"> = {}): Promise<T[]> {
  const all: T[] = [];
  let query: QueryValues = {};
  for (;;) {
    const { data, links } = await apiPage<T>(path, { query, ...(signal ? { signal } : {}) });
    all.push(...data);
    if (!links?.next) return all;
    query = Object.fromEntries(new URL(links.next).searchParams);
  }
}

/** The header of a change that must not overwrite what another user changed meanwhile. */
export const ifMatch = (etag: string | null): { headers?: Record<string, string> } =>
  etag === null ? {} : { headers: { "if-match": etag } };

/**
 * Changes fields of a record unless another user has changed one of them since `base` was read: then it fails with 412
 * and changes nothing. Changes to other fields are not a conflict.
 */
export async function patchUnlessChanged<T extends object>(path: string, base: T, changes: Partial<T>): Promise<T> {
  const { record, etag } = await apiVersioned<T>("GET", path);
  const fields = Object.keys(changes) as (keyof T)[];
  if (fields.some((field) => stableText(record[field]) !== stableText(base[field])))
    throw conflict(t("It has changed since you read it."));
  return api("PATCH", path, { body: changes, ...ifMatch(etag) });
}

/** What the server would say, found before it was asked. */
export const conflict = (message: string): ApiError =>
  new ApiError({ status: 412, code: "PRECONDITION_FAILED", message });

/** The same for equal values, in whatever order their fields are. */
const stableText = (value: unknown): string =>
  JSON.stringify(value, (_name, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  ) ?? "";

/** `removed`: the user no longer belongs to the workspace, so signing in again does not help. */
export type SessionEnd = "ended" | "removed";

const sessionEndListeners = new Set<(why: SessionEnd) => void>();

/** Called when the server no longer accepts the session. */
export function onSessionEnd(listener: (why: SessionEnd) => void): () => void {
  sessionEndListeners.add(listener);
  return () => sessionEndListeners.delete(listener);
}

/** The page stays as it is, and asks its user to sign in again. */
export function reportSessionEnd(why: SessionEnd = "ended"): void {
  for (const listener of sessionEndListeners) listener(why);
}

/** The header that names the caller's workspace; also for what the browser sends by other means. */
export const commonHeaders = (workspace: number | null = workspaceInUrl()): Record<string, string> =>
  workspace === null ? {} : { "x-parley-workspace": String(workspace) };

const API_ROOT = "/api/v1";
const DASHBOARD_ROOT = "/dashboard-api";
/** A read is tried again by its query, a change by its user. */
const ONE_ATTEMPT = { maxRetries: 0, timeoutMs: 60_000 };

/** The API as the signed-in user, whose cookie the browser sends. */
export const transportTo = (root = API_ROOT): Transport =>
  new Transport({ url: window.location.origin, key: null, fetch: fetchAndNoteTime, ...ONE_ATTEMPT }, root);

async function fetchAndNoteTime(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  noteServerTime(response.headers.get("date"));
  return response;
}

/** Why nothing is sent any more, whatever asks for it. */
let refusal: string | null = null;

/** Until the function that it returns is called, requests that need a session fail without being sent. */
export function refuseRequests(reason: string): () => void {
  refusal = reason;
  return () => {
    refusal = null;
  };
}

const refused = (message: string): ApiError => new ApiError({ status: 401, code: "UNAUTHORIZED", message });

async function send<T>(
  method: string,
  path: string,
  { query = {}, headers, workspace, keepalive = false, ...options }: CallOptions = {},
  root = API_ROOT,
): Promise<RawResponse<T>> {
  if (refusal !== null && !PUBLIC_CALLS.test(root + path)) throw refused(refusal);
  try {
    return await transportTo(root).request<T>(method, path, {
      ...options,
      query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== "")),
      headers: {
        ...commonHeaders(workspace),
        "x-parley-page": PAGE_ID,
        // The server requires it on every write, with or without a body: a form on another site cannot send it.
        ...(method === "GET" ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      keepalive: keepalive && outlivesPage(JSON.stringify(options.body) ?? ""),
    });
  } catch (error) {
    if (error instanceof ApiError) {
      explain(error, root + path);
      await translate(error);
    }
    throw error;
  }
}

const sentences = withTexts("errors", () => import("../errors/sentences.ts"));

/** Turns what the server says in English into the language of the page; without a connection it stays as it is. */
export async function loadTranslator(): Promise<(message: string) => string> {
  if (language === "en") return (message) => message;
  return (await sentences().catch(() => null))?.inLanguage ?? ((message) => message);
}

export async function translate(error: ApiError): Promise<void> {
  if (error.status === 0) return;
  const said = await loadTranslator();
  error.message = said(error.message);
  for (const [field, messages] of Object.entries(error.details)) error.details[field] = messages.map(said);
}

/** Says it in the words of the page, which also learns that its session has ended. */
function explain(error: ApiError, path: string): void {
  if (error.status === 0) error.message = t("The server did not respond. Check your connection, then try again.");
  else if (isRemoval(error)) reportSessionEnd("removed");
  else if (error.status === 401 && !PUBLIC_CALLS.test(path)) {
    // The API speaks of its keys, which people who sign in do not use.
    error.message = t("You are signed out. Sign in again, then retry.");
    reportSessionEnd();
  }
}

/** From the last workspace of the user, or from one of several. */
export const isRemoval = ({ status, message, details }: ApiError): boolean =>
  (status === 401 && details.workspace !== undefined) ||
  (status === 404 && message === "The workspace does not exist.");

/** The browser's limit is 64 KiB over all such requests; a character takes up to three bytes. */
const KEEPALIVE_CHARS_MAX = 16_000;

/** Whether requests with this text, all together, continue when the page is left. */
export const outlivesPage = (text: string): boolean => text.length < KEEPALIVE_CHARS_MAX;

/** Where 401 means a wrong password, or that no user is signed in. */
const PUBLIC_CALLS =
  /^\/dashboard-api\/(?:session|sign-in|sign-out|sso|setup|setup-check|password-reset|password-reset-check|password-reset-request|accept-invitation|invitation-preview)(?:\/|$)/;
