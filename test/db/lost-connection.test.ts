import { createServer, type Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase, sql } from "../../src/db/database.ts";

let server: Server;
afterEach(() => new Promise((done) => server.close(done)));

/** One message of PostgreSQL's protocol: its letter, its length, its content. */
function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const AUTHENTICATED = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const FATAL = message(
  "E",
  Buffer.from("SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0"),
);

/** A database that lets everybody in and dies in the same moment: both are in one packet. */
async function startDying(): Promise<number> {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, FATAL])));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as { port: number }).port;
}

it("a connection that breaks while it is handed over is a 503 and does not end the process", async () => {
  const db = createDatabase({
    connection: { host: "127.0.0.1", port: await startDying(), user: "parley", ssl: false },
    poolSize: 2,
    logger: createLogger("silent"),
    applicationName: "test",
  });
  const uncaught: Error[] = [];
  const onUncaught = (error: Error) => void uncaught.push(error);
  process.on("uncaughtException", onUncaught);
  const refused = { code: "SERVICE_UNAVAILABLE" };
  await expect(db.transaction((tx) => tx.query(sql("one", "select 1")))).rejects.toMatchObject(refused);
  await expect(db.query(sql("one", "select 1"))).rejects.toMatchObject(refused);
  await db.close();
  process.off("uncaughtException", onUncaught);
  expect(uncaught).toEqual([]);
});
