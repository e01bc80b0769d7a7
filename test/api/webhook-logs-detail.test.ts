import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { respondWith, verify } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const call: WebhookFixture["parley"]["call"] = (...args) => fixture.parley.call(...args);

/** Sends a test that gets this response, and reads its log in detail. */
async function detailOf(behaviour: Parameters<typeof fixture.receiver.behave>[0], input: object = {}) {
  const webhook = await fixture.createWebhook(input);
  fixture.receiver.behave(behaviour, webhook.path);
  await call("POST", `/webhooks/${webhook.id}/test`);
  const [log] = (await fixture.logs(webhook)).data;
  const reply = await call("GET", `/webhooks/${webhook.id}/logs/${log.id}`);
  expect(reply.status, reply.text).toBe(200);
  return { webhook, log, detail: reply.body.data as Any };
}

const headerOf = (headers: { key: string; value: string }[], name: string) =>
  headers.find(({ key }) => key.toLowerCase() === name)?.value;

describe("GET /webhooks/{webhook}/logs/{log}", () => {
  it("has the list's fields, the request as sent, the response, the address and the timings", async () => {
    const { webhook, log, detail } = await detailOf(respondWith(202, { "x-trace": "abc" }, "thanks"), {
      headers: { "X-Team": "a" },
    });
    const [arrival] = fixture.receiver.at(webhook.path);
    expect(detail).toEqual({
      ...log,
      request: {
        method: "POST",
        url: webhook.url,
        headers: expect.any(Array),
        body: arrival?.body,
      },
      response: { headers: expect.any(Array), body: "thanks", body_truncated: false },
      address: "127.0.0.1",
      timings: {
        dns_ms: null,
        connect_ms: expect.any(Number),
        tls_ms: null,
        first_byte_ms: expect.any(Number),
        total_ms: expect.any(Number),
      },
    });
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type"])
      expect(headerOf(detail.request.headers, name), name).toBe(arrival?.headers[name]);
    expect(headerOf(detail.response.headers, "x-trace")).toBe("abc");
    expect(detail.timings.total_ms).toBeGreaterThanOrEqual(detail.timings.first_byte_ms);
    expect(Math.abs(detail.timings.total_ms - log.response_time_ms)).toBeLessThanOrEqual(1);
  });

  it("lists every header that was sent but those of the connection, each once", async () => {
    const connection = ["host", "connection", "content-length"];
    for (const headers of [{ "X-Team": "a" }, { "User-Agent": "Mine/1" }]) {
      const { webhook, detail } = await detailOf(respondWith(200), { headers });
      const [arrival] = fixture.receiver.at(webhook.path);
      const sent = Object.keys(arrival?.headers ?? {}).filter((name) => !connection.includes(name));
      expect(detail.request.headers.map(({ key }: Any) => key.toLowerCase()).sort()).toEqual(sent.sort());
      expect(headerOf(detail.request.headers, "parley-delivery")).toBe(arrival?.headers["parley-delivery"]);
      const custom = "User-Agent" in headers ? "[redacted]" : arrival?.headers["user-agent"];
      expect(headerOf(detail.request.headers, "user-agent")).toBe(custom);
    }
  });

  it("is found by the uuid or the id of the log and of the webhook", async () => {
    const { webhook, log, detail } = await detailOf(respondWith(200));
    for (const hook of [webhook.id, webhook.uuid])
      for (const ref of [log.id, log.uuid, log.uuid.toUpperCase()])
        expect((await call("GET", `/webhooks/${hook}/logs/${ref}`)).body.data).toEqual(detail);
  });

  it("redacts credentials among the custom headers, which were sent in full", async () => {
    const headers = {
      Authorization: "Bearer top-secret",
      Cookie: "sid=top-secret",
      "X-Api-Key": "top-secret",
      "X-Auth-Token": "top-secret",
      "X-Client-Secret": "top-secret",
      "X-Team": "top-secret",
    };
    const { webhook, log, detail } = await detailOf(respondWith(200), { headers });
    expect(fixture.receiver.at(webhook.path)[0]?.headers).toMatchObject({
      authorization: "Bearer top-secret",
      "x-api-key": "top-secret",
    });
    for (const name of ["authorization", "cookie", "x-api-key", "x-auth-token", "x-client-secret", "x-team"])
      expect(headerOf(detail.request.headers, name)).toBe("[redacted]");
    const rows = await fixture.parley.database.query<{ text: string }>(
      "select a::text as text from delivery_attempts a where id = $1",
      [log.id],
    );
    expect(rows[0]?.text).not.toContain("top-secret");
    expect(JSON.stringify(detail)).not.toContain("whsec_");
  });

  it("keeps the first 16 KiB of the response and says that there was more", async () => {
    const exact = await detailOf(respondWith(200, {}, "x".repeat(16_384)));
    expect(exact.detail.response).toMatchObject({ body: "x".repeat(16_384), body_truncated: false });
    const longer = await detailOf(respondWith(500, {}, `${"x".repeat(16_384)}${"y".repeat(4_096)}`));
    expect(longer.detail.response).toMatchObject({ body: "x".repeat(16_384), body_truncated: true });
    expect(longer.log).toMatchObject({ status: "failed", response_code: 500 });
  });

  it.each([
    ["HTML", Buffer.from("<script>alert(1)</script>"), "<script>alert(1)</script>"],
    ["NUL", Buffer.from("a\0b"), "a\u{fffd}b"],
    ["invalid UTF-8", Buffer.from([0x61, 0xff, 0xfe, 0x62]), "a\u{fffd}\u{fffd}b"],
    ["half a character", Buffer.from("é").subarray(0, 1), "\u{fffd}"],
    ["an escape that is none", Buffer.from('\\u0000 \\ "'), '\\u0000 \\ "'],
    ["a byte order mark", Buffer.from("\u{feff}x"), "\u{feff}x"],
  ])("stores a hostile response safely: %s", async (_what, bytes, stored) => {
    const { detail, log } = await detailOf((response) => response.writeHead(500).end(bytes));
    expect(detail.response.body).toBe(stored);
    expect(log.error_message).toBe("HTTP 500");
  });

  it("keeps headers of any bytes, and the one of a repeated name twice", async () => {
    const { detail } = await detailOf((response) => {
      response.socket?.end(
        "HTTP/1.1 200 OK\r\nX-A: caf\xe9\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 0\r\n\r\n",
        "latin1",
      );
    });
    const named = detail.response.headers.filter(({ key }: { key: string }) => key.toLowerCase() === "set-cookie");
    expect(named.map(({ value }: { value: string }) => value)).toEqual(["a", "b"]);
    expect(headerOf(detail.response.headers, "x-a")).toBe("café");
  });

  it("of an attempt without a response has nulls where nothing happened", async () => {
    const { detail } = await detailOf((response) => response.socket?.destroy());
    expect(detail).toMatchObject({ status: "failed", response_code: 0, address: "127.0.0.1" });
    expect(detail.response).toEqual({ headers: [], body: "", body_truncated: false });
    expect(detail.timings.first_byte_ms).toBeNull();
  });

  it("has no body once its event is past retention, and is still there", async () => {
    const { webhook, log } = await detailOf(respondWith(200));
    await fixture.parley.database.query("delete from events where type = 'webhook.test'");
    const { status, body } = await call("GET", `/webhooks/${webhook.id}/logs/${log.id}`);
    expect(status).toBe(200);
    expect(body.data.request.body).toBeNull();
  });

  it("shows for each attempt of a delivery its own signature, which verifies", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 1 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    const logs = await fixture.waitForLogs(webhook, 2);
    for (const log of logs) {
      const { data } = (await call("GET", `/webhooks/${webhook.id}/logs/${log.id}`)).body;
      const headers = Object.fromEntries(data.request.headers.map(({ key, value }: Any) => [key, value]));
      verify({ body: data.request.body, headers } as never, webhook.secret);
    }
  });

  it("responds with 404 to another webhook's log, an unknown log and an invalid id", async () => {
    const { log } = await detailOf(respondWith(200));
    const other = await fixture.createWebhook();
    for (const ref of [log.id, log.uuid, 999_999_999, "00000000-0000-4000-8000-000000000000", "abc", "-1"])
      for (const [method, tail] of [
        ["GET", ""],
        ["POST", "/redeliver"],
      ] as const) {
        const reply = await call(method, `/webhooks/${other.id}/logs/${ref}${tail}`);
        expect(reply.status, `${method} ${ref}`).toBe(404);
        expect(reply.body.error.code).toBe("NOT_FOUND");
      }
  });
});
