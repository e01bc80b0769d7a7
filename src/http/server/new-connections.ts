import type { Server } from "node:http";
import type { Socket } from "node:net";
import { addressGroup } from "../pipeline/access.ts";

/** One of this many turns in a row that accept a connection serves one too: the flood may never end. */
const ACCEPTED_PER_SERVED = 16;

/**
 * Node accepts one connection per turn of the event loop, in the order in which they came. Served at once, those of a flood
 * would fill the turns with their work, and a client that connects after them would wait for all of it. So a turn that
 * accepts a connection serves none; the others serve one each, client addresses taking turns.
 */
export function acceptBeforeServing(server: Server): void {
  const [serve] = server.listeners("connection") as ((socket: Socket) => void)[];
  if (!serve) throw new Error("The server has no listener for connections.");
  const waiting = createLines();
  let accepted = 0;
  let acceptedBefore = 0;
  let acceptedWhenServed = 0;
  let isScheduled = false;

  function turn(): void {
    isScheduled = false;
    if (accepted === acceptedBefore || accepted - acceptedWhenServed >= ACCEPTED_PER_SERVED) serveNext();
    acceptedBefore = accepted;
    if (waiting.size > 0) schedule();
  }

  function serveNext(): void {
    acceptedWhenServed = accepted;
    const socket = waiting.take();
    // It may have been refused, or its client may have gone.
    if (socket?.writable) serve?.call(server, socket);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  }

  server.off("connection", serve);
  server.on("connection", (socket: Socket) => {
    accepted++;
    // Until it is served nobody else listens.
    socket.on("error", () => {});
    waiting.add(addressGroup(socket.remoteAddress ?? ""), socket);
    schedule();
  });
}

/** Connections that wait, in a line per client address. */
function createLines() {
  // In the order of their turns; a line that was served goes to the end.
  const lines = new Map<string, Socket[]>();
  return {
    get size() {
      return lines.size;
    },
    add(address: string, socket: Socket): void {
      const line = lines.get(address);
      if (line) line.push(socket);
      else lines.set(address, [socket]);
    },
    take(): Socket | undefined {
      for (const [address, line] of lines) {
        const socket = line.shift();
        lines.delete(address);
        if (line.length > 0) lines.set(address, line);
        return socket;
      }
      return undefined;
    },
  };
}
