// A fast receiver in a process of its own: counts what arrives, per run. GET /stats and POST /reset are for the benchmark;
// a POST to /hang gets no response, and one to /refuse gets a 404. Arguments: the port and, if need be, the address to listen on.
import { createServer } from "node:http";
import { latencyOf, machineMs } from "./clock.mjs";

let count = 0;
let firstAt = 0;
let lastAt = 0;
let seen = new Set();
/** Of every request that said when it was sent: that moment, and how long it took. */
const arrivals = [];

createServer((request, response) => {
  if (request.method === "GET") {
    response.end(
      JSON.stringify({
        count,
        distinct: seen.size,
        ms: lastAt - firstAt,
        arrivals: request.url === "/arrivals" ? arrivals : undefined,
      }),
    );
    return;
  }
  if (request.url === "/reset") {
    count = 0;
    firstAt = 0;
    seen = new Set();
    arrivals.length = 0;
    response.end();
    return;
  }
  if (request.url === "/hang") return;
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    lastAt = performance.now();
    firstAt ||= lastAt;
    count++;
    seen.add(`${request.headers["webhook-id"]} ${request.url}`);
    const latency = latencyOf(chunks.length === 1 ? chunks[0].toString() : "");
    if (latency !== null) arrivals.push({ sentAt: machineMs() - latency, ms: latency });
    if (request.url.startsWith("/refuse")) response.statusCode = 404;
    response.end("ok");
  });
}).listen({ port: Number(process.argv[2]), host: process.argv[3] ?? "127.0.0.1", backlog: 4096 });
