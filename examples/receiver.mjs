import { createServer } from "node:http";
import { unwrapWebhook } from "@parley/client";

const secret = process.env.WEBHOOK_SECRET;
const port = Number(process.env.RECEIVER_PORT ?? 9000);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // The signature is over the bytes as they were received: verify first, parse after.
    const event = await unwrapWebhook(Buffer.concat(chunks), request.headers, secret);
    process.stdout.write(`verified ${event.type} ${event.id}\n`);
    response.writeHead(200).end();
  } catch (error) {
    process.stdout.write(`refused: ${error.message}\n`);
    response.writeHead(400).end();
  }
}).listen(port, "127.0.0.1");
