import type { Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createAddressPolicy,
  createOutbound,
  egressProxyOf,
  type OutboundOptions,
  type OutboundResult,
} from "../../src/url-guard/index.ts";
import { createCertificate, hasOpenssl } from "../support/certificates.ts";
import { debianPackage } from "../support/debian.ts";
import { freePort } from "../support/free-port.ts";
import { respondWith } from "../support/receiver.ts";
import { startTinyproxy, type Tinyproxy } from "../support/tinyproxy.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";
import { onRequests, rawResponse, startReceiver } from "../unit/url-guard/raw-receiver.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

const USER = "parley";
const PASSWORD = "passWord7";
const policy = createAddressPolicy({ allowedCidrs: ["127.0.0.0/8"] });
const tinyproxy = await debianPackage("tinyproxy-bin");
const proxyUrl = (port: number) => `http://${USER}:${PASSWORD}@127.0.0.1:${port}`;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function send(url: string, proxy: string, more: Partial<OutboundOptions> = {}): Promise<OutboundResult> {
  const outbound = createOutbound({ policy, userAgent: "Parley/test", proxy: egressProxyOf(proxy), ...more });
  try {
    return await outbound.send({ url, headers: {}, body: "{}", timeoutMs: 1_500 });
  } finally {
    await outbound.close({ graceMs: 0 });
  }
}

/** A proxy with this behaviour, and what it was asked for. */
async function startProxy(onAsked: (socket: Socket) => void) {
  const asked: string[] = [];
  const proxy = await startReceiver((socket) => {
    socket
      .on("error", () => {})
      .once("data", (head) => {
        asked.push(String(head));
        onAsked(socket);
      });
  });
  closers.push(() => proxy.close());
  return { asked, url: `http://127.0.0.1:${proxy.port}`, connections: () => proxy.connections };
}

const RECEIVER = "http://127.0.0.1:9/";

describe("an egress proxy that fails", () => {
  it("is at fault where it cannot be reached, and is named without its credentials", async () => {
    const port = await freePort();
    const { statusCode, error } = await send(RECEIVER, proxyUrl(port));
    expect([statusCode, error?.code]).toEqual([0, "proxy"]);
    expect(error?.message).toBe(`the egress proxy 127.0.0.1:${port} cannot be reached: connection refused`);
  });

  it.each([
    ["HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "proxy", /refuses the user name and password/],
    ["SSH-2.0-OpenSSH\r\n\r\n", "proxy", /not valid HTTP/],
    ["x".repeat(20_000), "proxy", /not valid HTTP/],
    ["HTTP/1.1 200 OK\r\n\r\nand more", "proxy", /not valid HTTP/],
    ["HTTP/1.1 502 Bad Gateway\r\n\r\n<h1>no</h1>", "connect", /could not connect to the receiver: HTTP 502$/],
    ["HTTP/1.1 403 Forbidden\r\n\r\n", "connect", /could not connect to the receiver: HTTP 403$/],
  ])("%j is an error of the code %s", async (response, code, message) => {
    const proxy = await startProxy((socket) => socket.write(response));
    const { statusCode, error } = await send(RECEIVER, proxy.url);
    expect([statusCode, error?.code]).toEqual([0, code]);
    expect(error?.message).toMatch(message);
  });

  it("is at fault where it closes the connection, and the receiver is where it takes too long to connect", async () => {
    const closing = await startProxy((socket) => socket.destroy());
    expect((await send(RECEIVER, closing.url)).error?.code).toBe("proxy");
    const slow = await startProxy(() => {});
    const { error } = await send(RECEIVER, slow.url);
    expect(error).toEqual({
      code: "timeout",
      message: "timed out after 1.5 s while waiting for the egress proxy to connect",
    });
  });
});

it("the credentials of an egress proxy are decoded and sent to it alone", async () => {
  const proxy = await startProxy((socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  const { error } = await send(RECEIVER, proxy.url.replace("http://", "http://me:p%40ss%3Aword@"));
  expect(proxy.asked[0]).toContain(`\r\nProxy-Authorization: Basic ${btoa("me:p@ss:word")}\r\n`);
  expect(error?.message).not.toMatch(/p@ss|p%40ss|me:/);
});

describe("the guard in front of an egress proxy", () => {
  it("asks for an address that it has checked, never for the name, and refuses before it asks", async () => {
    const proxy = await startProxy((socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    // A name that is public when it is looked up and private a moment later.
    const addresses = ["203.0.113.7", "10.0.0.1"];
    const lookup = async () => [{ address: addresses.shift() ?? "10.0.0.1", family: 4 as const }];
    const options = { policy: createAddressPolicy({ allowedCidrs: ["203.0.113.0/24"] }), lookup };
    const first = await send("https://rebinding.example/hook", proxy.url, options);
    expect(first.error?.code).toBe("connect");
    expect(proxy.asked).toEqual(["CONNECT 203.0.113.7:443 HTTP/1.1\r\nHost: 203.0.113.7:443\r\n\r\n"]);
    const second = await send("https://rebinding.example/hook", proxy.url, options);
    expect(second.error?.code).toBe("refused_address");
    expect((await send("http://169.254.169.254/", proxy.url, options)).error?.code).toBe("refused_address");
    expect(proxy.connections()).toBe(1);
  });

  it("also asks for an IPv6 address by its number", async () => {
    const proxy = await startProxy((socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    const options = { policy: createAddressPolicy({ allowedCidrs: ["2001:db8::/32"] }) };
    await send("http://[2001:db8::7]:8080/", proxy.url, options);
    expect(proxy.asked[0]).toMatch(/^CONNECT \[2001:db8::7\]:8080 HTTP/);
  });
});

describe.skipIf(tinyproxy.missing)(`through Debian's tinyproxy ${tinyproxy.missing}`, () => {
  let fixture: WebhookFixture;
  let port: number;
  let proxy: Tinyproxy | null = null;
  const start = async () => {
    proxy = await startTinyproxy(tinyproxy, { port, user: USER, password: PASSWORD });
  };
  const stop = async () => {
    await proxy?.close();
    proxy = null;
  };
  beforeAll(async () => {
    port = await freePort();
    fixture = await startWebhookFixture({ PARLEY_EGRESS_PROXY: proxyUrl(port) });
  });
  afterAll(async () => {
    await stop();
    await fixture?.close();
  });
  const laneOf = async (webhook: Any): Promise<Any> =>
    (await fixture.parley.database.query<Any>("select * from delivery_lanes where webhook_id = $1", [webhook.id]))[0];

  it("deliveries wait while it is down, use none of their attempts, and do not count against the receiver", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    for (let n = 0; n < 12; n++) await fixture.write(`m${n}`);
    const failed = await until("each has failed", async () => {
      const { data } = await fixture.logs(webhook, "?per_page=100");
      return new Set(data.map(({ event_id }: Any) => event_id)).size === 12 ? data : null;
    });
    expect(failed[0]).toMatchObject({ status: "failed", response_code: 0, attempt: 1 });
    expect(failed[0].error_message).toBe(`the egress proxy 127.0.0.1:${port} cannot be reached: connection refused`);
    expect(JSON.stringify(failed)).not.toContain(PASSWORD);
    const unharmed = { failures_without_response: 0, breaker_open_until: null, failing_since: null };
    expect(await laneOf(webhook)).toMatchObject(unharmed);
    await start();
    await fixture.receiver.waitFor(12, webhook.path);
    await until("nothing is queued", async () => (await fixture.queued(webhook)).length === 0);
    const { port: receiverPort } = new URL(fixture.receiver.url());
    expect(new Set(proxy?.requests())).toEqual(new Set([`CONNECT 127.0.0.1:${receiverPort} HTTP/1.1`]));
  });

  it("the response of the receiver and its refusal count as without a proxy", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    fixture.receiver.behave(respondWith(503), webhook.path);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    expect(log).toMatchObject({ status: "failed", response_code: 503, next_attempt_at: null });
    const refusing = await fixture.createWebhook({ retry_count: 0, url: `http://127.0.0.1:${await freePort()}/` });
    await fixture.write();
    const [refused] = await fixture.waitForLogs(refusing, 1);
    expect(refused).toMatchObject({ status: "failed", response_code: 0, next_attempt_at: null });
    expect(refused.error_message).toMatch(/could not connect to the receiver: HTTP 5\d\d$/);
    expect((await laneOf(refusing)).failures_without_response).toBe(1);
  });

  it("a test is sent through it too, and says when it wants credentials, or others", async () => {
    const webhook = await fixture.createWebhook();
    expect((await fixture.parley.call("POST", `/webhooks/${webhook.id}/test`)).body.data.success).toBe(true);
    const { error } = await send(fixture.receiver.url(), `http://127.0.0.1:${port}`);
    expect(error).toMatchObject({ code: "proxy", message: expect.stringContaining("407") });
    const wrong = await send(fixture.receiver.url(), `http://${USER}:another@127.0.0.1:${port}`);
    expect(wrong.error).toMatchObject({ code: "proxy", message: expect.stringContaining("user name and password") });
  });

  it.skipIf(!hasOpenssl())(
    "TLS is verified against the name, and the response is read through the tunnel",
    async () => {
      const { ca, cert, key } = createCertificate("DNS:hook.example");
      const server = createTlsServer({ cert, key }, (socket) =>
        onRequests(socket, () => socket.write(rawResponse("200 OK", "secured"))),
      );
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      closers.push(async () => server.close());
      const { port: tlsPort } = server.address() as { port: number };
      const lookup = async () => [{ address: "127.0.0.1", family: 4 as const }];
      const options = { lookup, tls: { dangerousOnlyCa: ca } };
      const right = await send(`https://hook.example:${tlsPort}/`, proxyUrl(port), options);
      expect([right.statusCode, String(right.body), right.error]).toEqual([200, "secured", null]);
      const wrong = await send(`https://other.example:${tlsPort}/`, proxyUrl(port), options);
      expect(wrong.error).toEqual({ code: "tls", message: "TLS certificate is for another host name" });
    },
  );
});
