import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, join, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
});
afterAll(() => parley.close());

const idOf = async (email: string): Promise<number> =>
  (await owner.call("GET", "/members")).body.data.find((member: { email: string }) => member.email === email).id;
const tokenOf = (reply: Reply) => new URL(reply.body.data.url).searchParams.get("token");
const invite = (browser: Browser, email: string, role = "agent") =>
  browser.call("POST", "/invitations", { email, role });
const preview = async (token: string | null) =>
  (await openBrowser(parley).call("POST", "/invitation-preview", { token })).status;
const entries = async (action: string) =>
  (await owner.call("GET", `//api/v1/audit-logs?action=${action}&per_page=100`)).body.data;

describe("open invitations", () => {
  it("of a removed manager end with the removal", async () => {
    const admin = await join(parley, owner, "admin", "leaving@example.com");
    const token = tokenOf(await invite(admin, "friend@example.com", "admin"));
    expect(await preview(token)).toBe(200);
    await owner.call("DELETE", `/members/${await idOf("leaving@example.com")}`);
    expect(await preview(token)).toBe(404);
    const [entry] = await entries("member.removed");
    expect(entry.changes).toMatchObject({
      role: { from: "admin", to: null },
      invitations_ended: ["friend@example.com"],
    });
  });

  it("of a manager who becomes an agent end, and an owner who becomes an admin keeps an admin's", async () => {
    const second = await join(parley, owner, "owner", "second@example.com");
    const ofOwner = tokenOf(await invite(second, "o2@example.com", "owner"));
    const ofAgent = tokenOf(await invite(second, "a2@example.com", "agent"));
    const id = await idOf("second@example.com");
    await owner.call("PATCH", `/members/${id}`, { role: "admin" });
    expect([await preview(ofOwner), await preview(ofAgent)]).toEqual([404, 200]);
    await owner.call("PATCH", `/members/${id}`, { role: "agent" });
    expect(await preview(ofAgent)).toBe(404);
  });

  it("sent by an owner can be neither replaced nor revoked by an admin", async () => {
    const admin = await join(parley, owner, "admin", "admin@example.com");
    const made = await invite(owner, "guest@example.com", "agent");
    const replaced = await invite(admin, "Guest@Example.com", "agent");
    expect(replaced.status, replaced.text).toBe(403);
    expect((await admin.call("DELETE", `/invitations/${made.body.data.id}`)).status).toBe(403);
    expect(await preview(tokenOf(made))).toBe(200);
    expect((await invite(owner, "guest@example.com", "admin")).status).toBe(201);
    expect(await preview(tokenOf(made))).toBe(404);
  });

  it("respond to a missing name or a weak password alike, whether or not the address has an account", async () => {
    const other = await owner.call("POST", "/workspaces", { name: "Other" });
    const inside = { "x-parley-workspace": String(other.body.data.id) };
    const replies = await Promise.all(
      ["admin@example.com", "nobody@example.com"].map(async (email) => {
        const token = tokenOf(await owner.call("POST", "/invitations", { email, role: "agent" }, inside));
        const stranger = openBrowser(parley);
        const shown = await stranger.call("POST", "/invitation-preview", { token });
        const bare = await stranger.call("POST", "/accept-invitation", { token });
        const weak = await stranger.call("POST", "/accept-invitation", { token, name: "X", password: "password123" });
        return [Object.keys(shown.body.data), bare.status, bare.body.error, weak.status, weak.body.error];
      }),
    );
    expect(replies[0]).toEqual(replies[1]);
    expect(replies[0]?.[1]).toBe(422);
    expect(replies[0]?.[3]).toBe(422);
  });
});

describe("the API keys of a removed member", () => {
  it("stay by default, and are revoked with the member when asked for", async () => {
    const keyOf = async (email: string) => {
      const browser = await join(parley, owner, "admin", email);
      const created = await browser.call("POST", "//api/v1/api-keys", { name: `of ${email}` });
      return { id: await idOf(email), secret: created.body.data.key };
    };
    const [kept, revoked] = [await keyOf("kept@example.com"), await keyOf("revoked@example.com")];
    const members = (await owner.call("GET", "/members")).body.data as { id: number; active_keys: number }[];
    expect(members.find(({ id }) => id === revoked.id)?.active_keys).toBe(1);
    expect((await owner.call("DELETE", `/members/${kept.id}`)).status).toBe(200);
    expect((await owner.call("DELETE", `/members/${revoked.id}?revoke_keys=true`)).status).toBe(200);
    expect((await parley.call("GET", "/me", { key: kept.secret })).status).toBe(200);
    expect((await parley.call("GET", "/me", { key: revoked.secret })).status).toBe(401);
  });
});

describe("an e-mail address", () => {
  it("is one person in every spelling, for signing in and for counting failures", async () => {
    await join(parley, owner, "agent", "\u200bKim@Example.com");
    const browser = openBrowser(parley);
    const signIn = (email: string, password: string) => browser.call("POST", "/sign-in", { email, password });
    const reply = await signIn("ＫＩＭ@example.com", PASSWORD);
    expect(reply.body.data?.session?.user.email, reply.text).toBe("kim@example.com");
    const spellings = ["kim@example.com", "KIM@example.com", "\u212aim@example.com", "k\u00adim@example.com"];
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++)
      statuses.push((await signIn(spellings[guess % 4] ?? "", "wrong wrong wrong")).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  });
});

it("one of the most common passwords is refused wherever a password is chosen", async () => {
  const reply = await owner.call("PATCH", "/profile", { password: "Password123", current_password: PASSWORD });
  expect(reply.status).toBe(422);
  expect(reply.body.error.details.password[0]).toContain("most common passwords");
});

it("a password of spaces alone is refused", async () => {
  const reply = await owner.call("PATCH", "/profile", { password: " ".repeat(12), current_password: PASSWORD });
  expect(reply.body.error.details).toEqual({ password: ["password must not consist of spaces alone."] });
});

describe("the list of sessions", () => {
  it("is always whole: past 100, signing in ends the session that was seen least recently", async () => {
    const person = await join(parley, owner, "agent", "restless@example.com");
    await parley.database.query(
      `insert into sessions (digest, user_id, method, expires_at, last_seen_at)
       select sha256(n::text::bytea), u.id, 'password', now() + interval '1 day', now() - make_interval(mins => n)
       from users u, generate_series(1, 100) n
       where u.email = 'restless@example.com'`,
    );
    const again = openBrowser(parley);
    await again.call("POST", "/sign-in", { email: "restless@example.com", password: PASSWORD });
    const { data } = (await again.call("GET", "/sessions")).body;
    expect(data).toHaveLength(100);
    expect(data.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    expect((await person.call("GET", "/session")).status).toBe(200);
    const rows = await parley.database.query(
      "select 1 from sessions s join users u on u.id = s.user_id where u.email = 'restless@example.com'",
    );
    expect(rows).toHaveLength(100);
  });

  it("shows where a person is signed in, and one of them can be ended alone", async () => {
    const [here, there] = [openBrowser(parley), openBrowser(parley)];
    const as = { email: "admin@example.com", password: PASSWORD };
    await here.call("POST", "/sign-in", as, { "user-agent": "Firefox on a desk" });
    await there.call("POST", "/sign-in", as, { "user-agent": "Phone" });
    const list = (await here.call("GET", "/sessions")).body.data as {
      id: number;
      current: boolean;
      user_agent: string;
    }[];
    expect(list.filter(({ current }) => current)).toMatchObject([
      { user_agent: "Firefox on a desk", method: "password" },
    ]);
    const phone = list.find(({ user_agent }) => user_agent === "Phone");
    expect((await owner.call("DELETE", `/sessions/${phone?.id}`)).status, "another person's").toBe(404);
    expect((await here.call("DELETE", `/sessions/${phone?.id}`)).status).toBe(200);
    expect((await there.call("GET", "/session")).status).toBe(401);
    expect((await here.call("GET", "/session")).status).toBe(200);
  });
});

describe("the audit log", () => {
  it("records sign-ins and sign-outs with their browser, and failures without an actor", async () => {
    const browser = openBrowser(parley);
    const as = { email: "admin@example.com", password: PASSWORD };
    await browser.call("POST", "/sign-in", { ...as, password: "wrong wrong wrong" }, { "user-agent": "Guesser" });
    await browser.call("POST", "/sign-in", as, { "user-agent": "Browser" });
    await browser.call("POST", "/sign-out");
    const failed = await until("the failure is recorded", async () => (await entries("user.sign_in_failed"))[0]);
    expect(failed).toMatchObject({ actor: { type: "system", id: null }, ip: "127.0.0.1" });
    const id = await idOf("admin@example.com");
    expect((await entries("user.signed_in"))[0]).toMatchObject({
      actor: { type: "user", id },
      resource: { type: "user", id },
      changes: { method: "password", user_agent: "Browser", new_device: true },
    });
    expect((await entries("user.signed_out"))[0]).toMatchObject({ actor: { id }, changes: { sessions: 1 } });
  });

  it("records a wrong current password of a signed-in session, when changing it and when confirming it", async () => {
    const agent = await join(parley, owner, "agent", "unlocked@example.com");
    const guess = "wrong wrong wrong";
    const change = { password: "another horse battery", current_password: guess };
    expect((await agent.call("PATCH", "/profile", change)).status).toBe(422);
    expect((await agent.call("POST", "/confirm-password", { password: guess })).status).toBe(422);
    const id = await idOf("unlocked@example.com");
    const by = { actor: { type: "user", id }, resource: { type: "user", id }, ip: "127.0.0.1" };
    expect((await entries("user.password_check_failed")).slice(0, 2)).toMatchObject([
      { ...by, changes: { purpose: "confirmation" } },
      { ...by, changes: { purpose: "password change" } },
    ]);
    expect(parley.logs()).not.toContain(guess);
  });

  it("is exported as JSON and CSV, filtered, with formulas as text", async () => {
    const evil = '=HYPERLINK("http://x")';
    await owner.call("PATCH", "/profile", { name: evil });
    const all = (await owner.call("GET", "/audit-export?action=user.renamed")).body;
    expect(all).toMatchObject([{ action: "user.renamed", changes: { name: { to: evil } } }]);
    const response = await fetch(`${parley.url}/dashboard-api/audit-export?format=csv&action=user.renamed`, {
      headers: { cookie: `parley_session=${owner.token}` },
    });
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="audit-log.csv"');
    const [head, line] = (await response.text()).split("\n");
    expect(head).toContain("id,created_at,action,actor_type");
    expect(line).toContain("user.renamed");
    await owner.call("PATCH", "/profile", { name: "Olive Owner" });
    const later = await fetch(`${parley.url}/dashboard-api/audit-export?format=csv&action=user.renamed`, {
      headers: { cookie: `parley_session=${owner.token}` },
    });
    expect(await later.text()).toContain(`"'=HYPERLINK(""http://x"")"`);
  });

  it("records a new name with both values, a new password with none, and a renamed workspace", async () => {
    await owner.call("PATCH", "/profile", { name: "Olivia" });
    await owner.call("PATCH", "/profile", { password: "an entirely new phrase", current_password: PASSWORD });
    await owner.call("PATCH", "/workspace", { name: "Renamed" });
    expect((await entries("user.renamed"))[0].changes).toEqual({ name: { from: "Olive Owner", to: "Olivia" } });
    expect((await entries("workspace.renamed"))[0].changes).toEqual({ name: { from: "Default", to: "Renamed" } });
    const [changed] = await entries("user.password_changed");
    expect(Object.keys(changed.changes)).toEqual(["sessions_ended"]);
  });
});
