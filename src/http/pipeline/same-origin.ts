import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { isWithin } from "../../auth/allowed-ips.ts";
import { forbidden } from "../../core/errors.ts";
import { isForm, notJson } from "./body.ts";

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;

interface SameOriginOptions {
  publicUrl: string | null;
  /** A request that does not say where it comes from: refused if it carries a session cookie. */
  originless: "refuse" | "accept";
  /** The body is a file of any type. */
  upload?: boolean | undefined;
}

/**
 * Keeps other sites from writing in the name of a signed-in user. A form cannot send the JSON type, a script of
 * another origin would have to ask first (CORS, which is never granted to cookies), and browsers say where a write comes from.
 */
export function requireSameOrigin(request: FastifyRequest, options: SameOriginOptions): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  requireOwnOrigin(request, options);
  const type = contentTypeOf(request);
  // A form cannot send this header either, and a file keeps its own type.
  if (options.upload) {
    if (request.headers["x-parley-workspace"] === undefined)
      throw forbidden("An upload with a session cookie needs the header X-Parley-Workspace.");
  } else if (!JSON_TYPE.test(type)) {
    if (options.originless === "accept" && isForm(type)) throw notJson();
    throw forbidden("A write with a session cookie needs the content type application/json.");
  }
}

/** Whether an `Origin` header names this server. */
export const isOwnOrigin = (request: FastifyRequest, origin: string, publicUrl: string | null): boolean =>
  ownOrigins(request, { publicUrl }).includes(origin.toLowerCase());

function requireOwnOrigin(request: FastifyRequest, options: SameOriginOptions): void {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (origin === undefined) {
    if (site === "same-origin" || (site === undefined && options.originless === "accept")) return;
  } else if (ownOrigins(request, options).includes(origin.toLowerCase())) return;
  throw forbidden(
    "This request does not come from the dashboard's own pages. If you use this address, set PARLEY_PUBLIC_URL to it.",
  );
}

/** As it was sent: the body parser has its own reading of odd types (see body.ts). */
export function contentTypeOf(request: FastifyRequest): string {
  const { rawHeaders } = request.raw;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "content-type");
  return at === -1 ? "" : (rawHeaders[at + 1] ?? "");
}

/**
 * The public address; the host that a trusted proxy has seen; and where no public address is set, the Host header if it
 * names an address or localhost.
 * Any other Host could be a name that a stranger points at this server to make their page look like ours.
 */
function ownOrigins(request: FastifyRequest, { publicUrl }: Pick<SameOriginOptions, "publicUrl">): string[] {
  const origins = publicUrl ? [new URL(publicUrl).origin] : [];
  const isProxied = isWithin(request.socket.remoteAddress ?? "", request.server.trustedProxies);
  if (isProxied || (!publicUrl && isLocalName(request.hostname)))
    origins.push(`${request.protocol}://${request.host}`.toLowerCase());
  return origins;
}

const isLocalName = (hostname: string): boolean =>
  hostname.toLowerCase() === "localhost" || ipaddr.isValid(hostname.replace(/^\[(.*)\]$/, "$1"));
