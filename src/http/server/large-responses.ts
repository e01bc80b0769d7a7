import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { createFairQueue } from "../../core/fair-queue.ts";
import { createRecentKeys } from "../../core/recent-keys.ts";
import { limitUnreadResponses, type UnreadResponses } from "../pipeline/unread-responses.ts";

/** From this size on, encoding a body and handing it to the system takes a millisecond or more. */
const LARGE_BYTES = 65_536;
/**
 * While other workspaces get responses, a workspace pauses this many times as long as sending its large body took: reading
 * what is in it took the database much longer.
 */
const PAUSE_FOR_OTHERS = 64;
/** Whatever else the process did in that time: callers must not wait for minutes behind each other. */
const PAUSE_MS_MAX = 100;

/** What large responses of one workspace take from the others: memory, and turns of the event loop. */
export function limitResponses(fastify: FastifyInstance): UnreadResponses {
  // In this order: a response that waits for its turn is in memory, too.
  const unread = limitUnreadResponses(fastify);
  sendLargeInTurns(fastify);
  return unread;
}

/**
 * Callers that read the same long list at the same time get its records in the same turn of the event loop. If all of them
 * were sent in that turn, every other request would wait: one large body is sent at a time, workspaces take turns, and after
 * each comes a pause that is as long as sending it took. The next one of the same workspace waits longer where others are
 * active.
 */
function sendLargeInTurns(fastify: FastifyInstance): void {
  const sending = createTurns({ concurrency: 1 });
  const perWorkspace = createTurns({});
  const workspaces = createRecentKeys();

  fastify.addHook("onSend", (request, reply, payload: unknown, done) => {
    const workspaceId = request.principal?.workspaceId;
    if (workspaceId !== undefined) workspaces.remember(workspaceId);
    if (!isLarge(payload)) return done(null, payload);
    const key = workspaceId ?? request.ip;
    const send = async (): Promise<number> => {
      if (reply.raw.destroyed) {
        done(null, "");
        return 0;
      }
      const begunAt = performance.now();
      // As bytes, which take half the time of a string to be written.
      done(null, typeof payload === "string" ? Buffer.from(payload) : payload);
      await nextTurn();
      const sentInMs = performance.now() - begunAt;
      await sleep(sentInMs);
      return sentInMs;
    };
    void perWorkspace.run(key, async () => {
      const sentInMs = await sending.run(key, send);
      if (workspaceId !== undefined && workspaces.hasOther(workspaceId))
        await sleep(Math.min(sentInMs * PAUSE_FOR_OTHERS, PAUSE_MS_MAX));
    });
  });
}

/** One of each key at a time. */
const createTurns = (bound: { concurrency?: number }) =>
  createFairQueue({
    ...bound,
    perKey: 1,
    // Requests that wait for a response are limited already.
    waitingPerKeyMax: Number.POSITIVE_INFINITY,
    onFull: () => new Error("unreachable"),
  });

const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === "string" || Buffer.isBuffer(payload)) && payload.length >= LARGE_BYTES;
