import {
  ConflictError,
  ConnectionError,
  Parley,
  ParleyError,
  RateLimitError,
  TimeoutError,
  ValidationError,
} from "@parley/client";
import { describe, expect, it } from "vitest";
import { atMost } from "../support/proof.ts";

interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: string | null;
}

type Reply = (init: RequestInit) => Response | Promise<Response>;

/** A client whose requests get these replies, in their order; the last one is repeated. */
function clientWith(replies: Reply[], options: object = {}) {
  const sent: Sent[] = [];
  const parley = new Parley({
    url: "https://parley.test/api/v1/",
    key: "secret",
    ...options,
    fetch: async (input, init = {}) => {
      sent.push({
        method: String(init.method),
        url: new URL(String(input)),
        headers: new Headers(init.headers),
        body: (init.body as string | undefined) ?? null,
      });
      const reply = replies[Math.min(sent.length, replies.length) - 1] as Reply;
      return reply(init);
    },
  });
  return { parley, sent };
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { "x-request-id": "req_1", ...headers } });
const ok = (data: unknown, rest: object = {}) => json(200, { success: true, data, ...rest });
const fault = (status: number, code: string, extra: object = {}, headers = {}) =>
  json(status, { success: false, error: { code, message: "A sentence.", ...extra } }, headers);
const refuse: Reply = () => {
  throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
};
const AT_ONCE = { "retry-after": "0" };

describe("a request of the client", () => {
  it("carries the key, the query and the JSON body to the address of the server", async () => {
    const { parley, sent } = clientWith([ok({ id: 1 })]);
    await parley.contacts.create({ name: "Ada" });
    await parley.request("GET", "/contacts", { query: { search: "a b&c", page: undefined } });
    expect(sent[0]?.url.href).toBe("https://parley.test/api/v1/contacts");
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer secret");
    expect(sent[0]?.body).toBe('{"name":"Ada"}');
    expect(sent[1]?.url.search).toBe("?search=a+b%26c");
  });

  it("asks for strict handling, so that a misspelt field is an error", async () => {
    const { parley, sent } = clientWith([ok({ id: 1 })]);
    await parley.contacts.create({ name: "Ada" });
    await parley.me();
    expect(sent.map(({ headers }) => headers.get("prefer"))).toEqual(["handling=strict", "handling=strict"]);
  });

  it("carries a cookie instead of a key where the key is null, and cannot do without either", async () => {
    const { parley, sent } = clientWith([ok({})], { key: null, headers: { "x-parley-workspace": "7" } });
    await parley.me();
    expect(sent[0]?.headers.get("authorization")).toBeNull();
    expect(sent[0]?.headers.get("x-parley-workspace")).toBe("7");
    for (const key of ["", undefined]) expect(() => clientWith([], { key })).toThrow("`key` is missing");
  });

  it("is repeated on 408, 429 and 5xx with one idempotency key for all attempts of a POST", async () => {
    const { parley, sent } = clientWith([
      fault(503, "SERVICE_UNAVAILABLE", {}, AT_ONCE),
      fault(429, "RATE_LIMIT_EXCEEDED", {}, AT_ONCE),
      fault(408, "REQUEST_TIMEOUT", {}, AT_ONCE),
      ok({ id: 7 }),
    ]);
    await expect(parley.contacts.create({})).resolves.toEqual({ id: 7 });
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(sent).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
  });

  it("gives a transcript as text, and takes text for nothing else", async () => {
    const plain: Reply = () => new Response("Times in UTC.\n");
    const { parley, sent } = clientWith([plain]);
    await expect(parley.conversations.transcript(3, { notes: true })).resolves.toBe("Times in UTC.\n");
    expect(sent[0]?.url.href).toBe("https://parley.test/api/v1/conversations/3/transcript?notes=true");
    await expect(parley.me()).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" });
  });

  it("reads a consumer by its name, and acknowledges the cursor of a batch", async () => {
    const { parley, sent } = clientWith([
      ok([{ id: "evt_1" }], { meta: { next_cursor: "c1", has_more: true } }),
      ok({}),
    ]);
    for await (const batch of parley.consumers.read("crm sync", { limit: 1, wait: 20 })) {
      expect(batch).toMatchObject({ events: [{ id: "evt_1" }], cursor: "c1" });
      await batch.ack();
      break;
    }
    expect(sent.map(({ url }) => url.pathname + url.search)).toEqual([
      "/api/v1/consumers/crm%20sync/events?limit=1&wait=20",
      "/api/v1/consumers/crm%20sync/ack",
    ]);
    expect(sent[1]?.body).toBe('{"cursor":"c1"}');
  });

  it("gets a new idempotency key for every call, or the one it was given", async () => {
    const { parley, sent } = clientWith([ok({})]);
    await parley.contacts.create({});
    await parley.contacts.create({});
    await parley.contacts.create({}, { idempotencyKey: "mine" });
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe("mine");
    // Without a second attempt there is nothing to recognise.
    await parley.contacts.create({}, { maxRetries: 0 });
    expect(sent[3]?.headers.get("idempotency-key")).toBeNull();
  });

  it("is repeated after a network error, and gives up after maxRetries with a ConnectionError", async () => {
    const { parley, sent } = clientWith([refuse, ok([])], { maxRetries: 1 });
    await parley.me();
    expect(sent).toHaveLength(2);
    const none = clientWith([refuse], { maxRetries: 0 });
    const error = await none.parley.me().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain("ECONNREFUSED");
  });

  it("is never repeated on a 409 or a 422, and the error has its class, the details and the request id", async () => {
    const conflict = clientWith([fault(409, "CONFLICT", {}, AT_ONCE)]);
    await expect(conflict.parley.apiKeys.rotate(1)).rejects.toBeInstanceOf(ConflictError);
    expect(conflict.sent).toHaveLength(1);
    const invalid = clientWith([fault(422, "VALIDATION_ERROR", { details: { url: ["url is missing."] } })]);
    const error = await invalid.parley.webhooks.create({} as never).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ status: 422, requestId: "req_1", details: { url: ["url is missing."] } });
    expect((error as Error).name).toBe("ValidationError");
  });

  it("passes on a 429 that asks for a longer pause than a minute", async () => {
    const { parley, sent } = clientWith([fault(429, "RATE_LIMIT_EXCEEDED", {}, { "retry-after": "3600" })]);
    const error = await parley.me().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 3600 });
    expect(sent).toHaveLength(1);
  });

  it("ends with a TimeoutError when an attempt takes longer than timeoutMs", async () => {
    const hang: Reply = ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const { parley } = clientWith([hang], { maxRetries: 0 });
    await expect(parley.me({ timeoutMs: 5 })).rejects.toBeInstanceOf(TimeoutError);
  });

  it("stops at once, without a retry, when its AbortSignal is aborted", async () => {
    const { parley, sent } = clientWith([fault(503, "SERVICE_UNAVAILABLE", {}, { "retry-after": "30" })]);
    const stop = new AbortController();
    const call = parley.me({ signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 20);
    const begunAt = performance.now();
    await expect(call).rejects.toThrow("enough");
    expect(performance.now() - begunAt).toBeLessThan(atMost(1_000));
    expect(sent).toHaveLength(1);
  });

  it("turns a proxy's error page into a ParleyError with the status", async () => {
    const { parley } = clientWith([() => new Response("<h1>Bad gateway</h1>", { status: 502 })], { maxRetries: 0 });
    const error = await parley.me().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ParleyError);
    expect(error).toMatchObject({ status: 502, code: "UNEXPECTED_RESPONSE" });
  });

  it("says that another program's page is no response of this API, and names a server it cannot reach", async () => {
    const page = () => new Response("<p>Hello</p>", { status: 200, headers: { "content-type": "text/html" } });
    const error = await clientWith([page])
      .parley.me()
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: "UNEXPECTED_RESPONSE",
      message: expect.stringContaining("HTTP 200, text/html"),
    });
    const unreached = await clientWith([refuse], { maxRetries: 0 })
      .parley.me()
      .catch((caught: unknown) => caught);
    expect(unreached).toMatchObject({ message: "The request to https://parley.test failed: ECONNREFUSED." });
  });

  it.each([200, 404])(
    "ends a stream at an address where a page with HTTP %i is, instead of calling it connected",
    async (status) => {
      const page = () => new Response("<p>Hello</p>\n\n", { status, headers: { "content-type": "text/html" } });
      let isOpen = false;
      const stream = clientWith([page]).parley.events.stream({
        onOpen: () => {
          isOpen = true;
        },
      });
      await expect(stream.next()).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE", status });
      expect(isOpen).toBe(false);
    },
  );

  it("refuses a missing key and an address that is not http", () => {
    expect(() => new Parley({ url: undefined as never, key: "k" })).toThrow("`url` must be the server's");
    expect(() => new Parley({ url: "https://a.test", key: "" })).toThrow("`key` is missing");
    expect(() => new Parley({ url: "ftp://a.test", key: "k" })).toThrow("http or https");
  });
});

describe("a list of the client", () => {
  it("follows cursors to the end with for await", async () => {
    const { parley, sent } = clientWith([
      ok([{ id: 3 }, { id: 2 }], { meta: { next_cursor: "c1", has_more: true } }),
      ok([{ id: 1 }], { meta: { next_cursor: null, has_more: false } }),
    ]);
    const ids: number[] = [];
    for await (const log of parley.webhooks.logs(5, { status: "failed" })) ids.push(log.id);
    expect(ids).toEqual([3, 2, 1]);
    expect(sent.map(({ url }) => url.search)).toEqual([
      "?limit=100&status=failed",
      "?limit=100&status=failed&cursor=c1",
    ]);
  });

  it("gives one page when it is awaited, and follows links where page numbers are asked for", async () => {
    const { parley, sent } = clientWith([
      ok([{ id: 2 }], { meta: {}, links: { next: "https://parley.test/api/v1/contacts?page=2&per_page=1" } }),
      ok([{ id: 1 }], { meta: {}, links: { next: null } }),
    ]);
    const page = await parley.contacts.list({ per_page: 1 });
    expect(page.data).toEqual([{ id: 2 }]);
    const second = await page.next();
    expect(second?.data).toEqual([{ id: 1 }]);
    expect(await second?.next()).toBeNull();
    expect(sent.map(({ url }) => url.search)).toEqual(["?per_page=1", "?page=2&per_page=1"]);
  });

  it("requests no further page than take needs", async () => {
    const { parley, sent } = clientWith([ok([{ id: 3 }, { id: 2 }], { meta: { next_cursor: "c1", has_more: true } })]);
    expect(await parley.contacts.list().take(2)).toHaveLength(2);
    expect(sent).toHaveLength(1);
  });
});
