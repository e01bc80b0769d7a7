import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { createFairQueue } from "../../core/fair-queue.ts";
import { limitUnreadResponses, type UnreadResponses } from "../pipeline/unread-responses.ts";

/** From this size on, encoding a body and handing it to the system takes a millisecond or more. */
const LARGE_BYTES = 65_536;
/** What large responses of one workspace take from the others: memory, and turns of the event loop. */
export function limitResponses(fastify: FastifyInstance): UnreadResponses {
  // In this order: a response that waits for its turn is in memory, too.
  const unread = limitUnreadResponses(fastify);
  sendLargeInTurns(fastify);
  return unread;
}

/**
 * Callers that read the same long list at the same time get its records in the same turn of the event loop. If all of them
 * were sent in that turn, every other request would wait: one large body is sent per turn, and workspaces take turns.
 */
function sendLargeInTurns(fastify: FastifyInstance): void {
  // How many wait is not limited here: requests that wait for a response are limited already.
  const sending = createFairQueue({ concurrency: 1, perKey: 1 });

  fastify.addHook("onSend", (request, reply, payload: unknown, done) => {
    if (!isLarge(payload)) return done(null, payload);
    void sending.run(request.principal?.workspaceId ?? request.visitor?.workspaceId ?? request.ip, async () => {
      if (reply.raw.destroyed) return done(null, "");
      // As bytes, which take half the time of a string to be written.
      done(null, typeof payload === "string" ? Buffer.from(payload) : payload);
      await nextTurn();
    });
  });
}

const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === "string" || Buffer.isBuffer(payload)) && payload.length >= LARGE_BYTES;
