import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { Parley } from "@parley/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt } from "../support/cli.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";
import { root } from "../tidy/source-text.ts";

let server: TestParley;
let parley: Parley;
let bot: ChildProcess;
let botKey: string;
let webhookId: number;
let output = "";

beforeAll(async () => {
  // The bot imports the client as a user does: from its build.
  await ensureBuilt();
  server = await startParley();
  parley = new Parley({ url: server.url, key: server.key });
  const port = await freePort();
  const key = await parley.apiKeys.create({
    name: "bot",
    type: "bot",
    abilities: ["conversations:read", "conversations:write", "messages:read", "drafts:read", "drafts:write"],
  });
  botKey = key.key;
  const webhook = await parley.webhooks.create({
    name: "bot",
    url: `http://127.0.0.1:${port}/`,
    events: ["message.created"],
  });
  webhookId = webhook.id;
  bot = spawn(process.execPath, [join(root, "examples/bot/bot.mjs")], {
    env: {
      PATH: process.env.PATH,
      PARLEY_URL: server.url,
      PARLEY_KEY: botKey,
      WEBHOOK_SECRET: webhook.secret,
      BOT_PORT: String(port),
    },
  });
  for (const stream of [bot.stdout, bot.stderr])
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  await until("the bot listens", () => output.includes("the bot listens"), { timeoutMs: 30_000 });
});
afterAll(async () => {
  bot?.kill();
  await server?.close();
});

describe("the bot example", () => {
  it("proposes a draft for a customer's message and hands the conversation to a person, who sends it", async () => {
    const conversation = await parley.conversations.create({
      contact: { name: "Ada" },
      message: { direction: "in", body: "Where is my order?" },
    });
    await parley.conversations.update(conversation.id, { status: "pending" });
    await parley.messages.create(conversation.id, { direction: "in", body: "My parcel is late." });
    await until(
      "both messages have a draft",
      async () => (await parley.drafts.list(conversation.id).take(9)).length === 2,
    );
    const drafts = await parley.drafts.list(conversation.id).take(9);
    expect(drafts[0]).toMatchObject({ author: { type: "bot", name: "bot" } });
    expect(drafts[0]?.body).toContain("order number");
    await until("it is open again", async () => (await parley.conversations.get(conversation.id)).status === "open");
    const sent = await parley.drafts.send(conversation.id, drafts[0]?.id ?? 0);
    expect(sent).toMatchObject({ direction: "out", body: drafts[0]?.body });
    expect(output).not.toContain("failed");
    expect(output).not.toContain("refused");
  });

  it("proposes nothing twice when a delivery is repeated, and never replies to its own side", async () => {
    const conversation = await parley.conversations.create({
      contact: { name: "Bob" },
      message: { direction: "in", body: "Hello" },
    });
    const drafts = () => parley.drafts.list(conversation.id).take(9);
    await until("there is a draft", async () => (await drafts()).length === 1);
    await parley.messages.create(conversation.id, { body: "A colleague replies." });
    const events = await parley.events.list({ type: "message.created" }).take(50);
    const ofThis = events.flatMap((event) =>
      event.type === "message.created" && event.data.conversation_id === conversation.id ? [event] : [],
    );
    const logsOf = async (id: string | undefined) =>
      (await parley.webhooks.logs(webhookId).take(50)).filter((log) => log.event_id === id);
    const [hello, reply] = ofThis.map(({ id }) => id);
    await until("both are delivered", async () => (await logsOf(hello)).length + (await logsOf(reply)).length === 2);
    const [log] = await logsOf(hello);
    await parley.webhooks.redeliver(webhookId, log?.id ?? 0);
    await until("the repeat is delivered", async () => (await logsOf(hello)).length === 2);
    expect((await logsOf(hello)).map(({ status }) => status)).toEqual(["success", "success"]);
    expect(await drafts()).toHaveLength(1);
  });

  it("has a key that cannot send", async () => {
    const asBot = new Parley({ url: server.url, key: botKey, maxRetries: 0 });
    const conversation = await parley.conversations.create({});
    const error = await asBot.messages.create(conversation.id, { body: "x" }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "FORBIDDEN" });
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
