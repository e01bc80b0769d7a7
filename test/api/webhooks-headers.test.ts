import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verify } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const create = (headers: unknown) => fixture.parley.call("POST", "/webhooks", { body: fixture.valid({ headers }) });

describe("custom headers", () => {
  it.each([
    ["[{ key, value }]", [{ key: "X-Team", value: "a" }]],
    ["[{ name, value }]", [{ name: "X-Team", value: "a" }]],
    ['[{ "X-Team": "a" }]', [{ "X-Team": "a" }]],
    ['[["X-Team", "a"]]', [["X-Team", "a"]]],
    ['{ "X-Team": "a" }', { "X-Team": "a" }],
  ])("given as %s are returned as [{ key, value }]", async (_form, headers) => {
    const reply = await create(headers);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data.headers).toEqual([{ key: "X-Team", value: "a" }]);
    const read = await fixture.parley.call("GET", `/webhooks/${reply.body.data.uuid}`);
    expect(read.body.data.headers).toEqual([{ key: "X-Team", value: "a" }]);
  });

  it("may be several, in one item or in many, and none", async () => {
    expect((await create({ A: "1", B: "2" })).body.data.headers).toEqual([
      { key: "A", value: "1" },
      { key: "B", value: "2" },
    ]);
    expect((await create([{ A: "1", B: "2" }, ["C", ""]])).body.data.headers).toEqual([
      { key: "A", value: "1" },
      { key: "B", value: "2" },
      { key: "C", value: "" },
    ]);
    expect((await create([])).body.data.headers).toEqual([]);
    expect((await create({})).body.data.headers).toEqual([]);
  });

  it.each([
    "Connection",
    "Keep-Alive",
    "Proxy-Authenticate",
    "Proxy-Authorization",
    "TE",
    "Trailer",
    "Transfer-Encoding",
    "Upgrade",
    "Host",
    "host",
    "Content-Length",
    "Content-Encoding",
    "Expect",
    "webhook-id",
    "Webhook-Signature",
    "webhook-anything",
  ])("cannot be %s", async (name) => {
    const reply = await create([{ key: "X-Fine", value: "1" }, { [name]: "x" }]);
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toEqual({
      headers: [`headers[1] (${name.toLowerCase()}) must not be set: the header is reserved.`],
    });
  });

  it.each([
    ["a line break in the value", [{ "X-A": "a\r\nHost: b" }]],
    ["NUL in the value", { "X-A": "a\u0001b" }],
    ["DEL in the value", { "X-A": "a\u007fb" }],
    ["a tab in the value", { "X-A": "a\tb" }],
    ["a tab at the end of the value", { "X-A": "a\t" }],
    ["text beyond Latin-1", { "X-A": "日本" }],
    ["a line break in the name", { "X-A\r\n": "a" }],
    ["a space in the name", { "X A": "a" }],
    ["an empty name", { "": "a" }],
    ["a value that is not a string", { "X-A": 1 }],
    ["a null value", { "X-A": null }],
    ["an item that is no pair", ["X-A: a"]],
    ["a tuple of three", [["a", "b", "c"]]],
    ["an empty item", [{}]],
    ["no list at all", "X-A: a"],
    ["a number", 5],
    ["another content type", { "Content-Type": "text/plain" }],
  ])("cannot have %s", async (_what, headers) => {
    const reply = await create(headers);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details)).toEqual(["headers"]);
  });

  it("arrive with every delivery and test, including authorization, next to ours", async () => {
    const webhook = await fixture.createWebhook({
      headers: { Authorization: "Bearer abc", "X-Team": "a b", "X-Latin": "café", "Content-Type": "application/json" },
    });
    expect(webhook.headers.map(({ key }: { key: string }) => key)).toEqual(["Authorization", "X-Team", "X-Latin"]);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/test`);
    await fixture.write();
    const arrivals = await fixture.receiver.waitFor(2, webhook.path);
    for (const arrival of arrivals) {
      verify(arrival, webhook.secret);
      expect(arrival.headers).toMatchObject({
        authorization: "Bearer abc",
        "x-team": "a b",
        "x-latin": "café",
        "content-type": "application/json",
      });
      expect(arrival.headers["user-agent"]).toMatch(/^Parley/);
    }
  });

  it("can name another user agent", async () => {
    const webhook = await fixture.createWebhook({ headers: { "User-Agent": "Mine/1" } });
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/test`);
    expect(fixture.receiver.at(webhook.path)[0]?.headers["user-agent"]).toBe("Mine/1");
  });

  it("are not readable in the database", async () => {
    await create({ Authorization: "Bearer find-me-in-plain-text" });
    const rows = await fixture.parley.database.query<{ text: string }>("select w::text as text from webhooks w");
    expect(rows.some(({ text }) => text.includes("find-me-in-plain-text"))).toBe(false);
  });
});
