import { connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";
import { inject } from "vitest";
import type { TestDatabase } from "./database.ts";

export interface DatabaseProxy {
  /** The same database, through the proxy. */
  database: TestDatabase;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Ends every connection; new ones work. */
  drop(): void;
  /** Every response of the database is late by this much. */
  delayResponses(ms: number): void;
  /** Nothing passes any more, either way. Connections stay open, and new ones are accepted and get no response. */
  freeze(): void;
  /** What was held passes now. */
  thaw(): void;
  /** The database has closed the existing connections without notice. New connections work. */
  halfOpen(): void;
  close(): Promise<void>;
}

/** One connection: its two ends, and whether the far one is gone without a word to the near one. */
interface Link {
  client: Socket;
  upstream: Socket;
  halfOpen: boolean;
}

/** A wire to the database that can be cut, and worse. */
export async function proxyTo(database: TestDatabase): Promise<DatabaseProxy> {
  const target = `${inject("databaseHost")}/.s.PGSQL.5432`;
  const links = new Set<Link>();
  let server: Server | null = null;
  let port = 0;
  let delayMs = 0;
  let thawed = Promise.resolve();
  let thaw = () => {};

  /** One way of a link. A side that is held back is not asked for more: the pipe sees to that. */
  const way = (link: Link, lateMs: () => number) =>
    new Transform({
      async transform(chunk, _encoding, done) {
        if (lateMs() > 0) await new Promise((resolve) => setTimeout(resolve, lateMs()));
        await thawed;
        if (link.halfOpen) done();
        else done(null, chunk);
      },
    });

  function join(client: Socket): void {
    const upstream = connect(target);
    const link: Link = { client, upstream, halfOpen: false };
    links.add(link);
    for (const socket of [client, upstream]) {
      socket.on("error", () => {});
      socket.on("close", () => {
        if (socket === upstream && link.halfOpen) return;
        links.delete(link);
        client.destroy();
        upstream.destroy();
      });
    }
    const there = way(link, () => 0);
    const back = way(link, () => delayMs);
    client.pipe(there);
    there.on("data", (chunk) => upstream.writable && upstream.write(chunk));
    upstream.pipe(back, { end: false }).pipe(client);
  }

  async function restore(): Promise<void> {
    const opened = createServer(join);
    server = opened;
    await new Promise<void>((done) => opened.listen(port, "127.0.0.1", done));
    port = (opened.address() as { port: number }).port;
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = null;
    const closed = closing && new Promise((done) => closing.close(done));
    for (const { client, upstream } of links) {
      client.destroy();
      upstream.destroy();
    }
    await closed;
  }

  await restore();
  return {
    database: { ...database, url: `postgresql://parley@127.0.0.1:${port}/${database.name}` },
    cut,
    restore,
    drop() {
      for (const { client } of links) client.destroy();
    },
    delayResponses(ms) {
      delayMs = ms;
    },
    freeze() {
      thawed = new Promise((resolve) => {
        thaw = resolve;
      });
    },
    thaw: () => thaw(),
    halfOpen() {
      for (const link of links) {
        link.halfOpen = true;
        link.upstream.destroy();
      }
    },
    close: cut,
  };
}
