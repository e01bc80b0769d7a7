// What a hostile workspace does, in a process of its own, from the message that names it until the one that ends it.
import { randomBytes, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { Pool } from "undici";
import { pace } from "./pace.mjs";

const REFUSED_MS = 100;

let going = false;
/** Requests of the current attack that got what they asked for. */
let succeeded = 0;

const ATTACKS = {
  /** A closed loop: `callers` requests in flight at once, whatever the responses are. */
  async requests({ url, path, method = "GET", headers = {}, bodies = [], callers, localAddress, hasIdempotencyKeys }) {
    const from = localAddress ? { localAddress } : {};
    const pool = new Pool(url, { connections: callers, pipelining: 1, ...from });
    let sent = 0;
    await whileGoing(
      pool,
      Array.from({ length: callers }, async () => {
        while (going) {
          const body = bodies[sent++ % Math.max(1, bodies.length)];
          const own = hasIdempotencyKeys ? { ...headers, "idempotency-key": randomUUID() } : headers;
          const response = await pool.request({ path, method, headers: own, body }).catch(() => null);
          await response?.body.dump({ limit: Number.POSITIVE_INFINITY }).catch(() => {});
          if (response?.statusCode < 300) succeeded++;
          // A client that is refused tries again a moment later, as real ones do: a bare flood of packets is not what is measured.
          if (!response || response.statusCode >= 400) await pause(REFUSED_MS);
        }
      }),
    );
  },

  /** Streams that are opened and kept; one that is refused is tried again when its response says so. */
  async streams({ url, path, headers, count }) {
    const pool = new Pool(url, { connections: count, pipelining: 1, bodyTimeout: 0 });
    await whileGoing(
      pool,
      Array.from({ length: count }, async () => {
        while (going) {
          const response = await pool.request({ path, method: "GET", headers }).catch(() => null);
          if (response?.statusCode === 200) while (going) await pause(200);
          else await waitAsAsked(response);
        }
      }),
    );
  },

  /** Sessions of a widget, the same in every round: each listens and writes, and waits when it is asked to. */
  async visitors({ url, path, count, localAddress }) {
    const from = localAddress ? { localAddress } : {};
    const writers = new Pool(url, { connections: 64, pipelining: 1, ...from });
    const streams = new Pool(url, { connections: count, pipelining: 1, bodyTimeout: 0, ...from });
    const listen = async (token) => {
      while (going) {
        const headers = { "parley-session": token };
        const response = await streams.request({ path: `${path}stream`, method: "GET", headers }).catch(() => null);
        if (response?.statusCode === 200) while (going) await pause(500);
        else await waitAsAsked(response);
      }
    };
    const write = async (token) => {
      const headers = { "parley-session": token, origin: url, "content-type": "application/json" };
      while (going) {
        const body = JSON.stringify({ id: randomUUID(), body: "hello" });
        const response = await writers
          .request({ path: `${path}messages`, method: "POST", headers, body })
          .catch(() => null);
        await response?.body.dump().catch(() => {});
        if (response?.statusCode < 300) succeeded++;
        else await waitAsAsked(response);
      }
    };
    const tokens = sessionsOf(path, count);
    const ended = whileGoing(streams, tokens.map(listen));
    await whileGoing(writers, tokens.map(write));
    await ended;
  },

  /** Connections without a key that announce a large body and send it slowly. */
  async bodies({ url, path, count, bytes }) {
    const { hostname, port, host } = new URL(url);
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
    const open = () => {
      const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(head));
      return socket.on("error", () => {});
    };
    const sockets = Array.from({ length: count }, open);
    for (const chunk = "x".repeat(16_384); going; await pause(100))
      for (const [index, socket] of sockets.entries())
        if (socket.destroyed) sockets[index] = open();
        else if (socket.writable && !socket.writableNeedDrain) socket.write(chunk);
    for (const socket of sockets) socket.destroy();
  },

  /** Messages at a pace, each of them an event for whatever webhooks the workspace has. */
  async messages({ url, targets, perSecond }) {
    while (going) await pace({ url, targets, perSecond, ms: 500 });
  },
};

const sessions = new Map();

function sessionsOf(widget, count) {
  if (!sessions.has(widget))
    sessions.set(
      widget,
      Array.from({ length: count }, () => `pvs_${randomBytes(32).toString("base64url")}`),
    );
  return sessions.get(widget);
}

/** A request may wait for minutes on a connection whose handshake was lost in the crowd; it ends with the attack. */
async function whileGoing(pool, clients) {
  while (going) await pause(100);
  await pool.destroy();
  await Promise.all(clients);
}

/** As clients do: as long as the response says, or a second. Ends early with the attack. */
async function waitAsAsked(response) {
  const until = performance.now() + Number(response?.headers["retry-after"] ?? 1) * 1_000;
  while (going && performance.now() < until) await pause(200);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

process.on("message", async (request) => {
  if (request.kind === "stop") {
    going = false;
    return;
  }
  going = true;
  succeeded = 0;
  await ATTACKS[request.kind](request).catch((error) => console.error(`${request.kind}: ${error.message}`));
  process.send({ succeeded });
});
