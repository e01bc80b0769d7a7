import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";

const tokenOf = (parley: TestParley): string | null =>
  new URL(parley.app.setupUrl ?? "http://none").searchParams.get("token");
const ownerOf = (token: string | null, email: string) => ({ token, name: "First", email, password: PASSWORD });

describe("the first run", () => {
  let database: TestDatabase;
  let parley: TestParley;
  let firstToken: string | null;
  beforeAll(async () => {
    database = await createTestDatabase();
    const first = await startParley({}, database);
    firstToken = tokenOf(first);
    await first.close();
    parley = await startParley({}, database);
  });
  afterAll(async () => {
    await parley.close();
    await database.drop();
  });
  const setup = (body: object) => openBrowser(parley).call("POST", "/setup", body);

  it("has a link with 256 random bits, of which only the digest is stored", async () => {
    expect(parley.app.setupUrl).toBe(`${parley.url}/setup?token=${tokenOf(parley)}`);
    expect(tokenOf(parley)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const [row] = await database.query<{ matches: boolean }>(
      "select setup_link_digest = sha256($1::text::bytea) as matches from installation",
      [tokenOf(parley)],
    );
    expect(row?.matches).toBe(true);
    expect(parley.logs()).not.toContain(tokenOf(parley));
    expect((await openBrowser(parley).call("GET", "/setup")).body.data).toEqual({ needed: true });
  });

  it("takes no other token, and not the one of the start before", async () => {
    for (const token of ["wrong", firstToken]) {
      const reply = await setup(ownerOf(token, "a@example.com"));
      expect(reply.status, reply.text).toBe(404);
      expect(reply.headers.get("set-cookie")).toBeNull();
    }
  });

  it("names every wrong field", async () => {
    const body = { token: tokenOf(parley), name: " ", email: "no address", password: "short" };
    const reply = await setup(body);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details).sort()).toEqual(["email", "name", "password"]);
    const long = await setup({ ...body, name: "a", email: "a@example.com", password: "x".repeat(257) });
    expect(Object.keys(long.body.error.details)).toEqual(["password"]);
  });

  it("creates exactly one owner when several try at once, signs them in, and then ends", async () => {
    const token = tokenOf(parley);
    const browsers = Array.from({ length: 4 }, () => openBrowser(parley));
    const replies = await Promise.all(
      browsers.map((browser, index) => browser.call("POST", "/setup", ownerOf(token, `o${index}@example.com`))),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409]);
    const winner = browsers[replies.findIndex((reply) => reply.status === 201)];
    expect((await winner?.call("GET", "/session"))?.body.data.role).toBe("owner");
    const [count] = await database.query<{ users: string; owners: string; digest: Buffer | null }>(
      `select (select count(*) from users) as users, (select count(*) from memberships where role = 'owner') as owners,
              (select setup_link_digest from installation) as digest`,
    );
    expect(count).toEqual({ users: "1", owners: "1", digest: null });
    const again = await setup(ownerOf(token, "again@example.com"));
    expect(again.status).toBe(409);
    expect((await openBrowser(parley).call("GET", "/setup")).body.data).toEqual({ needed: false });
  });

  it("prints no link at the next start", async () => {
    const next = await startParley({}, database);
    expect(next.app.setupUrl).toBeNull();
    await next.close();
  });
});

describe("under a public https address", () => {
  let parley: TestParley;
  beforeAll(async () => {
    parley = await startParley({ PARLEY_PUBLIC_URL: "https://chat.example.com/" });
  });
  afterAll(() => parley.close());

  it("the link, the invitations, the cookie and the origin follow it", async () => {
    expect(parley.app.setupUrl).toMatch(/^https:\/\/chat\.example\.com\/setup\?token=/);
    const owner = await setUp(parley, {}, "https://chat.example.com");
    expect(owner.setCookie).toMatch(/; Secure$/);
    const invitation = { email: "a@example.com", role: "agent" };
    const fromHost = await owner.call("POST", "/invitations", invitation, { origin: parley.url });
    expect(fromHost.status, "any Host header would do").toBe(403);
    const reply = await owner.call("POST", "/invitations", invitation);
    expect(reply.body.data.url).toMatch(/^https:\/\/chat\.example\.com\/accept-invitation\?token=/);
    expect((await owner.call("POST", "/sign-out")).status).toBe(200);
    expect(owner.setCookie).toMatch(/Max-Age=0.*; Secure$/);
  });
});

describe("behind a proxy that ends https", () => {
  let parley: TestParley;
  beforeAll(async () => {
    parley = await startParley({ PARLEY_TRUSTED_PROXIES: "127.0.0.1" });
  });
  afterAll(() => parley.close());

  it("the cookie is Secure", async () => {
    const body = ownerOf(tokenOf(parley), "o@example.com");
    const headers = { "x-forwarded-proto": "https", origin: parley.url.replace("http:", "https:") };
    const browser = openBrowser(parley);
    expect((await browser.call("POST", "/setup", body, headers)).status).toBe(201);
    expect(browser.setCookie).toMatch(/; Secure$/);
  });

  it("failures count per person and address, so strangers elsewhere lock nobody out", async () => {
    const attempt = (password: string, from: string) =>
      openBrowser(parley).call(
        "POST",
        "/sign-in",
        { email: "o@example.com", password },
        { "x-forwarded-for": from, origin: null },
      );
    const guesses = await Promise.all(Array.from({ length: 12 }, () => attempt("a wrong guess", "203.0.113.7")));
    const statuses = guesses.map((reply) => reply.status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = guesses.find((reply) => reply.status === 429);
    expect(refused?.body.error.code).toBe("RATE_LIMIT_EXCEEDED");
    expect(refused?.body.error.retry_after).toBeGreaterThan(60);
    expect(refused?.headers.get("retry-after")).toBe(String(refused?.body.error.retry_after));
    // The right password is refused from there too, or it could be distinguished from the wrong ones.
    expect((await attempt(PASSWORD, "203.0.113.7")).status).toBe(429);
    expect((await attempt(PASSWORD, "203.0.113.8")).status).toBe(200);
  });

  it("an address that tries many people is stopped", async () => {
    const from = "203.0.113.99";
    const attempt = (email: string) =>
      openBrowser(parley).call(
        "POST",
        "/sign-in",
        { email, password: "a wrong guess" },
        { "x-forwarded-for": from, origin: null },
      );
    // The first ten of each of ten people would cost a minute of scrypt; the pair's refusals count as well.
    const first = await Promise.all(Array.from({ length: 60 }, () => attempt("x@example.com")));
    const second = await Promise.all(Array.from({ length: 50 }, () => attempt("y@example.com")));
    expect(first.filter((reply) => reply.status === 401)).toHaveLength(10);
    expect(second.filter((reply) => reply.status === 401)).toHaveLength(10);
    expect((await attempt("z@example.com")).status).toBe(429);
  });

  it("successes do not count", async () => {
    for (let round = 0; round < 12; round++) {
      const reply = await openBrowser(parley).call("POST", "/sign-in", { email: "o@example.com", password: PASSWORD });
      expect(reply.status, reply.text).toBe(200);
    }
  });
});
