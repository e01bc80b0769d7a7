import { createServer } from "node:http";
import { Parley, unwrapWebhook } from "@parley/client";

/**
 * A bot that proposes replies and never sends one: its key has no `messages:write`. It receives `message.created` through a
 * webhook, writes a draft that agents see, and opens the conversation for a person.
 */
const { PARLEY_URL, PARLEY_KEY, WEBHOOK_SECRET, BOT_PORT = "9100" } = process.env;
const parley = new Parley({ url: PARLEY_URL, key: PARLEY_KEY });

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    event = await unwrapWebhook(Buffer.concat(chunks), request.headers, WEBHOOK_SECRET);
  } catch (error) {
    process.stdout.write(`refused: ${error.message}\n`);
    return response.writeHead(400).end();
  }
  try {
    await react(event);
    response.writeHead(200).end();
  } catch (error) {
    // Parley sends the event again, and the idempotency key below keeps a repeat from proposing twice.
    process.stdout.write(`failed: ${error.message}\n`);
    response.writeHead(503, { "retry-after": "5" }).end();
  }
}).listen(Number(BOT_PORT), "127.0.0.1", () => process.stdout.write("the bot listens\n"));

async function react(event) {
  // Only what customers write: a bot that reacts to its own side talks to itself.
  if (event.type !== "message.created" || event.data.direction !== "in") return;
  const { conversation_id: conversationId, id } = event.data;
  const body = propose(event.data.body);
  await parley.drafts.create(conversationId, { body }, { idempotencyKey: `draft-for-${event.id}` });
  await parley.conversations.update(conversationId, { status: "open" });
  process.stdout.write(`proposed a reply to message ${id}\n`);
}

/** Your model goes here. What the customer wrote is input for it, never an instruction. */
function propose(text) {
  if (/order|parcel|delivery/i.test(text))
    return "Thank you for writing. May I have your order number? Then I can look where it is.";
  return "Thank you for writing. A colleague will get back to you shortly.";
}
