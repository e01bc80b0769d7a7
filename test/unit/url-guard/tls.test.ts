import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAddressPolicy, createOutbound, type OutboundResult } from "../../../src/url-guard/index.ts";
import { atMost } from "../../support/proof.ts";
import { onRequests, rawResponse, startReceiver } from "./raw-receiver.ts";

const HOST = "hooks.example.com";
const policy = createAddressPolicy({ allowedCidrs: ["127.0.0.0/8"] });

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

describe.skipIf(!hasOpenssl())("TLS (needs the openssl command)", () => {
  let dir = "";
  let ca = "";
  const servers: Server[] = [];

  /** A certificate for `san` signed by our test authority; dates as openssl's x509 wants them. */
  function certificate(name: string, san: string, days = 2): { cert: string; key: string } {
    const at = (suffix: string) => join(dir, `${name}.${suffix}`);
    const quiet = { stdio: "ignore" as const };
    writeFileSync(at("ext"), `subjectAltName=${san}\n`);
    openssl(["req", ...NEW_KEY, "-keyout", at("key"), "-out", at("csr"), "-subj", `/CN=${name}`], quiet);
    const signing = ["x509", "-req", "-in", at("csr"), "-CA", join(dir, "ca.pem"), "-CAkey", join(dir, "ca.key")];
    openssl([...signing, "-CAcreateserial", "-days", String(days), "-extfile", at("ext"), "-out", at("pem")], quiet);
    return { cert: readFileSync(at("pem"), "utf8"), key: readFileSync(at("key"), "utf8") };
  }

  function openssl(args: string[], options: { stdio: "ignore" }): void {
    execFileSync("openssl", args, options);
  }

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "parley-tls-"));
    const files = ["-keyout", join(dir, "ca.key"), "-out", join(dir, "ca.pem")];
    openssl(["req", "-x509", ...NEW_KEY, "-days", "2", "-subj", "/CN=Test CA", ...files], {
      stdio: "ignore",
    });
    ca = readFileSync(join(dir, "ca.pem"), "utf8");
  });

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  async function serve(identity: {
    cert: string;
    key: string;
  }): Promise<{ port: number; seen: { servername: unknown[] } }> {
    const seen: { servername: unknown[] } = { servername: [] };
    const server = createServer({ ...identity, ALPNProtocols: ["h2", "http/1.1"] }, (socket) => {
      seen.servername.push([socket.servername, socket.alpnProtocol]);
      socket.on("error", () => {});
      onRequests(socket, () => socket.end(rawResponse("200 OK", "secure", ["connection: close"])));
    });
    server.on("tlsClientError", () => {});
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { port: (server.address() as AddressInfo).port, seen };
  }

  async function post(url: string, trusted: string | null): Promise<OutboundResult> {
    const outbound = createOutbound({
      policy,
      userAgent: "Parley/test",
      lookup: async () => [{ address: "127.0.0.1", family: 4 }],
      ...(trusted === null ? {} : { tls: { dangerousOnlyCa: trusted } }),
    });
    const result = await outbound.send({ url, headers: {}, body: "{}", timeoutMs: 5000 });
    await outbound.close();
    return result;
  }

  it("verifies the certificate for the host name and names it in SNI, HTTP/1.1 in ALPN", async () => {
    const { port, seen } = await serve(certificate("good", `DNS:${HOST}`));
    const result = await post(`https://${HOST}:${port}/`, ca);
    expect(result).toMatchObject({ statusCode: 200, error: null, address: "127.0.0.1" });
    expect(result.body.toString()).toBe("secure");
    expect(result.timings.dnsMs).not.toBeNull();
    expect(result.timings.connectMs).not.toBeNull();
    expect(result.timings.tlsMs).toBeGreaterThan(0);
    expect(seen.servername).toEqual([[HOST, "http/1.1"]]);
    expect(await post(`https://${HOST}.:${port}/`, ca)).toMatchObject({ statusCode: 200 });
  });

  it("verifies the address for an IP literal", async () => {
    const named = await serve(certificate("named", `DNS:${HOST}`));
    const numbered = await serve(certificate("numbered", "IP:127.0.0.1"));
    expect((await post(`https://127.0.0.1:${named.port}/`, ca)).error?.code).toBe("tls");
    expect(await post(`https://127.0.0.1:${numbered.port}/`, ca)).toMatchObject({ statusCode: 200, error: null });
  });

  it.each([
    ["an authority nobody knows", () => certificate("unknown", `DNS:${HOST}`), null, /authority is unknown/],
    ["another name", () => certificate("other", "DNS:other.example.com"), "ca", /another host name/],
    ["a date gone by", () => certificate("expired", `DNS:${HOST}`, -1), "ca", /expired|not valid yet/],
  ])("refuses a certificate of %s and says so", async (_name, make, trusted, message) => {
    const { port, seen } = await serve(make());
    const result = await post(`https://${HOST}:${port}/`, trusted === null ? null : ca);
    expect(result).toMatchObject({ statusCode: 0, error: { code: "tls", message: expect.stringMatching(message) } });
    expect(seen.servername.length).toBeLessThanOrEqual(1);
  });

  it("refuses a self-signed certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED says", async () => {
    const self = { cert: ca, key: readFileSync(join(dir, "ca.key"), "utf8") };
    const { port } = await serve(self);
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const result = await post(`https://${HOST}:${port}/`, null);
      expect(result.error).toEqual({ code: "tls", message: "TLS certificate is self-signed" });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });
});

describe("TLS against a server that does not speak TLS", () => {
  it.each([
    ["plain HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", /does not speak TLS/],
    ["nothing but a close", "", /during the TLS handshake/],
  ])("says so for %s", async (_name, bytes, message) => {
    const receiver = await startReceiver((socket) => socket.once("data", () => socket.end(bytes)));
    const outbound = createOutbound({ policy, userAgent: "Parley/test" });
    const url = receiver.url.replace("http:", "https:");
    const result = await outbound.send({ url, headers: {}, body: "{}", timeoutMs: 5000 });
    expect(result).toMatchObject({ statusCode: 0, error: { code: "tls", message: expect.stringMatching(message) } });
    await outbound.close();
    await receiver.close();
  });

  it("times out in the handshake", async () => {
    const receiver = await startReceiver(() => {});
    const outbound = createOutbound({ policy, userAgent: "Parley/test" });
    const url = receiver.url.replace("http:", "https:");
    const timeoutMs = atMost(80);
    const result = await outbound.send({ url, headers: {}, body: "{}", timeoutMs });
    const message = `timed out after ${timeoutMs / 1_000} s while in the TLS handshake`;
    expect(result.error).toEqual({ code: "timeout", message });
    await outbound.close();
    await receiver.close();
  });
});
