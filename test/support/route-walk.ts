import { randomUUID } from "node:crypto";
import { encodeCursor } from "../../src/events/event-cursor.ts";
import type { RouteSpec } from "../../src/http/pipeline/route.ts";
import { fill, type MadeIds, makeFor, makeMessageFor, parametersOf } from "./route-fixtures.ts";

/** What the tests that walk the registry of routes share. */

export const UNKNOWN_ID = 999_999_999;

export const nameOf = (spec: RouteSpec): string => `${spec.method} ${spec.path}`;
export const withUnknownIds = (spec: RouteSpec): string => fill(spec.path, () => UNKNOWN_ID);
/** A route that keys may call; the others are for people, and every key gets a 403. */
export const forKeys = (spec: RouteSpec): boolean => !spec.peopleOnly && !createsWhatItNames(spec);
/** Its path names what is to be created, so that no name is unknown: test/api/consumers.test.ts covers it. */
const createsWhatItNames = ({ method }: RouteSpec): boolean => method === "PUT";
export const hasParameters = (spec: RouteSpec): boolean => parametersOf(spec.path).length > 0;

export interface Probe {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
  body: any;
  text: string;
}

export interface ProbeOptions {
  /** Sent as it is when it is text or bytes, else as JSON. */
  body?: object | string | Buffer;
  headers?: Record<string, string>;
}

/** Calls a route; `path` is the spec's, filled in. A stream is left after its headers. */
export async function probe(
  base: string,
  spec: RouteSpec,
  path: string,
  key: string | null,
  { body, headers = {} }: ProbeOptions = {},
): Promise<Probe> {
  const leave = new AbortController();
  const given = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
  const response = await fetch(`${base}/api/v1${path}`, {
    method: spec.method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined || spec.method === "GET" ? {} : { body: given ? body : JSON.stringify(body) }),
    signal: leave.signal,
  });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    leave.abort();
    return { status: response.status, headers: response.headers, body: { success: true, data: "" }, text: "" };
  }
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const parsed = isJson ? JSON.parse(text) : { success: true, data: text };
  return { status: response.status, headers: response.headers, body: parsed, text };
}

/** A body that each route with one takes. A route that is missing here fails the walks that need it. */
const GOOD_BODIES: Record<string, object> = {
  "POST /api-keys": { name: "good" },
  "PATCH /api-keys/{key}": { name: "good" },
  "POST /api-keys/{key}/rotate": { overlap_seconds: 60 },
  "PUT /consumers/{consumer}": { start: "now" },
  "POST /consumers/{consumer}/reset": { start: "now" },
  // Of the first workspace, whose key the walks have.
  "POST /consumers/{consumer}/ack": { cursor: encodeCursor(1, 0) },
  "POST /contacts": { name: "good" },
  "PATCH /contacts/{contact}": { name: "good" },
  "POST /conversations": { subject: "good" },
  "PATCH /conversations/{conversation}": { subject: "good" },
  "POST /conversations/{conversation}/messages": { body: "good" },
  "PATCH /conversations/{conversation}/messages/{message}": { body: "good" },
  "POST /conversations/{conversation}/read": { seq: 1 },
  "POST /conversations/{conversation}/drafts": { body: "good" },
  "PATCH /conversations/{conversation}/drafts/{draft}": { body: "good" },
  "POST /conversations/bulk": { ids: [1], set: { status: "open" } },
  "POST /saved-replies": { name: "good", body: "good" },
  "PATCH /saved-replies/{saved_reply}": { name: "good" },
  "POST /views": { name: "good", filters: { status: "open" } },
  "PATCH /views/{view}": { name: "good" },
  // With an address of its own each time: see goodBodyOf.
  "POST /mailboxes": { name: "good", outbound: { host: "127.0.0.1", port: 25, security: "none" } },
  "PATCH /mailboxes/{mailbox}": { name: "good" },
  "POST /webhooks": { name: "good", url: "http://127.0.0.1:9/", events: ["message.created"] },
  "PATCH /webhooks/{webhook}": { name: "good" },
  "POST /webhooks/preview": { events: ["message.created"] },
  "POST /webhooks/{webhook}/disable": { reason: "good" },
  "POST /webhooks/{webhook}/rotate-secret": { overlap_seconds: 60 },
  "POST /widgets": { name: "good", allowed_origins: ["https://shop.example"] },
  "PATCH /widgets/{widget}": { name: "good" },
  "POST /widgets/{widget}/rotate-secret": { overlap_seconds: 60 },
  "POST /webhooks/{webhook}/recover": { since: "2020-01-01T00:00:00Z", dry_run: true },
};

export function goodBodyOf(spec: RouteSpec): object | undefined {
  if (!spec.body) return undefined;
  const body = GOOD_BODIES[nameOf(spec)];
  if (!body) throw new Error(`No good body for ${nameOf(spec)}: add one to test/support/route-walk.ts.`);
  // A second mailbox with the same address is a 409.
  return nameOf(spec) === "POST /mailboxes" ? { ...body, address: `${randomUUID()}@mail.example` } : body;
}

/** The type of what a route takes that is not JSON. */
export const uploadHeadersOf = (spec: RouteSpec): Record<string, string> =>
  spec.upload && nameOf(spec) !== "POST /files" ? { "content-type": "message/rfc822" } : {};

/** A mail, for the route that takes one: each time another, as one that is stored already is not stored again. */
export const goodMailOf = (spec: RouteSpec): string | undefined =>
  spec.upload === "message/rfc822"
    ? `From: good@mail.example\r\nMessage-ID: <${randomUUID()}@mail.example>\r\n\r\ngood`
    : undefined;

/** The path of a route with resources of this key's workspace in it. */
export async function ownPath(base: string, spec: RouteSpec, key: string): Promise<string> {
  const known = await makeMessageFor(spec.path, base, key);
  const made: MadeIds = await makeFor(spec.path, base, key, known);
  return fill(spec.path, (name) => made[name] ?? "") + (nameOf(spec) === "POST /files" ? "?name=good.txt" : "");
}
