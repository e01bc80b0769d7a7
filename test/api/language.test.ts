import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { PUBLIC_URL, startMailParley } from "../support/mail-parley.ts";
import type { MailServer } from "../support/mail-server.ts";
import type { TestParley } from "../support/parley.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const OLIVE = "olive@example.com";

let parley: TestParley;
let mail: MailServer;
let owner: Browser;
beforeAll(async () => {
  ({ parley, mail } = await startMailParley());
  owner = await setUp(parley, {}, PUBLIC_URL);
  await owner.call("PATCH", "/profile", { name: "Olga" });
});
afterAll(async () => {
  await parley.close();
  await mail.close();
});

const current = async () => (await owner.call("GET", "/session")).body.data.language;
const choose = (language: string) => owner.call("PATCH", "/profile", { language });

describe("the language of the dashboard", () => {
  it("is the browser's until a user chooses one, and again when they clear it", async () => {
    expect(await current()).toBeNull();
    expect((await choose("pt-BR")).body.data.language).toBe("pt-BR");
    expect(await current()).toBe("pt-BR");
    expect((await owner.call("PATCH", "/profile", { name: "Olga" })).body.data.language).toBe("pt-BR");
    expect((await choose("")).body.data.language).toBeNull();
    expect(await current()).toBeNull();
  });

  it("is one of those that there are", async () => {
    const { status, body } = await choose("tlh");
    expect([status, Object.keys(body.error.details)]).toEqual([422, ["language"]]);
  });
});

it("a transcript is in the language that its reader accepts, otherwise in English", async () => {
  const contact = (await parley.call("POST", "/contacts", { body: {} })).body.data;
  const { id } = (await parley.call("POST", "/conversations", { body: { contact_id: contact.id } })).body.data;
  await parley.call("POST", `/conversations/${id}/messages`, { body: { direction: "in", body: "Hallo" } });
  const read = async (language: string) => {
    const reply = await fetch(`${parley.url}/api/v1/conversations/${id}/transcript`, {
      headers: { authorization: `Bearer ${parley.key}`, "accept-language": language },
    });
    return [reply.headers.get("content-language"), await reply.text()];
  };
  expect(await read("de-CH")).toEqual([
    "de",
    expect.stringMatching(/^#\d+\nZeiten in UTC\.\n\n\[.*\] Besucher: Hallo\n/),
  ]);
  expect(await read("*")).toEqual(["en", expect.stringMatching(/^#\d+\nTimes in UTC\.\n\n\[.*\] Visitor: Hallo\n/)]);
});

describe("an e-mail to a user", () => {
  /** Waits for it and returns its text. */
  const arrived = (address: string, subject: string): Promise<string> =>
    until(
      `"${subject}" arrives for ${address}`,
      () => mail.to(address).find((one) => one.header("Subject") === subject)?.text,
    );
  const signIn = async (language: string): Promise<void> => {
    const headers = { "accept-language": language };
    const browser = openBrowser(parley, null, PUBLIC_URL);
    expect((await browser.call("POST", "/sign-in", { email: OLIVE, password: PASSWORD }, headers)).status).toBe(200);
  };
  const joined = async (role: string, email: string, language: string): Promise<Browser> => {
    const { url } = (await owner.call("POST", "/invitations", { email, role })).body.data;
    const browser = openBrowser(parley, null, PUBLIC_URL);
    const accepted = { token: new URL(url).searchParams.get("token"), name: email.split("@")[0], password: PASSWORD };
    expect((await browser.call("POST", "/accept-invitation", accepted)).status).toBe(200);
    await browser.call("PATCH", "/profile", { language });
    return browser;
  };

  it("is in the language of the browser they used last, unless they have chosen one", async () => {
    const french = "Un nouvel appareil s’est connecté à votre compte Parley";
    await signIn("tlh, fr-CH, fr;q=0.9, en;q=0.8");
    expect(await arrived(OLIVE, french)).toContain("choisissez immédiatement un nouveau mot de passe");
    await choose("es");
    await signIn("fr");
    await arrived(OLIVE, "Un dispositivo nuevo ha iniciado sesión en su cuenta de Parley");
    await choose("");
    mail.mails.length = 0;
    await signIn("*");
    await arrived(OLIVE, french);
  });

  it("that invites a person without an account is in the language of who invites them", async () => {
    await choose("de");
    const email = "new@example.com";
    await owner.call("POST", "/invitations", { email, role: "agent" });
    const text = await arrived(email, "Olga hat Sie zu Default eingeladen");
    expect(text).toMatch(/^Olga hat Sie als Agent in den Arbeitsbereich „Default“ auf Parley eingeladen\.\n/);
  });

  it("with a link for a new password is in the language of its owner, not of who asked for it", async () => {
    const stranger = openBrowser(parley, null, PUBLIC_URL);
    await stranger.call("POST", "/password-reset-request", { email: OLIVE }, { "accept-language": "pt" });
    expect(await arrived(OLIVE, "Neues Passwort für Parley setzen")).toContain("Er gilt einmal, 30 Minuten lang:");
  });

  it("about a mention is in the language of who is mentioned", async () => {
    const email = "bruna@example.com";
    await joined("agent", email, "pt-BR");
    const away = "update users set last_seen_at = now() - interval '11 minutes' where email = $1";
    await parley.database.query(away, [email]);
    const contact = (await parley.call("POST", "/contacts", { body: { name: "Ada" } })).body.data;
    const conversation = (await parley.call("POST", "/conversations", { body: { contact_id: contact.id } })).body.data;
    const note = { body: "@bruna look", private: true };
    await owner.call("POST", `//api/v1/conversations/${conversation.id}/messages`, note);
    expect(await arrived(email, "[Default] Olga mencionou você")).toContain("em uma nota da conversa");
  });

  it("about a problem is in the language of each, and in the chat in that of the first owner", async () => {
    const chat = await startReceiver();
    const email = "ada@example.com";
    await joined("admin", email, "fr");
    await owner.call("PATCH", "/alert-settings", { slack_url: chat.url("/chat") });
    const body = { name: "Billing", url: chat.url("/gone"), events: ["contact.created"] };
    const { id } = (await parley.call("POST", "/webhooks", { body })).body.data;
    const disable = "update webhooks set is_active = false, disabled_reason = $2 where id = $1";
    await parley.database.query(disable, [id, "The destination responded with 410 Gone."]);
    await parley.app.alerts.check();
    const french = await arrived(email, "[Default] Le webhook « Billing » a été désactivé");
    expect(french).toContain("- Billing: La destination a répondu 410 Gone.\n");
    const german = "[Default] Der Webhook „Billing“ wurde deaktiviert";
    await arrived(OLIVE, german);
    await until("the chat has it", () => chat.at("/chat").length > 0);
    expect(chat.at("/chat")[0]?.event.text).toContain(`*${german}*`);
    await chat.close();
  });
});
