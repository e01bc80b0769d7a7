import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteSpec } from "../../src/http/pipeline/route.ts";
import { type Browser, join, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";
import { fill } from "../support/route-fixtures.ts";
import { nameOf, UNKNOWN_ID } from "../support/route-walk.ts";

/** Who may call what in addition to the API, copied from docs/dashboard.md: a route that is missing here fails. */
const EVERYBODY = ["owner", "admin", "agent"];
const MANAGERS = ["owner", "admin"];
const MAY_CALL: Record<string, string[] | "nobody need be signed in"> = {
  "GET /setup": "nobody need be signed in",
  "POST /setup": "nobody need be signed in",
  "POST /sign-in": "nobody need be signed in",
  "GET /sign-in-options": "nobody need be signed in",
  "POST /sso/start": "nobody need be signed in",
  "POST /sso/finish": "nobody need be signed in",
  "POST /sign-in/second-factor": "nobody need be signed in",
  "POST /sign-in/passkey-options": "nobody need be signed in",
  "POST /sign-in/passkey": "nobody need be signed in",
  "POST /password-reset-request": "nobody need be signed in",
  "POST /password-reset-check": "nobody need be signed in",
  "POST /password-reset": "nobody need be signed in",
  "POST /invitation-preview": "nobody need be signed in",
  "POST /accept-invitation": "nobody need be signed in",
  "GET /session": EVERYBODY,
  "GET /catalogue": EVERYBODY,
  "POST /url-check": MANAGERS,
  "POST /setup-check": "nobody need be signed in",
  "PATCH /profile": EVERYBODY,
  "GET /sessions": EVERYBODY,
  "GET /two-factor": EVERYBODY,
  "POST /confirm-password": EVERYBODY,
  "POST /two-factor/totp": EVERYBODY,
  "POST /two-factor/totp/confirm": EVERYBODY,
  "DELETE /two-factor/totp": EVERYBODY,
  "DELETE /two-factor/wrong-codes": EVERYBODY,
  "POST /two-factor/recovery-codes": EVERYBODY,
  "POST /passkeys/options": EVERYBODY,
  "POST /passkeys": EVERYBODY,
  "DELETE /passkeys/{passkey}": EVERYBODY,
  "GET /audit-export": MANAGERS,
  "DELETE /sessions/{session}": EVERYBODY,
  "POST /sign-out": EVERYBODY,
  "POST /sign-out-everywhere": EVERYBODY,
  "GET /members": MANAGERS,
  "PATCH /members/{member}": MANAGERS,
  "DELETE /members/{member}": MANAGERS,
  "PATCH /workspace": MANAGERS,
  "GET /alert-settings": MANAGERS,
  "PATCH /alert-settings": MANAGERS,
  "POST /alert-settings/test": MANAGERS,
  "GET /inbox-settings": MANAGERS,
  "PATCH /inbox-settings": MANAGERS,
  "POST /workspaces": ["owner"],
  "GET /invitations": MANAGERS,
  "POST /invitations": MANAGERS,
  "DELETE /invitations/{invitation}": MANAGERS,
  "GET /usage": MANAGERS,
  "GET /webhook-health": MANAGERS,
  "GET /contacts/{contact}/notes": EVERYBODY,
  "POST /contacts/{contact}/notes": EVERYBODY,
  "DELETE /contacts/{contact}/notes/{note}": EVERYBODY,
  "GET /own-drafts": EVERYBODY,
  "GET /view-counts": EVERYBODY,
  "GET /conversations/{conversation}/reply-defaults": EVERYBODY,
  "GET /sending-addresses": EVERYBODY,
  "GET /overview": MANAGERS,
  "GET /event-outcomes": MANAGERS,
  "POST /presence": EVERYBODY,
  "GET /widgets/{widget}/installation": MANAGERS,
  "POST /mailboxes/{mailbox}/test": MANAGERS,
  "GET /mailboxes/{mailbox}/test": MANAGERS,
  "GET /first-steps": MANAGERS,
  "PATCH /first-steps": MANAGERS,
  "GET /me/notifications": EVERYBODY,
  "PATCH /me/notifications": EVERYBODY,
  "GET /me/unread": EVERYBODY,
  "POST /me/notices": EVERYBODY,
  "POST /me/push-subscriptions": EVERYBODY,
  "DELETE /me/push-subscriptions/{subscription}": EVERYBODY,
  "POST /me/push-subscriptions/test": EVERYBODY,
};

let parley: TestParley;
let routes: readonly RouteSpec[];
const people: Record<string, Browser> = {};
beforeAll(async () => {
  parley = await startParley({ PARLEY_AUTH_FAILURES_PER_MINUTE: "1000000" });
  routes = parley.app.server.dashboardRoutes;
  const owner = await setUp(parley);
  people.owner = owner;
  people.admin = await join(parley, owner, "admin", "ada@example.com");
  people.agent = await join(parley, owner, "agent", "agnes@example.com");
});
afterAll(() => parley.close());

const personOf = (role: string): Browser => people[role] as Browser;
const endsSessions = (spec: RouteSpec): boolean => spec.path.startsWith("/sign-out");
const pathOf = (spec: RouteSpec, id: string | number = UNKNOWN_ID) => fill(spec.path, () => id);
const call = (browser: Browser, spec: RouteSpec, body: unknown = {}, headers: Record<string, string | null> = {}) =>
  browser.call(spec.method, pathOf(spec), spec.method === "GET" ? undefined : body, headers);

function isRefused(reply: Reply, status: number, code: string, place: string): void {
  expect(reply.status, `${place}: ${reply.text}`).toBe(status);
  expect(reply.body, place).toMatchObject({ success: false, error: { code } });
}

describe("every route of the dashboard's API", () => {
  it("is in the table", () => {
    expect(routes.map(nameOf).sort()).toEqual(Object.keys(MAY_CALL).sort());
  });

  it("lets in exactly who may call it", async () => {
    for (const spec of routes.filter((route) => !endsSessions(route))) {
      const allowed = MAY_CALL[nameOf(spec)] ?? [];
      if (typeof allowed === "string") continue;
      isRefused(await call(openBrowser(parley), spec), 401, "UNAUTHORIZED", nameOf(spec));
      const key = { authorization: `Bearer ${parley.key}` };
      isRefused(await call(personOf("owner"), spec, {}, key), 401, "UNAUTHORIZED", `${nameOf(spec)} with a key`);
      for (const role of EVERYBODY) {
        const reply = await call(personOf(role), spec);
        if (allowed.includes(role))
          expect([200, 201, 404, 409, 422], `${nameOf(spec)}: ${reply.text}`).toContain(reply.status);
        else isRefused(reply, 403, "FORBIDDEN", `${nameOf(spec)} as ${role}`);
      }
    }
  });

  it("takes no write that another site sends with the cookie", async () => {
    const foreign: Record<string, string | null>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: null },
      { origin: `${parley.url}.evil.example` },
      { origin: null, "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example", "sec-fetch-site": "same-site" },
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
    ];
    const writes = routes.filter(({ method }) => method !== "GET");
    for (const spec of writes.filter((route) => MAY_CALL[nameOf(route)] !== "nobody need be signed in"))
      for (const headers of foreign) {
        const place = `${nameOf(spec)} with ${JSON.stringify(headers)}`;
        isRefused(await call(personOf("owner"), spec, "{}", headers), 403, "FORBIDDEN", place);
      }
    expect((await personOf("owner").call("GET", "/session")).status).toBe(200);
  });

  it("responds to odd bodies in the envelope, and never with an internal error", async () => {
    const odd = [
      "[",
      "[]",
      '{"a":"\\ud800"}',
      `{"x":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
      '{"__proto__":{"role":"owner"}}',
    ];
    const wrong = [1, {}, [[]], true, "x".repeat(100_000), "a\u202eb"];
    for (const spec of routes) {
      if (!spec.body) continue;
      const fields = Object.keys(spec.body.properties).flatMap((name) => wrong.map((value) => ({ [name]: value })));
      for (const body of [...odd, ...fields]) {
        const reply = await call(personOf("admin"), spec, body);
        const place = `${nameOf(spec)} with ${JSON.stringify(body).slice(0, 60)}: ${reply.text}`;
        expect(reply.status, place).toBeLessThan(500);
        if (reply.status >= 400) expect(reply.body, place).toMatchObject({ success: false });
      }
    }
  });
});

describe("another workspace's people and invitations", () => {
  it("get exactly the response of unknown ones, and stay as they are", async () => {
    const owner = personOf("owner");
    const other = (await owner.call("POST", "/workspaces", { name: "Other" })).body.data;
    const there = { "x-parley-workspace": String(other.id) };
    await join(parley, owner, "agent", "olga@example.com", there);
    const invitation = { email: "new@example.com", role: "agent" };
    await owner.call("POST", "/invitations", invitation, there);
    const listed = async (path: string) => (await owner.call("GET", path, undefined, there)).body.data;
    const [members, invitations] = [await listed("/members"), await listed("/invitations")];
    const olga = members.find(({ email }: { email: string }) => email === "olga@example.com");

    for (const [path, record, body] of [
      ["/members/", olga, { role: "admin" }],
      ["/members/", olga, undefined],
      ["/invitations/", invitations[0], undefined],
    ] as const) {
      const method = body ? "PATCH" : "DELETE";
      for (const [foreign, unknown] of [
        [record.id, UNKNOWN_ID],
        [record.uuid, "00000000-0000-4000-8000-000000000000"],
      ]) {
        const reply = await personOf("admin").call(method, path + foreign, body);
        isRefused(reply, 404, "NOT_FOUND", `${method} ${path}`);
        expect(reply.text).toBe((await personOf("admin").call(method, path + unknown, body)).text);
      }
    }
    expect([await listed("/members"), await listed("/invitations")]).toEqual([members, invitations]);
  });
});

describe("nobody gets another role, account or workspace", () => {
  const session = async (browser: Browser) => (await browser.call("GET", "/session")).body.data;
  const more = { id: 1, user_id: 1, role: "owner", roles: ["owner"], is_owner: true, workspace_id: 1, email: "x@y.z" };

  it("by fields of their profile", async () => {
    const before = await session(personOf("agent"));
    const reply = await personOf("agent").call("PATCH", "/profile", { ...more, name: before.user.name });
    expect(reply.status).toBe(200);
    expect(await session(personOf("agent"))).toEqual(before);
  });

  it("by fields of their acceptance of an invitation, which says who they are and what role they have", async () => {
    const invited = await personOf("admin").call("POST", "/invitations", { email: "eve@example.com", role: "agent" });
    const token = new URL(invited.body.data.url).searchParams.get("token");
    const eve = openBrowser(parley);
    const reply = await eve.call("POST", "/accept-invitation", { ...more, token, name: "Eve", password: PASSWORD });
    expect(reply.status, reply.text).toBe(200);
    expect(await session(eve)).toMatchObject({ user: { email: "eve@example.com" }, workspaces: [{ role: "agent" }] });
  });
});
