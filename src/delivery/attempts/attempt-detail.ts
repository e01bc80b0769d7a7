import { DELIVERY_HEADER } from "../../core/delivery-header.ts";
import { eventPublicId } from "../../events/outbox.ts";
import type { OutboundTimings } from "../../url-guard/index.ts";

type Header = [name: string, value: string];

/** What is stored of an attempt beyond the columns of the list; each part is limited where it is created. */
export interface AttemptDetail {
  url: string;
  requestHeaders: Header[];
  responseHeaders: Header[];
  responseBody: string;
  isResponseBodyTruncated: boolean;
  address: string | null;
  timings: OutboundTimings;
  /** Only where it was made by a template or from example data: every other body is that of a stored event. */
  requestBody?: string;
}

/** In every request of an event, so they are not stored with each attempt. */
export const eventHeaders = (eventUuid: string): Header[] => [
  ["content-type", "application/json"],
  ["webhook-id", eventPublicId(eventUuid)],
];
const EVENT_HEADERS = new Set(["content-type", "webhook-id"]);

/** Shown in the logs of earlier attempts too: with another value, each attempt has to store its own. */
export const USER_AGENT = "Parley-Webhooks/1";

/** With those that are added to every request when it is sent, and are therefore not stored with each attempt either. */
export function sentHeaders(headers: readonly Header[]): Header[] {
  const hasUserAgent = headers.some(([name]) => name.toLowerCase() === "user-agent");
  return [...headers, ...(hasUserAgent ? [] : [["user-agent", USER_AGENT] as Header]), [DELIVERY_HEADER, "1"]];
}

type StoredDetail = [
  url: string,
  requestHeaders: string[],
  responseHeaders: string[],
  responseBody: string,
  isResponseBodyTruncated: 0 | 1,
  address: string | null,
  dnsMs: number | null,
  connectMs: number | null,
  tlsMs: number | null,
  firstByteMs: number | null,
  totalMs: number,
  requestBody?: string,
];

/**
 * A JSON array without names, headers as name, value, name, value …: there is a row for each attempt, and with names and
 * the headers that every request of an event has it took twice the space.
 */
export function encodeDetail(detail: AttemptDetail): string {
  const { timings } = detail;
  const stored: StoredDetail = [
    detail.url,
    flat(detail.requestHeaders.filter(([name]) => !EVENT_HEADERS.has(name))),
    flat(detail.responseHeaders),
    detail.responseBody,
    detail.isResponseBodyTruncated ? 1 : 0,
    detail.address,
    timings.dnsMs,
    timings.connectMs,
    timings.tlsMs,
    timings.firstByteMs,
    timings.totalMs,
  ];
  if (detail.requestBody !== undefined) stored.push(detail.requestBody);
  return JSON.stringify(stored);
}

export function decodeDetail(text: string, eventUuid: string): AttemptDetail {
  const [url, requestHeaders, responseHeaders, responseBody, truncated, address, ...rest]: StoredDetail =
    JSON.parse(text);
  const [dnsMs, connectMs, tlsMs, firstByteMs, totalMs, requestBody] = rest;
  return {
    url,
    requestHeaders: [...eventHeaders(eventUuid), ...inPairs(requestHeaders)],
    responseHeaders: inPairs(responseHeaders),
    responseBody,
    isResponseBodyTruncated: truncated === 1,
    address,
    timings: { dnsMs, connectMs, tlsMs, firstByteMs, totalMs },
    ...(requestBody === undefined ? {} : { requestBody }),
  };
}

function flat(headers: readonly Header[]): string[] {
  const list: string[] = [];
  for (const [name, value] of headers) list.push(name, value);
  return list;
}

function inPairs(list: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let at = 0; at + 1 < list.length; at += 2) headers.push([list[at] as string, list[at + 1] as string]);
  return headers;
}
