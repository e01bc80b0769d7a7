import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Any } from "../support/conversations.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

const SETTINGS = {
  PARLEY_MAIL_PORTS: "1024-65535",
  PARLEY_MAIL_RETRY_SCHEDULE: "0.2",
  PARLEY_MAIL_TIMEOUT_SECONDS: "2",
};

/** Exchanges the newest refresh token only, and replaces it each time; the mail server takes the newest access token. */
const provider = { refresh: [] as string[], isRefused: false, newest: 0, revoked: "" };
const presented: string[] = [];
const subjects: string[] = [];

let tokens: Server;
let mails: SMTPServer;
let database: TestDatabase;
let parley: TestParley;
let mailbox: Any;
const { stored, mail, replied, settled } = mailWords(
  () => parley,
  () => mailbox,
);

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  tokens = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const given = new URLSearchParams(text).get("refresh_token") ?? "";
      provider.refresh.push(given);
      const isRight = !provider.isRefused && given === `refresh-${provider.newest}`;
      const headers = { "content-type": "application/json" };
      if (!isRight) return void response.writeHead(400, headers).end('{"error":"invalid_grant"}');
      const number = ++provider.newest;
      response
        .writeHead(200, headers)
        .end(
          JSON.stringify({ access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 3_600 }),
        );
    });
  });
  await new Promise<void>((resolve) => tokens.listen(0, "127.0.0.1", resolve));
  mails = new SMTPServer({
    authMethods: ["XOAUTH2"],
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ method, username, accessToken }, _session, done) {
      presented.push(`${method} ${username} ${accessToken}`);
      if (accessToken === `access-${provider.newest}` && accessToken !== provider.revoked)
        done(null, { user: username ?? "" });
      else done(null, { data: { status: "401", schemes: "bearer", scope: "mail" } });
    },
    onData(stream, _session, done) {
      let raw = "";
      stream.on("data", (chunk) => {
        raw += chunk;
      });
      stream.on("end", () => {
        subjects.push(/^Subject: (.*)\r$/m.exec(raw)?.[1] ?? "");
        done();
      });
    },
  });
  mails.on("error", () => {});
  await new Promise<void>((resolve) => {
    mails.listen(0, "127.0.0.1", () => resolve());
  });
  database = await createTestDatabase();
  parley = await startParley(SETTINGS, database);
  const oauth = {
    token_url: `http://127.0.0.1:${portOf(tokens)}/token`,
    client_id: "a",
    client_secret: "b",
    refresh_token: "refresh-0",
  };
  const outbound = { host: "127.0.0.1", port: portOf(mails.server), security: "none", user: "us@shop.example", oauth };
  const made = await parley.call("POST", "/mailboxes", { body: { name: "a", address: "us@shop.example", outbound } });
  expect(made.status, made.text).toBe(201);
  mailbox = made.body.data;
});
afterAll(async () => {
  await parley.close();
  await database.drop();
  await new Promise<void>((resolve) => mails.close(resolve));
  tokens.close();
});

const restart = async () => {
  await parley.close();
  parley = await startParley(SETTINGS, database);
};

describe("a mailbox that sends by OAuth", () => {
  const send = async (subject: string) => {
    const asked = await stored(mail({ From: "a@example.com" }));
    return replied(asked, { email: { subject } });
  };

  it("signs in by XOAUTH2 with an access token, which it keeps for later mail", async () => {
    await settled(await send("one"), "sent");
    await settled(await send("two"), "sent");
    expect(subjects).toEqual(["one", "two"]);
    expect(provider.refresh).toEqual(["refresh-0"]);
    expect(new Set(presented)).toEqual(new Set(["XOAUTH2 us@shop.example access-1"]));
  });

  it("asks again with the refresh token that the provider had replaced once its access token is refused", async () => {
    await settled(await send("before"), "sent");
    const { newest } = provider;
    provider.revoked = `access-${newest}`;
    presented.length = 0;
    await settled(await send("after"), "sent", 20_000);
    expect(subjects.filter((one) => one === "after")).toHaveLength(1);
    expect(provider.refresh.at(-1)).toBe(`refresh-${newest}`);
    expect(presented).toEqual([newest, newest + 1].map((number) => `XOAUTH2 us@shop.example access-${number}`));
  });

  it("continues after a restart with the newest refresh token, which was stored when the old one was used", async () => {
    await settled(await send("before a restart"), "sent");
    const { newest } = provider;
    await restart();
    await settled(await send("after a restart"), "sent", 20_000);
    expect(provider.refresh.at(-1)).toBe(`refresh-${newest}`);
  });

  it("says what to do when the provider refuses, and loses no mail", async () => {
    provider.isRefused = true;
    await restart();
    const message = await send("five");
    await until("the mailbox says so", async () =>
      (await parley.call("GET", `/mailboxes/${mailbox.id}`)).body.data.status.error?.includes("Get a new one"),
    );
    provider.isRefused = false;
    await settled(message, "sent", 20_000);
    expect(subjects.filter((one) => one === "five")).toHaveLength(1);
  });
});
