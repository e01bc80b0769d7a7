import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";
import { openRaw } from "../support/raw-http.ts";
import { until } from "../support/wait.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_RATE_LIMIT_TIERS: "one=1/3600" });
});
afterAll(() => parley.close());

const error = ({ status, body, text }: Reply, expected: number, code: string) => {
  expect(status, text).toBe(expected);
  expect(body.success).toBe(false);
  expect(body.error.code).toBe(code);
  expect(body.error.message).toMatch(/\w.*\.$/);
};

describe("a 401", () => {
  const unauthorized = (reply: Reply) => {
    expect(reply.status, reply.text).toBe(401);
    expect(reply.body).toEqual({
      success: false,
      message: "Unauthenticated",
      error: { code: "UNAUTHORIZED", message: expect.any(String) },
    });
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  };

  it("is the envelope and the bare message in one body, with WWW-Authenticate", async () => {
    unauthorized(await parley.call("GET", "/api-keys", { key: null }));
  });

  it.each([
    ["an unknown key", "Bearer unknown"],
    ["a mistyped key", `Bearer parley_full_${"0".repeat(32)}_000000`],
    ["no key after the scheme", "Bearer"],
    ["blanks after the scheme", "Bearer   "],
    ["another scheme", "Basic dGVzdDp0ZXN0"],
    ["the key without a scheme", "test-bootstrap-key-of-more-than-32-characters"],
    ["a scheme run together with the key", "Bearertest-bootstrap-key-of-more-than-32-characters"],
    ["text after the key", "Bearer test-bootstrap-key-of-more-than-32-characters x"],
    ["a very long key", `Bearer ${"x".repeat(8_000)}`],
    ["bytes beyond ASCII", "Bearer \u00ff\u00fe\u00fd"],
  ])("is the response to %s", async (_what, authorization) => {
    unauthorized(await parley.call("GET", "/api-keys", { key: null, headers: { authorization } }));
  });

  it("is the response to a key in a query string or another header too", async () => {
    const { key } = parley;
    unauthorized(await parley.call("GET", `/api-keys?api_key=${key}&access_token=${key}`, { key: null }));
    unauthorized(await parley.call("GET", "/api-keys", { key: null, headers: { "x-api-key": key } }));
  });
});

it.each(["Bearer", "bearer", "BEARER", "bEaReR"])("the scheme word %s is understood", async (scheme) => {
  for (const gap of [" ", "  ", "\t"]) {
    const headers = { authorization: `${scheme}${gap}${parley.key}` };
    expect((await parley.call("GET", "/me", { key: null, headers })).status).toBe(200);
  }
});

describe("a request for a path or method that does not exist", () => {
  it.each([
    "/nothing",
    "/",
    "",
    "/api-keys/1/nothing",
    "/API-KEYS",
    "/api-keys/",
    "/me/..%2f..",
    "//",
    "//api/v2/me",
    "//api",
    "//me",
    "/%E0%A4%A",
  ])("gets a 404 for %s, without a key too", async (path) => {
    for (const key of [null, parley.key]) error(await parley.call("GET", path, { key }), 404, "NOT_FOUND");
  });

  it.each([
    ["PUT", "/api-keys", ["GET", "HEAD", "POST"]],
    ["DELETE", "/api-keys", ["GET", "HEAD", "POST"]],
    ["OPTIONS", "/api-keys", ["GET", "HEAD", "POST"]],
    ["POST", "/api-keys/1", ["DELETE", "GET", "HEAD", "PATCH"]],
    ["GET", "/api-keys/1/rotate", ["POST"]],
    ["POST", "/me", ["GET", "HEAD"]],
    ["POST", "/openapi.json", ["GET", "HEAD"]],
    ["POST", "//health/live", ["GET", "HEAD"]],
  ])("gets a 405 with Allow for %s %s, without a key too", async (method, path, allowed) => {
    for (const key of [null, parley.key]) {
      const reply = await parley.call(method, path, { key });
      error(reply, 405, "METHOD_NOT_ALLOWED");
      expect(reply.headers.get("allow")?.split(", ").sort()).toEqual(allowed);
    }
  });
});

describe("in the order of checks,", () => {
  let scopeless: { id: number; key: string };
  let spent: { id: number; key: string };
  beforeAll(async () => {
    scopeless = await parley.createKey({ type: "bot" });
    spent = await parley.createKey({ type: "bot", rate_limit_tier: "one" });
    expect((await parley.call("GET", "/me", { key: spent.key })).status).toBe(200);
  });
  const form = { rawBody: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } };

  it("404 and 405 come before 401", async () => {
    error(await parley.call("GET", "/nothing", { key: "wrong" }), 404, "NOT_FOUND");
    error(await parley.call("PUT", "/api-keys", { key: "wrong" }), 405, "METHOD_NOT_ALLOWED");
  });

  it("401 comes before 429", async () => {
    const gone = await parley.createKey({ rate_limit_tier: "one" });
    await parley.call("GET", "/me", { key: gone.key });
    error(await parley.call("GET", "/me", { key: gone.key }), 429, "RATE_LIMIT_EXCEEDED");
    await parley.call("DELETE", `/api-keys/${gone.id}`);
    error(await parley.call("GET", "/me", { key: gone.key }), 401, "UNAUTHORIZED");
  });

  it("401 comes before 403, 404 and 422, 413 and 415", async () => {
    for (const options of [{}, { rawBody: "{" }, form, { rawBody: "x".repeat(2_000_000) }])
      error(await parley.call("PATCH", "/api-keys/999999", { key: "wrong", ...options }), 401, "UNAUTHORIZED");
  });

  it("429 comes before 403, 404 and 422", async () => {
    const { key } = spent;
    error(await parley.call("GET", "/api-keys", { key }), 429, "RATE_LIMIT_EXCEEDED");
    error(await parley.call("GET", "/api-keys/999999", { key }), 429, "RATE_LIMIT_EXCEEDED");
    error(await parley.call("POST", "/api-keys", { key, rawBody: "{" }), 429, "RATE_LIMIT_EXCEEDED");
  });

  it("429 comes before the 403 of a wrong address", async () => {
    const { key } = await parley.createKey({ rate_limit_tier: "one", allowed_ips: ["10.0.0.1"] });
    error(await parley.call("GET", "/me", { key }), 403, "FORBIDDEN");
    error(await parley.call("GET", "/me", { key }), 429, "RATE_LIMIT_EXCEEDED");
  });

  it("403 comes before 404 and 422", async () => {
    const { key } = scopeless;
    error(await parley.call("GET", "/api-keys/999999", { key }), 403, "FORBIDDEN");
    error(await parley.call("GET", "/api-keys/text", { key }), 403, "FORBIDDEN");
    error(await parley.call("GET", "/api-keys?type=nope", { key }), 403, "FORBIDDEN");
    error(await parley.call("POST", "/api-keys", { key, rawBody: "{" }), 403, "FORBIDDEN");
    error(await parley.call("POST", "/api-keys", { key, ...form }), 403, "FORBIDDEN");
  });

  it("an id that cannot be decoded is an unknown id, word for word, and 401 comes before it", async () => {
    const unknown = await parley.call("GET", "/api-keys/999999");
    for (const id of ["%", "%E0%A4%A", "1%", "%25%"]) {
      const reply = await parley.call("GET", `/api-keys/${id}?search=%41`);
      expect([reply.status, reply.text]).toEqual([404, unknown.text]);
      error(await parley.call("GET", `/api-keys/${id}`, { key: null }), 401, "UNAUTHORIZED");
    }
  });

  it("404 comes before 422", async () => {
    for (const id of ["999999", "text", "00000000-0000-0000-0000-000000000000"])
      for (const options of [{ body: { name: 1 } }, { rawBody: "{" }, { rawBody: "[]" }, { rawBody: "\xff" }]) {
        error(await parley.call("PATCH", `/api-keys/${id}`, options), 404, "NOT_FOUND");
        error(await parley.call("POST", `/api-keys/${id}/rotate`, { body: { overlap_seconds: -1 } }), 404, "NOT_FOUND");
      }
    const headers = { "idempotency-key": "x".repeat(300) };
    error(await parley.call("POST", "/api-keys/999999/rotate", { headers }), 404, "NOT_FOUND");
  });
});

describe("every response", () => {
  const requests = (): Promise<Reply>[] => [
    parley.call("GET", "/me"),
    parley.call("GET", "/me", { key: null }),
    parley.call("GET", "/nothing"),
    parley.call("GET", "/%E0%A4%A"),
    parley.call("PUT", "/me"),
    parley.call("POST", "/api-keys", { rawBody: "{" }),
    parley.call("POST", "/api-keys", { rawBody: "x".repeat(2_000_000) }),
    parley.call("POST", "/api-keys", { body: { name: "n" } }),
    parley.call("GET", "//health/live", { key: null }),
    parley.call("GET", "//docs", { key: null }),
    parley.call("GET", "/openapi.json", { key: null }),
  ];

  it("has an X-Request-Id of its own, which a client cannot choose", async () => {
    const replies = await Promise.all(requests());
    const ids = replies.map((reply) => reply.headers.get("x-request-id") ?? "");
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
    const { headers } = await parley.call("GET", "/me", { headers: { "x-request-id": "mine" } });
    expect(headers.get("x-request-id")).toMatch(UUID);
  });

  it("has the security headers", async () => {
    for (const { headers, status } of await Promise.all(requests())) {
      expect(headers.get("x-content-type-options"), String(status)).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("cache-control")).toMatch(/no-store|no-cache/);
      expect(headers.has("x-powered-by")).toBe(false);
      expect(headers.has("server")).toBe(false);
    }
  });

  it("of the API is JSON, keys are never cached", async () => {
    const { headers } = await parley.call("POST", "/api-keys", { body: { name: "n" } });
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("HEAD", () => {
  it("responds as GET does, without a body", async () => {
    for (const [path, key, status] of [
      ["/api-keys", parley.key, 200],
      ["/api-keys", "wrong", 401],
      ["/api-keys/999999", parley.key, 404],
      ["/nothing", parley.key, 404],
    ] as const) {
      const reply = await parley.call("HEAD", path, { key });
      expect(reply.status).toBe(status);
      expect(reply.text).toBe("");
      expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    }
  });
});

describe("an internal error", () => {
  it("is a 500 with request_id, and shows neither stack nor SQL", async () => {
    const broken = await startParley();
    await broken.database.query("alter table audit_logs rename to audit_logs_gone");
    const reply = await broken.call("GET", "/audit-logs");
    error(reply, 500, "INTERNAL_ERROR");
    expect(reply.body.error.request_id).toBe(reply.headers.get("x-request-id"));
    expect(reply.text).not.toMatch(/audit_logs|select|relation|\bat \/|\.ts|node_modules/);
    const lines = broken
      .logs()
      .split("\n")
      .filter((line) => line.includes(reply.body.error.request_id));
    expect(lines.map((line) => [JSON.parse(line).request_id, JSON.parse(line).msg])).toEqual([
      [reply.body.error.request_id, "the request failed"],
      [reply.body.error.request_id, expect.any(String)],
    ]);
    await broken.close();
  });
});

describe("a server that stops", () => {
  it("finishes what is in flight and responds with 503 to what comes after", async () => {
    const stopping = await startParley();
    const connection = openRaw(stopping.url);
    const head = (length: number) =>
      `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stopping.key}\r\nContent-Length: ${length}\r\n\r\n`;
    const body = JSON.stringify({ name: "last one" });
    connection.send(head(body.length) + body.slice(0, 5));
    // The first request has certainly arrived when a later one on another connection has its response.
    expect((await stopping.call("GET", "/me", { headers: { connection: "close" } })).status).toBe(200);
    const closed = stopping.close();
    const isRefused = () =>
      stopping.call("GET", "/me", { headers: { connection: "close" } }).then(
        ({ status }) => status === 503,
        () => true,
      );
    await until("it has begun to stop", isRefused);
    connection.send(
      `${body.slice(5)}GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stopping.key}\r\n\r\n`,
    );
    expect((await connection.response()).status).toBe(201);
    const refused = await connection.response();
    expect(refused.status).toBe(503);
    expect(refused.body.error.code).toBe("SERVICE_UNAVAILABLE");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    await connection.closed();
    await closed;
  });
});
