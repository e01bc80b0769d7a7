// A webhook sender built on a job queue: take a job, sign, send, write one log row. One process; controlled by messages
// to fill its queue, to process it and to stop.
import pg from "pg";
import { Pool } from "undici";
import { bullmq, pgBoss } from "./queues.mjs";
import { signedHeaders } from "./signing.mjs";

const { queue: queueName, client, sinkUrl, database, redisPort, concurrency } = JSON.parse(process.argv[2]);

const pool = new Pool(sinkUrl, { connections: concurrency });
const CLIENTS = {
  async undici(path, headers, body) {
    const response = await pool.request({ method: "POST", path, headers, body });
    await response.body.dump();
    return response.statusCode;
  },
  async fetch(path, headers, body) {
    const response = await fetch(sinkUrl + path, { method: "POST", headers, body });
    await response.arrayBuffer();
    return response.status;
  },
};
const post = CLIENTS[client];

const log = new pg.Pool({ ...database, ssl: false, max: 20 });
await log.query(
  `create table if not exists delivery_log (
     id bigint generated always as identity primary key, event_id text not null, path text not null, status integer not null,
     response_time_ms integer not null, created_at timestamptz not null default now())`,
);

async function deliver({ id, path, payload }) {
  const begunAt = performance.now();
  const status = await post(path, signedHeaders(id, payload), payload);
  await log.query({
    name: "log",
    text: "insert into delivery_log (event_id, path, status, response_time_ms) values ($1, $2, $3, $4)",
    values: [id, path, status, Math.round(performance.now() - begunAt)],
  });
  if (status >= 300) throw new Error(`HTTP ${status}`);
}

const openQueue = { bullmq, "pg-boss": pgBoss }[queueName];
const queue = await openQueue({ name: `${queueName}-${client}`, deliver, database, redisPort, concurrency });
const COMMANDS = {
  fill: ({ count, payload }) =>
    queue.fill(Array.from({ length: count }, (_, number) => ({ id: `evt_${number}`, path: "/hook", payload }))),
  work: () => queue.work(),
  rest: () => queue.rest(),
};
process.on("message", async (message) => {
  const response = await COMMANDS[message.command](message).catch((error) => ({ error: error.message }));
  process.send(response ?? {});
});
process.send({ ready: true });
