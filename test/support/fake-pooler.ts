import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

/** How PgBouncer before 1.21 fails: at the start of a connection, or with the first statement it has lost. */
type PoolerFault = "refuses a parameter" | "loses statements";

interface FakePooler {
  url: string;
  close(): Promise<void>;
}

/**
 * Says to a client what PgBouncer says, in its words, and has no database behind it: enough for what is refused at the
 * start. `npm run test:nodes` does the same with PgBouncer itself.
 */
export async function startFakePooler(fault: PoolerFault): Promise<FakePooler> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    let isStarted = false;
    socket.on("data", (bytes) => {
      if (isStarted) {
        if (bytes.includes("pooler_probe")) socket.write(Buffer.concat([lostStatement, readyForQuery]));
        return;
      }
      isStarted = true;
      if (fault === "refuses a parameter") socket.end(refusedParameter);
      else socket.write(Buffer.concat([authenticationOk, readyForQuery]));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `postgres://parley@127.0.0.1:${(server.address() as AddressInfo).port}/parley`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const errorResponse = (code: string, text: string): Buffer =>
  message("E", Buffer.from(`SERROR\0C${code}\0M${text}\0\0`));

const authenticationOk = message("R", Buffer.alloc(4));
const readyForQuery = message("Z", Buffer.from("I"));
const refusedParameter = errorResponse("08P01", "unsupported startup parameter: statement_timeout");
const lostStatement = errorResponse("26000", 'prepared statement "pooler_probe" does not exist');
