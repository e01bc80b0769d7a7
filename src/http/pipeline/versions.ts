import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../core/errors.ts";

/** For the description of a PATCH. */
export const IF_MATCH =
  "With `If-Match` and the `ETag` of a read, a record that has changed since that read is not updated (412).";

/** A record's version as an entity tag: a digest of its own fields. `without` names those that change by themselves. */
function etagOf(record: object, without: readonly string[] = []): string {
  const own = Object.entries(record).filter(([name]) => !without.includes(name));
  return `"${createHash("sha256").update(JSON.stringify(own)).digest("base64url").slice(0, 22)}"`;
}

/** Sends the version along, for a later `If-Match`. */
export function withEtag<Data extends object>(reply: FastifyReply, data: Data, without?: readonly string[]): Data {
  reply.header("etag", etagOf(data, without));
  return data;
}

/**
 * Refuses a change of a record that is not what the caller has read. `readLocked` is only called when the request has the
 * header; it locks the record, so that of two changes of one version exactly one succeeds.
 */
export async function requireMatch(
  request: FastifyRequest,
  readLocked: () => Promise<object>,
  without?: readonly string[],
): Promise<void> {
  const header = request.headers["if-match"]?.trim();
  if (!header || header === "*") return;
  const current = etagOf(await readLocked(), without);
  // A proxy that compresses may weaken a tag; the digest is what counts.
  const given = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (!given.includes(current))
    throw new Fault("PRECONDITION_FAILED", "It has changed since you read it. Read it again, then repeat your change.");
}

/** Refuses to replace a record that the caller did not know of (`If-None-Match: *`); the transaction is then undone. */
export function requireNone(request: FastifyRequest): void {
  if (request.headers["if-none-match"]?.trim() === "*")
    throw new Fault("PRECONDITION_FAILED", "There is one already. Read it, then repeat your change.");
}
