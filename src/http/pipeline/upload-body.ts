import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Fault, invalid } from "../../core/errors.ts";
import { requireUncompressed } from "./body.ts";
import { contentTypeOf } from "./same-origin.ts";

/** A file as a request brings it. Its bytes can be read once. */
interface ReceivedFile {
  /** As the part of a form names it. */
  name: string | undefined;
  contentType: string | undefined;
  bytes: AsyncIterable<Buffer>;
}

const MULTIPART = /^\s*multipart\/form-data\s*(;|$)/i;
const ONE_FILE = "The body must hold the bytes of one file, or multipart/form-data with exactly one part.";
const INTERRUPTED = "The upload was interrupted before all bytes had arrived.";

export const isMultipart = (request: FastifyRequest): boolean => MULTIPART.test(contentTypeOf(request));

/** Routes registered in this scope get the stream of their body, unread and of any type. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
}

/** The file in the body of a request: the body itself, or the one part of a form. */
export async function receiveFile(request: FastifyRequest): Promise<ReceivedFile> {
  const body = request.body as Readable | undefined;
  if (!body) throw invalid({ body: [ONE_FILE] });
  requireUncompressed(request);
  if (isMultipart(request)) return receivePart(contentTypeOf(request), body);
  return { name: undefined, contentType: contentTypeOf(request) || undefined, bytes: whole(body) };
}

/**
 * Reads on after a file was refused for its size, up to `bytesMax`: a client that is cut off while it sends would see a
 * broken connection instead of the reason.
 */
export async function discardRest(request: FastifyRequest, bytesMax: number): Promise<void> {
  const body = request.body as Readable;
  body.unpipe();
  let left = bytesMax;
  await new Promise<void>((resolve) => {
    const stop = () => resolve();
    body.on("data", (piece: Buffer) => {
      left -= piece.length;
      if (left < 0) stop();
    });
    for (const end of ["end", "close", "error"]) body.once(end, stop);
    if (body.readableEnded || body.destroyed) stop();
    body.resume();
  });
}

/**
 * Does not destroy the body when its reader stops early: that would cut the connection before the response. Each piece is
 * valid until the next one is asked for.
 */
async function* whole(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      yield piece as Buffer;
      free(piece as Buffer);
    }
  } catch (error) {
    throw new Fault("BAD_REQUEST", INTERRUPTED, { cause: error });
  }
}

/** What `ArrayBuffer` has from Node 22 on. */
interface Transferable {
  transfer?(bytes: number): unknown;
}

/**
 * Gives the memory of a piece back at once. Node copies each piece into memory of its own, which otherwise stays until the
 * next garbage collection: Node 24 let 30 to 60 MB of read pieces gather before it began one.
 */
function free({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength) (buffer as Transferable).transfer?.(0);
}

async function receivePart(contentType: string, body: Readable): Promise<ReceivedFile> {
  const parser = createParser(contentType);
  let part: BusboyFileStream | null = null;
  const ended = new Promise<void>((resolve, reject) => {
    const fail = (fault: Fault) => {
      part?.destroy(fault);
      reject(fault);
    };
    // The parser would look at every further part. The rest is still read, so that the client gets the response.
    parser.once("partsLimit", () => {
      body.unpipe(parser);
      body.once("end", () => fail(invalid({ body: [ONE_FILE] }))).resume();
    });
    parser.once("finish", () => resolve());
    parser.once("error", () => fail(invalid({ body: ["The body must be well-formed multipart/form-data."] })));
    body.once("close", () => {
      if (!body.readableEnded) fail(new Fault("BAD_REQUEST", INTERRUPTED));
    });
  });
  // The reader of the part gets the error as well. A rejection that nothing awaits yet would end the process.
  ended.catch(() => {});
  const received = await new Promise<ReceivedFile>((resolve, reject) => {
    parser.once("file", (...[, stream, name, , type]) => {
      part = stream;
      stream.on("error", () => {});
      resolve({ name: name || undefined, contentType: type, bytes: partOf(stream, ended) });
    });
    ended.then(() => reject(invalid({ body: [ONE_FILE] })), reject);
    body.pipe(parser);
  });
  return received;
}

async function* partOf(stream: BusboyFileStream, ended: Promise<void>): AsyncGenerator<Buffer> {
  for await (const piece of stream.iterator({ destroyOnReturn: false })) yield piece as Buffer;
  await ended;
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: 1, fields: 0, headerPairs: 32, headerSize: 8_192 },
      isPartAFile: () => true,
    });
  } catch {
    throw invalid({ body: ["The body must be multipart/form-data with a boundary."] });
  }
}
