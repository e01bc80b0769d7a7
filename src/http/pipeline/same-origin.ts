import type { FastifyRequest } from "fastify";
import { forbidden } from "../../core/errors.ts";

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;

export interface OwnPageOptions {
  publicUrl: string | null;
  /** A request without `Origin` and `Sec-Fetch-Site`: refused where a cookie authenticates it. */
  originless: "refuse" | "accept";
}

/**
 * Keeps other sites from writing in the name of whoever is signed in. A form cannot send the JSON type, a script of
 * another origin would have to ask first (CORS, which nobody is granted), and browsers say where a write comes from.
 */
export function requireOwnPage(request: FastifyRequest, { publicUrl, originless }: OwnPageOptions): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (!JSON_TYPE.test(contentTypeOf(request)))
    throw forbidden("A write with a session cookie needs the content type application/json.");
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site === "same-origin") return;
  if (origin === undefined && site === undefined && originless === "accept") return;
  if (origin !== undefined && ownOrigins(request, publicUrl).includes(origin.toLowerCase())) return;
  throw forbidden("This request does not come from the dashboard's own pages.");
}

/** As it was sent: the body parser has its own reading of odd types (see body.ts). */
function contentTypeOf(request: FastifyRequest): string {
  const { rawHeaders } = request.raw;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "content-type");
  return at === -1 ? "" : (rawHeaders[at + 1] ?? "");
}

/** With a public URL only that one: a `Host` header is the client's own text. Otherwise the host that was asked. */
const ownOrigins = (request: FastifyRequest, publicUrl: string | null): string[] =>
  publicUrl ? [new URL(publicUrl).origin] : [`${request.protocol}://${request.host}`.toLowerCase()];
