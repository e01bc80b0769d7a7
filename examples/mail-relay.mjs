import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

// Hands mail over that a provider posts in a form or in JSON, where Parley takes the bytes of the mail and a key.
const { PARLEY_URL = "http://127.0.0.1:8080", PARLEY_API_KEY: key, RELAY_SECRET: secret } = process.env;
const port = Number(process.env.RELAY_PORT ?? 9001);
const BYTES_MAX = 64 * 1024 * 1024;
// Where providers put the whole mail: Mailgun, SendGrid, CloudMailin, Postmark.
const FIELDS = ["body-mime", "email", "message", "RawEmail"];
if (!key || !secret) throw new Error("Set PARLEY_API_KEY and RELAY_SECRET.");

createServer(async (request, response) => {
  const [, given = "", mailbox = ""] = new URL(request.url, "http://relay").pathname.split("/");
  const isAllowed = request.method === "POST" && timingSafeEqual(digest(given), digest(secret));
  const status = isAllowed ? await relay(request, mailbox).catch(() => 503) : 404;
  process.stdout.write(`${status}\n`);
  response.writeHead(status).end();
}).listen(port, "127.0.0.1");

/** 200 only once Parley has stored the mail. After anything else providers send it again. */
async function relay(request, mailbox) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= BYTES_MAX) chunks.push(chunk);
  }
  if (size > BYTES_MAX) return 413;
  const mail = mailIn(Buffer.concat(chunks), request.headers["content-type"] ?? "");
  if (!mail) return 422;
  const stored = await fetch(`${PARLEY_URL}/api/v1/mailboxes/${encodeURIComponent(mailbox)}/messages`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "message/rfc822" },
    body: mail,
    signal: AbortSignal.timeout(60_000),
  });
  // A key or a mailbox that is wrong can be put right before the provider gives up.
  return stored.ok ? 200 : stored.status === 413 ? 413 : 503;
}

/** The bytes of the mail as they came: a mail has texts in several charsets, which decoding would damage. */
function mailIn(body, type) {
  if (/^application\/json/i.test(type)) return bytesOf(JSON.parse(body.toString()), Buffer.from);
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const pairs = body
      .toString("latin1")
      .split("&")
      .map((pair) => pair.split("=").map(unescaped));
    return bytesOf(Object.fromEntries(pairs), (text) => Buffer.from(text, "latin1"));
  }
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1];
  return boundary ? bytesOf(partsOf(body, `--${boundary}`), (bytes) => bytes) : null;
}

const bytesOf = (fields, convert) => {
  const name = FIELDS.find((field) => Object.hasOwn(fields, field) && fields[field].length > 0);
  return name ? convert(fields[name]) : null;
};

const unescaped = (text) =>
  text.replaceAll("+", " ").replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

function partsOf(body, delimiter) {
  const fields = {};
  for (let start = body.indexOf(delimiter); start !== -1; ) {
    const next = body.indexOf(`\r\n${delimiter}`, start);
    const part = body.subarray(start + delimiter.length + 2, next === -1 ? undefined : next);
    const head = part.indexOf("\r\n\r\n");
    const name = / name="([^"]*)"/i.exec(part.subarray(0, head).toString())?.[1];
    if (head !== -1 && name) fields[name] = part.subarray(head + 4);
    start = next === -1 ? -1 : next + 2;
  }
  return fields;
}

function digest(text) {
  return createHash("sha256").update(text).digest();
}
