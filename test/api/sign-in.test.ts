import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";

const EMAIL = "olive@example.com";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley, { workspace_name: "Shop" });
});
afterAll(() => parley.close());

const refused = (reply: Reply, status: number, code: string) => {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.body.success).toBe(false);
  expect(reply.body.error.code).toBe(code);
};
const unauthorized = (reply: Reply) => {
  refused(reply, 401, "UNAUTHORIZED");
  expect(reply.body.message).toBe("Unauthenticated");
};
async function signIn(email = EMAIL, password = PASSWORD): Promise<Browser> {
  const browser = openBrowser(parley);
  const reply = await browser.call("POST", "/sign-in", { email, password });
  expect(reply.status, reply.text).toBe(200);
  return browser;
}

describe("signing in", () => {
  it("shows who is signed in, in which workspaces, and with which scopes", async () => {
    const browser = openBrowser(parley);
    const reply = await browser.call("POST", "/sign-in", { email: ` ${EMAIL.toUpperCase()} `, password: PASSWORD });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.data.session).toEqual({
      user: { id: expect.any(Number), uuid: expect.any(String), name: "Olive Owner", email: EMAIL },
      role: "owner",
      workspace: {
        id: expect.any(Number),
        uuid: expect.any(String),
        name: "Shop",
        require_two_factor: false,
        is_demo: false,
      },
      workspaces: [
        {
          id: expect.any(Number),
          uuid: expect.any(String),
          name: "Shop",
          role: "owner",
          require_two_factor: false,
          is_demo: false,
        },
      ],
      scopes: expect.arrayContaining(["api-keys:manage", "audit:read"]),
      expires_at: expect.stringMatching(/\+00:00$/),
      method: "password",
      has_password: true,
      language: null,
      second_factor: false,
      two_factor_needed: false,
    });
    expect((await browser.call("GET", "/session")).body.data).toEqual({
      ...reply.body.data.session,
      // A page reads its lists after its session: the stream that it opens begins here.
      events_cursor: expect.any(String),
    });
  });

  it("sets a cookie that script and other sites cannot use", async () => {
    const { setCookie } = await signIn();
    const [value, ...flags] = (setCookie ?? "").split("; ");
    expect(value).toMatch(/^parley_session=(?:c\d+\.)?[A-Za-z0-9_-]{43}$/);
    expect(flags.sort()).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]);
  });

  it("ends the session that the browser had before", async () => {
    const browser = await signIn();
    const before = browser.token;
    await browser.call("POST", "/sign-in", { email: EMAIL, password: PASSWORD });
    expect(browser.token).not.toBe(before);
    unauthorized(await openBrowser(parley, before).call("GET", "/session"));
    expect((await browser.call("GET", "/session")).status).toBe(200);
  });

  it("stores neither password nor token, and logs neither", async () => {
    const { token } = await signIn();
    const rows = await parley.database.query<{ dump: string }>(
      "select row_to_json(u)::text as dump from users u union all select row_to_json(s)::text from sessions s",
    );
    const dump = rows.map((row) => row.dump).join() + parley.logs();
    expect(dump).toContain("$scrypt$ln=10,r=8,p=1$");
    for (const secret of [PASSWORD, token as string]) expect(dump).not.toContain(secret);
  });

  it("responds to a wrong password and an unknown e-mail address alike", async () => {
    const wrong = await openBrowser(parley).call("POST", "/sign-in", { email: EMAIL, password: "wrong password" });
    const unknown = await openBrowser(parley).call("POST", "/sign-in", { email: "x@example.com", password: PASSWORD });
    unauthorized(wrong);
    expect(wrong.body).toEqual(unknown.body);
    expect(wrong.headers.get("set-cookie")).toBeNull();
  });

  it("refuses a form with a 415, and one from another site with a 403", async () => {
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const form = { "content-type": type };
      refused(await openBrowser(parley).call("POST", "/sign-in", "a=b", form), 415, "UNSUPPORTED_MEDIA_TYPE");
      const foreign = { ...form, origin: "https://evil.example" };
      refused(await openBrowser(parley).call("POST", "/sign-in", "a=b", foreign), 403, "FORBIDDEN");
    }
  });

  it("names what is missing", async () => {
    const reply = await openBrowser(parley).call("POST", "/sign-in", { email: 1 });
    refused(reply, 422, "VALIDATION_ERROR");
    expect(Object.keys(reply.body.error.details).sort()).toEqual(["email", "password"]);
  });
});

describe("a session", () => {
  const age = (token: string | null, assignment: string) =>
    parley.database.query(`update sessions set ${assignment} where digest = sha256($1::text::bytea)`, [token]);

  it("ends after 12 hours without a request, and slides with each", async () => {
    const browser = await signIn();
    await age(browser.token, "last_seen_at = now() - interval '11 hours 59 minutes'");
    expect((await browser.call("GET", "/session")).status).toBe(200);
    const [seen] = await parley.database.query<{ fresh: boolean }>(
      "select last_seen_at > now() - interval '1 minute' as fresh from sessions where digest = sha256($1::text::bytea)",
      [browser.token],
    );
    expect(seen?.fresh).toBe(true);
    await age(browser.token, "last_seen_at = now() - interval '12 hours 1 second'");
    unauthorized(await browser.call("GET", "/session"));
    unauthorized(await browser.call("GET", "//api/v1/me"));
  });

  it("writes that it was seen at most once a minute", async () => {
    const browser = await signIn();
    await age(browser.token, "last_seen_at = now() - interval '50 seconds'");
    await browser.call("GET", "/session");
    const [seen] = await parley.database.query<{ old: boolean }>(
      "select last_seen_at < now() - interval '45 seconds' as old from sessions where digest = sha256($1::text::bytea)",
      [browser.token],
    );
    expect(seen?.old).toBe(true);
  });

  it("ends after 30 days, however busy", async () => {
    const browser = await signIn();
    await age(browser.token, "expires_at = now() - interval '1 second'");
    unauthorized(await browser.call("GET", "/session"));
  });

  it("ends by signing out, and only this one", async () => {
    const [here, there] = [await signIn(), await signIn()];
    const { token } = here;
    const reply = await here.call("POST", "/sign-out");
    expect(reply.status, reply.text).toBe(200);
    expect(here.setCookie).toMatch(/^parley_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax/);
    unauthorized(await openBrowser(parley, token).call("GET", "/session"));
    expect((await there.call("GET", "/session")).status).toBe(200);
  });

  it("never speaks for a request with an Authorization header, not even a wrong one", async () => {
    const browser = await signIn();
    for (const authorization of ["Bearer wrong", "Basic x", "Bearer"]) {
      unauthorized(await browser.call("GET", "//api/v1/me", undefined, { authorization }));
      unauthorized(await browser.call("GET", "/session", undefined, { authorization }));
    }
    const withKey = await browser.call("GET", "//api/v1/me", undefined, { authorization: `Bearer ${parley.key}` });
    expect(withKey.body.data.api_key.name).toBe("Bootstrap");
    // A key alone opens nothing of the dashboard's own API.
    unauthorized(
      await openBrowser(parley).call("GET", "/session", undefined, { authorization: `Bearer ${parley.key}` }),
    );
  });

  it("that is garbage is a 401", async () => {
    for (const token of ["x", "a".repeat(43), "", "'; drop table users"])
      unauthorized(await openBrowser(parley, token).call("GET", "/session"));
  });
});

describe("a write with the cookie", () => {
  const write = (headers: Record<string, string | null>, path = "//api/v1/contacts") =>
    owner.call("POST", path, path === "/sign-out" ? undefined : {}, headers);

  it.each([
    ["another origin", { origin: "https://evil.example" }],
    ["no origin at all", { origin: null }],
    ["the null origin", { origin: "null" }],
    ["another port", { origin: "http://127.0.0.1:1" }],
    ["another scheme", { origin: "https://127.0.0.1" }],
    ["another site, by the browser's word", { origin: null, "sec-fetch-site": "cross-site" }],
    ["a sibling site", { origin: null, "sec-fetch-site": "same-site" }],
    ["the content type of a form", { "content-type": "text/plain" }],
    ["no content type", { "content-type": "" }],
    ["a content type that only begins like JSON", { "content-type": "application/jsonp" }],
  ])("from %s is a 403 and changes nothing", async (_what, headers: Record<string, string | null>) => {
    refused(await write(headers), 403, "FORBIDDEN");
    refused(await write(headers, "/sign-out"), 403, "FORBIDDEN");
    expect((await owner.call("GET", "/session")).status).toBe(200);
  });

  it("from the dashboard's own pages is accepted", async () => {
    for (const headers of [{}, { origin: null, "sec-fetch-site": "same-origin" }])
      expect((await write(headers)).status).toBe(201);
    const typed = await write({ "content-type": "Application/JSON; charset=utf-8" });
    expect(typed.status).toBe(201);
  });

  it("asks neither of a key nor of a reader", async () => {
    const asKey = await parley.call("POST", "/contacts", { body: {}, headers: { origin: "https://evil.example" } });
    expect(asKey.status).toBe(201);
    expect((await owner.call("GET", "/session", undefined, { origin: "https://evil.example" })).status).toBe(200);
  });

  it("cannot be a sign-in from another site", async () => {
    const body = { email: EMAIL, password: PASSWORD };
    const reply = await openBrowser(parley).call("POST", "/sign-in", body, { origin: "https://evil.example" });
    refused(reply, 403, "FORBIDDEN");
    expect(reply.headers.get("set-cookie")).toBeNull();
    const plain = await openBrowser(parley).call("POST", "/sign-in", body, { origin: null });
    expect(plain.status).toBe(200);
  });
});

describe("the profile", () => {
  it("changes the name", async () => {
    const browser = await signIn();
    const reply = await browser.call("PATCH", "/profile", { name: " Olive O. " });
    expect(reply.body.data.user.name).toBe("Olive O.");
    expect((await browser.call("GET", "/session")).body.data.user.name).toBe("Olive O.");
  });

  it("changes the password only for a user who knows it, and ends every other session", async () => {
    const [here, there] = [await signIn(), await signIn()];
    const before = here.token;
    const password = "an entirely new one";
    const missing = await here.call("PATCH", "/profile", { password });
    refused(missing, 422, "VALIDATION_ERROR");
    expect(Object.keys(missing.body.error.details)).toEqual(["current_password"]);
    refused(await here.call("PATCH", "/profile", { password, current_password: "wrong" }), 422, "VALIDATION_ERROR");
    refused(
      await here.call("PATCH", "/profile", { password: "too short", current_password: PASSWORD }),
      422,
      "VALIDATION_ERROR",
    );
    const changed = await here.call("PATCH", "/profile", { password, current_password: PASSWORD });
    expect(changed.status, changed.text).toBe(200);
    expect(here.token).not.toBe(before);
    expect((await here.call("GET", "/session")).status).toBe(200);
    unauthorized(await there.call("GET", "/session"));
    unauthorized(await owner.call("GET", "/session"));
    unauthorized(await openBrowser(parley).call("POST", "/sign-in", { email: EMAIL, password: PASSWORD }));
    await here.call("PATCH", "/profile", { password: PASSWORD, current_password: password });
    owner = await signIn();
  });
});

it("signing out everywhere ends all sessions of the person", async () => {
  const [here, there] = [await signIn(), await signIn()];
  const reply = await here.call("POST", "/sign-out-everywhere");
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.data).toEqual({ signed_out: true, sessions: expect.any(Number) });
  expect(reply.body.data.sessions).toBeGreaterThanOrEqual(2);
  unauthorized(await there.call("GET", "/session"));
  owner = await signIn();
});
