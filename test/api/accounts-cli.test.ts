import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { ensureBuilt, hostedCommand } from "../support/cli.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { totpCode } from "../support/totp.ts";

let parley: TestParley;
let owner: Browser;
let settings: Record<string, string>;
beforeAll(async () => {
  await ensureBuilt();
  parley = await startParley();
  owner = await setUp(parley);
  settings = {
    DATABASE_URL: parley.database.url,
    PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more",
  };
});
afterAll(() => parley.close());

const users = (...args: string[]) => hostedCommand(["users", ...args], settings);
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await users(...args, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
const refused = async (args: string[], sentence: RegExp) => {
  const { code, stdout, stderr } = await users(...args);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(sentence);
};
const signIn = async (email: string, password: string): Promise<[number, Browser]> => {
  const browser = openBrowser(parley);
  return [(await browser.call("POST", "/sign-in", { email, password })).status, browser];
};
function withInput(args: string[], input: string): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, "../../bin/parley.mjs"), "users", ...args], {
    env: { ...process.env, PARLEY_LOG_LEVEL: "warn", ...settings },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stdin.end(input);
  return new Promise((done) => child.once("close", (code) => done({ code, stdout })));
}

describe("parley users", () => {
  it("create adds a user with a password that is printed once and works", async () => {
    const made = await json("create", "--email", "cli@example.com", "--name", "Cli", "--role", "agent");
    expect(made).toMatchObject({
      email: "cli@example.com",
      role: "agent",
      password: expect.stringMatching(/^\S{20}$/),
    });
    const [status, browser] = await signIn("cli@example.com", made.password);
    expect(status).toBe(200);
    expect((await browser.call("GET", "/session")).body.data.role).toBe("agent");
    expect(JSON.stringify(await json("list"))).not.toMatch(/scrypt|password/);
  });

  it("create --password-stdin takes the operator's own, and prints none", async () => {
    const args = ["create", "--email", "in@example.com", "--name", "In", "--role", "admin", "--password-stdin"];
    const { code, stdout } = await withInput(args, `${PASSWORD}\n`);
    expect(code).toBe(0);
    expect(stdout).not.toContain(PASSWORD);
    expect((await signIn("in@example.com", PASSWORD))[0]).toBe(200);
    expect((await withInput(args, "short")).code).toBe(1);
  });

  it("list shows everybody with their roles", async () => {
    const { stdout } = await users("list");
    expect(stdout).toMatch(/Olive Owner +olive@example.com +owner of \d+/);
    const people = await json("list");
    expect(people[0]).toMatchObject({ email: "olive@example.com", workspaces: [{ name: "Default", role: "owner" }] });
  });

  it("reset-password lets a locked-out user sign in again, and ends their sessions", async () => {
    const { password } = await json("reset-password", "OLIVE@example.com");
    expect((await owner.call("GET", "/session")).status).toBe(401);
    const [status, browser] = await signIn("olive@example.com", password);
    expect(status).toBe(200);
    owner = browser;
  });

  it("reset-two-factor lets a user who lost their phone sign in with the password alone", async () => {
    const { secret } = (await owner.call("POST", "/two-factor/totp")).body.data;
    const code = totpCode(secret, "confirm");
    expect((await owner.call("POST", "/two-factor/totp/confirm", { code })).status).toBe(200);
    expect(await json("reset-two-factor", "olive@example.com")).toMatchObject({ removed: { totp: true, passkeys: 0 } });
    expect((await owner.call("GET", "/session")).status).toBe(401);
    const { password } = await json("reset-password", "olive@example.com");
    [, owner] = await signIn("olive@example.com", password);
    expect((await owner.call("GET", "/two-factor")).body.data.enabled).toBe(false);
  });

  it("unlink-sso forgets the identities of a user, signs them out and leaves an entry in the audit log", async () => {
    await parley.database.query(
      `insert into user_identities (issuer, subject, user_id)
       select 'https://id.example', 'cli', id from users where email = 'cli@example.com'`,
    );
    expect(await json("unlink-sso", "cli@example.com")).toMatchObject({ identities: 1, sessions_ended: 1 });
    expect(await parley.database.query("select 1 from user_identities")).toEqual([]);
    const [entry] = (await owner.call("GET", "//api/v1/audit-logs?action=user.sso_unlinked")).body.data;
    expect(entry).toMatchObject({ changes: { identities: 1, sessions_ended: 1 } });
  });

  it("list shows control characters of stored names escaped, and create refuses new ones", async () => {
    const name = "Eve\u001b[2J\u009b31m\n\u202eroot";
    await json("create", "--email", "eve@example.com", "--name", "Eve", "--role", "agent");
    await parley.database.query("update users set name = $1 where email = 'eve@example.com'", [name]);
    const { stdout } = await users("list");
    expect(stdout).toContain("Eve\\u001b[2J\\u009b31m\\u000a\\u202eroot");
    const shown = await users("sign-out", "eve@example.com");
    for (const text of [stdout, shown.stdout, (await users("list", "--json")).stdout])
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u2028-\u202e]/u);
    const listed = (await json("list")).find((person: { email: string }) => person.email === "eve@example.com");
    expect(listed.name).toBe(name);
    const args = ["create", "--email", "x@example.com", "--name", "a\u001bb", "--role", "agent"];
    await refused(args, /--name must not contain control characters\./);
    await json("remove", "eve@example.com");
  });

  it("workspaces create and rename refuse control characters in a name", async () => {
    for (const args of [["create"], ["rename", "1"]]) {
      const { code, stderr } = await hostedCommand(["workspaces", ...args, "a\u001b[2Jb"], settings);
      expect([code, stderr]).toEqual([1, expect.stringContaining("must not contain control characters.")]);
    }
  });

  it("set-role changes a role, or adds to a workspace; sign-out ends sessions", async () => {
    expect(await json("set-role", "cli@example.com", "owner")).toMatchObject({ role: "owner" });
    expect(await json("sign-out", "olive@example.com")).toMatchObject({ sessions: 1 });
    expect((await owner.call("GET", "/session")).status).toBe(401);
    await refused(["set-role", "cli@example.com", "boss"], /must be one of: owner, admin, agent/);
  });

  it("remove removes a user, but never the last owner", async () => {
    expect(await json("remove", "olive@example.com")).toMatchObject({ email: "olive@example.com" });
    await refused(["remove", "cli@example.com"], /last owner/);
    await refused(["remove", "cli@example.com", "--workspace", "1"], /last owner/);
    await refused(["remove", "nobody@example.com"], /nobody@example.com does not exist/);
    expect((await json("list")).map((person: { email: string }) => person.email)).toEqual([
      "cli@example.com",
      "in@example.com",
    ]);
  });

  it.each([
    ["from one workspace", ["--workspace", "1"]],
    ["altogether", []],
  ])("remove unassigns the conversations of a person who is removed %s, with events", async (_where, options) => {
    const { id } = await json("create", "--email", "left@example.com", "--name", "Lee", "--role", "agent");
    const conversation = (await parley.call("POST", "/conversations", { body: { assignee_id: id } })).body.data;
    await json("remove", "left@example.com", ...options);
    const now = (await parley.call("GET", `/conversations/${conversation.id}`)).body.data;
    expect(now.assignee).toBeNull();
    const events = (await parley.call("GET", `/events?conversation_id=${conversation.id}`)).body.data;
    expect(events.at(-1)).toMatchObject({ type: "conversation.assigned", data: { assignee: null } });
    if (options.length > 0) await json("remove", "left@example.com");
  });

  it("create refuses an address that is in use, and what is not an address", async () => {
    const rest = ["--name", "x", "--role", "agent"];
    await refused(["create", "--email", "CLI@example.com", ...rest], /already/);
    await refused(["create", "--email", "nonsense", ...rest], /e-mail address/);
  });
});
