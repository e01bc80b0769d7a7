import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { replaceLostKey } from "../../src/installation-key/replace-lost.ts";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type PushService, startPushService } from "../support/push-service.ts";
import { type Receiver, startReceiver, verify } from "../support/receiver.ts";
import { totpCode } from "../support/totp.ts";

const OLD = "the-old-secret-key-of-32-characters-or-more";
const NEW = "the-new-secret-key-of-32-characters-or-more";
const OTHER = "another-secret-key-of-32-characters-or-more";

let database: TestDatabase;
let receiver: Receiver;
let pushes: PushService;
beforeAll(async () => {
  [database, receiver, pushes] = await Promise.all([createTestDatabase(), startReceiver(), startPushService()]);
});
afterAll(async () => {
  await database.drop();
  await receiver.close();
  await pushes.close();
});

const start = (keys: string): Promise<TestParley> => startParley({ PARLEY_SECRET_KEY: keys }, database);

async function enrol(person: Browser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await person.call("POST", "/two-factor/totp")).body.data;
  const confirmed = await person.call("POST", "/two-factor/totp/confirm", { code: totpCode(secret, "confirm") });
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes };
}

async function signIn(
  parley: TestParley,
  factor: { code: string } | { recovery_code: string },
): Promise<{ status: number; browser: Browser }> {
  const browser = openBrowser(parley);
  const first = await browser.call("POST", "/sign-in", { email: "olive@example.com", password: PASSWORD });
  const { token } = first.body.data.two_factor;
  const { status } = await browser.call("POST", "/sign-in/second-factor", { token, ...factor });
  return { status, browser };
}

describe("PARLEY_SECRET_KEY", () => {
  let id: number;
  let secret: string;
  let widget: { id: number; secret: string };
  let totp: { secret: string; recoveryCodes: string[] };

  it("is changed by giving both once: the new one then opens everything, and signatures stay the same", async () => {
    const first = await start(OLD);
    const made = await first.call("POST", "/webhooks", {
      body: { name: "hook", url: receiver.url(), events: ["message.*"], headers: { "X-Team": "blue" } },
    });
    ({ id, secret } = made.body.data);
    const account = { host: "127.0.0.1", port: 25, security: "none", user: "ada", password: "a password" };
    const mailbox = await first.call("POST", "/mailboxes", {
      body: { name: "a", address: "a@mail.example", inbound: { type: "imap", ...account }, outbound: account },
    });
    expect(mailbox.status, mailbox.text).toBe(201);
    await first.call("POST", `/mailboxes/${mailbox.body.data.id}/pause`);
    const chat = await first.call("POST", "/widgets", {
      body: { name: "chat", allowed_origins: ["https://shop.example"] },
    });
    const rotated = await first.call("POST", `/widgets/${chat.body.data.id}/rotate-secret`, { body: {} });
    widget = rotated.body.data;
    const owner = await setUp(first);
    totp = await enrol(owner);
    const slack = { slack_url: receiver.url("/chat") };
    expect((await owner.call("PATCH", "/alert-settings", slack)).status).toBe(200);
    const client = pushes.client();
    expect((await owner.call("POST", "/me/push-subscriptions", client.subscription)).status).toBe(201);
    const { push_key } = (await owner.call("GET", "/me/notifications")).body.data;
    await first.close();

    const both = await start(`${NEW},${OLD}`);
    expect((await both.call("GET", `/webhooks/${id}/secret`)).body.data.secret).toBe(secret);
    await both.close();

    const alone = await start(NEW);
    expect((await alone.call("GET", `/webhooks/${id}/secret`)).body.data.secret).toBe(secret);
    expect((await alone.call("GET", `/widgets/${widget.id}/secret`)).body.data.secret).toBe(widget.secret);
    expect((await alone.call("GET", "/webhooks")).body.data[0].headers).toEqual([{ key: "X-Team", value: "blue" }]);
    expect((await alone.call("POST", `/webhooks/${id}/test`)).body.data.success).toBe(true);
    for (const arrival of await receiver.waitFor(1)) verify(arrival, secret);
    const before = openBrowser(alone, owner.token);
    expect((await before.call("GET", "/me/notifications")).body.data.push_key).toBe(push_key);
    expect((await before.call("POST", "/me/push-subscriptions/test")).body.data.sent).toBe(true);
    const { status, browser } = await signIn(alone, { code: totpCode(totp.secret, "next") });
    expect(status).toBe(200);
    expect((await browser.call("GET", "/alert-settings")).body.data.slack_host).toBe(new URL(receiver.url()).host);
    expect((await browser.call("POST", "/alert-settings/test", { channel: "slack" })).body.data.sent).toBe(true);
    await alone.close();
  });

  it("seals everything again except stored responses, which expire", async () => {
    const sealed = await database.query<{ name: string }>(
      `select table_name || '.' || column_name as name
       from information_schema.columns
       where table_schema = 'public'
         and (column_name like '%sealed' or table_name = 'totp_secrets' and column_name = 'secret')
       order by 1`,
    );
    expect(sealed.map(({ name }) => name)).toEqual([
      "alert_settings.slack_url_sealed",
      "installation.push_private_key_sealed",
      "mailboxes.dkim_sealed",
      "mailboxes.inbound_sealed",
      "mailboxes.outbound_sealed",
      "notifications.content_sealed",
      "push_subscriptions.subscription_sealed",
      "totp_secrets.secret",
      "webhooks.headers_sealed",
      "webhooks.secret_sealed",
      "widgets.secret_sealed",
    ]);
    const oldId = createSecretBox([OLD]).keyId;
    for (const { name } of sealed) {
      const [table, column] = name.split(".");
      expect(await database.query(`select from ${table} where ${column} like $1`, [`${oldId}.%`]), name).toEqual([]);
    }
  });

  it("seals the former secrets of widgets again as well", async () => {
    const oldId = createSecretBox([OLD]).keyId;
    const [row] = await database.query<{ former: string }>("select previous_secrets::text as former from widgets");
    expect(row?.former).toContain('"sealed"');
    expect(row?.former).not.toContain(`"${oldId}.`);
  });

  it("that cannot open what is sealed refuses the start and says why", async () => {
    await expect(start(OLD)).rejects.toThrow(/sealed with another key/);
  });

  it("that is lost is replaced on request: receivers get new secrets, and second factors still protect", async () => {
    const box = createSecretBox([OTHER]);
    const before = await start(NEW);
    const { db } = before.app.store;
    await expect(replaceLostKey(db, createSecretBox([NEW]), { dryRun: false })).rejects.toThrow(/nothing has to be/);
    const planned = await replaceLostKey(db, box, { dryRun: true });
    expect((await before.call("GET", `/webhooks/${id}/secret`)).body.data.secret).toBe(secret);
    expect(await replaceLostKey(db, box, { dryRun: false })).toEqual(planned);
    expect(planned).toMatchObject({
      webhooks: [{ id, name: "hook" }],
      widgets: [{ id: widget.id, name: "chat" }],
      people: ["olive@example.com"],
      chats: 1,
      browsers: 1,
    });
    expect(planned.mailboxes).toMatchObject([{ address: "a@mail.example" }]);
    await before.close();

    const after = await start(OTHER);
    const renewed = (await after.call("GET", `/webhooks/${id}/secret`)).body.data.secret;
    expect(renewed).toMatch(/^whsec_/);
    expect(renewed).not.toBe(secret);
    const renewedOfWidget = (await after.call("GET", `/widgets/${widget.id}/secret`)).body.data.secret;
    expect(renewedOfWidget).toMatch(/^wis_/);
    expect(renewedOfWidget).not.toBe(widget.secret);
    expect((await after.call("GET", `/webhooks/${id}`)).body.data.headers).toEqual([]);
    expect((await signIn(after, { code: totpCode(totp.secret, "next") })).status).toBe(401);
    const { status, browser } = await signIn(after, { recovery_code: totp.recoveryCodes[0] ?? "" });
    expect(status).toBe(200);
    expect((await browser.call("GET", "/alert-settings")).body.data.slack_host).toBeNull();
    await after.close();
  });
});
