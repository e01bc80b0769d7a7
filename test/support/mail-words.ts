import type { Any } from "./conversations.ts";
import type { CallOptions, TestParley } from "./parley.ts";
import { until } from "./wait.ts";

interface Stored {
  id: number;
  conversation_id: number;
}

let counter = 0;

/** Short words for what the tests of mail do again and again. */
export function mailWords(parley: () => TestParley, mailbox: () => { id: number }) {
  async function connect(address: string, port: number, more: object = {}): Promise<Any> {
    const outbound = { host: "127.0.0.1", port, security: "none" };
    const reply = await parley().call("POST", "/mailboxes", { body: { name: "a", address, outbound, ...more } });
    if (reply.status !== 201) throw new Error(`The mailbox was refused: ${reply.text}`);
    return reply.body.data;
  }

  /** Headers and a text, as a mail; each one differs. */
  function mail(headers: Record<string, string> = {}, text = "Hello, where is my parcel?"): string {
    const all = {
      From: "Ada <ada@example.com>",
      To: "support@shop.example",
      Subject: "My parcel",
      "Message-ID": `<out${++counter}@example.com>`,
      Date: "Tue, 14 Jul 2026 10:00:00 +0200",
      ...headers,
    };
    const lines = Object.entries(all).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
    return [...lines, "", text, ""].join("\r\n");
  }

  async function stored(raw: string, to = mailbox().id): Promise<Any> {
    const headers = { "content-type": "message/rfc822" };
    const reply = await parley().call("POST", `/mailboxes/${to}/messages`, { rawBody: raw, headers });
    if (reply.status !== 201) throw new Error(`The mail was not stored: ${reply.status} ${reply.text}`);
    return reply.body.data;
  }

  const written = (to: Stored, body: object, options: CallOptions = {}) =>
    parley().call("POST", `/conversations/${to.conversation_id}/messages`, { body, ...options });

  async function replied(to: Stored, body: object, options: CallOptions = {}): Promise<Any> {
    const reply = await written(to, { body: "It arrives tomorrow.", ...body }, options);
    if (reply.status !== 201) throw new Error(`The reply was refused: ${reply.text}`);
    return reply.body.data;
  }

  const messageOf = async ({ id, conversation_id }: Stored): Promise<Any> =>
    (await parley().call("GET", `/conversations/${conversation_id}/messages/${id}`)).body.data;

  /** The message once its mail has this state. */
  async function settled(message: Stored, state: string, timeoutMs = 10_000): Promise<Any> {
    await until(`the mail is ${state}`, async () => (await messageOf(message)).delivery.state === state, { timeoutMs });
    return messageOf(message);
  }

  return { connect, mail, stored, written, replied, messageOf, settled };
}
