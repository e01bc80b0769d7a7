import { WebhookVerificationError } from "./errors.ts";
import { EVENT_NAMES, type Event, type EventName } from "./generated.ts";

/** An event that this version of the client does not know; `name` is its type. */
export interface UnknownEvent {
  id: string;
  type: "unknown";
  name: string;
  timestamp: string;
  data: unknown;
  actor: { type: string; id: number | null; name: string | null };
}

export type WebhookEvent = Event | UnknownEvent;

export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface UnwrapOptions {
  /** How far `webhook-timestamp` may be from now, in seconds. 300 by default. */
  toleranceSeconds?: number | undefined;
}

/**
 * Verifies a delivery (Standard Webhooks) and returns its event, typed by `type`. Give the body exactly as it was received,
 * not parsed. `secret` may be several while one is being replaced.
 */
export async function unwrapWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: UnwrapOptions = {},
): Promise<WebhookEvent> {
  if (!isReceived(body)) throw new TypeError(NOT_PARSED);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError("webhook-timestamp is too far from the time of this machine.");
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const signatures = headerOf(headers, "webhook-signature")
    .split(" ")
    .filter((part) => part.startsWith("v1,"))
    .map((part) => bytesOf(part.slice(3)));
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!secrets?.some(Boolean))
    throw new TypeError("The secret is missing: give the webhook's, which begins with whsec_.");
  for (const one of secrets) {
    const key = await importKey(one);
    // WebCrypto compares in constant time.
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) return eventIn(text);
  }
  throw new WebhookVerificationError("No signature matches: another secret signed it, or the body was changed.");
}

const NOT_PARSED =
  "Give the body as it was received, as text or bytes, not parsed: the signature is over its bytes. " +
  'In Express use express.raw({ type: "application/json" }) for this route.';

/** By name, because an ArrayBuffer may come from another realm. */
const isReceived = (body: unknown): boolean =>
  typeof body === "string" ||
  ArrayBuffer.isView(body) ||
  /^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(body));

/** `headers` for a body, as Parley signs it; for tests of your own receiver. */
export async function signWebhook(
  id: string,
  body: string,
  secret: string,
  at: Date = new Date(),
): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", await importKey(secret), signed));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...digest))}`,
  };
}

function importKey(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0) throw new TypeError("The secret must be `whsec_` and base64.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === "string" ? value : value?.[0];
  if (!text) throw new WebhookVerificationError(`The header ${name} is missing.`);
  return text;
}

function eventIn(text: string): WebhookEvent {
  let event: Event | (Omit<UnknownEvent, "type" | "name"> & { type: string });
  try {
    event = JSON.parse(text);
  } catch {
    throw new WebhookVerificationError("The body is not JSON.");
  }
  return isKnown(event.type) ? (event as Event) : { ...event, type: "unknown", name: event.type };
}

const isKnown = (name: string): name is EventName => (EVENT_NAMES as readonly string[]).includes(name);
