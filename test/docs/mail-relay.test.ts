import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";
import { root } from "../tidy/source-text.ts";

const SECRET = "a-long-secret-of-the-relay";

let parley: TestParley;
let mailbox: { id: number };
let relays: { url: string; child: ChildProcess }[];

beforeAll(async () => {
  parley = await startParley();
  const outbound = { host: "127.0.0.1", port: 25, security: "none" };
  const body = { name: "a", address: "support@shop.example", inbound: { type: "http" }, outbound };
  mailbox = (await parley.call("POST", "/mailboxes", { body })).body.data;
  relays = await Promise.all([startRelay(parley.url), startRelay("http://127.0.0.1:1")]);
});
afterAll(async () => {
  for (const { child } of relays ?? []) child.kill();
  await parley.close();
});

async function startRelay(target: string) {
  const port = await freePort();
  const { PATH } = process.env;
  const env = { PATH, PARLEY_URL: target, PARLEY_API_KEY: parley.key, RELAY_SECRET: SECRET, RELAY_PORT: String(port) };
  const child = spawn(process.execPath, [join(root, "examples/mail-relay.mjs")], { env, stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const listens = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until("the relay listens", listens, { timeoutMs: 30_000 });
  return { url, child };
}

/** A mail whose bytes are those of no single charset. */
function mailOf(subject: string): Buffer {
  const head = `From: Ada <ada@example.com>\r\nTo: support@shop.example\r\nSubject: ${subject}\r\n`;
  const bytes = Buffer.from([0xe9, 0x00, 0xff, 0x26, 0x3d, 0x2b, 0x25, 0x0d, 0x0a, 0x2d, 0x2d, 0x62]);
  return Buffer.concat([Buffer.from(`${head}Content-Type: text/plain; charset=iso-8859-1\r\n\r\n`), bytes]);
}

const inForm = (name: string, mail: Buffer) => ({
  type: "multipart/form-data; boundary=b0undary",
  body: Buffer.concat([
    Buffer.from(
      '--b0undary\r\nContent-Disposition: form-data; name="to"\r\n\r\nsupport@shop.example\r\n--b0undary\r\n',
    ),
    Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n\r\n`),
    mail,
    Buffer.from("\r\n--b0undary--\r\n"),
  ]),
});
const inUrlEncoded = (name: string, mail: Buffer) => ({
  type: "application/x-www-form-urlencoded",
  body: Buffer.from(`to=a%40b&${name}=${[...mail].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")}`),
});
const inJson = (name: string, mail: Buffer) => ({
  type: "application/json",
  body: Buffer.from(JSON.stringify({ From: "ada@example.com", [name]: mail.toString() })),
});

const post = (path: string, { type, body }: { type: string; body: Buffer }, relay = relays[0]) =>
  fetch(`${relay?.url}/${path}`, { method: "POST", headers: { "content-type": type }, body: new Uint8Array(body) });

async function bytesOf(subject: string): Promise<Buffer | null> {
  const conversations = (await parley.call("GET", "/conversations")).body.data;
  const found = conversations.find((conversation: { subject: string }) => conversation.subject === subject);
  if (!found) return null;
  const [message] = (await parley.call("GET", `/conversations/${found.id}/messages`)).body.data;
  return Buffer.from(await (await fetch(message.email.raw_url)).arrayBuffer());
}

describe("the relay for providers that post mail in a form", () => {
  it.each([
    ["of SendGrid", "email", inForm],
    ["of Mailgun with attachments", "body-mime", inForm],
    ["of Mailgun", "body-mime", inUrlEncoded],
  ])("hands over the bytes of a mail in a form %s as they came", async (subject, name, write) => {
    const mail = mailOf(subject);
    expect((await post(`${SECRET}/${mailbox.id}`, write(name, mail))).status).toBe(200);
    expect(await bytesOf(subject)).toEqual(mail);
  });

  it("hands over a mail in JSON, as Postmark posts it", async () => {
    const mail = Buffer.from("From: ada@example.com\r\nSubject: in JSON\r\n\r\nÜber");
    expect((await post(`${SECRET}/${mailbox.id}`, inJson("RawEmail", mail))).status).toBe(200);
    expect(await bytesOf("in JSON")).toEqual(mail);
  });

  it("hands nothing over without its secret, and lets the provider try again until the mail is stored", async () => {
    const mail = inForm("email", mailOf("refused"));
    expect((await post(`wrong/${mailbox.id}`, mail)).status).toBe(404);
    expect((await post(`${SECRET}/${mailbox.id}`, inForm("other", mailOf("refused")))).status).toBe(422);
    expect((await post(`${SECRET}/99999`, mail)).status).toBe(503);
    expect((await post(`${SECRET}/${mailbox.id}`, mail, relays[1])).status).toBe(503);
    expect(await bytesOf("refused")).toBeNull();
  });
});
