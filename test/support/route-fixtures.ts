import { randomUUID } from "node:crypto";
import { callApi } from "./parley.ts";
import { until } from "./wait.ts";

/** Ids made so far for one path, by the name of their parameter. */
export type MadeIds = Record<string, number | string>;

/** Makes the resource that a path parameter names, in the workspace of `key`, below what `made` holds already. */
type FixtureMaker = (url: string, key: string, made: MadeIds) => Promise<number | string>;

async function make(url: string, key: string, path: string, body: object): Promise<number> {
  const reply = await callApi(url, "POST", path, { key, body });
  if (reply.status !== 201) throw new Error(`POST ${path} responded with ${reply.status}: ${reply.text}`);
  return reply.body.data.id;
}

/**
 * One maker for each path parameter there is. A route with a parameter that is missing here fails the walk of the
 * registry: the change that adds it also says how another workspace gets one, so that tenancy is tested from the first day.
 */
export const FIXTURE_MAKERS: Record<string, FixtureMaker> = {
  key: (url, key) => make(url, key, "/api-keys", { name: "fixture" }),
  contact: (url, key) => make(url, key, "/contacts", { name: "fixture" }),
  conversation: (url, key) => make(url, key, "/conversations", { subject: "fixture" }),
  message: (url, key, { conversation }) =>
    make(url, key, `/conversations/${conversation}/messages`, { body: "fixture" }),
  draft: (url, key, { conversation }) => make(url, key, `/conversations/${conversation}/drafts`, { body: "fixture" }),
  async file(url, key) {
    const headers = { "content-type": "text/plain" };
    const reply = await callApi(url, "POST", "/files?name=fixture.txt", { key, rawBody: "fixture", headers });
    if (reply.status !== 201) throw new Error(`POST /files responded with ${reply.status}: ${reply.text}`);
    return reply.body.data.id;
  },
  saved_reply: (url, key) => make(url, key, "/saved-replies", { name: "fixture", body: "fixture" }),
  view: (url, key) => make(url, key, "/views", { name: "fixture" }),
  webhook: (url, key) =>
    make(url, key, "/webhooks", { name: "fixture", url: "http://127.0.0.1:9/", events: ["message.created"] }),
  mailbox: (url, key) =>
    make(url, key, "/mailboxes", {
      name: "fixture",
      address: `${randomUUID()}@mail.example`,
      inbound: { type: "http" },
      outbound: { host: "127.0.0.1", port: 25, security: "none" },
    }),
  widget: (url, key) => make(url, key, "/widgets", { name: "fixture", allowed_origins: ["https://shop.example"] }),
  async consumer(url, key) {
    const path = `/consumers/fixture-${randomUUID()}`;
    const reply = await callApi(url, "PUT", path, { key, body: { start: "now" } });
    if (reply.status !== 201) throw new Error(`PUT ${path} responded with ${reply.status}: ${reply.text}`);
    return reply.body.data.name;
  },
  async event(url, key) {
    await make(url, key, "/contacts", { name: "fixture" });
    const { body } = await callApi(url, "GET", "/events?order=desc&limit=1", { key });
    return body.data[0].id;
  },
  async log(url, key, { webhook }) {
    // Nobody listens there: the attempt fails at once, and is logged.
    await callApi(url, "POST", `/webhooks/${webhook}/test`, { key });
    const { body } = await callApi(url, "GET", `/webhooks/${webhook}/logs`, { key });
    return body.data[0].id;
  },
};

/** The message that some routes are about, where that is not any message; with its conversation. */
export async function makeMessageFor(path: string, url: string, key: string): Promise<MadeIds> {
  if (path.endsWith("/{message}/email")) return makeMail(url, key, "mail.example");
  if (!path.endsWith("/{message}/resend")) return {};
  const { conversation = 0 } = await makeMail(url, key, "mail.invalid");
  const messages = `/conversations/${conversation}/messages`;
  const message = await make(url, key, messages, { body: "fixture" });
  const stateOf = async () => (await callApi(url, "GET", `${messages}/${message}`, { key })).body.data.delivery.state;
  await until("the mail has failed", async () => (await stateOf()) === "failed");
  return { conversation, message };
}

/** A message that is mail, with its conversation. */
async function makeMail(url: string, key: string, domain: string): Promise<MadeIds> {
  const { mailbox = 0 } = await makeFor("/mailboxes/{mailbox}", url, key);
  const headers = { "content-type": "message/rfc822" };
  const rawBody = `From: fixture@${domain}\r\nMessage-ID: <${randomUUID()}@mail.example>\r\n\r\nfixture`;
  const reply = await callApi(url, "POST", `/mailboxes/${mailbox}/messages`, { key, rawBody, headers });
  if (reply.status !== 201) throw new Error(`handing a mail over responded with ${reply.status}: ${reply.text}`);
  return { conversation: reply.body.data.conversation_id, message: reply.body.data.id };
}

export const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** Every resource that a path names, each within the one before it. */
export async function makeFor(path: string, url: string, key: string, known: MadeIds = {}): Promise<MadeIds> {
  const made: MadeIds = { ...known };
  for (const name of parametersOf(path)) {
    const maker = FIXTURE_MAKERS[name];
    if (!maker)
      throw new Error(`No fixture maker for {${name}} of ${path}: add one to test/support/route-fixtures.ts.`);
    made[name] ??= await maker(url, key, made);
  }
  return made;
}

export const fill = (path: string, ids: (name: string) => string | number): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids(name)));
