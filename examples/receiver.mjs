import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const port = Number(process.env.RECEIVER_PORT ?? 9000);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // The signature is over the bytes as they came: verify first, parse after.
  const body = Buffer.concat(chunks).toString();
  try {
    const event = webhook.verify(body, request.headers);
    process.stdout.write(`verified ${event.type} ${event.id}\n`);
    response.writeHead(200).end();
  } catch (error) {
    process.stdout.write(`refused: ${error.message}\n`);
    response.writeHead(400).end();
  }
}).listen(port, "127.0.0.1");
