import type { FastifyInstance } from "fastify";
import { Fault } from "../../core/errors.ts";

/** Of one workspace, on one node. */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024;
/** Smaller ones are many connections before they are much memory, and connections are limited. */
const COUNTED_FROM_BYTES = 16_384;

export interface UnreadResponses {
  /** Throws while clients of the workspace have not read what they were sent. */
  requireRoom(workspaceId: number | undefined): void;
}

/**
 * A response stays in memory until its client has read it, or is disconnected because it does not. One workspace that asks
 * for long lists over many connections, or many times over one, and reads none of them would otherwise take all memory.
 */
export function limitUnreadResponses(fastify: FastifyInstance): UnreadResponses {
  const unreadBytes = new Map<number, number>();

  function add(workspaceId: number, bytes: number): void {
    const sum = (unreadBytes.get(workspaceId) ?? 0) + bytes;
    if (sum > 0) unreadBytes.set(workspaceId, sum);
    else unreadBytes.delete(workspaceId);
  }

  fastify.addHook("onSend", (request, reply, payload: unknown, done) => {
    const workspaceId = request.principal?.workspaceId ?? request.visitor?.workspaceId;
    const bytes = typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
    if (workspaceId !== undefined && bytes >= COUNTED_FROM_BYTES && !reply.raw.destroyed) {
      add(workspaceId, bytes);
      let isRead = false;
      const release = () => {
        if (!isRead) add(workspaceId, -bytes);
        isRead = true;
      };
      // The system has all of it; or the connection ended before.
      reply.raw.once("finish", release);
      reply.raw.once("close", release);
    }
    done(null, payload);
  });

  return {
    requireRoom(workspaceId) {
      if (workspaceId === undefined || (unreadBytes.get(workspaceId) ?? 0) < UNREAD_BYTES_MAX) return;
      throw new Fault(
        "RATE_LIMIT_EXCEEDED",
        "Clients of this workspace have not read the responses that they were sent. Read them, then try again.",
      );
    },
  };
}
