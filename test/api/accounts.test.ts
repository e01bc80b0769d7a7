import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/auth/scopes.ts";
import { type Browser, join, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let owner: Browser;
let admin: Browser;
let agent: Browser;
const ids: Record<string, number> = {};

beforeAll(async () => {
  parley = await startParley({ PARLEY_AUTH_FAILURES_PER_MINUTE: "100000" });
  owner = await setUp(parley);
  admin = await join(parley, owner, "admin", "adam@example.com");
  agent = await join(parley, owner, "agent", "agnes@example.com");
  for (const member of (await owner.call("GET", "/members")).body.data) ids[member.name] = member.id;
});
afterAll(() => parley.close());

const refused = (reply: Reply, status: number, code: string) => {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.body.error.code).toBe(code);
};
const session = async (browser: Browser) => (await browser.call("GET", "/session")).body.data;

describe("a signed-in user", () => {
  const AGENT = [
    "conversations:read",
    "conversations:write",
    "messages:read",
    "messages:write",
    "drafts:read",
    "drafts:write",
    "contacts:read",
    "contacts:write",
    "events:read",
  ];

  it("has the scopes of the role, in /session and /me", async () => {
    for (const [browser, role, scopes] of [
      [owner, "owner", SCOPES],
      [admin, "admin", SCOPES],
      [agent, "agent", AGENT],
    ] as const) {
      const { body } = await browser.call("GET", "//api/v1/me");
      const { user, workspace } = await session(browser);
      const { id, uuid, name } = workspace;
      expect(body.data).toEqual({ user: { ...user, role }, scopes: [...scopes], workspace: { id, uuid, name } });
      expect((await session(browser)).scopes).toEqual([...scopes]);
    }
  });

  it("may call every route of the API that the role covers, and no other", async () => {
    const headers = { "x-parley-workspace": String((await session(admin)).workspace.id) };
    for (const [browser, scopes] of [
      [admin, SCOPES],
      [agent, AGENT],
    ] as const)
      for (const spec of parley.app.server.routes) {
        if (spec.path === "/events/stream") continue;
        const path = `//api/v1${spec.path.replace(/\{\w+\}/g, "999999999")}`;
        const reply = await browser.call(spec.method, path, spec.method === "GET" ? undefined : { name: 1 }, headers);
        const what = `${spec.method} ${spec.path}: ${reply.text}`;
        if (spec.access === "any" || (scopes as readonly string[]).includes(spec.access))
          expect([200, 201, 202, 404, 422], what).toContain(reply.status);
        else expect(reply.status, what).toBe(403);
      }
  });

  it("is the actor of what they change, in the record, the event and the audit log", async () => {
    const { user } = await session(admin);
    const actor = { type: "user", id: user.id, name: user.name };
    const conversation = (await agent.call("POST", "//api/v1/conversations", {})).body.data;
    const path = `//api/v1/conversations/${conversation.id}/messages`;
    const message = (await admin.call("POST", path, { body: "hello" })).body.data;
    expect(message.sender).toMatchObject(actor);
    const events = (await admin.call("GET", "//api/v1/events?type=message.created")).body.data;
    expect(events.at(-1)).toMatchObject({ actor, data: { id: message.id } });
    const key = (await admin.call("POST", "//api/v1/api-keys", { name: "made by Adam" })).body.data;
    const logs = (await admin.call("GET", `//api/v1/audit-logs?resource_type=api_key&resource_id=${key.id}`)).body.data;
    expect(logs).toMatchObject([{ action: "api_key.created", actor, ip: "127.0.0.1" }]);
    expect(parley.logs()).toContain(`"user_id":${user.id}`);
  });

  it("may repeat a POST under an Idempotency-Key of their own", async () => {
    const headers = { "idempotency-key": "same" };
    const first = await admin.call("POST", "//api/v1/contacts", { name: "once" }, headers);
    const again = await admin.call("POST", "//api/v1/contacts", { name: "once" }, headers);
    expect(again.body).toEqual(first.body);
    const other = await owner.call("POST", "//api/v1/contacts", { name: "once" }, headers);
    const key = await parley.call("POST", "/contacts", { body: { name: "once" }, headers });
    expect(new Set([first.body.data.id, other.body.data.id, key.body.data.id]).size).toBe(3);
  });

  it("is limited, generously, with the headers of the API", async () => {
    const { headers } = await agent.call("GET", "/session");
    expect(headers.get("ratelimit-policy")).toBe('"signed-in";q=3000;w=60');
    expect(headers.get("x-ratelimit-limit")).toBe("3000");
  });

  it("may read the stream of events, in which an agent receives none about the settings", async () => {
    const leave = new AbortController();
    const open = async (browser: Browser) => {
      const response = await fetch(`${parley.url}/api/v1/events/stream`, {
        headers: { cookie: `parley_session=${browser.token}` },
        signal: leave.signal,
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
      return (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    };
    const readers = [await open(admin), await open(agent)] as const;
    // Longer than the interval at which the session is checked again.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await admin.call("POST", "//api/v1/api-keys", { name: "not for agents" });
    await agent.call("POST", "//api/v1/contacts", { name: "streamed" });
    const [forAdmin, forAgent] = await Promise.all(
      readers.map(async (reader) => {
        let text = "";
        while (!text.includes("streamed")) {
          const { value, done } = await reader.read();
          expect(done, text).toBe(false);
          text += value;
        }
        return text;
      }),
    );
    expect(forAdmin).toContain("not for agents");
    expect(forAgent).not.toContain("not for agents");
    leave.abort();
    for (const reader of readers) await reader.cancel().catch(() => {});
  });
});

describe("an agent", () => {
  it("reaches nothing of the settings in the dashboard's API", async () => {
    const forManagers = parley.app.server.dashboardRoutes.filter((spec) => spec.roles && !spec.roles.includes("agent"));
    expect(forManagers.length).toBeGreaterThan(8);
    for (const spec of forManagers) {
      const path = spec.path.replace(/\{\w+\}/g, String(ids["Olive Owner"]));
      refused(await agent.call(spec.method, path, spec.method === "GET" ? undefined : {}), 403, "FORBIDDEN");
    }
  });
});

describe("every route of the dashboard's API", () => {
  it("requires a session except where one is created", async () => {
    const open = parley.app.server.dashboardRoutes.filter((spec) => spec.access === "public");
    expect(open.map((spec) => `${spec.method} ${spec.path}`).sort()).toEqual([
      "GET /setup",
      "GET /sign-in-options",
      "POST /accept-invitation",
      "POST /invitation-preview",
      "POST /password-reset",
      "POST /password-reset-check",
      "POST /password-reset-request",
      "POST /setup",
      "POST /setup-check",
      "POST /sign-in",
      "POST /sign-in/passkey",
      "POST /sign-in/passkey-options",
      "POST /sign-in/second-factor",
      "POST /sso/finish",
      "POST /sso/start",
    ]);
    for (const spec of parley.app.server.dashboardRoutes) {
      if (spec.access === "public") continue;
      const path = spec.path.replace(/\{\w+\}/g, "1");
      for (const headers of [{}, { authorization: `Bearer ${parley.key}` }])
        refused(await openBrowser(parley).call(spec.method, path, undefined, headers), 401, "UNAUTHORIZED");
    }
  });

  it("is not in the public description of the API, which has only the list of members to assign to", async () => {
    const { body } = await parley.call("GET", "/openapi.json");
    const paths = Object.keys(body.paths).filter((path) => /session|invitation|member/.test(path));
    // Those of a visitor, whose contact an agent may sign out.
    expect(paths.sort()).toEqual(["/api/v1/contacts/{contact}/sessions", "/api/v1/members"]);
    expect(Object.keys(body.paths["/api/v1/members"])).toEqual(["get"]);
  });
});

describe("the workspaces of an installation", () => {
  let second: { id: number; uuid: string };
  beforeAll(async () => {
    second = (await owner.call("POST", "/workspaces", { name: "Second" })).body.data;
  });
  const inSecond = () => ({ "x-parley-workspace": String(second.id) });

  it("are created by an owner, who owns them and switches by header, by id or uuid", async () => {
    expect((await session(owner)).workspaces).toMatchObject([{ role: "owner" }, { name: "Second", role: "owner" }]);
    for (const workspace of [String(second.id), second.uuid]) {
      const { body } = await owner.call("GET", "/session", undefined, { "x-parley-workspace": workspace });
      expect(body.data.workspace.name).toBe("Second");
    }
    expect((await session(owner)).workspace.name).toBe("Default");
    refused(await admin.call("POST", "/workspaces", { name: "x" }), 403, "FORBIDDEN");
  });

  it("keep their keys, people and invitations apart", async () => {
    const key = (await owner.call("POST", "//api/v1/api-keys", { name: "second's" }, inSecond())).body.data;
    expect((await owner.call("GET", `//api/v1/api-keys/${key.id}`, undefined, inSecond())).status).toBe(200);
    refused(await owner.call("GET", `//api/v1/api-keys/${key.id}`), 404, "NOT_FOUND");
    refused(await owner.call("GET", `/usage?api_key_id=${key.id}`), 404, "NOT_FOUND");
    expect((await owner.call("GET", "/members", undefined, inSecond())).body.data).toHaveLength(1);
    refused(await owner.call("PATCH", `/members/${ids.agnes}`, { role: "admin" }, inSecond()), 404, "NOT_FOUND");
    refused(await owner.call("DELETE", `/members/${ids.agnes}`, undefined, inSecond()), 404, "NOT_FOUND");
    const body = { email: "new@example.com", role: "agent" };
    const invitation = (await owner.call("POST", "/invitations", body, inSecond())).body.data;
    expect((await owner.call("GET", "/invitations")).body.data).toEqual([]);
    refused(await owner.call("DELETE", `/invitations/${invitation.id}`), 404, "NOT_FOUND");
    expect((await owner.call("DELETE", `/invitations/${invitation.uuid}`, undefined, inSecond())).status).toBe(200);
  });

  it("are as unknown to a person who does not belong to them as if they did not exist", async () => {
    for (const path of ["/session", "/members", "//api/v1/api-keys", "//api/v1/me"]) {
      const [foreign, ...unknown] = await Promise.all(
        [String(second.id), second.uuid, "999999999", "nonsense", "-1"].map((workspace) =>
          admin.call("GET", path, undefined, { "x-parley-workspace": workspace }),
        ),
      );
      refused(foreign as Reply, 404, "NOT_FOUND");
      for (const reply of unknown) expect([reply.status, reply.body]).toEqual([404, foreign?.body]);
    }
  });

  it("are renamed by their managers, each without a change of the others", async () => {
    const reply = await owner.call("PATCH", "/workspace", { name: " Renamed " }, inSecond());
    expect(reply.body.data).toMatchObject({ id: second.id, uuid: second.uuid, name: "Renamed", role: "owner" });
    expect((await owner.call("PATCH", "/workspace", { name: "" })).status).toBe(422);
    expect((await session(admin)).workspace.name).toBe("Default");
  });

  it("are joined by an existing person by password, or as the account that is signed in", async () => {
    const invite = async (email: string, role = "agent") =>
      new URL((await owner.call("POST", "/invitations", { email, role }, inSecond())).body.data.url).searchParams.get(
        "token",
      );
    const token = await invite("Agnes@Example.com");
    const stranger = openBrowser(parley);
    const preview = await stranger.call("POST", "/invitation-preview", { token });
    expect(preview.body.data).toMatchObject({ signed_in_as_invited: false, role: "agent" });
    expect((await stranger.call("POST", "/accept-invitation", { token })).status).toBe(422);
    const guess = { token, name: "Agnes", password: "wrong wrong wrong" };
    refused(await stranger.call("POST", "/accept-invitation", guess), 401, "UNAUTHORIZED");
    // Another user's session is not a proof, and neither is one that another site sends.
    expect((await admin.call("POST", "/accept-invitation", { token })).status).toBe(422);
    refused(await agent.call("POST", "/accept-invitation", { token }, { origin: "http://x" }), 403, "FORBIDDEN");
    expect((await agent.call("POST", "/invitation-preview", { token })).body.data.signed_in_as_invited).toBe(true);
    const joined = await agent.call("POST", "/accept-invitation", { token });
    expect(joined.status, joined.text).toBe(200);
    expect(joined.body.data).toMatchObject({ workspace: { id: second.id }, role: "agent" });
    refused(await agent.call("POST", "/accept-invitation", { token }), 404, "NOT_FOUND");
    const byPassword = await invite("adam@example.com", "admin");
    const reply = await stranger.call("POST", "/accept-invitation", {
      token: byPassword,
      name: "Adam",
      password: PASSWORD,
    });
    expect(reply.body.data.user.id).toBe(ids.adam);
    const [count] = await parley.database.query("select count(*)::int as users from users");
    expect(count).toEqual({ users: 3 });
  });
});
