import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type OidcProvider, type Person, startOidcProvider } from "../support/oidc-provider.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

const PUBLIC = "http://parley.test";
let provider: OidcProvider;
let parley: TestParley;
let owner: Browser;
const settings = () => ({
  PARLEY_PUBLIC_URL: PUBLIC,
  PARLEY_OIDC_ISSUER: provider.issuer,
  PARLEY_OIDC_CLIENT_ID: "parley",
  PARLEY_OIDC_CLIENT_SECRET: "a-client-secret-for-tests",
  PARLEY_OIDC_NAME: "Acme ID",
});
beforeAll(async () => {
  provider = await startOidcProvider(`${PUBLIC}/sign-in/sso`);
  parley = await startParley(settings());
  owner = await setUp(parley, {}, PUBLIC);
});
afterAll(async () => {
  await parley?.close();
  await provider?.close();
});

const open = (at = parley) => openBrowser(at, null, PUBLIC);

async function signIn(person: Person, browser = open()) {
  const { url, token } = (await browser.call("POST", "/sso/start")).body.data;
  const search = await provider.signIn(person, url);
  return browser.call("POST", "/sso/finish", { token, search });
}

describe("single sign-on", () => {
  it("ends links that reset the password of the account it takes over, so none passes the provider by", async () => {
    const email = "forgetful@example.com";
    await parley.database.query(
      `with person as (
         insert into users (uuid, email, name, password_hash) values (gen_random_uuid(), $1, 'Fay', 'x')
         returning id),
       member as (insert into memberships (workspace_id, user_id, role) select 1, id, 'agent' from person)
       insert into password_resets (digest, user_id, expires_at)
       select sha256('link'), id, now() + interval '30 minutes' from person`,
      [email],
    );
    const reply = await signIn({ sub: "fay", email, email_verified: true, name: "Fay" });
    expect(reply.status, reply.text).toBe(200);
    expect(await parley.database.query("select 1 from password_resets")).toEqual([]);
  });

  it("is offered by its name next to passwords", async () => {
    expect((await open().call("GET", "/sign-in-options")).body.data).toEqual({
      password: true,
      password_reset: false,
      sso: { name: "Acme ID" },
    });
  });

  it("refuses whom nobody invited, and creates no account", async () => {
    const reply = await signIn({ sub: "1", email: "stranger@example.com", email_verified: true });
    expect(reply.status, reply.text).toBe(403);
    const rows = await parley.database.query("select 1 from users where email = 'stranger@example.com'");
    expect(rows).toEqual([]);
  });

  it("lets an invited person in by the verified address, and knows them by their subject later", async () => {
    await owner.call("POST", "/invitations", { email: "ida@example.com", role: "admin" });
    const person = { sub: "ida-7", email: "Ida@Example.com", email_verified: true, name: "Ida" };
    const first = await signIn(person);
    expect(first.body.data, first.text).toMatchObject({
      role: "admin",
      user: { name: "Ida", email: "ida@example.com" },
    });
    const later = await signIn({ ...person, email: "ida.new@example.com" });
    expect(later.body.data.user.id).toBe(first.body.data.user.id);
    const [entry] = (await owner.call("GET", "//api/v1/audit-logs?action=user.signed_in")).body.data;
    expect(entry.changes).toMatchObject({ method: "sso" });
  });

  it("refuses an address that the provider did not verify, also where it is invited", async () => {
    await owner.call("POST", "/invitations", { email: "victim@example.com", role: "admin" });
    const reply = await signIn({ sub: "mallory", email: "victim@example.com", email_verified: false });
    expect(reply.status, reply.text).toBe(403);
  });

  it("takes over an account of the same address and ends the password and sessions it had before", async () => {
    const squatter = await joined("bob@example.com");
    const reply = await signIn({ sub: "bob", email: "bob@example.com", email_verified: true });
    expect(reply.status, reply.text).toBe(200);
    expect((await squatter.call("GET", "/session")).status).toBe(401);
    const byPassword = await open().call("POST", "/sign-in", { email: "bob@example.com", password: PASSWORD });
    expect(byPassword.status).toBe(401);
  });

  it("signs a new person in twice at the same moment, with one account and both sessions", async () => {
    await owner.call("POST", "/invitations", { email: "twin@example.com", role: "agent" });
    const person = { sub: "twin", email: "twin@example.com", email_verified: true, name: "Twin" };
    const browsers = [open(), open()];
    const client = new pg.Client({ connectionString: parley.database.url });
    await client.connect();
    try {
      await client.query("begin");
      // Both look for the person, find nobody and wait here, so that neither sees what the other writes.
      await client.query("lock table users in share mode");
      const replies = Promise.all(browsers.map((browser) => signIn(person, browser)));
      await until("both sign-ins wait", async () => {
        const waiting = await parley.database.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return waiting.length >= 2;
      });
      await client.query("commit");
      expect((await replies).map(({ status, text }) => [status, status === 200 ? "" : text])).toEqual([
        [200, ""],
        [200, ""],
      ]);
    } finally {
      await client.end();
    }
    const sessions = await Promise.all(browsers.map((browser) => browser.call("GET", "/session")));
    expect(sessions.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("accepts what the provider sent once, and only from the browser that began", async () => {
    const [browser, other] = [open(), open()];
    const { url, token } = (await browser.call("POST", "/sso/start")).body.data;
    const search = await provider.signIn({ sub: "ida-7" }, url);
    const foreign = (await other.call("POST", "/sso/start")).body.data.token;
    expect((await other.call("POST", "/sso/finish", { token: foreign, search })).status).toBe(401);
    expect((await browser.call("POST", "/sso/finish", { token, search })).status).toBe(200);
    expect((await browser.call("POST", "/sso/finish", { token, search })).status).toBe(401);
  });

  it("can be the only way in, and lets people join a workspace without an invitation", async () => {
    const [{ id }] = (await parley.database.query("select min(id) as id from workspaces")) as [{ id: number }];
    const only = await startParley(
      { ...settings(), PARLEY_OIDC_ONLY: "true", PARLEY_OIDC_WORKSPACE: String(id) },
      parley.database,
    );
    try {
      const browser = open(only);
      expect((await browser.call("GET", "/sign-in-options")).body.data.password).toBe(false);
      const password = await browser.call("POST", "/sign-in", { email: "olive@example.com", password: PASSWORD });
      expect(password.status).toBe(403);
      expect((await browser.call("POST", "/sign-in/passkey-options")).status).toBe(403);
      const reply = await signIn({ sub: "new", email: "new@example.com", email_verified: true }, browser);
      expect(reply.body.data, reply.text).toMatchObject({ role: "agent", workspace: { id: Number(id) } });
    } finally {
      await only.close();
    }
  });
});

async function joined(email: string): Promise<Browser> {
  const invited = await owner.call("POST", "/invitations", { email, role: "agent" });
  const token = new URL(invited.body.data.url).searchParams.get("token");
  const browser = open();
  await browser.call("POST", "/accept-invitation", { token, name: "Bob", password: PASSWORD });
  return browser;
}
