import type { FastifyInstance, FastifyRequest } from "fastify";
import { forbidden, notFound, unavailable } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import { IMAGES_PATH, readImageLink } from "../../email/images/links.ts";
import { pictureType } from "../../email/images/picture.ts";

export interface MailImageOptions {
  secretBox: SecretBox;
  /** Null: nothing is fetched here. */
  fetchImage: ((url: string, options: { group: string; accept: string }) => Promise<Buffer>) | null;
}

const ACCEPT = "image/webp,image/png,image/jpeg,image/gif";
/** Each may hold a whole picture in memory. */
const FETCHED_AT_ONCE = 24;
const FETCHED_PER_WORKSPACE = 6;
const WAITING_MAX = 500;
const CACHE_SECONDS = 900;

/**
 * Pictures that a mail names, fetched by us and shown by a signed link: their server sees neither the address nor the
 * cookies of the person who reads the mail. What is not a picture by its bytes is not passed on.
 */
export function registerMailImages(fastify: FastifyInstance, { secretBox, fetchImage }: MailImageOptions): void {
  if (fetchImage === null) return;
  const turns = createFairQueue({
    concurrency: FETCHED_AT_ONCE,
    perKey: FETCHED_PER_WORKSPACE,
    waitingPerKeyMax: WAITING_MAX,
    onFull: () => unavailable("Too many pictures are being fetched. Try again soon."),
  });
  fastify.get(IMAGES_PATH, async (request: FastifyRequest<{ Querystring: Record<string, string> }>, reply) => {
    const image = readImageLink(secretBox, request.query);
    if (image === null) throw forbidden("This link is not valid. Read the mail again for a link that is.");
    if (image.isExpired) throw forbidden("This link has expired. Read the mail again for a fresh one.");
    const group = String(image.workspaceId);
    const bytes = await turns.run(group, () =>
      fetchImage(image.url, { group, accept: ACCEPT }).catch((error: Error) => {
        request.log.debug({ err: error.message }, "a picture of a mail could not be fetched");
        return Buffer.alloc(0);
      }),
    );
    const type = pictureType(bytes);
    if (type === null) throw notFound("picture");
    return reply
      .headers({
        "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
        "cache-control": `private, max-age=${CACHE_SECONDS}`,
        // The frame of a mail has an origin of its own.
        "cross-origin-resource-policy": "cross-origin",
      })
      .type(type)
      .send(bytes);
  });
}
