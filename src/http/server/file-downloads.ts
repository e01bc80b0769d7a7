import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { forbidden, notFound, unavailable } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import { parseRef } from "../../core/ids.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import { findLinkedFile, readBytes } from "../../files/download.ts";
import { FILES_PATH, stateOfLink } from "../../files/links.ts";
import { contentDisposition, servedAs } from "../../files/names.ts";

/**
 * What a customer uploaded must not act in the name of the user who opens it: in a sandbox without any permission nothing runs,
 * and what could be a page is downloaded in the first place.
 */
const SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'";
const CACHE_SECONDS = 900;

/** Chunks of the files of one workspace that are read at once; downloads of others take turns with them. */
const READS_PER_WORKSPACE = 2;
/** Of all workspaces together. */
const READS_AT_ONCE = 4;
/** As many as there are connections: what limits downloads is not how many there are, but how much they read at once. */
const WAITING_MAX = 20_000;

interface DownloadOptions {
  db: Database;
  secretBox: SecretBox;
}

type DownloadRequest = FastifyRequest<{
  Params: { uuid: string; name: string };
  Querystring: { expires?: string; signature?: string };
}>;

/** Serves files to anyone with a signed link, without a key and without the API's envelope. */
export function registerFileDownloads(fastify: FastifyInstance, { db, secretBox }: DownloadOptions): void {
  const reads = createFairQueue({
    concurrency: READS_AT_ONCE,
    perKey: READS_PER_WORKSPACE,
    waitingPerKeyMax: WAITING_MAX,
    onFull: () => unavailable("Too many files are being downloaded. Try again soon."),
  });
  fastify.get(`${FILES_PATH}/:uuid/:name`, async (request: DownloadRequest, reply) => {
    const uuid = requireValidLink(secretBox, request);
    const file = await findLinkedFile(db, uuid, request.params.name);
    if (!file) throw notFound("file");
    const { disposition, contentType } = servedAs(file.content_type);
    reply.headers({
      "content-security-policy": SANDBOX,
      "content-disposition": contentDisposition(disposition, file.name),
      "cache-control": `private, max-age=${CACHE_SECONDS}, immutable`,
      // Pages elsewhere show pictures of their conversations by these links.
      "cross-origin-resource-policy": "cross-origin",
      etag: `"${file.sha256}"`,
    });
    if (request.headers["if-none-match"]?.includes(file.sha256)) return reply.code(304).send();
    reply.header("content-type", contentType).header("content-length", file.size_bytes);
    // A HEAD request has the same headers and reads nothing.
    const bytes = request.method === "HEAD" ? [] : readBytes(db, file, reads.run);
    return reply.send(Readable.from(bytes, { objectMode: false, highWaterMark: 0 }));
  });
}

function requireValidLink(secretBox: SecretBox, { params, query }: DownloadRequest): string {
  const { expires = "", signature = "" } = query;
  const uuid = parseRef(params.uuid)?.uuid ?? "";
  const state = stateOfLink(secretBox, { uuid, expires: String(expires), signature: String(signature) });
  if (state === "expired") throw forbidden("This link has expired. Read the message again for a fresh one.");
  if (state === "forged") throw forbidden("This link is not valid. Read the message again for a link that is.");
  return uuid;
}
