import { readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  createAddressPolicy,
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundResult,
} from "../../src/url-guard/index.ts";
import { atMost } from "../support/proof.ts";
import { onRequests, type RawReceiver, rawResponse, startReceiver } from "../unit/url-guard/raw-receiver.ts";

const policy = createAddressPolicy({ allowedCidrs: ["127.0.0.0/8"] });
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function open(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ policy, userAgent: "Parley/test", ...options });
  closers.push(() => outbound.close({ graceMs: 0 }));
  return outbound;
}

async function receive(
  onSocket: (socket: Socket) => void,
  options: Parameters<typeof startReceiver>[1] = {},
): Promise<RawReceiver> {
  const receiver = await startReceiver(onSocket, options);
  closers.push(() => receiver.close());
  return receiver;
}

/** A receiver that responds to every request with these bytes. */
function respondingWith(
  bytes: string | Buffer,
  options: Parameters<typeof startReceiver>[1] = {},
): Promise<RawReceiver> {
  return receive((socket) => onRequests(socket, () => socket.write(bytes)), options);
}

function post(outbound: Outbound, url: string, more: Partial<OutboundRequest> = {}): Promise<OutboundResult> {
  return outbound.send({ url, headers: { "content-type": "application/json" }, body: "{}", timeoutMs: 5000, ...more });
}

/** Writes `piece` for as long as the socket takes it, honouring back pressure: as fast as the reader reads. */
function flood(socket: Socket, piece: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 5);
  socket.on("close", () => clearInterval(timer));
}

/** `vi.waitFor` gives up after a second. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: atMost(10_000) });

describe("an ordinary exchange", () => {
  it("posts what it is given and returns the response", async () => {
    const requests: string[] = [];
    const receiver = await receive((socket) =>
      onRequests(socket, (request) => {
        requests.push(request);
        socket.write(rawResponse("202 Accepted", "thanks", ["x-one: 1", "x-two: a", "X-Two: b"]));
      }),
    );
    const result = await post(open(), `${receiver.url}?a=1#fragment`, { headers: { "X-Team": "a" }, body: "héllo" });
    expect(requests).toHaveLength(1);
    const [head = "", body] = (requests[0] ?? "").split("\r\n\r\n");
    expect(head.split("\r\n")).toEqual([
      "POST /hook?a=1 HTTP/1.1",
      `host: 127.0.0.1:${receiver.port}`,
      "connection: keep-alive",
      "X-Team: a",
      "user-agent: Parley/test",
      "parley-delivery: 1",
      "content-length: 6",
    ]);
    expect(Buffer.from(body ?? "", "latin1").toString()).toBe("héllo");
    expect(result).toMatchObject({ statusCode: 202, error: null, bodyTruncated: false, address: "127.0.0.1" });
    expect(result.headers).toEqual([
      ["content-length", "6"],
      ["x-one", "1"],
      ["x-two", "a"],
      ["X-Two", "b"],
    ]);
    expect(result.body.toString()).toBe("thanks");
  });

  it("takes headers as pairs, and a user agent of the webhook's own", async () => {
    let seen = "";
    const receiver = await receive((socket) =>
      onRequests(socket, (request) => {
        seen = request;
        socket.write(rawResponse("200 OK"));
      }),
    );
    const headers: [string, string][] = [
      ["A", "1"],
      ["a", "2"],
      ["User-Agent", "mine"],
    ];
    await post(open(), receiver.url, { headers });
    expect(seen).toMatch(/A: 1\r\na: 2\r\nUser-Agent: mine\r\n/);
    expect(seen).not.toContain("Parley/test");
  });

  it("reuses a connection, and reports connection times only where one was opened", async () => {
    const receiver = await respondingWith(rawResponse("200 OK", "ok"));
    const outbound = open();
    const first = await post(outbound, receiver.url);
    const second = await post(outbound, receiver.url);
    expect(receiver.connections).toBe(1);
    expect(first.reusedConnection).toBe(false);
    expect(first.timings).toMatchObject({ dnsMs: null, connectMs: expect.any(Number), tlsMs: null });
    expect(second).toMatchObject({ reusedConnection: true, address: "127.0.0.1" });
    expect(second.timings).toMatchObject({
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: expect.any(Number),
    });
    expect(second.timings.totalMs).toBeGreaterThanOrEqual(second.timings.firstByteMs ?? Infinity);
  });

  it("returns 4xx and 5xx responses as responses", async () => {
    const outbound = open();
    for (const status of ["301 Moved", "404 Not Found", "410 Gone", "500 Oops", "599 Odd"]) {
      const receiver = await respondingWith(rawResponse(status, "x"));
      expect(await post(outbound, receiver.url)).toMatchObject({ statusCode: Number(status.slice(0, 3)), error: null });
    }
  });

  it.each([
    [{ url: "ftp://127.0.0.1/" }, "invalid_request"],
    [{ url: "http://user@127.0.0.1/" }, "invalid_request"],
    [{ headers: { "x-bad": "a\r\nb" } }, "invalid_request"],
    [{ headers: { "bad name": "a" } }, "invalid_request"],
    [{ headers: { "transfer-encoding": "chunked" } }, "invalid_request"],
  ])("does not throw for %j", async (more, code) => {
    const receiver = await respondingWith(rawResponse("200 OK"));
    expect(await post(open(), receiver.url, more)).toMatchObject({ statusCode: 0, error: { code } });
  });
});

describe("an attempt to a hostile receiver", () => {
  const cases: [string, (socket: Socket) => void, string, RegExp][] = [
    [
      "closes at once",
      (socket) => socket.end(),
      "reset",
      /^connection (closed|reset) by the receiver before responding$/,
    ],
    ["resets at once", (socket) => socket.resetAndDestroy(), "reset", /^connection reset/],
    [
      "closes after the request",
      (socket) => onRequests(socket, () => socket.end()),
      "reset",
      /^connection closed by the receiver before responding$/,
    ],
    [
      "resets after the request",
      (socket) => onRequests(socket, () => socket.resetAndDestroy()),
      "reset",
      /^connection reset by the receiver before responding$/,
    ],
    [
      "closes within the headers",
      (socket) => onRequests(socket, () => socket.end("HTTP/1.1 200 OK\r\nx-a: ")),
      "reset",
      /in the middle of the response's headers$/,
    ],
    [
      "resets within the body",
      (socket) =>
        onRequests(socket, () =>
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc", () =>
            setImmediate(() => socket.resetAndDestroy()),
          ),
        ),
      "reset",
      /^connection (reset|closed) by the receiver while reading the body of an HTTP 200 response$/,
    ],
    [
      "sends less than its content-length",
      (socket) => onRequests(socket, () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc")),
      "reset",
      /^connection closed by the receiver while reading the body of an HTTP 200 response$/,
    ],
    [
      "sends less than its content-length and announces the close",
      (socket) =>
        onRequests(socket, () => socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\nabc")),
      "protocol",
      /content-length contradicts itself or the body$/,
    ],
    [
      "sends two content-lengths",
      (socket) =>
        onRequests(socket, () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc")),
      "protocol",
      /content-length contradicts itself or the body$/,
    ],
    [
      "speaks garbage",
      (socket) => socket.write("SSH-2.0-OpenSSH_9.6\r\n"),
      "protocol",
      /^the response is not valid HTTP\/1\.1/,
    ],
    [
      "sends binary garbage",
      (socket) => onRequests(socket, () => socket.write(Buffer.alloc(4096, 0xfe))),
      "protocol",
      /^the response is not valid HTTP\/1\.1/,
    ],
    [
      "responds with status 000",
      (socket) => onRequests(socket, () => socket.write("HTTP/1.1 000 Nil\r\ncontent-length: 0\r\n\r\n")),
      "protocol",
      /^the response is not valid HTTP\/1\.1/,
    ],
    [
      "switches protocols unasked",
      (socket) =>
        onRequests(socket, () =>
          socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"),
        ),
      "protocol",
      /switch protocols$/,
    ],
    [
      "sends 2 MB of headers",
      (socket) => onRequests(socket, () => socket.write(`HTTP/1.1 200 OK\r\n${"x-a: b\r\n".repeat(262_144)}\r\n`)),
      "headers_too_large",
      /headers are too large$/,
    ],
    [
      "sends one header without end",
      (socket) => onRequests(socket, () => flood(socket.setNoDelay(), "HTTP/1.1 200 OK\r\nx: ".padEnd(65_536, "a"))),
      "headers_too_large",
      /headers are too large$/,
    ],
    [
      "sends 103 without end",
      (socket) => onRequests(socket, () => flood(socket, "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".repeat(100))),
      "protocol",
      /informational responses without end$/,
    ],
    [
      "sends blank lines without end",
      (socket) => onRequests(socket, () => flood(socket, "\r\n".repeat(8192))),
      "protocol",
      /the response exceeded 512 KiB without completing$/,
    ],
    [
      "sends a chunk extension without end",
      (socket) =>
        onRequests(socket, () => {
          socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;");
          flood(socket, "a".repeat(16_384));
        }),
      "protocol",
      /the response exceeded 512 KiB without completing$/,
    ],
  ];

  it.each(cases)("fails with the reason when it %s", async (_name, behave, code, message) => {
    const receiver = await receive(behave);
    const result = await post(open(), receiver.url);
    expect(result.error?.message).toMatch(message);
    expect(result).toMatchObject({ statusCode: 0, error: { code } });
    await receiver.settled();
    expect(receiver.connections).toBe(1);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ["hangs", (socket) => socket.resume(), "waiting for the response's headers"],
    ["hangs after reading", (socket) => onRequests(socket, () => {}), "waiting for the response's headers"],
    [
      "drips headers",
      (socket) =>
        onRequests(socket, () => {
          socket.write("HTTP/1.1 200 OK\r\n");
          drip(socket, "x-a: b\r\n");
        }),
      "waiting for the response's headers",
    ],
    [
      "drips its body",
      (socket) =>
        onRequests(socket, () => {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
          drip(socket, "x");
        }),
      "reading the body of an HTTP 200 response",
    ],
    [
      "stops within its body",
      (socket) => onRequests(socket, () => socket.write("HTTP/1.1 201 OK\r\ncontent-length: 9\r\n\r\nabc")),
      "reading the body of an HTTP 201 response",
    ],
  ])("ends at the deadline, cuts the connection and makes no other when it %s", async (_name, behave, doing) => {
    const receiver = await receive(behave);
    const timeoutMs = atMost(150);
    const result = await post(open(), receiver.url, { timeoutMs });
    expect(result).toMatchObject({
      statusCode: 0,
      error: { code: "timeout", message: `timed out after ${timeoutMs / 1_000} s while ${doing}` },
      address: "127.0.0.1",
    });
    expect(result.timings.totalMs).toBeGreaterThanOrEqual(timeoutMs - 1);
    expect(result.timings.totalMs).toBeLessThan(atMost(1_150));
    await eventually(() => expect(receiver.sockets.size).toBe(0));
    await receiver.settled();
    expect(receiver.connections).toBe(1);
  });

  it("ends at the deadline when it never reads a large request", async () => {
    const receiver = await receive(() => {}, { pauseOnConnect: true });
    const timeoutMs = atMost(200);
    const result = await post(open(), receiver.url, { body: Buffer.alloc(32 * 1024 * 1024), timeoutMs });
    const message = `timed out after ${timeoutMs / 1_000} s while sending the request`;
    expect(result.error).toEqual({ code: "timeout", message });
    expect(result.timings.totalMs).toBeLessThan(atMost(1_200));
  });

  it("takes the response of one that never reads the request", async () => {
    const receiver = await receive((socket) => socket.write(rawResponse("413 Too Large", "no")), {
      pauseOnConnect: true,
    });
    const result = await post(open(), receiver.url, { body: Buffer.alloc(32 * 1024 * 1024) });
    expect(result).toMatchObject({ statusCode: 413, error: null });
  });

  it("takes the status and the first 16 KiB of an endless body, and never reads the rest", async () => {
    let written = 0;
    const receiver = await receive((socket) => {
      socket.on("close", () => {
        written = socket.bytesWritten;
      });
      onRequests(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 524288000\r\n\r\n");
        flood(socket, "y".repeat(65_536));
      });
    });
    const result = await post(open(), receiver.url);
    expect(result).toMatchObject({ statusCode: 200, error: null, bodyTruncated: true });
    expect(result.body.toString()).toBe("y".repeat(16_384));
    await eventually(() => expect(written).toBeGreaterThan(0));
    // What the kernel's two socket buffers hold at most, not 500 MB.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it("truncates a body that is a little over what is kept, and the connection stays usable", async () => {
    const receiver = await respondingWith(rawResponse("200 OK", "z".repeat(40_000)));
    const outbound = open();
    expect(await post(outbound, receiver.url)).toMatchObject({ statusCode: 200, bodyTruncated: true });
    expect(await post(outbound, receiver.url)).toMatchObject({ statusCode: 200, reusedConnection: true });
    const exact = await respondingWith(rawResponse("200 OK", "z".repeat(16_384)));
    const result = await post(outbound, exact.url);
    expect(result).toMatchObject({ bodyTruncated: false });
    expect(result.body).toHaveLength(16_384);
  });

  it("leaves a gzip bomb compressed", async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
    const receiver = await respondingWith(Buffer.concat([Buffer.from(head), bomb]));
    const result = await post(open(), receiver.url);
    expect(result).toMatchObject({ statusCode: 200, error: null });
    expect(result.body.equals(bomb.subarray(0, 16_384))).toBe(true);
  });

  it("never takes the bytes past a content-length for the next response", async () => {
    const receiver = await respondingWith(`${rawResponse("200 OK", "ok")}${rawResponse("500 Poison", "bad")}`);
    const outbound = open();
    for (let round = 0; round < 3; round++) {
      expect(await post(outbound, receiver.url)).toMatchObject({ statusCode: 200, error: null });
    }
  });

  it("keeps a bounded number and size of headers", async () => {
    const many = await respondingWith(
      rawResponse(
        "200 OK",
        "",
        Array.from({ length: 500 }, (_, index) => `x-${index}: v`),
      ),
    );
    const long = await respondingWith(rawResponse("200 OK", "", [`x-long: ${"v".repeat(10_000)}`]));
    const outbound = open();
    expect((await post(outbound, many.url)).headers).toHaveLength(100);
    expect((await post(outbound, long.url)).headers).toEqual([["content-length", "0"]]);
  });

  it.skipIf(process.platform !== "linux")("leaves no descriptor behind", async () => {
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const hang = await receive((socket) => socket.resume());
    const ok = await respondingWith(rawResponse("200 OK"));
    const endless = await receive((socket) => flood(socket.resume(), "HTTP/1.1 200 OK\r\n\r\n".padEnd(65_536, "a")));
    const base = descriptors();
    const outbound = open();
    const urls = Array.from({ length: 60 }, (_, index) => [hang.url, ok.url, endless.url][index % 3] ?? ok.url);
    await Promise.all(urls.map((url) => post(outbound, url, { timeoutMs: 100 })));
    await outbound.close();
    expect(outbound.stats()).toMatchObject({ connections: 0, inFlight: 0, queued: 0 });
    await eventually(() => expect(descriptors()).toBeLessThanOrEqual(base));
  });
});

describe("a kept-alive connection that the receiver has closed", () => {
  /** Responds to the first request of each connection and does `then` at the second. */
  function fickle(then: (socket: Socket) => void, firstOfLater: (socket: Socket) => void): Promise<RawReceiver> {
    let connections = 0;
    return receive((socket) => {
      const first = connections++ === 0;
      let requests = 0;
      onRequests(socket, () => {
        if (requests++ > 0) then(socket);
        else if (first) socket.write(rawResponse("200 OK"));
        else firstOfLater(socket);
      });
    });
  }

  it.each<[string, (socket: Socket) => void]>([
    ["reset", (socket) => socket.resetAndDestroy()],
    ["close", (socket) => socket.end()],
  ])("is replaced once, at once: %s", async (_name, then) => {
    const receiver = await fickle(then, (socket) => socket.write(rawResponse("201 Created")));
    const outbound = open();
    await post(outbound, receiver.url);
    const result = await post(outbound, receiver.url);
    expect(result).toMatchObject({ statusCode: 201, error: null, reusedConnection: false });
    expect(result.timings.connectMs).not.toBeNull();
    expect(receiver.connections).toBe(2);
  });

  it("is replaced only once", async () => {
    const receiver = await fickle(
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.resetAndDestroy(),
    );
    const outbound = open();
    await post(outbound, receiver.url);
    expect((await post(outbound, receiver.url)).error?.code).toBe("reset");
    await receiver.settled();
    expect(receiver.connections).toBe(2);
  });

  it("is not replaced once a byte of the response has arrived", async () => {
    const receiver = await fickle(
      (socket) => socket.end("HTTP/1.1 200"),
      () => expect.fail("sent again"),
    );
    const outbound = open();
    await post(outbound, receiver.url);
    expect((await post(outbound, receiver.url)).error?.code).toBe("reset");
    expect(receiver.connections).toBe(1);
  });

  it("is dropped when the receiver closes it while idle", async () => {
    const receiver = await receive((socket) => onRequests(socket, () => socket.end(rawResponse("200 OK"))));
    const outbound = open();
    await post(outbound, receiver.url);
    await eventually(() => expect(outbound.stats().connections).toBe(0));
    expect(await post(outbound, receiver.url)).toMatchObject({ statusCode: 200, reusedConnection: false });
  });
});

describe("the connections to receivers", () => {
  /** A receiver that responds on demand. */
  async function held(): Promise<{ receiver: RawReceiver; waiting: Socket[]; respondToAll: () => void }> {
    const waiting: Socket[] = [];
    const receiver = await receive((socket) => onRequests(socket, () => waiting.push(socket)));
    const respondToAll = () => {
      for (const socket of waiting.splice(0)) socket.write(rawResponse("200 OK"));
    };
    return { receiver, waiting, respondToAll };
  }

  it("are limited per origin, and requests above the limit are served in turn", async () => {
    const { receiver, waiting, respondToAll } = await held();
    const outbound = open({ connectionsPerOrigin: 2 });
    const results = Array.from({ length: 5 }, () => post(outbound, receiver.url));
    expect(outbound.stats()).toEqual({ origins: 1, connections: 2, inFlight: 5, queued: 3 });
    for (const expected of [2, 2, 1]) {
      await eventually(() => expect(waiting).toHaveLength(expected));
      respondToAll();
    }
    expect((await Promise.all(results)).map((result) => result.statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(receiver.connections).toBe(2);
  });

  it("are named as the reason when none came free before the deadline", async () => {
    const { receiver, respondToAll, waiting } = await held();
    const outbound = open({ connectionsPerOrigin: 1 });
    const first = post(outbound, receiver.url);
    const second = await post(outbound, receiver.url, { timeoutMs: 60 });
    expect(second.error).toEqual({
      code: "no_connection",
      message: "not sent: no connection to this origin came free after 0.06 s",
    });
    expect(outbound.stats().queued).toBe(0);
    await eventually(() => expect(waiting).toHaveLength(1));
    respondToAll();
    expect((await first).statusCode).toBe(200);
  });

  it("of requests that time out together are ended a few at a time, and none by a response too late", async () => {
    const receiver = await receive((socket) =>
      onRequests(socket, () => void setTimeout(() => socket.write(rawResponse("200 OK", "too late")), 700)),
    );
    const outbound = open({ connectionsPerOrigin: 100 });
    let ended = 0;
    let endedTogether = 0;
    let turn = 0;
    const endTurn = () => {
      turn = 0;
    };
    const sent = Array.from({ length: 150 }, async () => {
      const result = await post(outbound, receiver.url, { timeoutMs: 500 });
      if (++turn === 1) setImmediate(endTurn);
      endedTogether = Math.max(endedTogether, turn);
      ended++;
      return result;
    });
    const results = await Promise.all(sent);
    expect(ended).toBe(150);
    expect(endedTogether).toBeLessThan(50);
    // The first connections to be closed may still serve one that waits for its own deadline.
    const codes = results.map(({ error }) => error?.code);
    expect(codes.filter((code) => code === "timeout").length).toBeGreaterThanOrEqual(100);
    expect(codes.filter((code) => code === "no_connection").length).toBeGreaterThan(25);
    for (const { statusCode, timings } of results) {
      expect(statusCode).toBe(0);
      expect(timings.totalMs).toBeLessThan(atMost(1_000));
    }
  });

  it("are closed without waiting for requests whose deadline has passed", async () => {
    const receiver = await receive(() => {});
    const outbound = open({ connectionsPerOrigin: 300 });
    const sent = Array.from({ length: 300 }, () => post(outbound, receiver.url, { timeoutMs: 300 }));
    await Promise.race(sent);
    // Spread over time as without the close, they would take 170 turns of a timer, however busy the machine is.
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    await outbound.close({ graceMs: 0 });
    clearInterval(timer);
    expect(turns).toBeLessThan(60);
    expect((await Promise.all(sent)).every(({ error }) => error?.code === "timeout" || error?.code === "aborted")).toBe(
      true,
    );
  });

  it("of the least recently used origin are evicted without breaking what is in flight there", async () => {
    const { receiver, waiting, respondToAll } = await held();
    const other = await respondingWith(rawResponse("200 OK"));
    const outbound = open({ originsMax: 1, connectionsPerOrigin: 1 });
    const running = post(outbound, receiver.url);
    const queued = post(outbound, receiver.url);
    await eventually(() => expect(waiting).toHaveLength(1));
    expect((await post(outbound, other.url)).statusCode).toBe(200);
    expect(outbound.stats()).toMatchObject({ origins: 1, connections: 2 });
    respondToAll();
    expect((await running).statusCode).toBe(200);
    await eventually(() => expect(waiting).toHaveLength(1));
    respondToAll();
    expect((await queued).statusCode).toBe(200);
    expect(outbound.stats().connections).toBe(1);
    await eventually(() => expect(receiver.sockets.size).toBe(0));
  });

  it("end an attempt whose signal is aborted, queued or in flight", async () => {
    const { receiver, waiting } = await held();
    const outbound = open({ connectionsPerOrigin: 1 });
    const abort = new AbortController();
    const both = [1, 2].map(() => post(outbound, receiver.url, { signal: abort.signal }));
    await eventually(() => expect(waiting).toHaveLength(1));
    abort.abort();
    for (const result of await Promise.all(both)) expect(result.error?.code).toBe("aborted");
    expect((await post(outbound, receiver.url, { signal: abort.signal })).error?.code).toBe("aborted");
    expect(outbound.stats()).toMatchObject({ inFlight: 0, queued: 0, connections: 0 });
    await receiver.settled();
    expect(receiver.connections).toBe(1);
  });

  it("are closed once what is in flight has ended, and take nothing new", async () => {
    const { receiver, waiting, respondToAll } = await held();
    const outbound = open();
    const running = post(outbound, receiver.url);
    await eventually(() => expect(waiting).toHaveLength(1));
    let closed = false;
    const closing = outbound.close().then(() => {
      closed = true;
    });
    expect((await post(outbound, receiver.url)).error?.code).toBe("aborted");
    expect(closed).toBe(false);
    respondToAll();
    expect((await running).statusCode).toBe(200);
    await closing;
    expect(outbound.stats()).toEqual({ origins: 0, connections: 0, inFlight: 0, queued: 0 });
  });

  it("are closed at the end of a grace time, with what is left in flight or queued aborted", async () => {
    const { receiver, waiting } = await held();
    const outbound = open({ connectionsPerOrigin: 1 });
    const results = [1, 2, 3].map(() => post(outbound, receiver.url, { timeoutMs: 60_000 }));
    await eventually(() => expect(waiting).toHaveLength(1));
    const patient = outbound.close();
    await outbound.close({ graceMs: 20 });
    await patient;
    for (const result of await Promise.all(results)) expect(result.error?.code).toBe("aborted");
    await receiver.settled();
    expect(receiver.connections).toBe(1);
  });
});
