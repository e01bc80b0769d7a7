import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the ports that systems give to connections and to servers that ask for any: nobody takes one of these between the
// choice and the use.
const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 50;

/** A port that nobody listens on now, and that stays free for a server which is started later. */
export async function freePort(): Promise<number> {
  for (let left = TRIES; left > 0; left--) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port was found between ${FIRST} and ${LAST}.`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
