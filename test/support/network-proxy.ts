import { connect, createServer, type Server, type Socket } from "node:net";

export interface NetworkProxy {
  /** The same server, through the proxy. */
  url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again; with an address, to another server. */
  restore(target?: string): Promise<void>;
  /** Ends every connection; new ones work at once. */
  reset(): void;
  close(): Promise<void>;
}

/** A network between a client and an HTTP server that can be cut. */
export async function networkProxyTo(target: string): Promise<NetworkProxy> {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;
  let to = new URL(target);

  function join(client: Socket): void {
    const upstream = connect(Number(to.port), to.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  }

  function reset(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function restore(next?: string): Promise<void> {
    if (next !== undefined) to = new URL(next);
    if (server) return;
    const opened = createServer(join);
    server = opened;
    await new Promise<void>((done) => opened.listen(port, "127.0.0.1", done));
    port = (opened.address() as { port: number }).port;
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = null;
    const closed = closing && new Promise((done) => closing.close(done));
    reset();
    await closed;
  }

  await restore();
  return { url: `http://127.0.0.1:${port}`, cut, restore, reset, close: cut };
}
