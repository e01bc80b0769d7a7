// Visitors of a widget, in a process of their own: each has a session and one conversation, later an open stream.
import { randomBytes, randomUUID } from "node:crypto";
import { Pool } from "undici";
import { latencyOf, stampedBody } from "./clock.mjs";
import { readStream } from "./sse.mjs";

const AT_ONCE = 16;

const visitors = [];
let connected = 0;
const toVisitor = [];
let pool;
let base;
let origin;

const kinds = { begin, connect, run, arrived };
process.on("message", async ({ kind, ...request }) => {
  process.send(await kinds[kind](request).catch((error) => ({ error: error.message })));
});

async function begin({ url, widget, count }) {
  pool = new Pool(url, { connections: AT_ONCE, pipelining: 1 });
  base = `/widget-api/${widget}/`;
  origin = url;
  for (let n = 0; n < count; n++) visitors.push({ token: `pvs_${randomBytes(32).toString("base64url")}` });
  await inTurns(visitors, async (visitor) => {
    const { data } = await send(visitor, "Hello");
    visitor.conversation = data.conversation.id;
  });
  return { conversations: visitors.map(({ conversation }) => conversation) };
}

/** Until this many have a stream. */
async function connect({ count }) {
  const others = visitors.slice(connected, count);
  connected = count;
  await inTurns(others, async ({ token }) => {
    const stream = readStream(`${origin}${base}stream`, { headers: { "parley-session": token }, onFrame });
    await stream.opened;
  });
  return {};
}

function onFrame({ event, data }) {
  const latency = event === "message" && data.direction === "out" ? latencyOf(data.body) : null;
  if (latency !== null) toVisitor.push(latency);
}

/** At an even pace, one visitor after the other. */
async function run({ ms, perSecond }) {
  toVisitor.length = 0;
  const begunAt = performance.now();
  const count = Math.round((ms / 1_000) * perSecond);
  const sends = [];
  let failures = 0;
  for (let n = 0; n < count; n++) {
    const wait = begunAt + (n * 1_000) / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const visitor = visitors[n % visitors.length];
    sends.push(send(visitor, stampedBody()).catch(() => failures++));
  }
  await Promise.all(sends);
  return { sent: count, failures };
}

async function arrived({ count, timeoutMs }) {
  const deadline = performance.now() + timeoutMs;
  while (toVisitor.length < count && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return { toVisitor };
}

async function send({ token, conversation }, body) {
  const response = await pool.request({
    path: `${base}messages`,
    method: "POST",
    headers: { "parley-session": token, origin, "content-type": "application/json" },
    body: JSON.stringify({ id: randomUUID(), body, ...(conversation ? { conversation } : {}) }),
  });
  const received = await response.body.json();
  if (response.statusCode >= 300)
    throw new Error(`a send responded with ${response.statusCode}: ${JSON.stringify(received)}`);
  return received;
}

async function inTurns(all, act) {
  let next = 0;
  const worker = async () => {
    while (next < all.length) await act(all[next++]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
