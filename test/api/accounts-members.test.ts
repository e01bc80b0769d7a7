import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, join, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let owner: Browser;
let admin: Browser;
const idOf = async (email: string): Promise<number> =>
  (await owner.call("GET", "/members")).body.data.find((member: { email: string }) => member.email === email).id;

beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
  admin = await join(parley, owner, "admin", "adam@example.com");
});
afterAll(() => parley.close());

const refused = (reply: Reply, status: number, code: string) => {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.body.error.code).toBe(code);
};

describe("members", () => {
  it("the list of members shows their roles", async () => {
    const { body } = await admin.call("GET", "/members");
    expect(body.data).toMatchObject([
      { name: "Olive Owner", email: "olive@example.com", role: "owner" },
      { name: "adam", email: "adam@example.com", role: "admin" },
    ]);
    expect(Object.keys(body.data[0]).sort()).toEqual([
      "active_keys",
      "created_at",
      "email",
      "id",
      "last_seen_at",
      "name",
      "role",
      "uuid",
    ]);
  });

  it("when a member was last seen is still known after their sessions have ended", async () => {
    const seen = async () => (await owner.call("GET", "/members")).body.data[1].last_seen_at;
    expect(Date.now() - Date.parse(await seen())).toBeLessThan(60_000);
    await parley.database.query(
      "update users set last_seen_at = now() - interval '2 hours' where email = 'adam@example.com'",
    );
    await parley.database.query(
      "update sessions set last_seen_at = now() - interval '2 hours' where user_id = (select id from users where email = 'adam@example.com')",
    );
    const before = await seen();
    await admin.call("GET", "/members");
    const after = await seen();
    expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
    await parley.database.query(
      "delete from sessions where user_id = (select id from users where email = 'adam@example.com')",
    );
    expect(await seen()).toBe(after);
    await admin.call("POST", "/sign-in", { email: "adam@example.com", password: PASSWORD });
  });

  it("nobody can demote or remove the last owner", async () => {
    const olive = await idOf("olive@example.com");
    refused(await owner.call("PATCH", `/members/${olive}`, { role: "admin" }), 409, "CONFLICT");
    refused(await owner.call("DELETE", `/members/${olive}`), 409, "CONFLICT");
    refused(await admin.call("DELETE", `/members/${olive}`), 403, "FORBIDDEN");
    expect((await owner.call("GET", "/session")).body.data.role).toBe("owner");
  });

  it("an admin can neither create, invite, change nor remove an owner", async () => {
    const adam = await idOf("adam@example.com");
    refused(await admin.call("PATCH", `/members/${adam}`, { role: "owner" }), 403, "FORBIDDEN");
    refused(await admin.call("POST", "/invitations", { email: "o@example.com", role: "owner" }), 403, "FORBIDDEN");
    const invited = await owner.call("POST", "/invitations", { email: "o@example.com", role: "owner" });
    refused(await admin.call("DELETE", `/invitations/${invited.body.data.id}`), 403, "FORBIDDEN");
    expect((await owner.call("DELETE", `/invitations/${invited.body.data.id}`)).status).toBe(200);
  });

  it("of two owners who demote each other at once, one stays an owner", async () => {
    const second = await join(parley, owner, "owner", "otto@example.com");
    const [olive, otto] = [await idOf("olive@example.com"), await idOf("otto@example.com")];
    const replies = await Promise.all([
      owner.call("PATCH", `/members/${otto}`, { role: "admin" }),
      second.call("PATCH", `/members/${olive}`, { role: "admin" }),
    ]);
    // The one that came second was still an owner when it was let in (409: the other is the last), or not any more (403).
    const [first, last] = replies.map((reply) => reply.status).sort();
    expect(first).toBe(200);
    expect([403, 409]).toContain(last);
    const winner = replies[0]?.status === 200 ? owner : second;
    for (const id of [olive, otto]) await winner.call("PATCH", `/members/${id}`, { role: "owner" });
    expect((await owner.call("DELETE", `/members/${otto}`)).status).toBe(200);
    refused(await second.call("GET", "/session"), 401, "UNAUTHORIZED");
  });

  it("a changed role takes effect at once", async () => {
    const browser = await join(parley, owner, "agent", "rolf@example.com");
    const id = await idOf("rolf@example.com");
    refused(await browser.call("GET", "//api/v1/api-keys"), 403, "FORBIDDEN");
    expect((await admin.call("PATCH", `/members/${id}`, { role: "admin" })).body.data.role).toBe("admin");
    expect((await browser.call("GET", "//api/v1/api-keys")).status).toBe(200);
    expect((await owner.call("PATCH", `/members/${id}`, { role: "boss" })).status).toBe(422);
    refused(await owner.call("PATCH", "/members/999999999", { role: "boss" }), 404, "NOT_FOUND");
  });

  it("a removed member is signed out at once and cannot sign in until invited again", async () => {
    const browser = await join(parley, owner, "agent", "gone@example.com");
    expect((await admin.call("DELETE", `/members/${await idOf("gone@example.com")}`)).status).toBe(200);
    refused(await browser.call("GET", "/session"), 401, "UNAUTHORIZED");
    refused(await browser.call("GET", "//api/v1/conversations"), 401, "UNAUTHORIZED");
    const again = { email: "gone@example.com", password: PASSWORD };
    refused(await openBrowser(parley).call("POST", "/sign-in", again), 403, "FORBIDDEN");
    const invited = await owner.call("POST", "/invitations", { email: "gone@example.com", role: "agent" });
    const token = new URL(invited.body.data.url).searchParams.get("token");
    expect((await browser.call("POST", "/accept-invitation", { token, name: "Gone", password: PASSWORD })).status).toBe(
      200,
    );
  });

  it("the conversations of a removed member are assigned to nobody, with an event each", async () => {
    await join(parley, owner, "agent", "busy@example.com");
    const id = await idOf("busy@example.com");
    const created = [];
    for (let i = 0; i < 3; i++)
      created.push((await parley.call("POST", "/conversations", { body: { assignee_id: id } })).body.data);
    await parley.database.query("update conversations set updated_at = '2026-01-01' where assignee_id = $1", [id]);
    expect((await admin.call("DELETE", `/members/${id}`)).status).toBe(200);
    for (const conversation of created) {
      const now = (await parley.call("GET", `/conversations/${conversation.id}`)).body.data;
      expect(now.assignee).toBeNull();
      expect(Date.parse(now.updated_at)).toBeGreaterThanOrEqual(Date.parse(conversation.updated_at));
      const events = (await parley.call("GET", `/events?conversation_id=${conversation.id}`)).body.data;
      expect(events.at(-1)).toMatchObject({
        type: "conversation.assigned",
        actor: { type: "user", name: "adam" },
        data: { id: conversation.id, assignee: null },
      });
    }
  });

  it("a member who may not be removed keeps their conversations", async () => {
    const id = await idOf("olive@example.com");
    const { data } = (await parley.call("POST", "/conversations", { body: { assignee_id: id } })).body;
    refused(await admin.call("DELETE", `/members/${id}`), 403, "FORBIDDEN");
    refused(await owner.call("DELETE", `/members/${id}`), 409, "CONFLICT");
    expect((await parley.call("GET", `/conversations/${data.id}`)).body.data.assignee.id).toBe(id);
  });

  it("every change of a member is in the audit log, with the values before and after", async () => {
    const { body } = await owner.call("GET", "//api/v1/audit-logs?resource_type=user&per_page=100");
    const actions = body.data.map((entry: { action: string }) => entry.action);
    expect(actions).toEqual(expect.arrayContaining(["member.added", "member.role_changed", "member.removed"]));
    expect(body.data.at(-1)).toMatchObject({
      action: "member.added",
      actor: { type: "user", name: "Olive Owner" },
      changes: { role: { from: null, to: "owner" }, email: "olive@example.com" },
    });
  });
});

describe("invitations", () => {
  const tokenOf = (reply: Reply) => new URL(reply.body.data.url).searchParams.get("token");

  it("an invitation shows its link once, and only its digest is stored", async () => {
    const made = await owner.call("POST", "/invitations", { email: "once@example.com", role: "agent" });
    const { url, emailed, ...record } = made.body.data;
    expect(emailed).toBe(false);
    expect(url).toMatch(new RegExp(`^${parley.url}/accept-invitation\\?token=[A-Za-z0-9_-]{43}$`));
    expect(record).toMatchObject({ email: "once@example.com", role: "agent", expired: false });
    expect(record.invited_by).toEqual({ id: expect.any(Number), name: "Olive Owner" });
    const listed = await owner.call("GET", "/invitations");
    expect(listed.body.data).toEqual([record]);
    const rows = await parley.database.query<{ dump: string }>(
      "select row_to_json(i)::text as dump from invitations i",
    );
    expect(rows.map((row) => row.dump).join() + parley.logs() + listed.text).not.toContain(tokenOf(made));
    const days = (Date.parse(record.expires_at) - Date.parse(record.created_at)) / 86_400_000;
    expect(days).toBe(7);
  });

  it("an invitation is shown to a user with its link, without saying whether the address has an account", async () => {
    const made = await owner.call("POST", "/invitations", { email: "look@example.com", role: "admin" });
    const { body } = await openBrowser(parley).call("POST", "/invitation-preview", { token: tokenOf(made) });
    expect(body.data).toEqual({
      email: "look@example.com",
      role: "admin",
      workspace: { id: expect.any(Number), uuid: expect.any(String), name: "Default" },
      expires_at: made.body.data.expires_at,
      signed_in_as_invited: false,
    });
    refused(await openBrowser(parley).call("POST", "/invitation-preview", { token: "wrong" }), 404, "NOT_FOUND");
  });

  it("accepting an invitation asks for a name and a password", async () => {
    const token = tokenOf(await owner.call("POST", "/invitations", { email: "new@example.com", role: "agent" }));
    const reply = await openBrowser(parley).call("POST", "/accept-invitation", { token, password: "short" });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details).sort()).toEqual(["name", "password"]);
  });

  it("of several who accept an invitation at once, one succeeds", async () => {
    const token = tokenOf(await owner.call("POST", "/invitations", { email: "race@example.com", role: "agent" }));
    const body = { token, name: "Racer", password: PASSWORD };
    const replies = await Promise.all([1, 2].map(() => openBrowser(parley).call("POST", "/accept-invitation", body)));
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses[0]).toBe(200);
    expect([404, 409]).toContain(statuses[1]);
    refused(await openBrowser(parley).call("POST", "/accept-invitation", body), 404, "NOT_FOUND");
  });

  it("an invitation ends after seven days, when it is revoked and when it is replaced", async () => {
    const email = "late@example.com";
    const accept = (token: string | null) =>
      openBrowser(parley).call("POST", "/accept-invitation", { token, name: "Late", password: PASSWORD });
    const first = await owner.call("POST", "/invitations", { email, role: "agent" });
    const second = await owner.call("POST", "/invitations", { email: "LATE@example.com", role: "admin" });
    refused(await accept(tokenOf(first)), 404, "NOT_FOUND");
    await parley.database.query("update invitations set expires_at = now() where email = $1", [email]);
    refused(await accept(tokenOf(second)), 404, "NOT_FOUND");
    const third = await owner.call("POST", "/invitations", { email, role: "agent" });
    expect((await owner.call("DELETE", `/invitations/${third.body.data.id}`)).status).toBe(200);
    refused(await accept(tokenOf(third)), 404, "NOT_FOUND");
  });

  it("inviting a member, or what is not an address, is refused", async () => {
    refused(await owner.call("POST", "/invitations", { email: "ADAM@example.com", role: "agent" }), 409, "CONFLICT");
    const reply = await owner.call("POST", "/invitations", { email: "adam", role: "boss" });
    expect(Object.keys(reply.body.error.details).sort()).toEqual(["email", "role"]);
  });
});

it("the members of a large workspace are paged and searched, and past 10,000 nobody joins", async () => {
  const created = await owner.call("POST", "/workspaces", { name: "Large" });
  const { id } = created.body.data;
  const inside = { "x-parley-workspace": String(id) };
  const invited = await owner.call("POST", "/invitations", { email: "late@example.com", role: "agent" }, inside);
  await parley.database.query(
    `with person as (
       insert into users (uuid, email, name)
       select gen_random_uuid(), 'p' || n || '@large.example', 'Person ' || n
       from generate_series(1, 9999) n
       returning id)
     insert into memberships (workspace_id, user_id, role)
     select $1, id, 'agent'
     from person`,
    [id],
  );
  const list = async (query: string) => (await owner.call("GET", `/members?${query}`, undefined, inside)).body;
  const second = await list("page=2&per_page=50");
  expect([second.data.length, second.meta.pagination.total, second.meta.pagination.from]).toEqual([50, 10_000, 51]);
  const found = await list("search=P4711%40");
  expect(found.data).toMatchObject([{ name: "Person 4711" }]);
  expect((await list("search=%25")).data).toEqual([]);
  const token = new URL(invited.body.data.url).searchParams.get("token");
  const reply = await openBrowser(parley).call("POST", "/accept-invitation", { token, name: "L", password: PASSWORD });
  expect([reply.status, reply.body.error?.message]).toEqual([
    409,
    "This workspace has reached its limit of 10000 members.",
  ]);
});
