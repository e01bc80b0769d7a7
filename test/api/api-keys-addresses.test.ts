import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let direct: TestParley;
let proxied: TestParley;
beforeAll(async () => {
  direct = await startParley();
  proxied = await startParley({ PARLEY_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8" });
});
afterAll(async () => {
  await direct.close();
  await proxied.close();
});

const from = (parley: TestParley, key: string, forwarded?: string) =>
  parley.call("GET", "/me", { key, headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } });

describe("allowed_ips", () => {
  it.each([["127.0.0.1"], ["127.0.0.0/8"], ["0.0.0.0/0"], ["10.0.0.1", "127.0.0.1/32"]])(
    "lets in an address within %j",
    async (...allowed_ips) => {
      const { key } = await direct.createKey({ allowed_ips });
      expect((await from(direct, key)).status).toBe(200);
    },
  );

  it.each([["10.0.0.0/8"], ["127.0.0.2"], ["::1"], ["::/0"]])(
    "responds with 403 elsewhere than %j",
    async (...allowed_ips) => {
      const { key } = await direct.createKey({ allowed_ips });
      const { status, body } = await from(direct, key);
      expect(status).toBe(403);
      expect(body).toEqual({ success: false, error: { code: "FORBIDDEN", message: expect.any(String) } });
    },
  );

  it("holds at once when changed, and empty means from anywhere", async () => {
    const made = await direct.createKey({});
    expect((await from(direct, made.key)).status).toBe(200);
    await direct.call("PATCH", `/api-keys/${made.id}`, { body: { allowed_ips: ["10.0.0.1"] } });
    expect((await from(direct, made.key)).status).toBe(403);
    await direct.call("PATCH", `/api-keys/${made.id}`, { body: { allowed_ips: [] } });
    expect((await from(direct, made.key)).status).toBe(200);
  });
});

describe("X-Forwarded-For", () => {
  it("counts for nothing unless the operator named the proxy", async () => {
    const { key } = await direct.createKey({ allowed_ips: ["203.0.113.5"] });
    expect((await from(direct, key, "203.0.113.5")).status).toBe(403);
    const local = await direct.createKey({ allowed_ips: ["127.0.0.1"] });
    expect((await from(direct, local.key, "203.0.113.5")).status).toBe(200);
  });

  it("names the client when it comes from a trusted proxy", async () => {
    const { key } = await proxied.createKey({ allowed_ips: ["203.0.113.5"] });
    expect((await from(proxied, key, "203.0.113.5")).status).toBe(200);
    expect((await from(proxied, key, "203.0.113.6")).status).toBe(403);
    expect((await from(proxied, key)).status).toBe(403);
  });

  it("is read from the right: what the client wrote itself does not count", async () => {
    const { key } = await proxied.createKey({ allowed_ips: ["203.0.113.5"] });
    expect((await from(proxied, key, "203.0.113.5, 198.51.100.9")).status).toBe(403);
    expect((await from(proxied, key, "198.51.100.9, 203.0.113.5, 10.1.2.3")).status).toBe(200);
  });

  it("takes IPv6 clients, and IPv4 written as IPv6", async () => {
    const six = await proxied.createKey({ allowed_ips: ["2001:db8::/32"] });
    expect((await from(proxied, six.key, "2001:db8::7")).status).toBe(200);
    expect((await from(proxied, six.key, "2001:db9::7")).status).toBe(403);
    const four = await proxied.createKey({ allowed_ips: ["203.0.113.5"] });
    expect((await from(proxied, four.key, "::ffff:203.0.113.5")).status).toBe(200);
  });

  it("with nonsense in it is a 403 for a bound key and never a 500", async () => {
    const { key } = await proxied.createKey({ allowed_ips: ["203.0.113.5"] });
    for (const nonsense of ["unknown", "", ",", "203.0.113.5:443", "a".repeat(500)])
      expect((await from(proxied, key, nonsense)).status, nonsense).toBe(403);
  });

  it("is the address in the audit log", async () => {
    const made = await proxied.createKey({}, { headers: { "x-forwarded-for": "203.0.113.77" } });
    const { body } = await proxied.call("GET", `/audit-logs?resource_type=api_key&resource_id=${made.id}`);
    expect(body.data[0].ip).toBe("203.0.113.77");
  });
});
