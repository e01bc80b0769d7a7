import { type IncomingMessage, request as requestPlain } from "node:http";
import type { Socket } from "node:net";
import { createSecureContext } from "node:tls";
import type { AddressPolicy } from "./address-policy.ts";
import { openConnection } from "./connector.ts";
import { parseDestination, targetOf } from "./destination.ts";
import type { EgressProxy } from "./egress-proxy.ts";
import { OutboundFailure } from "./failure.ts";
import type { Lookup } from "./lookup.ts";

interface GuardedGetOptions {
  policy: AddressPolicy;
  lookup: Lookup;
  /** Every connection goes through it. Absent: connections are direct. */
  proxy?: EgressProxy | undefined;
  userAgent: string;
  timeoutMs: number;
  bytesMax: number;
  redirectsMax: number;
}

/** Reads what is at an address that the sender of a mail chose. Rejects with an `OutboundFailure`. */
type GuardedGet = (url: string, options: { group: string; accept: string }) => Promise<Buffer>;

/**
 * GET without cookies, credentials or a referrer. Each connection is for one request, and each redirect is judged as the
 * first address was. What is larger than the limit is cut off and refused.
 */
export function createGuardedGet(options: GuardedGetOptions): GuardedGet {
  const getting = { ...options, secureContext: createSecureContext() };
  return async (first, { group, accept }) => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    let url = first;
    for (let redirects = 0; redirects <= options.redirectsMax; redirects++) {
      const found = await getOnce(getting, url, { group, accept, signal });
      if (Buffer.isBuffer(found)) return found;
      url = found.redirectedTo;
    }
    throw new OutboundFailure("protocol", "too many redirects");
  };
}

interface OneGet {
  group: string;
  accept: string;
  signal: AbortSignal;
}

type Getting = GuardedGetOptions & { secureContext: ReturnType<typeof createSecureContext> };

async function getOnce(getting: Getting, text: string, get: OneGet): Promise<Buffer | { redirectedTo: string }> {
  const parsed = parseDestination(text);
  if (!parsed.ok) throw new OutboundFailure("invalid_request", parsed.message);
  const { url } = parsed;
  const target = { ...targetOf(parsed), group: get.group };
  const socket = await openConnection(target, getting, { signal: get.signal, tooLate });
  try {
    const response = await respond(socket, { url, headers: headersOf(getting, url, get), signal: get.signal });
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined)
      return { redirectedTo: new URL(headers.location, url).href };
    if (statusCode !== 200) throw new OutboundFailure("protocol", `the server responded with ${statusCode}`);
    return await bodyOf(response, getting.bytesMax);
  } catch (error) {
    if (error instanceof OutboundFailure) throw error;
    if (get.signal.aborted) throw tooLate();
    throw new OutboundFailure("protocol", (error as Error).message);
  } finally {
    socket.destroy();
  }
}

const headersOf = ({ userAgent }: Getting, url: URL, { accept }: OneGet): Record<string, string> => ({
  host: url.host,
  "user-agent": userAgent,
  accept,
  "accept-encoding": "identity",
  connection: "close",
});

interface Asked {
  url: URL;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Over a connection that is open, and encrypted where the address says so. */
const respond = (socket: Socket, { url, headers, signal }: Asked): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const path = `${url.pathname}${url.search}`;
    const request = requestPlain({ createConnection: () => socket, path, headers, signal });
    request.once("response", resolve).once("error", reject).end();
  });

async function bodyOf(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new OutboundFailure("protocol", `the response is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLate = (): OutboundFailure => new OutboundFailure("timeout", "the server took too long");
