import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCertificate, hasOpenssl } from "../support/certificates.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { openSmtp } from "../support/smtp-dialogue.ts";
import { until } from "../support/wait.ts";

const BYTES_MAX = 300_000;
const QUOTA = 3_000_000;
const directory = mkdtempSync(join(tmpdir(), "parley-receiver-"));
const tls = hasOpenssl() ? createCertificate("IP:127.0.0.1") : null;
let parley: TestParley;
let smtp: number;
let lmtp: number;
let counter = 0;

beforeAll(async () => {
  if (tls) {
    writeFileSync(join(directory, "cert.pem"), tls.cert);
    writeFileSync(join(directory, "key.pem"), tls.key);
  }
  parley = await startParley({
    PARLEY_SMTP_PORT: "0",
    PARLEY_LMTP_PORT: "0",
    PARLEY_MAIL_DOMAINS: "shop.example",
    PARLEY_MAIL_BYTES_MAX: String(BYTES_MAX),
    PARLEY_FILE_BYTES_PER_WORKSPACE_MAX: String(QUOTA),
    ...(tls
      ? { PARLEY_SMTP_TLS_CERT: join(directory, "cert.pem"), PARLEY_SMTP_TLS_KEY: join(directory, "key.pem") }
      : {}),
  });
  smtp = parley.app.mailIn.ports.smtp as number;
  lmtp = parley.app.mailIn.ports.lmtp as number;
});
afterAll(async () => {
  await parley.close();
  rmSync(directory, { recursive: true });
});

async function connect(address: string, inbound: object | null = { type: "smtp" }, key?: string) {
  const body = { name: "a", address, inbound };
  const reply = await parley.call("POST", "/mailboxes", { body, ...(key ? { key } : {}) });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data as { id: number };
}

const mail = (headers: Record<string, string> = {}, text = "Hello"): string =>
  [
    ...Object.entries({
      From: "Ada <ada@example.com>",
      Subject: "A parcel",
      "Message-ID": `<r${++counter}@example.com>`,
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    "",
    text,
  ].join("\r\n");

const statusOf = async (id: number) => (await parley.call("GET", `/mailboxes/${id}`)).body.data.status;

async function messagesOf(mailboxId: number) {
  const found = (await parley.call("GET", "/conversations?limit=100")).body.data as {
    id: number;
    mailbox_id: number;
  }[];
  const own = found.filter(({ mailbox_id }) => mailbox_id === mailboxId);
  const lists = await Promise.all(own.map(({ id }) => parley.call("GET", `/conversations/${id}/messages`)));
  return lists.flatMap(({ body }) => body.data);
}

const setUsage = (workspaceId: number, bytes: number) =>
  parley.database.query(
    `insert into file_usage (workspace_id, bytes) values ($1, $2)
     on conflict (workspace_id) do update set bytes = excluded.bytes`,
    [workspaceId, bytes],
  );

/** A whole dialogue; the responses to RCPT and the ones after the dot. */
async function send(port: number, { to, raw, from = "ada@example.com" }: { to: string[]; raw: string; from?: string }) {
  const client = await openSmtp(port);
  try {
    await client.say(port === lmtp ? "LHLO a.example" : "EHLO a.example", `MAIL FROM:<${from}>`);
    const recipients = await client.say(...to.map((address) => `RCPT TO:<${address}>`));
    const accepted = recipients.filter((line) => line.startsWith("250")).length;
    if (accepted === 0) return { recipients, data: [] };
    await client.say("DATA");
    client.write(`${raw}\r\n.\r\n`);
    const data = await client.read(port === lmtp ? accepted : 1);
    return { recipients, data };
  } finally {
    client.close();
  }
}

describe("the receiver of mail", () => {
  it("stores a mail before it accepts it, with the envelope in its headers", async () => {
    const mailbox = await connect("first@shop.example");
    const { data } = await send(smtp, { to: ["First+tag@SHOP.example"], raw: mail() });
    expect(data[0]).toMatch(/^250 /);
    const [message] = await messagesOf(mailbox.id);
    expect(message).toMatchObject({ body: "Hello", direction: "in" });
    const raw = await (await fetch(message.email.raw_url)).text();
    expect(raw).toMatch(/^Return-Path: <ada@example.com>\r\nDelivered-To: First\+tag@shop.example\r\nReceived: from /i);
  });

  it("knows a delivery report by its empty return path", async () => {
    const mailbox = await connect("reports@shop.example");
    await send(smtp, { to: ["reports@shop.example"], raw: mail(), from: "" });
    expect((await messagesOf(mailbox.id))[0].email.automatic).toBe(true);
  });

  it("refuses every address that is not one of its mailboxes", async () => {
    await connect("http@shop.example", { type: "http" });
    const { recipients, data } = await send(smtp, {
      to: ["nobody@shop.example", "http@shop.example", "ada@elsewhere.example", "first@sub.shop.example"],
      raw: mail(),
    });
    expect(recipients.map((line) => line.slice(0, 3))).toEqual(["550", "550", "550", "550"]);
    expect(data).toEqual([]);
  });

  it("ends a connection that keeps asking for unknown addresses", async () => {
    const client = await openSmtp(smtp);
    await client.say("EHLO a.example", "MAIL FROM:<a@example.com>");
    const guesses = Array.from({ length: 20 }, (_, index) => `RCPT TO:<guess${index}@shop.example>`);
    await client.say(...guesses);
    expect((await client.say("RCPT TO:<first@shop.example>"))[0]).toMatch(/^421 /);
    await until("the connection to be closed", client.isClosed);
  });

  it("stores nothing of a mail whose connection ends before the last dot", async () => {
    const mailbox = await connect("cut@shop.example");
    const client = await openSmtp(smtp);
    await client.say("EHLO a.example", "MAIL FROM:<a@example.com>", "RCPT TO:<cut@shop.example>", "DATA");
    client.write(`${mail()}\r\nand more`);
    client.close();
    const { data } = await send(smtp, { to: ["cut@shop.example"], raw: mail({}, "whole") });
    expect(data[0]).toMatch(/^250 /);
    expect((await messagesOf(mailbox.id)).map(({ body }) => body)).toEqual(["whole"]);
  });

  it("refuses a mail over the limit of bytes and accepts the next one", async () => {
    await connect("large@shop.example");
    const client = await openSmtp(smtp);
    await client.say("EHLO a.example");
    expect((await client.say(`MAIL FROM:<a@example.com> SIZE=${BYTES_MAX + 1}`))[0]).toMatch(/^552 /);
    client.close();
    const { data } = await send(smtp, { to: ["large@shop.example"], raw: mail({}, "a line\r\n".repeat(50_000)) });
    expect(data[0]).toMatch(/^552 /);
    expect((await send(smtp, { to: ["large@shop.example"], raw: mail() })).data[0]).toMatch(/^250 /);
  });

  it("lets senders try again later while a mailbox is paused", async () => {
    const { id } = await connect("paused@shop.example");
    await parley.call("POST", `/mailboxes/${id}/pause`);
    expect((await send(smtp, { to: ["paused@shop.example"], raw: mail() })).recipients[0]).toMatch(/^450 /);
    await parley.call("POST", `/mailboxes/${id}/resume`);
    expect((await send(smtp, { to: ["paused@shop.example"], raw: mail() })).data[0]).toMatch(/^250 /);
  });

  it.skipIf(tls === null)("offers STARTTLS with the given certificate", async () => {
    await connect("secure@shop.example");
    const transport = createTransport({ host: "127.0.0.1", port: smtp, requireTLS: true, tls: { ca: tls?.ca } });
    const sent = await transport.sendMail({
      envelope: { from: "ada@example.com", to: ["secure@shop.example"] },
      raw: mail(),
    });
    expect(sent.response).toMatch(/^250 /);
    transport.close();
  });
});

describe("a mail for several mailboxes", () => {
  it("is stored once for each of them, also when a sender repeats it", async () => {
    const one = await connect("one@shop.example");
    const two = await connect("two@shop.example");
    const raw = mail();
    const to = ["one@shop.example", "one+a@shop.example", "two@shop.example"];
    expect((await send(smtp, { to, raw })).data).toHaveLength(1);
    expect((await send(smtp, { to, raw })).data[0]).toMatch(/^250 /);
    expect(await messagesOf(one.id)).toHaveLength(1);
    expect(await messagesOf(two.id)).toHaveLength(1);
  });

  it("gets a response for each recipient by LMTP, 452 where the files are full", async () => {
    const other = await parley.createWorkspace();
    const full = await connect("full@shop.example", { type: "smtp" }, other.key);
    const fine = await connect("fine@shop.example");
    await setUsage(other.id, QUOTA + 1);
    const raw = mail();
    const { data } = await send(lmtp, { to: ["full@shop.example", "fine@shop.example"], raw });
    expect(data.map((line) => line.slice(0, 3))).toEqual(["452", "250"]);
    expect(await messagesOf(fine.id)).toHaveLength(1);
    const shown = await parley.call("GET", `/mailboxes/${full.id}`, { key: other.key });
    expect(shown.body.data.status).toMatchObject({ state: "error", error: expect.stringContaining("limit") });
    expect((await statusOf(fine.id)).state).toBe("ok");
    await setUsage(other.id, 0);
    expect((await send(lmtp, { to: ["full@shop.example"], raw })).data[0]).toMatch(/^250 /);
    const again = await parley.call("GET", `/mailboxes/${full.id}`, { key: other.key });
    expect(again.body.data.status).toMatchObject({ state: "ok", error: null });
  });
});

describe("the script of the documentation that hands mail over", () => {
  /** The exit code; 75 lets Postfix try again. */
  async function run(script: string, mailboxId: number, raw: string): Promise<number | null> {
    const file = join(directory, "parley-ingest");
    writeFileSync(file, script);
    const child = spawn("sh", [file, String(mailboxId)], { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.end(raw);
    return new Promise((resolve) => child.on("exit", resolve));
  }

  it("stores a mail, and asks Postfix to try again where the server cannot be reached", async () => {
    const mailbox = await connect("piped@shop.example", { type: "http" });
    const page = readFileSync("docs/email.md", "utf8");
    const script = /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(page)?.[1] ?? "";
    writeFileSync(join(directory, "key"), parley.key);
    const own = script.replace("/etc/parley-ingest.key", join(directory, "key"));
    expect(await run(own.replace("https://chat.example.com", parley.url), mailbox.id, mail())).toBe(0);
    expect(await messagesOf(mailbox.id)).toHaveLength(1);
    expect(await run(own.replace("https://chat.example.com", "http://127.0.0.1:1"), mailbox.id, mail())).toBe(75);
  });
});
