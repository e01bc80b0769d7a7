// The baselines of bench/read: the same 25 rows by the same query in Fastify and nothing else; bare Fastify; node:http.
import { createServer } from "node:http";
import Fastify from "fastify";
import pg from "pg";

const [kind, port, database] = process.argv.slice(2);
const { text, values, payload } = JSON.parse(process.env.BENCH_QUERY);

if (kind === "node")
  createServer((_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(payload),
  ).listen(Number(port), "127.0.0.1");
else {
  const fastify = Fastify();
  if (kind === "fastify") fastify.get("/", async (_request, reply) => reply.type("application/json").send(payload));
  else {
    const pool = new pg.Pool({ ...JSON.parse(database), max: 12, ssl: false });
    fastify.get("/", async () => ({ success: true, data: (await pool.query({ name: "list", text, values })).rows }));
  }
  await fastify.listen({ host: "127.0.0.1", port: Number(port) });
}
