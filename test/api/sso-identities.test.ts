import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { unlinkIdentities } from "../../src/accounts/identities.ts";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Forgery, type OidcProvider, type Person, startOidcProvider } from "../support/oidc-provider.ts";
import { startParley, type TestParley } from "../support/parley.ts";

const PUBLIC = "http://parley.test";
const OWNER: Person = { sub: "olive", email: "olive@example.com", email_verified: true, name: "Olive" };
let provider: OidcProvider;
let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  provider = await startOidcProvider(`${PUBLIC}/sign-in/sso`);
  parley = await startParley({
    PARLEY_PUBLIC_URL: PUBLIC,
    PARLEY_OIDC_ISSUER: provider.issuer,
    PARLEY_OIDC_CLIENT_ID: "parley",
    PARLEY_OIDC_CLIENT_SECRET: "a-client-secret-for-tests",
  });
  owner = await setUp(parley, {}, PUBLIC);
});
afterAll(async () => {
  await parley?.close();
  await provider?.close();
});

async function signIn(person: Person) {
  const browser = openBrowser(parley, null, PUBLIC);
  const { url, token } = (await browser.call("POST", "/sso/start")).body.data;
  const search = await provider.signIn(person, url);
  return browser.call("POST", "/sso/finish", { token, search });
}

const usersWith = (email: string) => parley.database.query("select 1 from users where email = $1", [email]);

describe("the signature of an identity", () => {
  afterEach(() => provider.forge(null));

  it.each<Forgery>(["wrong key", "unknown kid", "other claims", "no algorithm", "client secret"])(
    "is verified with the keys of the provider: an identity that was forged by '%s' signs nobody in",
    async (forgery) => {
      await provider.forge(forgery);
      const reply = await signIn({ ...OWNER, sub: `forged ${forgery}` });
      expect(reply.status, reply.text).toBe(401);
      expect(reply.body.error.message).toBe("The identity provider did not confirm this sign-in. Start again.");
      expect((await owner.call("GET", "/session")).status).toBe(200);
    },
  );

  it("is verified with the current keys: a new one is accepted at once, and a removed one no longer", async () => {
    await owner.call("POST", "/invitations", { email: "rosa@example.com", role: "agent" });
    const rosa = { sub: "rosa", email: "rosa@example.com", email_verified: true, name: "Rosa" };
    expect((await signIn(rosa)).status).toBe(200);
    await provider.rotate("second");
    expect((await signIn(rosa)).status).toBe(200);
    // A provider that numbers its keys uses a `kid` again.
    await provider.rotate("first");
    expect((await signIn(rosa)).status).toBe(200);
    await provider.forge("withdrawn key");
    expect((await signIn(rosa)).status).toBe(401);
  });
});

describe("an address that the provider verified", () => {
  it.each([
    ["a full-width letter", "\uff4flive@example.com"],
    ["a zero-width space", "oli\u200bve@example.com"],
    ["a soft hyphen", "olive@exam\u00adple.com"],
    ["the Kelvin sign", "\u212aim@example.com"],
    ["a ligature", "o\ufb01@example.com"],
    ["a space before it", " olive@example.com"],
  ])("opens no account whose address is the same only once %s is normalised", async (_what, email) => {
    await owner.call("POST", "/invitations", { email: "kim@example.com", role: "agent" });
    await owner.call("POST", "/invitations", { email: "ofi@example.com", role: "agent" });
    const reply = await signIn({ sub: `like ${email}`, email, email_verified: true });
    expect(reply.status, reply.text).toBe(403);
    expect(reply.body.error.message).toMatch(/^The identity provider reports your e-mail address with characters/);
    expect((await owner.call("GET", "/session")).status).toBe(200);
    expect([await usersWith("kim@example.com"), await usersWith("ofi@example.com")]).toEqual([[], []]);
  });

  it("does not accept an invitation for another spelling, also where the person is known by their subject", async () => {
    const tom = { sub: "tom", email: "tom@example.com", email_verified: true, name: "Tom" };
    await owner.call("POST", "/invitations", { email: tom.email, role: "agent" });
    const { id } = (await signIn(tom)).body.data.user;
    await owner.call("DELETE", `/members/${id}`);
    await owner.call("POST", "/invitations", { email: "boss@example.com", role: "admin" });
    expect((await signIn({ ...tom, email: "\uff42oss@example.com" })).status).toBe(403);
  });
});

describe("an account that is linked to a provider", () => {
  const ann: Person = { sub: "ann-1", email: "ann@example.com", email_verified: true, name: "Ann" };

  it("is found by its subject alone: five subjects with one verified address are not one user", async () => {
    await owner.call("POST", "/invitations", { email: "ann@example.com", role: "agent" });
    const replies = [];
    for (let number = 1; number <= 5; number++) replies.push(await signIn({ ...ann, sub: `ann-${number}` }));
    expect(replies.map(({ status }) => status)).toEqual([200, 403, 403, 403, 403]);
    expect(replies[1]?.body.error.message).toBe(
      "The account with your e-mail address is linked to another identity at the provider. Ask the operator to unlink it.",
    );
    expect((await signIn({ ...ann, email: "ann.new@example.com" })).status).toBe(200);
  });

  it("is linked to another subject once the operator has unlinked it", async () => {
    const { id } = (await signIn(ann)).body.data.user;
    await parley.app.store.db.transaction((tx) => unlinkIdentities(tx, id));
    expect((await signIn({ ...ann, sub: "ann-2" })).status).toBe(200);
    expect((await signIn({ ...ann, sub: "ann-1" })).status).toBe(403);
  });

  it("keeps the identity that linked it first, where an earlier version linked several", async () => {
    const migration = new URL("../../src/db/migrations/000014_one_identity_per_issuer.sql", import.meta.url);
    const client = new pg.Client({ connectionString: parley.database.url });
    await client.connect();
    try {
      await client.query("begin");
      await client.query(`
        drop index user_identities_one_per_issuer;
        create index user_identities_user on user_identities (user_id);
        insert into user_identities (issuer, subject, user_id, created_at)
        select issuer, subject, users.id, created::timestamptz
        from users
        cross join (
          values ('https://a.example', 's1', '2026-01-02'),
                 ('https://a.example', 's2', '2026-01-01'),
                 ('https://a.example', 's0', '2026-01-03'),
                 ('https://b.example', 's1', '2026-01-04')
        ) as linked (issuer, subject, created)
        where email = 'olive@example.com'`);
      await client.query(readFileSync(migration, "utf8"));
      const { rows } = await client.query(
        "select issuer, subject from user_identities where issuer like 'https:%' order by issuer",
      );
      expect(rows).toEqual([
        { issuer: "https://a.example", subject: "s2" },
        { issuer: "https://b.example", subject: "s1" },
      ]);
    } finally {
      await client.query("rollback");
      await client.end();
    }
  });

  it("is not changed by the sign-in of another subject that is refused", async () => {
    const before = await parley.database.query("select * from user_identities order by subject");
    await signIn({ ...ann, sub: "ann-9" });
    expect(await parley.database.query("select * from user_identities order by subject")).toEqual(before);
    const byPassword = await openBrowser(parley, null, PUBLIC).call("POST", "/sign-in", {
      email: "olive@example.com",
      password: PASSWORD,
    });
    expect(byPassword.status).toBe(200);
  });
});
