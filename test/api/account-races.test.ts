import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, join, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";
import { totpCode } from "../support/totp.ts";
import { until } from "../support/wait.ts";

const OTHER_PASSWORD = "another horse battery";
const RESET_PASSWORD = "a third horse battery";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
});
afterAll(() => parley.close());

const signIn = (email: string, password = PASSWORD) =>
  openBrowser(parley).call("POST", "/sign-in", { email, password });
const newcomer = (email: string, role = "agent") => join(parley, owner, role, email);
const idOf = async (email: string) =>
  (await parley.database.query<{ id: string }>("select id from users where email = $1", [email]))[0]?.id;

/** Sends a request while a row is locked, runs `change` in the locking transaction, commits and returns the response. */
async function whileLocked(
  lock: { sql: string; values: unknown[] },
  send: () => Promise<Reply>,
  change: (client: pg.Client) => Promise<unknown>,
): Promise<Reply> {
  const client = new pg.Client({ connectionString: parley.database.url });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(lock.sql, lock.values);
    const response = send();
    await until("the request waits for the lock", async () => {
      const waiting = await parley.database.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
    await change(client);
    await client.query("commit");
    return await response;
  } finally {
    await client.end();
  }
}

/** What a password reset does, at the moment in which another request waits for the user's row. */
async function whilePasswordIsReset(email: string, send: () => Promise<Reply>): Promise<Reply> {
  const hash = await hashOf(RESET_PASSWORD);
  const values = [await idOf(email)];
  return whileLocked({ sql: "select from users where id = $1 for update", values }, send, async (client) => {
    await client.query("update users set password_hash = $2 where id = $1", [...values, hash]);
    await client.query("delete from sessions where user_id = $1", values);
  });
}

/** Of a password as it is stored: that of a person who has it. */
async function hashOf(password: string): Promise<string> {
  const email = `hash-${Math.random()}@example.com`;
  const person = await newcomer(email);
  await person.call("PATCH", "/profile", { password, current_password: PASSWORD });
  const [row] = await parley.database.query<{ hash: string }>(
    "select password_hash as hash from users where email = $1",
    [email],
  );
  return row?.hash ?? "";
}

async function addAuthenticator(browser: Browser): Promise<string> {
  const { secret } = (await browser.call("POST", "/two-factor/totp")).body.data;
  const code = totpCode(secret, "confirm");
  expect((await browser.call("POST", "/two-factor/totp/confirm", { code })).status).toBe(200);
  return secret;
}

describe("a changed password", () => {
  it("ends sign-ins that wait for their second factor", async () => {
    const email = "waiting@example.com";
    const person = await newcomer(email);
    const secret = await addAuthenticator(person);
    const thief = openBrowser(parley);
    const { token } = (await thief.call("POST", "/sign-in", { email, password: PASSWORD })).body.data.two_factor;
    const changed = await person.call("PATCH", "/profile", { password: OTHER_PASSWORD, current_password: PASSWORD });
    expect(changed.status, changed.text).toBe(200);
    const late = await thief.call("POST", "/sign-in/second-factor", { token, code: totpCode(secret, "next") });
    expect(late.status, late.text).toBe(401);
    expect(thief.token).toBeNull();
  });

  it("is not overwritten by a change that was confirmed with the password before it", async () => {
    const email = "overtaken@example.com";
    const thief = await newcomer(email);
    const reply = await whilePasswordIsReset(email, () =>
      thief.call("PATCH", "/profile", { password: OTHER_PASSWORD, current_password: PASSWORD }),
    );
    expect(reply.status, reply.text).toBe(422);
    expect(reply.body.error.details).toHaveProperty("current_password");
    expect((await signIn(email, OTHER_PASSWORD)).status).toBe(401);
    expect((await signIn(email, RESET_PASSWORD)).status).toBe(200);
  });

  it("refuses an invitation that is being accepted with the password before it", async () => {
    const email = "invited-twice@example.com";
    await newcomer(email);
    const { id } = (await owner.call("POST", "/workspaces", { name: "Second" })).body.data;
    const inside = { "x-parley-workspace": String(id) };
    const invited = await owner.call("POST", "/invitations", { email, role: "agent" }, inside);
    const token = new URL(invited.body.data.url).searchParams.get("token");
    const thief = openBrowser(parley);
    const reply = await whilePasswordIsReset(email, () =>
      thief.call("POST", "/accept-invitation", { token, name: "Thief", password: PASSWORD }),
    );
    expect(reply.status, reply.text).toBe(401);
    expect(thief.token).toBeNull();
  });
});

it("accepting an invitation while signed in does not count as confirming the password", async () => {
  const email = "unlocked@example.com";
  const person = await newcomer(email);
  const { id } = (await owner.call("POST", "/workspaces", { name: "Third" })).body.data;
  const inside = { "x-parley-workspace": String(id) };
  const invited = await owner.call("POST", "/invitations", { email, role: "agent" }, inside);
  await parley.database.query("update sessions set confirmed_at = now() - interval '16 minutes' where user_id = $1", [
    await idOf(email),
  ]);
  const token = new URL(invited.body.data.url).searchParams.get("token");
  const accepted = await person.call("POST", "/accept-invitation", { token });
  expect(accepted.status, accepted.text).toBe(200);
  expect(accepted.body.data.workspace.id).toBe(id);
  expect((await person.call("POST", "/two-factor/totp")).status).toBe(403);
});

it("a session whose user removes the last second factor counts as having shown none", async () => {
  const person = await newcomer("without@example.com");
  await addAuthenticator(person);
  expect((await person.call("GET", "/session")).body.data.second_factor).toBe(true);
  expect((await person.call("DELETE", "/two-factor/totp")).status).toBe(200);
  expect((await person.call("GET", "/session")).body.data.second_factor).toBe(false);
});

it("a second factor that is added ends a session that is being opened without it", async () => {
  const email = "adding@example.com";
  const person = await newcomer(email);
  const { secret } = (await person.call("POST", "/two-factor/totp")).body.data;
  const values = [await idOf(email)];
  const reply = await whileLocked(
    { sql: "select from users where id = $1 for update", values },
    () => person.call("POST", "/two-factor/totp/confirm", { code: totpCode(secret, "confirm") }),
    (client) =>
      client.query(
        `insert into sessions (digest, user_id, method, second_factor, expires_at)
         values (sha256('x'), $1, 'password', false, now() + interval '1 day')`,
        values,
      ),
  );
  expect(reply.status, reply.text).toBe(200);
  expect(await parley.database.query("select second_factor from sessions where user_id = $1", values)).toEqual([
    { second_factor: true },
  ]);
});

describe("an admin", () => {
  it("cannot demote a member who becomes an owner at the same moment", async () => {
    const email = "promoted@example.com";
    const admin = await newcomer("admin@example.com", "admin");
    await newcomer(email);
    const id = await idOf(email);
    const values = [id];
    const reply = await whileLocked(
      { sql: "select from memberships where workspace_id = 1 and user_id = $1 for update", values },
      () => admin.call("PATCH", `/members/${id}`, { role: "admin" }),
      (client) => client.query("update memberships set role = 'owner' where workspace_id = 1 and user_id = $1", values),
    );
    expect(reply.status, reply.text).toBe(403);
    const rows = await parley.database.query(
      "select role from memberships where workspace_id = 1 and user_id = $1",
      values,
    );
    expect(rows).toEqual([{ role: "owner" }]);
  });

  it("cannot remove a member who becomes an owner at the same moment", async () => {
    const email = "promoted-too@example.com";
    const admin = await newcomer("second-admin@example.com", "admin");
    await newcomer(email);
    const id = await idOf(email);
    const values = [id];
    const reply = await whileLocked(
      { sql: "select from memberships where workspace_id = 1 and user_id = $1 for update", values },
      () => admin.call("DELETE", `/members/${id}`),
      (client) => client.query("update memberships set role = 'owner' where workspace_id = 1 and user_id = $1", values),
    );
    expect(reply.status, reply.text).toBe(403);
  });
});
