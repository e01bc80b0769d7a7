import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, PASSWORD } from "../support/browser.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openStream } from "../support/event-stream.ts";
import { TEST_KEY } from "../support/parley.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { exchange } from "../support/raw-http.ts";
import { hang, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

const SECRET_KEY = "the-key-that-seals-everything-of-this-installation";
const FORGED = 'x"\r\n{"level":60,"msg":"forged"}\r\nX-Forged: 1\u2028\u0085\u001b[31m';

/** The server as an operator runs it, saying all it can. */
let parley: ParleyProcess;
let database: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  parley = await startProcess("serve", database, {
    PARLEY_LOG_LEVEL: "trace",
    PARLEY_SECRET_KEY: SECRET_KEY,
    PARLEY_RETRY_SCHEDULE: "0.05",
  });
  // It comes by another pipe than the log, which begins after it.
  await until("the banner is there in full", () => /\/setup\?token=\S+\n\n/.test(parley.output()));
});
afterAll(async () => {
  await receiver.close();
  await parley?.end("SIGTERM");
  await database.drop();
});

async function made(path: string, body: object, headers: Record<string, string> = {}): Promise<Any> {
  const reply = await parley.call("POST", path, { body, headers });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

/** What was written since, once the line of this last request is there too. */
async function linesAfter(start: number): Promise<Any[]> {
  const last = (await parley.call("GET", "/me")).headers.get("x-request-id") ?? "";
  await until("the last request is in the log", () => parley.output().includes(last));
  return parley
    .output()
    .slice(start)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("line breaks and quotes in what a client sends", () => {
  it("make no second line in the log, wherever they occur", async () => {
    const start = parley.output().lastIndexOf("\n") + 1;
    const encoded = encodeURIComponent(FORGED);
    for (const path of [
      `/contacts/${encoded}`,
      `/${encoded}`,
      `/contacts?search=${encoded}`,
      `/events?type=${encoded}`,
    ])
      await parley.call("GET", path);
    const contact = await made("/contacts", { name: FORGED, external_id: FORGED, attributes: { [FORGED]: FORGED } });
    await parley.call("POST", "/contacts", { body: { external_id: FORGED } });
    const conversation = await made("/conversations", { contact_id: contact.id, subject: FORGED, labels: [FORGED] });
    await made(`/conversations/${conversation.id}/messages`, { body: FORGED });
    const described = await made("/api-keys", { name: "n", description: FORGED });
    await parley.call("GET", "/me", { key: described.key });
    const hook = await made("/webhooks", { name: "n", url: receiver.url(), events: ["message.created"] });
    // A name that is on one line wherever it is shown takes none of it.
    for (const [method, path, body] of [
      ["POST", "/api-keys", { name: FORGED }],
      ["PATCH", `/api-keys/${described.id}`, { name: FORGED }],
      ["POST", "/webhooks", { name: FORGED, url: receiver.url(), events: ["message.created"] }],
      ["PATCH", `/webhooks/${hook.id}`, { name: FORGED }],
      ["POST", "/saved-replies", { name: FORGED, body: FORGED }],
      ["POST", "/views", { name: FORGED, filters: { label: FORGED, search: FORGED } }],
    ] as const) {
      const refusal = await parley.call(method, path, { body });
      expect(refusal.status, `${method} ${path}: ${refusal.text}`).toBe(422);
      expect(refusal.body.error.details).toEqual({ name: ["name must not contain control characters."] });
    }
    await parley.call("POST", `/webhooks/${hook.id}/disable`, { body: { reason: FORGED } });
    await parley.call("PATCH", `/webhooks/${hook.id}`, { body: { url: `http://127.0.0.1/${FORGED}` } });
    await parley.call("GET", "/me", { key: null, headers: { authorization: `Bearer ${encoded}` } });
    await exchange(parley.url, `GET /api/v1/me\u0085\u001b[31m HTTP/1.1\r\nHost: x\r\nUser-Agent: a\tb"{}\r\n\r\n`);
    await exchange(parley.url, `GET /api/v1/${'"}{"level":60,"msg":"forged"}'} HTTP/1.1\r\nHost: x"{\r\n\r\n`);
    await exchange(parley.url, 'BREW "\n{"level":60,"msg":"forged"}\n\r\n\r\n');

    const lines = await linesAfter(start);
    expect(lines.length).toBeGreaterThan(15);
    for (const line of lines) {
      expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(Number), msg: expect.any(String) });
      expect(line.msg).not.toBe("forged");
    }
    // A terminal that shows the log obeys control characters: none is left as it was.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for
    expect(parley.output().slice(start)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
  });

  it("create no header in a response", async () => {
    for (const path of [
      "/api/v1/contacts?search=a%0d%0aX-Forged:%201&per_page=1",
      "/api/v1/contacts?a%0d%0aX-Forged:%201=b",
      "/api/v1/contacts/%0d%0aX-Forged:%201",
      "/%0d%0aX-Forged:%201",
      "/api/v1/contacts%E5%98%8A%E5%98%8DX-Forged:%201",
    ])
      for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
        const bytes = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\nX-Request-Id: forged\r\nConnection: close\r\n\r\n`;
        const response = await exchange(parley.url, bytes, { head: method === "HEAD" });
        expect(Object.keys(response.headers), `${method} ${path}`).not.toContain("x-forged");
        expect(response.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      }
  });

  it("are refused in the headers of a webhook, by create and by update, and none is sent", async () => {
    const hook = { name: "n", url: receiver.url("/headers"), events: ["contact.created"] };
    const { id } = await made("/webhooks", { ...hook, headers: { "X-Good": "a" } });
    for (const bad of ["\r\n", "\n", "\r", "\0", "\u2028", "\u0085", "\u{1f4a9}"])
      for (const headers of [{ "X-A": `a${bad}X-Forged: 1` }, { [`X-A${bad}X-Forged`]: "1" }, [["X-A:", bad]]]) {
        const replies = [
          await parley.call("POST", "/webhooks", { body: { ...hook, headers } }),
          await parley.call("PATCH", `/webhooks/${id}`, { body: { headers } }),
        ];
        expect(
          replies.map(({ status }) => status),
          JSON.stringify(headers),
        ).toEqual([422, 422]);
      }
    await made("/contacts", { name: FORGED });
    const [arrival] = await receiver.waitFor(1, "/headers");
    expect(Object.keys(arrival?.headers ?? {})).not.toContain("x-forged");
    expect(arrival?.event.data.name).toBe(FORGED.trim());
  });

  it("make no second event in a stream", async () => {
    const stream = await openStream(parley.url, { query: "?type=contact.created" });
    const name = `a\n\nevent: forged\ndata: {"type":"forged"}\n\nid: 1\r\rdata: x`;
    await made("/contacts", { name });
    await made("/contacts", { name: "last" });
    const events = await stream.received(2);
    expect(events.map(({ event, data }) => [event, data.data.name])).toEqual([
      ["contact.created", name],
      ["contact.created", "last"],
    ]);
    stream.close();
  });
});

describe("secrets", () => {
  it("are in no line of the log, whatever is done with them and however it fails", async () => {
    const secrets: Record<string, string> = { "the bootstrap key": TEST_KEY, "the sealing key": SECRET_KEY };

    const key = await made("/api-keys", { name: "n" });
    secrets["a key"] = key.key;
    const rotated = await parley.call("POST", `/api-keys/${key.id}/rotate`, { body: { overlap_seconds: 60 } });
    secrets["a rotated key"] = rotated.body.data.key;
    for (const secret of [key.key, rotated.body.data.key, `${key.key}x`]) {
      await parley.call("GET", "/me", { key: secret });
      await parley.call("GET", `/me?api_key=${secret}&authorization=${secret}`, { key: null });
      for (const path of [`/api-keys/${secret}`, `/${secret}`, `/api-keys/${secret}/rotate`])
        await parley.call("GET", path);
      await parley.call("POST", "/contacts", { key: secret, rawBody: `{"key":"${secret}",` });
      await parley.call("POST", "/contacts", { headers: { "idempotency-key": secret, "x-api-key": secret }, body: {} });
    }

    receiver.behave(hang, "/hangs");
    secrets["a custom header"] = "Basic-credentials-of-the-receiver";
    const hooks = [receiver.url("/ok"), receiver.url("/hangs"), "http://127.0.0.1:1/", "http://hooks.invalid/"];
    for (const url of hooks) {
      const headers = { Authorization: secrets["a custom header"], Cookie: "session-of-the-receiver" };
      const hook = await made("/webhooks", {
        ...{ name: "n", url, events: ["contact.created"], headers, retry_count: 1, timeout_seconds: 5 },
      });
      secrets[`the secret of ${url}`] = hook.secret.slice("whsec_".length);
      const again = await parley.call("POST", `/webhooks/${hook.id}/rotate-secret`);
      secrets[`the new secret of ${url}`] = again.body.data.secret.slice("whsec_".length);
      await parley.call("GET", `/webhooks/${hook.id}/secret`);
      await parley.call("GET", `/webhooks/${hook.secret}`);
    }
    secrets["a receiver's cookie"] = "session-of-the-receiver";
    await made("/contacts", { name: "n" });
    await receiver.waitFor(1, "/ok");
    await receiver.waitFor(1, "/hangs");

    const browser = openBrowser(parley);
    const token = /\/setup\?token=([^\s"]+)/.exec(parley.output())?.[1] ?? "";
    // The link is meant to be read, once, where the server starts: what must not be there is what comes after it.
    const start = parley.output().indexOf(token) + token.length;
    await browser.call("POST", "/setup", { token, name: "Olive", email: "olive@example.com", password: PASSWORD });
    secrets["a password"] = PASSWORD;
    secrets["a session"] = browser.token ?? "";
    secrets["the set-up token"] = token;
    await browser.call("POST", "/sign-in", { email: "olive@example.com", password: `${PASSWORD} but wrong` });
    await browser.call("POST", "/sign-in", `{"email":"olive@example.com","password":"${PASSWORD}"`);
    await browser.call("PATCH", "/profile", { password: `${PASSWORD}!`, current_password: "no" });
    const invited = await browser.call("POST", "/invitations", { email: "a@example.com", role: "agent" });
    const invitation = new URL(invited.body.data.url).searchParams.get("token") ?? "";
    secrets["an invitation"] = invitation;
    await browser.call("POST", "/invitation-preview", { token: invitation });
    await browser.call("GET", `//accept-invitation?token=${invitation}`).catch(() => {});
    await browser.call("POST", "/accept-invitation", { token: invitation, name: "n", password: "short" });

    const lines = await linesAfter(parley.output().lastIndexOf("\n") + 1);
    expect(lines.length).toBeGreaterThan(0);
    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret.length, what).toBeGreaterThan(15);
      const from = what === "the set-up token" ? start : 0;
      expect(parley.output().slice(from).includes(secret), `${what} is in the log`).toBe(false);
    }
  });
});
