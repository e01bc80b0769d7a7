import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { openStream } from "../support/event-stream.ts";
import { type OidcProvider, type Person, startOidcProvider } from "../support/oidc-provider.ts";
import { startParley, type TestParley } from "../support/parley.ts";

const PUBLIC = "http://parley.test";
const OWNER: Person = { sub: "olive", email: "olive@example.com", email_verified: true, name: "Olive" };
let provider: OidcProvider;
/** A node on which passwords still sign in, and one on the same database where they no longer do. */
let open: TestParley;
let only: TestParley;
let owner: Browser;
const settings = () => ({
  PARLEY_PUBLIC_URL: PUBLIC,
  PARLEY_OIDC_ISSUER: provider.issuer,
  PARLEY_OIDC_CLIENT_ID: "parley",
  PARLEY_OIDC_CLIENT_SECRET: "a-client-secret-for-tests",
});
beforeAll(async () => {
  provider = await startOidcProvider(`${PUBLIC}/sign-in/sso`);
  open = await startParley(settings());
  owner = await setUp(open, {}, PUBLIC);
  only = await startParley({ ...settings(), PARLEY_OIDC_ONLY: "true" }, open.database);
});
afterAll(async () => {
  await only?.close();
  await open?.close();
  await provider?.close();
});

async function signIn(person: Person, links: object = {}, at: TestParley = only) {
  const browser = openBrowser(at, null, PUBLIC);
  const { url, token } = (await browser.call("POST", "/sso/start")).body.data;
  const search = await provider.signIn(person, url);
  return { browser, reply: await browser.call("POST", "/sso/finish", { token, search, ...links }) };
}

const byPassword = async (at: TestParley, email = "olive@example.com"): Promise<Browser> => {
  const browser = openBrowser(at, null, PUBLIC);
  const reply = await browser.call("POST", "/sign-in", { email, password: PASSWORD });
  expect(reply.status, reply.text).toBe(200);
  return browser;
};

const invite = async (inviter: Browser, email: string): Promise<string> => {
  const reply = await inviter.call("POST", "/invitations", { email, role: "agent" });
  return new URL(reply.body.data.url).searchParams.get("token") ?? "";
};

describe("where single sign-on is the only way in", () => {
  it("sessions of passwords end permanently when the setting is switched on", async () => {
    expect((await owner.call("GET", "/session")).status).toBe(401);
  });

  it("a session that a password opened on another node is refused, by requests and by streams", async () => {
    const { token } = await byPassword(open);
    const here = openBrowser(only, token, PUBLIC);
    expect((await here.call("GET", "/session")).status).toBe(401);
    expect((await here.call("GET", "//api/v1/conversations")).status).toBe(401);
    const stream = await openStream(only.url, { session: token });
    expect(stream.response.statusCode).toBe(401);
    stream.close();
  });

  it("passwords, passkeys, password resets and set-up links are refused with the same sentence", async () => {
    const browser = openBrowser(only, null, PUBLIC);
    const token = "x".repeat(43);
    const refused = await Promise.all([
      browser.call("POST", "/sign-in", { email: "olive@example.com", password: PASSWORD }),
      browser.call("POST", "/sign-in/second-factor", { token, code: "123456" }),
      browser.call("POST", "/sign-in/passkey-options"),
      browser.call("POST", "/sign-in/passkey", { token, passkey: {} }),
      browser.call("POST", "/password-reset-request", { email: "olive@example.com" }),
      browser.call("POST", "/password-reset-check", { token }),
      browser.call("POST", "/password-reset", { token, password: PASSWORD }),
      browser.call("POST", "/setup", { token, name: "O", email: "o@example.com", password: PASSWORD }),
    ]);
    for (const { status, body } of refused) {
      expect(status).toBe(403);
      expect(body.error.message).toBe("Passwords and passkeys are not accepted here. Use single sign-on.");
    }
  });

  it("an invitation is accepted by its link through the provider, for its own address only", async () => {
    const manager = await byPassword(open);
    const token = await invite(manager, "ida@example.com");
    const browser = openBrowser(only, null, PUBLIC);
    const password = await browser.call("POST", "/accept-invitation", { token, name: "Ida", password: PASSWORD });
    expect(password.status).toBe(403);
    const stranger = { sub: "mallory", email: "mallory@example.com", email_verified: true };
    const wrong = await signIn(stranger, { invitation_token: token });
    expect(wrong.reply.status).toBe(403);
    expect(wrong.reply.body.error.message).toBe(
      "This invitation is for ida@example.com. You signed in as mallory@example.com.",
    );
    const ida = { sub: "ida", email: "ida@example.com", email_verified: true, name: "Ida" };
    const right = await signIn(ida, { invitation_token: token });
    expect(right.reply.body.data, right.reply.text).toMatchObject({ role: "agent", user: { name: "Ida" } });
    const again = await signIn(ida, { invitation_token: token });
    expect(again.reply.status).toBe(404);
  });

  it("an account without a password can set up no password or factor that would pass the provider by", async () => {
    const { browser, reply } = await signIn(OWNER);
    expect(reply.body.data).toMatchObject({ method: "sso", has_password: false, second_factor: true });
    const replies = await Promise.all([
      browser.call("PATCH", "/profile", { password: "another good password", current_password: PASSWORD }),
      browser.call("POST", "/confirm-password", { password: PASSWORD }),
      browser.call("POST", "/two-factor/totp"),
      browser.call("POST", "/passkeys/options"),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    expect(replies[0]?.body.error.message).toMatch(/^Your account has no password\./);
  });
});

describe("a removed member who is invited again", () => {
  it("returns by signing in, and stays out without an invitation", async () => {
    const { browser: manager } = await signIn(OWNER);
    const rita = { sub: "rita", email: "rita@example.com", email_verified: true, name: "Rita" };
    await invite(manager, rita.email);
    const { id } = (await signIn(rita)).reply.body.data.user;
    expect((await manager.call("DELETE", `/members/${id}`)).status).toBe(200);
    expect((await signIn(rita)).reply.status).toBe(403);
    await invite(manager, rita.email);
    expect((await signIn({ ...rita, email_verified: false })).reply.status).toBe(403);
    const { reply } = await signIn(rita);
    expect(reply.body.data, reply.text).toMatchObject({ role: "agent", user: { id } });
  });

  it("does not join by the setting for newcomers", async () => {
    const manager = await byPasswordOwner("pat@example.com");
    const [{ id }] = (await open.database.query("select min(id)::int as id from workspaces")) as [{ id: number }];
    const joining = await startParley({ ...settings(), PARLEY_OIDC_WORKSPACE: String(id) }, open.database);
    try {
      await manager.remove();
      const pat = { sub: "pat", email: "pat@example.com", email_verified: true };
      expect((await signIn(pat, {}, joining)).reply.status).toBe(403);
    } finally {
      await joining.close();
    }
  });
});

it("a member who signs in does not join the workspace of a stranger who invited them", async () => {
  const { browser: manager } = await signIn(OWNER);
  const created = await manager.call("POST", "/workspaces", { name: "Strangers" });
  const workspace = { "x-parley-workspace": String(created.body.data.id) };
  const vera = { sub: "vera", email: "vera@example.com", email_verified: true };
  await invite(manager, vera.email);
  await signIn(vera);
  await manager.call("POST", "/invitations", { email: vera.email, role: "agent" }, workspace);
  expect((await signIn(vera)).reply.body.data.workspaces).toHaveLength(1);
});

describe("a provider with problems", () => {
  it("is a 503 that costs nobody a try, when it cannot be reached", async () => {
    const issuer = "http://127.0.0.1:9";
    const lost = await startParley({ ...settings(), PARLEY_OIDC_ISSUER: issuer }, open.database);
    try {
      const browser = openBrowser(lost, null, PUBLIC);
      for (let attempt = 0; attempt < 12; attempt++) {
        const reply = await browser.call("POST", "/sso/start");
        expect(reply.status, reply.text).toBe(503);
        expect(reply.body.error.message).toBe("The identity provider cannot be reached. Try again soon.");
      }
    } finally {
      await lost.close();
    }
  });

  it("that ends between the two halves of a sign-in is a 503 too", async () => {
    const short = await startOidcProvider(`${PUBLIC}/sign-in/sso`);
    const parley = await startParley({ ...settings(), PARLEY_OIDC_ISSUER: short.issuer }, open.database);
    try {
      const browser = openBrowser(parley, null, PUBLIC);
      const { url, token } = (await browser.call("POST", "/sso/start")).body.data;
      const search = await short.signIn(OWNER, url);
      await short.close();
      const reply = await browser.call("POST", "/sso/finish", { token, search });
      expect(reply.status, reply.text).toBe(503);
    } finally {
      await parley.close();
    }
  });

  it("that denies a sign-in is reported by its code, never its text, and colleagues still sign in", async () => {
    for (let attempt = 0; attempt < 12; attempt++) {
      const { reply } = await signIn({ ...OWNER, denied: true });
      expect(reply.status).toBe(401);
      expect(reply.body.error.message).toBe("The identity provider denied this sign-in, or it was canceled there.");
    }
    expect((await signIn(OWNER)).reply.status).toBe(200);
  });
});

it("the set-up link makes the first person of the provider the owner, once, and names the workspace", async () => {
  const fresh = await startParley({
    ...settings(),
    PARLEY_OIDC_ONLY: "true",
    PARLEY_OIDC_WORKSPACE: "1",
  });
  try {
    const setupToken = new URL(fresh.app.setupUrl ?? "").searchParams.get("token");
    const early = await signIn({ sub: "agent", email: "agent@example.com", email_verified: true }, {}, fresh);
    expect(early.reply.body.data.role).toBe("agent");
    const links = { setup_token: setupToken, workspace_name: "Acme" };
    const unverified = await signIn({ ...OWNER, email_verified: false }, links, fresh);
    expect(unverified.reply.status).toBe(403);
    const wrong = await signIn(OWNER, { setup_token: "x".repeat(43) }, fresh);
    expect(wrong.reply.status).toBe(404);
    const { reply } = await signIn(OWNER, links, fresh);
    expect(reply.body.data, reply.text).toMatchObject({ role: "owner", workspace: { name: "Acme" } });
    expect((await signIn(OWNER, links, fresh)).reply.status).toBe(409);
  } finally {
    await fresh.close();
  }
});

/** A member who joined with a password, and a way to remove them again. */
async function byPasswordOwner(email: string): Promise<{ remove(): Promise<void> }> {
  const { browser: manager } = await signIn(OWNER);
  const token = await invite(manager, email);
  const browser = openBrowser(open, null, PUBLIC);
  const reply = await browser.call("POST", "/accept-invitation", { token, name: "Pat", password: PASSWORD });
  const { id } = reply.body.data.user;
  return {
    async remove() {
      expect((await manager.call("DELETE", `/members/${id}`)).status).toBe(200);
    },
  };
}
