import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { exchange, openRaw, type RawResponse } from "../support/raw-http.ts";
import { type ImpatientServer, startImpatient } from "../support/slow-limits.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const envelope = (response: RawResponse, status: number, code: string) => {
  expect(response.status, response.text).toBe(status);
  expect(response.body).toMatchObject({ success: false, error: { code, message: expect.any(String) } });
  expect(response.headers["content-type"]).toMatch(/^application\/json/);
  expect(response.headers["x-request-id"]).toMatch(UUID);
};
const head = (line: string, ...headers: string[]) => `${[line, "Host: x", ...headers].join("\r\n")}\r\n\r\n`;
const authorized = () => `Authorization: Bearer ${parley.key}`;

describe("bytes that are not a valid request", () => {
  it.each([
    ["garbage", "garbage\r\n\r\n"],
    ["a TLS hello", Buffer.from("160301020001000001fc0303", "hex")],
    ["an unknown method", "FROB /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["an unknown version", "GET /api/v1/me HTTP/7.9\r\nHost: x\r\n\r\n"],
    ["a broken header", "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n"],
    ["a header with a NUL", "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n"],
    [
      "a body with two lengths",
      "POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
    [
      "a length and a transfer coding",
      "POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    ["no Host", "GET /api/v1/me HTTP/1.1\r\n\r\n"],
    ["two Hosts", "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n"],
    ["the same Host twice", "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n"],
    ["a Host that cannot be one", 'GET /api/v1/me HTTP/1.1\r\nHost: a"><b\r\n\r\n'],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"],
  ])("receive a 400 in the envelope: %s", async (_what, bytes) => {
    envelope(await exchange(parley.url, bytes), 400, "BAD_REQUEST");
  });

  it("receive a 400 in the envelope after a good request on the same connection too", async () => {
    const connection = openRaw(parley.url);
    connection.send(head("GET /api/v1/me HTTP/1.1", authorized()));
    expect((await connection.response()).status).toBe(200);
    connection.send("garbage\r\n\r\n");
    envelope(await connection.response(), 400, "BAD_REQUEST");
    await connection.closed();
  });

  it("receive a 400 in the envelope when they are a broken chunk of a body", async () => {
    const bytes = `${head("POST /api/v1/api-keys HTTP/1.1", authorized(), "Transfer-Encoding: chunked")}zz\r\n`;
    envelope(await exchange(parley.url, bytes), 400, "BAD_REQUEST");
  });

  it("receive a 431 in the envelope when they are headers of more than 16 KiB", async () => {
    const response = await exchange(parley.url, head("GET /api/v1/me HTTP/1.1", `X-Long: ${"x".repeat(20_000)}`));
    envelope(response, 431, "HEADERS_TOO_LARGE");
  });

  it("receive a 417 in the envelope for an unknown expectation, and a 100 when they expect 100-continue", async () => {
    const unknown = await exchange(parley.url, head("GET /api/v1/me HTTP/1.1", authorized(), "Expect: the-best"));
    envelope(unknown, 417, "EXPECTATION_FAILED");

    const connection = openRaw(parley.url);
    const body = JSON.stringify({ name: "patient" });
    connection.send(
      head("POST /api/v1/api-keys HTTP/1.1", authorized(), `Content-Length: ${body.length}`, "Expect: 100-continue"),
    );
    expect((await connection.response()).status).toBe(100);
    connection.send(body);
    expect((await connection.response()).status).toBe(201);
    connection.destroy();
  });

  it("receive a 405 when no path has their method, and a 404 when there is no such path either", async () => {
    const known = await exchange(parley.url, head("PROPFIND /api/v1/me HTTP/1.1"));
    envelope(known, 405, "METHOD_NOT_ALLOWED");
    expect(known.headers.allow).toBe("GET, HEAD");
    envelope(await exchange(parley.url, head("PROPFIND /nothing HTTP/1.1")), 404, "NOT_FOUND");
  });

  it("do not keep the server from serving the next request", async () => {
    expect((await parley.call("GET", "/me")).status).toBe(200);
  });
});

describe("among odd but well-formed requests,", () => {
  it("one by HTTP/1.0 without a Host works, and its links name the server's own address", async () => {
    const response = await exchange(parley.url, `GET /api/v1/api-keys?page=1 HTTP/1.0\r\n${authorized()}\r\n\r\n`);
    expect(response.status).toBe(200);
    expect(new URL(response.body.links.first).origin).toBe(parley.url);
  });

  it("a request in absolute form works", async () => {
    const response = await exchange(parley.url, head(`GET ${parley.url}/api/v1/me HTTP/1.1`, authorized()));
    expect(response.status).toBe(200);
  });

  it("a body sent with GET is ignored", async () => {
    const bytes = `${head("GET /api/v1/me HTTP/1.1", authorized(), "Content-Length: 5", "Content-Type: multipart/x")}{"a":`;
    expect((await exchange(parley.url, bytes)).status).toBe(200);
  });

  it("two requests sent at once get their responses in order", async () => {
    const connection = openRaw(parley.url);
    connection.send(head("GET /api/v1/nothing HTTP/1.1") + head("GET /api/v1/me HTTP/1.1", authorized()));
    expect((await connection.response()).status).toBe(404);
    expect((await connection.response()).status).toBe(200);
    connection.destroy();
  });

  it("a HEAD that is refused gets the length of the error and no body", async () => {
    const connection = openRaw(parley.url);
    connection.send(head("HEAD /api/v1/me HTTP/1.1") + head("GET /api/v1/me HTTP/1.1", authorized()));
    const response = await connection.response({ head: true });
    expect(response.status).toBe(401);
    expect(Number(response.headers["content-length"])).toBeGreaterThan(0);
    expect((await connection.response()).status).toBe(200);
    connection.destroy();
  });

  it("a body that is announced too large is refused before it is sent", async () => {
    const bytes = head("POST /api/v1/api-keys HTTP/1.1", authorized(), "Content-Length: 1048577");
    const response = await exchange(parley.url, bytes);
    envelope(response, 413, "PAYLOAD_TOO_LARGE");
    expect(response.headers.connection).toBe("close");
  });

  it("a chunked body is cut off at the limit", async () => {
    const connection = openRaw(parley.url);
    connection.send(head("POST /api/v1/api-keys HTTP/1.1", authorized(), "Transfer-Encoding: chunked"));
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    for (let i = 0; i < 17; i++) connection.send(chunk);
    envelope(await connection.response(), 413, "PAYLOAD_TOO_LARGE");
    connection.destroy();
  });

  it("a client that keeps sending a refused body gets the response, and is disconnected some seconds later", async () => {
    const connection = openRaw(parley.url);
    connection.send(head("POST /api/v1/api-keys HTTP/1.1", authorized(), "Content-Length: 64000000"));
    const sending = setInterval(() => connection.send(Buffer.alloc(65_536)), 5);
    envelope(await connection.response(), 413, "PAYLOAD_TOO_LARGE");
    const respondedAt = performance.now();
    await connection.closed();
    clearInterval(sending);
    expect(performance.now() - respondedAt).toBeGreaterThan(3_000);
  });
});

describe("a client", () => {
  let impatient: ImpatientServer;
  beforeAll(async () => {
    impatient = await startImpatient(parley, { headersMsMax: 300, requestMsMax: 700 });
  });
  afterAll(() => impatient.close());

  it("that does not finish its headers gets a 408 in the envelope, and its connection is closed", async () => {
    const connection = openRaw(impatient.url);
    connection.send("GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    envelope(await connection.response({ timeoutMs: 5_000 }), 408, "REQUEST_TIMEOUT");
    await connection.closed();
  });

  it("that does not finish its body gets a 408 in the envelope, and its connection is closed", async () => {
    const connection = openRaw(impatient.url);
    connection.send(`${head("POST /api/v1/api-keys HTTP/1.1", authorized(), "Content-Length: 100")}{"name":`);
    envelope(await connection.response({ timeoutMs: 5_000 }), 408, "REQUEST_TIMEOUT");
    await connection.closed();
  });

  it("that is quick is served as usual where slow ones are disconnected", async () => {
    const response = await exchange(impatient.url, head("GET /api/v1/me HTTP/1.1", authorized()));
    expect(response.status).toBe(200);
  });
});
