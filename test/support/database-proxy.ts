import { connect, createServer, type Server, type Socket } from "node:net";
import { inject } from "vitest";
import type { TestDatabase } from "./database.ts";

export interface DatabaseProxy {
  /** The same database, through the proxy. */
  database: TestDatabase;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** A wire to the database that can be cut. */
export async function proxyTo(database: TestDatabase): Promise<DatabaseProxy> {
  const target = `${inject("databaseHost")}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;

  async function mend(): Promise<void> {
    server = createServer((client) => {
      const upstream = connect(target);
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
    });
    const opened = server;
    await new Promise<void>((done) => opened.listen(port, "127.0.0.1", done));
    port = (opened.address() as { port: number }).port;
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = null;
    const closed = closing && new Promise((done) => closing.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await mend();
  return {
    database: { ...database, url: `postgresql://parley@127.0.0.1:${port}/${database.name}` },
    cut,
    mend,
    close: cut,
  };
}
