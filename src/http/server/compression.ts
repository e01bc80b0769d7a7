import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Below this the headers outweigh what is saved. */
const BYTES_MIN = 1_400;
/** A level that costs about as much as it saves in sending; pages that never change are compressed once, at the best. */
const BROTLI_QUALITY = 4;
const COMPRESSIBLE = /^(?:application\/json|text\/(?:html|plain|css|javascript)|image\/svg)/;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Responses of some size are sent as br or gzip, where the client accepts one. Streams and files are left alone. */
export function compressResponses(fastify: FastifyInstance): void {
  fastify.addHook("onSend", async (request, reply, payload: unknown) => {
    if (!isCompressible(reply, payload)) return payload;
    appendVary(reply);
    const encoding = acceptedEncoding(request);
    if (!encoding) return payload;
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const compressed = encoding === "br" ? await toBrotli(bytes, BROTLI) : await toGzip(bytes);
    reply.header("content-encoding", encoding);
    reply.header("content-length", compressed.length);
    return compressed;
  });
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return false;
  if (payload.length < BYTES_MIN || reply.hasHeader("content-encoding")) return false;
  return COMPRESSIBLE.test(String(reply.getHeader("content-type") ?? ""));
}

/** The client's `Accept-Encoding`, where `;q=0` means no. */
function acceptedEncoding(request: FastifyRequest): "br" | "gzip" | null {
  const accepted = String(request.headers["accept-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((item) => item.trim())
    .filter((item) => !/;\s*q=0(?:\.0*)?$/.test(item))
    .map((item) => item.split(";")[0]?.trim());
  if (accepted.includes("br")) return "br";
  return accepted.includes("gzip") || accepted.includes("*") ? "gzip" : null;
}

function appendVary(reply: FastifyReply): void {
  const vary = String(reply.getHeader("vary") ?? "");
  if (!/accept-encoding/i.test(vary)) reply.header("vary", vary ? `${vary}, accept-encoding` : "accept-encoding");
}
