import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP server whose behaviour is one function, so that a test can break HTTP in any way it likes. */
export interface RawReceiver {
  url: string;
  port: number;
  /** Connections accepted so far. */
  connections: number;
  sockets: Set<Socket>;
  /** Resolves once everything that connected before this call has been counted. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(
  onSocket: (socket: Socket) => void,
  options: { host?: string; port?: number; pauseOnConnect?: boolean; allowHalfOpen?: boolean } = {},
): Promise<RawReceiver> {
  const host = options.host ?? "127.0.0.1";
  const probes = new Set<number>();
  const sockets = new Set<Socket>();
  const unclaimed = new Set<Socket>();
  let probing = false;
  const server: Server = createServer({
    pauseOnConnect: options.pauseOnConnect ?? false,
    allowHalfOpen: options.allowHalfOpen ?? false,
  });
  const receiver: RawReceiver = {
    url: "",
    port: 0,
    connections: 0,
    sockets,
    async settled() {
      // The kernel accepts in order: when our own probe has been seen, so has everything before it.
      probing = true;
      const probe = connect({ host, port: receiver.port });
      await once(probe, "connect");
      probes.add((probe.address() as AddressInfo).port);
      const seen = new Promise<void>((resolve) => server.once("probe", resolve));
      server.emit("probed");
      await seen;
      probing = false;
      for (const socket of unclaimed) onSocket(socket);
      unclaimed.clear();
      probe.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  function sort(): void {
    for (const socket of unclaimed) {
      if (!probes.delete(socket.remotePort ?? -1)) continue;
      unclaimed.delete(socket);
      receiver.connections--;
      socket.destroy();
      server.emit("probe");
    }
  }
  server.on("probed", sort);
  server.on("connection", (socket) => {
    receiver.connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      unclaimed.delete(socket);
    });
    if (!probing) {
      onSocket(socket);
      return;
    }
    unclaimed.add(socket);
    sort();
  });
  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://${host.includes(":") ? `[${host}]` : host}:${receiver.port}/hook`;
  return receiver;
}

/** Calls back with each complete request (head and body as text) that arrives on the socket. */
export function onRequests(socket: Socket, handle: (request: string) => void): void {
  let buffered = "";
  socket.on("data", (chunk) => {
    buffered += chunk.toString("latin1");
    for (;;) {
      const headEnd = buffered.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(buffered.slice(0, headEnd))?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (buffered.length < end) return;
      const request = buffered.slice(0, end);
      buffered = buffered.slice(end);
      handle(request);
    }
  });
}

export function rawResponse(status: string, body = "", headers: string[] = []): string {
  return [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers, "", body].join("\r\n");
}
