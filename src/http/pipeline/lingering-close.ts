import type { Socket } from "node:net";

const LINGER_MS = 5_000;

/**
 * Keeps the connection of a refused body open for five seconds after the response, without reading from it. If it were
 * closed at once, bytes that the client is still sending would reset it, often before the client has read the response; and
 * a client that ignores the response could connect again at once.
 */
export function lingerBeforeClose(socket: Socket): void {
  // Node calls this after the last response of a connection. By then it has begun to discard the rest of the body.
  socket.destroySoon = () => {
    setImmediate(() => socket.pause());
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  };
}
