import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

export interface DrainLimits {
  /** How long a client may take to send its request or to read its response. */
  slowMsMax: number;
  /** How long a request that has been received completely may be worked on. */
  workMsMax: number;
}

interface Drain {
  /** Stops listening and resolves when every connection has ended. */
  close(): Promise<void>;
}

const SWEEP_MS = 1_000;

/**
 * Ends a server without cutting off what it works on: a client that sends or reads slowly would keep the process from
 * ending and is disconnected, one that waits for the response to a long request is not.
 */
export function createDrain(fastify: FastifyInstance, { slowMsMax, workMsMax }: DrainLimits): Drain {
  const sockets = new Set<Socket>();
  fastify.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  return {
    async close() {
      const sending = new Set<Socket>();

      function cutSlow(): void {
        for (const socket of sockets) {
          const state = stateOf(socket);
          if (state === "working") continue;
          // A response that has just been written gets the time of one sweep to leave.
          if (state === "sending" && !sending.has(socket)) sending.add(socket);
          else socket.destroy();
        }
      }

      let sweeping: NodeJS.Timeout | undefined;
      const slow = setTimeout(() => {
        cutSlow();
        sweeping = setInterval(cutSlow, Math.min(SWEEP_MS, slowMsMax));
      }, slowMsMax);
      const all = setTimeout(() => fastify.server.closeAllConnections(), workMsMax);
      await fastify.close();
      clearTimeout(slow);
      clearTimeout(all);
      clearInterval(sweeping);
    },
  };
}

/** By what Node keeps of the request in progress: hooks would cost every request something, and this is asked once. */
function stateOf(socket: Socket): "working" | "sending" | "other" {
  const { _httpMessage: response } = socket as Socket & {
    _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null;
  };
  if (!response) return "other";
  if (response.headersSent) return "sending";
  return response.req.complete ? "working" : "other";
}
