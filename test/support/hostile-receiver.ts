import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { onRequests, rawResponse, startReceiver } from "../unit/url-guard/raw-receiver.ts";

/** What happens on a socket once a request has arrived on it. */
type Behaviour = (socket: Socket) => void;

export interface HostileReceiver {
  url(behaviour: HostileBehaviour): string;
  /** Requests at `/trap`, where the redirects lead. */
  trapped: number;
  close(): Promise<void>;
}

export type HostileBehaviour = keyof typeof BEHAVIOURS | "never reads";

const OK = "HTTP/1.1 200 OK\r\n";
const BODY_BYTES = 500 * 1024 * 1024;
const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024));

const BEHAVIOURS = {
  hangs: () => {},
  resets: (socket) => socket.resetAndDestroy(),
  closes: (socket) => socket.end(),
  "speaks garbage": (socket) => socket.write(Buffer.alloc(4_096, 0xfe)),
  "sends 500 MB": (socket) => {
    socket.write(`${OK}content-length: ${BODY_BYTES}\r\n\r\n`);
    flood(socket, Buffer.alloc(65_536, "y"));
  },
  "drips its body": (socket) => {
    socket.write(`${OK}content-length: 100000\r\n\r\n`);
    drip(socket, "x");
  },
  "drips its headers": (socket) => {
    socket.write(OK);
    drip(socket, "x-a: b\r\n");
  },
  "sends a gzip bomb": (socket) => {
    socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`);
    socket.write(BOMB);
  },
  "sends 2 MB of headers": (socket) => socket.write(`${OK}${"x-a: b\r\n".repeat(262_144)}\r\n`),
  "sends less than its content-length": (socket) => socket.end(`${OK}content-length: 100\r\n\r\nabc`),
  "sends more than its content-length": (socket) =>
    socket.write(rawResponse("200 OK", "ok") + rawResponse("500 Poison", "bad")),
  "sends two content-lengths": (socket) => socket.write(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`),
  "redirects by 301": redirect(301),
  "redirects by 302": redirect(302),
  "redirects by 307": redirect(307),
  "redirects by 308": redirect(308),
} satisfies Record<string, Behaviour>;

/** Other ends of webhooks, a behaviour each. The path is its name; one that never reads has a port of its own. */
export async function startHostileReceiver(): Promise<HostileReceiver> {
  const deaf = await startReceiver(() => {}, { pauseOnConnect: true });
  const listening = await startReceiver((socket) =>
    onRequests(socket, (request) => {
      const name = decodeURIComponent(request.split(" ", 2)[1] ?? "").slice(1);
      if (name === "trap") receiver.trapped++;
      (BEHAVIOURS as Record<string, Behaviour>)[name]?.(socket);
    }),
  );
  const receiver: HostileReceiver = {
    url: (behaviour) =>
      behaviour === "never reads" ? deaf.url : `http://127.0.0.1:${listening.port}/${encodeURIComponent(behaviour)}`,
    trapped: 0,
    async close() {
      await Promise.all([deaf.close(), listening.close()]);
    },
  };
  return receiver;
}

function redirect(status: number): Behaviour {
  return (socket) => socket.write(rawResponse(`${status} Elsewhere`, "", ["location: /trap"]));
}

/** As fast as the other end reads, and no faster. */
function flood(socket: Socket, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 50);
  socket.on("close", () => clearInterval(timer));
}
