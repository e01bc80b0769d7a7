import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const create = (input: object = {}) => fixture.parley.call("POST", "/webhooks", { body: fixture.valid(input) });

async function refused(input: object): Promise<Record<string, string[]>> {
  const reply = await create(input);
  expect(reply.status, reply.text).toBe(422);
  expect(reply.body.success).toBe(false);
  expect(reply.body.error.code).toBe("VALIDATION_ERROR");
  expect(typeof reply.body.error.message).toBe("string");
  return reply.body.error.details;
}

describe("POST /webhooks", () => {
  it("responds with 201 with the whole record, the secret and the message, and nothing else", async () => {
    const { status, body } = await create({ name: "Orders" });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      message: "Webhook created successfully.",
      data: {
        id: expect.any(Number),
        uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        name: "Orders",
        url: fixture.receiver.url(),
        events: ["message.created"],
        secret: expect.any(String),
        headers: [],
        retry_count: 10,
        timeout_seconds: 15,
        skip_own_events: false,
        ordered: false,
        filter: null,
        template: null,
        rate_limit: null,
        is_active: true,
        disabled_reason: null,
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: body.data.created_at,
      },
    });
    expect(Number.isInteger(body.data.id) && body.data.id > 0).toBe(true);
  });

  it("gives a secret of the form whsec_ and base64 of 24 to 64 bytes, another for each webhook", async () => {
    const [one, two] = [(await create()).body.data.secret, (await create()).body.data.secret];
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]+={0,2}$/);
    const bytes = Buffer.from(one.slice(6), "base64");
    expect(bytes.length).toBeGreaterThanOrEqual(24);
    expect(bytes.length).toBeLessThanOrEqual(64);
    expect(`whsec_${bytes.toString("base64")}`).toBe(one);
    expect(two).not.toBe(one);
  });

  it("asks for name, url and events, and names all that are missing at once", async () => {
    const reply = await fixture.parley.call("POST", "/webhooks", { body: {} });
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toEqual({
      name: ["name is required."],
      url: ["url is required."],
      events: ["events is required."],
    });
  });

  it("reports every wrong field at once, wrong types and wrong values together", async () => {
    const details = await refused({
      name: 5,
      url: "ftp://example.com",
      events: ["message.create"],
      headers: [{ key: "Host", value: "x" }],
      retry_count: "3",
      timeout_seconds: 4,
      skip_own_events: 1,
    });
    expect(Object.keys(details).sort()).toEqual(
      ["events", "headers", "name", "retry_count", "skip_own_events", "timeout_seconds", "url"].sort(),
    );
    for (const messages of Object.values(details)) {
      expect(messages.length).toBeGreaterThan(0);
      for (const message of messages) expect(typeof message).toBe("string");
    }
  });

  it.each([
    ["name", "", "name must not be empty."],
    ["name", "   ", "name must not be empty."],
    ["name", "x".repeat(256), "name must have at most 255 characters."],
    ["name", ["a"], "name must be a string."],
    ["url", 7, "url must be a string."],
    ["events", [], "events must have at least 1 item."],
    ["events", "message.created", "events must be an array."],
    ["events", [1], "events[0] must be a string."],
    ["events", { 0: "message.created" }, "events must be an array."],
    ["retry_count", -1, "retry_count must be at least 0."],
    ["retry_count", 11, "retry_count must be at most 10."],
    ["retry_count", 1.5, "retry_count must be an integer."],
    ["retry_count", "3", "retry_count must be an integer."],
    ["retry_count", true, "retry_count must be an integer."],
    ["timeout_seconds", 4, "timeout_seconds must be at least 5."],
    ["timeout_seconds", 61, "timeout_seconds must be at most 60."],
    ["timeout_seconds", "15", "timeout_seconds must be an integer."],
    ["skip_own_events", "yes", "skip_own_events must be true or false."],
    ["ordered", 1, "ordered must be true or false."],
  ])("refuses %s %j", async (field, value, message) => {
    expect(await refused({ [field]: value })).toEqual({ [field]: [message] });
  });

  it.each([
    ["retry_count", 0],
    ["retry_count", 10],
    ["timeout_seconds", 5],
    ["timeout_seconds", 60],
    ["skip_own_events", true],
    ["ordered", true],
    ["name", "x".repeat(255)],
    ["name", "é".repeat(255)],
  ])("takes %s %j", async (field, value) => {
    const reply = await create({ [field]: value });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data[field]).toBe(value);
  });

  it("trims the name", async () => {
    expect((await create({ name: "  Orders \n" })).body.data.name).toBe("Orders");
  });

  it("takes null for an optional field as absent", async () => {
    const { status, body } = await create({
      headers: null,
      retry_count: null,
      timeout_seconds: null,
      skip_own_events: null,
      ordered: null,
    });
    expect(status).toBe(201);
    const defaults = { headers: [], retry_count: 10, timeout_seconds: 15, skip_own_events: false, ordered: false };
    expect(body.data).toMatchObject(defaults);
    expect(await refused({ name: null })).toEqual({ name: ["name is required."] });
  });

  it("ignores unknown fields, and those that only the server sets, and echoes none", async () => {
    const { status, body } = await create({
      colour: "red",
      id: 1,
      secret: "whsec_mine",
      is_active: false,
      disabled_reason: "x",
    });
    expect(status).toBe(201);
    expect(body.data).not.toHaveProperty("colour");
    expect(body.data).toMatchObject({ is_active: true, disabled_reason: null });
    expect(body.data.secret).not.toBe("whsec_mine");
  });

  it.each(["[]", '"x"', "null", "{", "\u0000"])("responds with 422 on body to %j", async (rawBody) => {
    const reply = await fixture.parley.call("POST", "/webhooks", {
      rawBody,
      headers: { "content-type": "application/json" },
    });
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.error.details)).toEqual(["body"]);
  });
});

describe("events of a webhook", () => {
  it("are folded where they repeat, in the order given", async () => {
    const { body } = await create({ events: ["message.updated", "message.created", "message.updated", "message.*"] });
    expect(body.data.events).toEqual(["message.updated", "message.created", "message.*"]);
  });

  it("may be every name of the catalogue, every group and *", async () => {
    const types = (await fixture.parley.call("GET", "/event-types")).body.data.map(
      ({ type, name }: { type?: string; name?: string }) => type ?? name,
    );
    expect(types).toHaveLength(21);
    const names = [...types, ...new Set(types.map((type: string) => `${type.split(".")[0]}.*`)), "*"];
    const { status, body } = await create({ events: names });
    expect(status).toBe(201);
    expect(body.data.events).toEqual(names);
  });

  it("that are unknown are refused, each with its position and the nearest name", async () => {
    expect(await refused({ events: ["message.created", "message.creatd", "conversations.*"] })).toEqual({
      events: [
        'events[1] ("message.creatd") is not a known event. Did you mean message.created?',
        'events[2] ("conversations.*") is not a known event. Did you mean conversation.*?',
      ],
    });
  });

  it.each(["Message.Created", "message", "message.", "*.created", "", " message.created"])(
    "are exact names: %j is none",
    async (name) => {
      expect(Object.keys(await refused({ events: [name] }))).toEqual(["events"]);
    },
  );
});

describe("who may create", () => {
  it("is a key with webhooks:manage: 401 without a key, 403 without the scope", async () => {
    const body = fixture.valid();
    expect((await fixture.parley.call("POST", "/webhooks", { key: null, body })).status).toBe(401);
    const { key } = await fixture.parley.createKey({ type: "limited", abilities: ["messages:read"] });
    const reply = await fixture.parley.call("POST", "/webhooks", { key, body });
    expect(reply.status).toBe(403);
    expect(reply.body.error.code).toBe("FORBIDDEN");
    const webhookKey = await fixture.parley.createKey({ type: "webhook" });
    expect((await fixture.parley.call("POST", "/webhooks", { key: webhookKey.key, body })).status).toBe(201);
    const bot = await fixture.parley.createKey({ type: "bot" });
    expect((await fixture.parley.call("POST", "/webhooks", { key: bot.key, body })).status).toBe(403);
  });

  it("receives a 403 before a 422", async () => {
    const { key } = await fixture.parley.createKey({ type: "limited", abilities: ["messages:read"] });
    expect((await fixture.parley.call("POST", "/webhooks", { key, body: {} })).status).toBe(403);
  });

  it("is limited in rate like every caller: 429 with retry_after", async () => {
    const { key } = await fixture.parley.createKey({ rate_limit_tier: "low" });
    const replies = await Promise.all(
      Array.from({ length: 70 }, () => fixture.parley.call("POST", "/webhooks", { key, body: {} })),
    );
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(9);
    expect(limited[0]?.body.error.code).toBe("RATE_LIMIT_EXCEEDED");
    expect(String(limited[0]?.body.error.retry_after)).toBe(limited[0]?.headers.get("retry-after"));
  });
});
