import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, join, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";
import { totpCode } from "../support/totp.ts";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
});
afterAll(() => parley.close());

const refused = (reply: Reply, status: number) => expect(reply.status, reply.text).toBe(status);
const signIn = (browser: Browser, email: string) => browser.call("POST", "/sign-in", { email, password: PASSWORD });

async function enrol(browser: Browser): Promise<{ secret: string; used: string; codes: string[] }> {
  const { secret } = (await browser.call("POST", "/two-factor/totp")).body.data;
  const used = totpCode(secret, "confirm");
  const confirmed = await browser.call("POST", "/two-factor/totp/confirm", { code: used });
  refused(confirmed, 200);
  return { secret, used, codes: confirmed.body.data.recovery_codes };
}

describe("an authenticator app", () => {
  let person: Browser;
  let elsewhere: Browser;
  let secret = "";
  let used = "";
  let codes: string[] = [];
  const email = "ada@example.com";
  beforeAll(async () => {
    person = await join(parley, owner, "agent", email);
    elsewhere = openBrowser(parley);
    await signIn(elsewhere, email);
  });

  it("protects nothing before a code confirms it", async () => {
    const { body } = await person.call("POST", "/two-factor/totp");
    expect(body.data.uri).toMatch(/^otpauth:\/\/totp\/Parley:ada%40example\.com\?issuer=Parley&secret=[A-Z2-7]{32}&/);
    expect(body.data.qr_svg).toMatch(/^<svg /);
    refused(await person.call("POST", "/two-factor/totp/confirm", { code: "000000" }), 422);
    expect((await signIn(openBrowser(parley), email)).body.data.session).toBeDefined();
    const [row] = await parley.database.query<{ secret: string }>("select secret from totp_secrets");
    expect(row?.secret).not.toContain(body.data.secret);
  });

  it("is confirmed by a code, which ends every other session and shows ten recovery codes once", async () => {
    ({ secret, used, codes } = await enrol(person));
    expect(new Set(codes).size).toBe(10);
    refused(await elsewhere.call("GET", "/session"), 401);
    const { data } = (await person.call("GET", "/two-factor")).body;
    expect(data).toMatchObject({ enabled: true, totp: true, passkeys: [], recovery_codes_left: 10 });
    expect((await person.call("GET", "/session")).body.data.second_factor).toBe(true);
  });

  it("is asked for after the password, and a code works once", async () => {
    // Alone, as `npm run prove` runs it, it comes before anything was enrolled.
    if (!secret) ({ secret, used, codes } = await enrol(person));
    const browser = openBrowser(parley);
    const { data } = (await signIn(browser, email)).body;
    expect(data).toEqual({
      two_factor: { token: expect.any(String), methods: ["totp", "recovery_code"], passkey_options: null },
    });
    expect(browser.token).toBeNull();
    const { token } = data.two_factor;
    refused(await browser.call("POST", "/sign-in/second-factor", { token, code: used }), 401);
    const code = totpCode(secret, "next");
    refused(await browser.call("POST", "/sign-in/second-factor", { token, code }), 200);
    expect((await browser.call("GET", "/session")).body.data.user.email).toBe(email);
    const again = (await signIn(openBrowser(parley), email)).body.data.two_factor.token;
    refused(await openBrowser(parley).call("POST", "/sign-in/second-factor", { token: again, code }), 401);
    refused(await browser.call("POST", "/sign-in/second-factor", { token, code: totpCode(secret, "next") }), 401);
  });

  it("gives five tries for one password, then asks for the password again", async () => {
    const browser = openBrowser(parley);
    const { token } = (await signIn(browser, email)).body.data.two_factor;
    for (let guess = 0; guess < 5; guess++)
      refused(await browser.call("POST", "/sign-in/second-factor", { token, code: "000000" }), 401);
    const late = await browser.call("POST", "/sign-in/second-factor", { token, code: totpCode(secret, "next") });
    refused(late, 401);
    expect(late.body.error.message).toContain("Start again");
  });

  it("can be replaced by a recovery code, in any case and once", async () => {
    const browser = openBrowser(parley);
    const { token } = (await signIn(browser, email)).body.data.two_factor;
    const recovery_code = codes[0]?.toUpperCase().replace("-", " ");
    refused(await browser.call("POST", "/sign-in/second-factor", { token, recovery_code }), 200);
    expect((await browser.call("GET", "/two-factor")).body.data.recovery_codes_left).toBe(9);
    const [entry] = (await owner.call("GET", "//api/v1/audit-logs?action=user.signed_in&per_page=1")).body.data;
    expect(entry.changes).toMatchObject({
      method: "password",
      factor: "recovery_code",
      recovery_codes_left: { from: 10, to: 9 },
    });
    const again = (await signIn(openBrowser(parley), email)).body.data.two_factor.token;
    refused(await openBrowser(parley).call("POST", "/sign-in/second-factor", { token: again, recovery_code }), 401);
  });

  it("cannot be removed, nor its codes replaced, when the password was checked too long ago", async () => {
    await parley.database.query("update sessions set confirmed_at = now() - interval '16 minutes'");
    refused(await person.call("DELETE", "/two-factor/totp"), 403);
    refused(await person.call("POST", "/two-factor/recovery-codes"), 403);
    refused(await person.call("POST", "/passkeys/options"), 403);
    refused(await person.call("POST", "/confirm-password", { password: "wrong wrong wrong" }), 422);
    refused(await person.call("POST", "/confirm-password", { password: PASSWORD }), 200);
    refused(await person.call("POST", "/two-factor/recovery-codes"), 200);
    refused(await person.call("DELETE", "/two-factor/totp"), 200);
    expect((await signIn(openBrowser(parley), email)).body.data.session).toBeDefined();
  });

  it("is not bypassed by accepting an invitation with the password", async () => {
    await enrol(person);
    const other = await owner.call("POST", "/workspaces", { name: "Other" });
    const inside = { "x-parley-workspace": String(other.body.data.id) };
    const invited = await owner.call("POST", "/invitations", { email, role: "agent" }, inside);
    const token = new URL(invited.body.data.url).searchParams.get("token");
    const browser = openBrowser(parley);
    refused(await browser.call("POST", "/accept-invitation", { token, name: "Ada", password: PASSWORD }), 409);
    expect(browser.token).toBeNull();
    refused(await person.call("POST", "/accept-invitation", { token }), 200);
    expect((await person.call("GET", "/session")).body.data.second_factor).toBe(true);
  });

  it("leaves entries in the audit log for being added, removed and its codes replaced", async () => {
    const { body } = await owner.call("GET", "//api/v1/audit-logs?resource_type=user&per_page=100");
    const actions = body.data.map((entry: { action: string }) => entry.action);
    expect(actions).toEqual(
      expect.arrayContaining(["user.two_factor_enabled", "user.two_factor_disabled", "user.recovery_codes_replaced"]),
    );
  });
});

it("a wrong code after a right password is a failed sign-in in the audit log", async () => {
  const email = "bea@example.com";
  await enrol(await join(parley, owner, "agent", email));
  const browser = openBrowser(parley);
  const { token } = (await signIn(browser, email)).body.data.two_factor;
  refused(await browser.call("POST", "/sign-in/second-factor", { token, code: "000000" }), 401);
  refused(await browser.call("POST", "/sign-in/second-factor", { token, recovery_code: "aaaaa-bbbbb" }), 401);
  const { data } = (await owner.call("GET", "//api/v1/audit-logs?action=user.sign_in_failed&per_page=2")).body;
  expect(data).toMatchObject([{ changes: { method: "recovery_code" } }, { changes: { method: "totp" } }]);
  expect(data[0]).toMatchObject({ actor: { type: "system", id: null }, resource: { type: "user" }, ip: "127.0.0.1" });
});

describe("a workspace that requires two-factor sign-in", () => {
  it("is closed to a member without a second factor, except for setting one up", async () => {
    const agent = await join(parley, owner, "agent", "agnes@example.com");
    refused(await agent.call("PATCH", "/workspace", { require_two_factor: true }), 403);
    refused(await owner.call("POST", "/confirm-password", { password: PASSWORD }), 200);
    refused(await owner.call("PATCH", "/workspace", { require_two_factor: true }), 409);
    await enrol(owner);
    refused(await owner.call("PATCH", "/workspace", { require_two_factor: true }), 200);
    expect((await agent.call("GET", "/session")).body.data.two_factor_needed).toBe(true);
    refused(await agent.call("GET", "//api/v1/conversations"), 403);
    refused(await agent.call("GET", "/usage"), 403);
    refused(await agent.call("GET", "/two-factor"), 200);
    await enrol(agent);
    refused(await agent.call("GET", "//api/v1/conversations"), 200);
    expect((await agent.call("GET", "/session")).body.data.two_factor_needed).toBe(false);
    const { body } = await owner.call("GET", "//api/v1/audit-logs?action=workspace.updated");
    expect(body.data[0].changes).toEqual({ require_two_factor: { from: false, to: true } });
  });
});

it("a failed sign-in with a passkey that exists is in the audit log of its owner's workspace", async () => {
  await join(parley, owner, "agent", "paula@example.com");
  await parley.database.query(
    `insert into passkeys (uuid, user_id, credential_id, public_key, counter, transports, name)
     select gen_random_uuid(), id, 'a-known-passkey', '\\x00', 0, '{}', 'Phone'
     from users
     where email = 'paula@example.com'`,
  );
  const browser = openBrowser(parley);
  const { token } = (await browser.call("POST", "/sign-in/passkey-options")).body.data;
  refused(await browser.call("POST", "/sign-in/passkey", { token, passkey: { id: "a-known-passkey" } }), 401);
  const [entry] = (await owner.call("GET", "//api/v1/audit-logs?action=user.sign_in_failed&per_page=1")).body.data;
  expect(entry).toMatchObject({ changes: { method: "passkey" }, actor: { type: "system" } });
});

it("a passkey response that is not one is refused without an account being named", async () => {
  const browser = openBrowser(parley);
  const { data } = (await browser.call("POST", "/sign-in/passkey-options")).body;
  expect(data.options).toMatchObject({ allowCredentials: [], userVerification: "required" });
  for (const passkey of [{}, { id: "unknown" }, { id: ["x"], response: null }])
    refused(await browser.call("POST", "/sign-in/passkey", { token: data.token, passkey }), 401);
});
