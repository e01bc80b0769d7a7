import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { openRaw, type RawResponse } from "../support/raw-http.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let canaries = 0;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

/** A request that leaves a contact behind: whether, and how often, it was carried out can be counted. */
function canary() {
  const name = `canary-${++canaries}`;
  const body = JSON.stringify({ external_id: name });
  return {
    bytes: `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${parley.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    carriedOut: async () => (await parley.call("GET", `/contacts?external_id=${name}`)).body.meta.pagination.total,
  };
}

/** Sends the bytes and gathers every response until the connection is closed; `responsesMin` must come before that. */
async function exchangeAll(
  bytes: string,
  responsesMin: number,
  { closedWithinMs = 50 } = {},
): Promise<{ responses: RawResponse[]; closed: boolean }> {
  const connection = openRaw(parley.url);
  const responses: RawResponse[] = [];
  connection.send(Buffer.from(bytes, "latin1"));
  try {
    for (;;) {
      // What comes beyond the number asked for would be one response too many; the wait for it is short.
      const timeoutMs = responses.length < responsesMin ? 5_000 : 150;
      responses.push(await connection.response({ timeoutMs }));
    }
  } catch {
    const closed = await connection.closed(closedWithinMs).then(
      () => true,
      () => false,
    );
    return { responses, closed };
  } finally {
    connection.destroy();
  }
}

const head = (...lines: string[]) =>
  ["POST /api/v1/contacts HTTP/1.1", "Host: x", `Authorization: Bearer ${parley.key}`, ...lines, "", ""].join("\r\n");

/**
 * Each form hides a whole request, or leaves two readers of different minds about where one ends. `hidden` is that
 * request; what must come of it is a refusal that ends the connection, so that nothing after it is read at all.
 */
const REFUSED: Record<string, (hidden: string) => string> = {
  "CL.TE": (hidden) =>
    `${head(`Content-Length: ${hidden.length + 5}`, "Transfer-Encoding: chunked")}0\r\n\r\n${hidden}`,
  "TE.CL": (hidden) =>
    `${head("Transfer-Encoding: chunked", "Content-Length: 4")}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  "TE.TE, an unknown coding last": (hidden) =>
    `${head("Transfer-Encoding: chunked", "Transfer-Encoding: cow")}0\r\n\r\n${hidden}`,
  "TE.TE, in one line": (hidden) => `${head("Transfer-Encoding: chunked, cow")}0\r\n\r\n${hidden}`,
  "identity with a length": (hidden) =>
    `${head("Transfer-Encoding: identity", `Content-Length: ${hidden.length}`)}${hidden}`,
  "a coding that looks like chunked": (hidden) => `${head("Transfer-Encoding: xchunked")}0\r\n\r\n${hidden}`,
  "a coding in quotes": (hidden) => `${head('Transfer-Encoding: "chunked"')}0\r\n\r\n${hidden}`,
  "a coding after a vertical tab": (hidden) => `${head("Transfer-Encoding:\vchunked")}0\r\n\r\n${hidden}`,
  "a space before the colon": (hidden) => `${head("Transfer-Encoding : chunked")}0\r\n\r\n${hidden}`,
  "a tab before the colon": (hidden) => `${head("Content-Length\t: 0")}${hidden}`,
  "a folded line": (hidden) => `${head("X-A: b", " Content-Length: 2", "Content-Length: 2")}{}${hidden}`,
  "a folded coding": (hidden) => `${head("Transfer-Encoding:", " chunked")}0\r\n\r\n${hidden}`,
  "two lengths": (hidden) => `${head("Content-Length: 2", `Content-Length: ${2 + hidden.length}`)}{}${hidden}`,
  "two equal lengths": (hidden) => `${head("Content-Length: 2", "Content-Length: 2")}{}${hidden}`,
  "two lengths in one line": (hidden) => `${head("Content-Length: 2, 2")}{}${hidden}`,
  "a length with a sign": (hidden) => `${head("Content-Length: +2")}{}${hidden}`,
  "a negative length": (hidden) => `${head("Content-Length: -1")}${hidden}`,
  "a length in hex": (hidden) => `${head("Content-Length: 0x2")}{}${hidden}`,
  "a length beyond 64 bits": (hidden) => `${head("Content-Length: 18446744073709551618")}{}${hidden}`,
  "an empty length": (hidden) => `${head("Content-Length:")}${hidden}`,
  "a header without a colon": (hidden) => `${head("Content-Length 2")}{}${hidden}`,
  "a header without a name": (hidden) => `${head(": 2")}${hidden}`,
  "a NUL in a name": (hidden) => `${head("Content-Length\0: 2")}{}${hidden}`,
  "a bare CR in a value": (hidden) => `${head("X-A: b\rContent-Length: 2")}{}${hidden}`,
  "a bare LF between lines": (hidden) => `${head("X-A: b\nContent-Length: 2")}{}${hidden}`,
  "a bare LF in a chunk size": (hidden) => `${head("Transfer-Encoding: chunked")}2\n{}\r\n0\r\n\r\n${hidden}`,
  "a bare LF after a chunk": (hidden) => `${head("Transfer-Encoding: chunked")}2\r\n{}\n0\r\n\r\n${hidden}`,
  "a chunk size with a sign": (hidden) => `${head("Transfer-Encoding: chunked")}+2\r\n{}\r\n0\r\n\r\n${hidden}`,
  "a chunk size with 0x": (hidden) => `${head("Transfer-Encoding: chunked")}0x2\r\n{}\r\n0\r\n\r\n${hidden}`,
  "a chunk size beyond 64 bits": (hidden) =>
    `${head("Transfer-Encoding: chunked")}10000000000000002\r\n{}\r\n0\r\n\r\n${hidden}`,
  "a chunk longer than it says": (hidden) => `${head("Transfer-Encoding: chunked")}1\r\n{}\r\n0\r\n\r\n${hidden}`,
  "chunked on HTTP/1.0": (hidden) =>
    `${head("Transfer-Encoding: chunked").replace("HTTP/1.1", "HTTP/1.0")}0\r\n\r\n${hidden}`,
  "a length among the trailers": (hidden) =>
    `${head("Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\nContent-Length: 50\r\n\r\n${hidden}`,
  "another version": (hidden) => `${head("Content-Length: 0").replace("HTTP/1.1", "HTTP/2.0")}${hidden}`,
  "a line before the first": (hidden) => `X-A: b\r\n${head("Content-Length: 0")}${hidden}`,
};

/** Well-formed, if odd: read as RFC 9112 says, so that the request behind it is its own. */
const READ: Record<string, () => string> = {
  "a plain chunked body": () => `${head("Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`,
  "the coding in capitals": () => `${head("Transfer-Encoding: CHUNKED")}2\r\n{}\r\n0\r\n\r\n`,
  "a chunk with an extension": () => `${head("Transfer-Encoding: chunked")}2;a=b;c="d"\r\n{}\r\n0\r\n\r\n`,
  "trailers that look like headers": () =>
    `${head("Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\nHost: y\r\nAuthorization: z\r\n\r\n`,
  "two spaces in the first line": () => `${head("Content-Length: 2").replace("POST ", "POST  ")}{}`,
  "a chunk size with zeros before it": () => `${head("Transfer-Encoding: chunked")}0002\r\n{}\r\n000\r\n\r\n`,
  "a header without a value": () => `${head("X-A:", "Content-Length: 2")}{}`,
  "the target in absolute form, for another host": () =>
    `${head("Content-Length: 2").replace("/api", "http://other.example/api")}{}`,
  "a body with GET": () => `${head("Content-Length: 2").replace("POST", "GET")}{}`,
  "empty lines before the first": () => `\r\n\r\n${head("Content-Length: 2")}{}`,
};

describe("a request that hides another", () => {
  it.each(Object.entries(REFUSED))(
    "is refused with a 400 in the envelope, and its connection is closed: %s",
    async (_what, form) => {
      const { bytes, carriedOut } = canary();
      const { responses, closed } = await exchangeAll(form(bytes), 1);
      expect(responses.map(({ status }) => status)).toEqual([400]);
      expect(responses[0]?.body).toMatchObject({ success: false, error: { code: "BAD_REQUEST" } });
      expect(closed).toBe(true);
      expect(await carriedOut()).toBe(0);
    },
  );

  it.each(Object.entries(READ))(
    "only seemingly is read as it is meant, and the next request is carried out once: %s",
    async (_what, form) => {
      const { bytes, carriedOut } = canary();
      const { responses } = await exchangeAll(form() + bytes, 2);
      expect(responses.map(({ status }) => status)).toEqual([expect.toSatisfy((status) => status < 300), 201]);
      expect(await carriedOut()).toBe(1);
    },
  );

  it("in the body of a refused request stays a body", async () => {
    for (const lines of [[], ["Transfer-Encoding: chunked"]]) {
      const { bytes, carriedOut } = canary();
      const wrong = (...more: string[]) => head(...more).replace(parley.key, "wrong");
      const request =
        lines.length === 0
          ? `${wrong(`Content-Length: ${bytes.length}`)}${bytes}`
          : `${wrong(...lines)}${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`;
      const { responses } = await exchangeAll(request, 1);
      expect(responses.map(({ status }) => status)).toEqual([401]);
      expect(await carriedOut()).toBe(0);
    }
  });

  it("after a response that ends the connection is never carried out", async () => {
    const { bytes, carriedOut } = canary();
    const request = `${head("Content-Length: 2097152")}${bytes}`;
    // The connection of a refused body is kept for five seconds and not read from.
    const { responses, closed } = await exchangeAll(request, 1, { closedWithinMs: 10_000 });
    expect(responses.map(({ status }) => status)).toEqual([413]);
    expect(closed).toBe(true);
    expect(await carriedOut()).toBe(0);
  });

  it("behind a close is not read", async () => {
    const { bytes, carriedOut } = canary();
    const { responses } = await exchangeAll(`${head("Connection: close", "Content-Length: 2")}{}${bytes}`, 1);
    expect(responses).toHaveLength(1);
    expect(await carriedOut()).toBe(0);
  });
});

it("a hundred requests sent in one go are carried out once each, in order", async () => {
  const sent = Array.from({ length: 100 }, canary);
  const connection = openRaw(parley.url);
  connection.send(sent.map(({ bytes }) => bytes).join(""));
  for (const { bytes } of sent) {
    const response = await connection.response();
    expect(response.status).toBe(201);
    expect(bytes).toContain(`"${response.body.data.external_id}"`);
  }
  connection.destroy();
  await until("all are there", async () => {
    const { total } = (await parley.call("GET", "/contacts?search=canary-")).body.meta.pagination;
    return total >= 100;
  });
});
