import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";
import { type CallOptions, startParley, type TestParley } from "./parley.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { until } from "./wait.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

/** A product and a receiver, and the few steps that every test of webhooks takes. */
export interface WebhookFixture {
  parley: TestParley;
  receiver: Receiver;
  /** A path that no other test has used. */
  freshPath(): string;
  /** The whole body of a valid create request, with these fields changed. */
  valid(input?: object): Record<string, unknown>;
  /** Creates a webhook of message.created at a fresh path of the receiver; `path` is added to its record. */
  createWebhook(input?: object, options?: CallOptions): Promise<Any>;
  /** Writes a message: one `message.created`. */
  write(text?: string, options?: CallOptions): Promise<Any>;
  /** The logs list, meta and links included. */
  logs(webhook: { id: number }, query?: string): Promise<Any>;
  /** Waits until the webhook has exactly this many logs (that match). */
  waitForLogs(webhook: { id: number }, count: number, query?: string, timeoutMs?: number): Promise<Any[]>;
  /** The unfinished deliveries of a webhook, as the database has them. */
  queued(webhook: { id: number }): Promise<Any[]>;
  /** Shorter than the API allows, so that a test need not wait five seconds. */
  setTimeoutSeconds(webhook: { id: number }, seconds: number): Promise<void>;
  close(): Promise<void>;
}

let paths = 0;

export async function startWebhookFixture(
  settings: Record<string, string> = {},
  shared?: TestDatabase,
): Promise<WebhookFixture> {
  const parley = await startParley({ PARLEY_RETRY_SCHEDULE: "0.1", ...settings }, shared);
  const receiver = await startReceiver();
  let conversation: Promise<number> | undefined;

  const freshPath = () => `/hook-${++paths}`;
  const valid = (input: object = {}) => ({
    name: "hook",
    url: receiver.url(),
    events: ["message.created"],
    ...input,
  });
  async function made(path: string, body: object, options: CallOptions = {}): Promise<Any> {
    const reply = await parley.call("POST", path, { body, ...options });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  }
  const logs = async (webhook: { id: number }, query = "") =>
    (await parley.call("GET", `/webhooks/${webhook.id}/logs${query}`)).body;

  return {
    parley,
    receiver,
    freshPath,
    valid,
    async createWebhook(input = {}, options = {}) {
      const path = freshPath();
      return { ...(await made("/webhooks", valid({ url: receiver.url(path), ...input }), options)), path };
    },
    async write(text = "hello", options = {}) {
      conversation ??= made("/conversations", { subject: "webhooks" }).then(({ id }) => id);
      return made(`/conversations/${await conversation}/messages`, { body: text }, options);
    },
    logs,
    waitForLogs: (webhook, count, query = "", timeoutMs = 10_000) =>
      until(
        `webhook ${webhook.id} has ${count} logs`,
        async () => {
          const { data } = await logs(webhook, query);
          return data.length === count ? data : null;
        },
        { timeoutMs },
      ),
    queued: (webhook) =>
      parley.database.query("select * from deliveries where webhook_id = $1 order by id", [webhook.id]),
    async setTimeoutSeconds(webhook, seconds) {
      await parley.database.query("update webhooks set timeout_seconds = $2, version = version + 1 where id = $1", [
        webhook.id,
        seconds,
      ]);
    },
    async close() {
      // The receiver first: what still hangs there would keep the engine waiting.
      await receiver.close();
      await parley.close();
    },
  };
}
