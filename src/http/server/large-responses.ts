import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { createFairQueue } from "../../core/fair-queue.ts";

/** From this size on, encoding a body and handing it to the system takes a millisecond or more. */
const LARGE_BYTES = 65_536;

/**
 * Callers that read the same long list at the same time get its records in the same turn of the event loop. If all of them
 * were sent in that turn, every other request would wait: one large body is sent at a time, workspaces take turns, and after
 * each comes a pause that is as long as sending it took.
 */
export function sendLargeInTurns(fastify: FastifyInstance): void {
  const queue = createFairQueue({
    concurrency: 1,
    perKey: 1,
    // Requests that wait for a response are limited already.
    waitingPerKeyMax: Number.POSITIVE_INFINITY,
    onFull: () => new Error("unreachable"),
  });
  fastify.addHook("onSend", (request, _reply, payload: unknown, done) => {
    if (!isLarge(payload)) return done(null, payload);
    void queue.run(request.principal?.workspaceId ?? request.ip, async () => {
      const begunAt = performance.now();
      // As bytes, which take half the time of a string to be written.
      done(null, typeof payload === "string" ? Buffer.from(payload) : payload);
      await nextTurn();
      await sleep(performance.now() - begunAt);
    });
  });
}

const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === "string" || Buffer.isBuffer(payload)) && payload.length >= LARGE_BYTES;
