import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";

const PUBLIC = "https://chat.example.com";
const APP = "https://app.example.com";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_PUBLIC_URL: PUBLIC, PARLEY_CORS_ORIGINS: APP });
  await setUp(parley, {}, PUBLIC);
});
afterAll(() => parley.close());

interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** As it is on the wire: fetch would decompress, and choose its own headers. */
const raw = (method: string, path: string, headers: Record<string, string>, body = ""): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const call = request(parley.url + path, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    call.on("error", reject).end(body);
  });
const withKey = () => ({ authorization: `Bearer ${parley.key}` });

describe("behind a public https address", () => {
  it("every response makes browsers stay on https and isolate the page", async () => {
    for (const path of ["/api/v1/me", "/docs", "/api/v1/nowhere"]) {
      const { headers } = await raw("GET", path, withKey());
      expect(headers, path).toMatchObject({
        "strict-transport-security": "max-age=31536000",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": expect.stringContaining("camera=()"),
      });
    }
  });

  it("the session cookie has the __Host- prefix, and one without it is not read", async () => {
    const browser = openBrowser(parley, null, PUBLIC);
    const { headers, status } = await browser.call("POST", "/sign-in", {
      email: "olive@example.com",
      password: PASSWORD,
    });
    expect(status).toBe(200);
    const cookie = headers.getSetCookie().find((one) => one.includes("parley_session")) ?? "";
    expect(cookie).toMatch(
      /^__Host-parley_session=(?:c\d+\.)?[^;.]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    const token = cookie.split(/[=;]/)[1];
    const read = async (name: string) =>
      (await raw("GET", "/dashboard-api/session", { cookie: `${name}=${token}` })).status;
    expect([await read("__Host-parley_session"), await read("parley_session")]).toEqual([200, 401]);
  });
});

describe("the Origin of a write", () => {
  const signIn = async (host: string, origin: string) =>
    (await raw("POST", "/dashboard-api/sign-in", { host, origin, "content-type": "application/json" }, "{}")).status;

  it("may be the public address, and not whatever the Host header says", async () => {
    expect(await signIn("chat.example.com", PUBLIC)).toBe(422);
    expect(await signIn("evil.example.com", "http://evil.example.com")).toBe(403);
    expect(await signIn("evil.example.com", "https://evil.example.com")).toBe(403);
    expect(await signIn("chat.example.com", "https://evil.example.com")).toBe(403);
  });

  it("may not be this machine's own address where a public address is set", async () => {
    const { host } = new URL(parley.url);
    expect(await signIn(host, `http://${host}`)).toBe(403);
    expect(await signIn("localhost:1", "http://localhost:1")).toBe(403);
  });
});

describe("CORS", () => {
  const preflight = (origin: string) =>
    raw("OPTIONS", "/api/v1/contacts", { origin, "access-control-request-method": "POST" });

  it("is granted to the named origin, without cookies", async () => {
    const { status, headers } = await preflight(APP);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "access-control-allow-origin": APP,
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": expect.stringContaining("authorization"),
    });
    expect(headers["access-control-allow-headers"]).toContain("prefer");
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
    const read = await raw("GET", "/api/v1/me", { ...withKey(), origin: APP });
    expect(read.headers["access-control-allow-origin"]).toBe(APP);
    expect((await raw("GET", "/api/v1/me", { origin: APP })).headers["access-control-allow-origin"]).toBe(APP);
  });

  it.each(["https://app.example.com.evil.com", "http://app.example.com", "https://sub.app.example.com", "null"])(
    "is not granted to %s",
    async (origin) => {
      const { status, headers } = await preflight(origin);
      expect(status).toBe(405);
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    },
  );

  it("is not granted for the dashboard's own API", async () => {
    const { headers } = await raw("GET", "/dashboard-api/session", { origin: APP });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("compression", () => {
  it.each([
    ["br", "gzip, br", brotliDecompressSync],
    ["gzip", "gzip;q=1.0, br;q=0", gunzipSync],
  ])("sends long responses of the API as %s where the client accepts it", async (encoding, accepted, decompress) => {
    for (let index = 0; index < 5; index++) await parley.createKey({ description: "d".repeat(400) });
    for (const path of ["/api/v1/api-keys", "/api/v1/openapi.json"]) {
      const plain = await raw("GET", path, { ...withKey() });
      const { headers, body } = await raw("GET", path, { ...withKey(), "accept-encoding": accepted });
      expect(headers["content-encoding"], path).toBe(encoding);
      expect(headers.vary).toContain("accept-encoding");
      expect(decompress(body).length, path).toBe(plain.body.length);
      expect(body.length * 2).toBeLessThan(plain.body.length);
      expect(plain.headers["content-encoding"]).toBeUndefined();
    }
  });

  it("leaves short responses alone", async () => {
    const short = await raw("GET", "/api/v1/nowhere", { "accept-encoding": "br" });
    expect(short.headers["content-encoding"]).toBeUndefined();
  });
});
