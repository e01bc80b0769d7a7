import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallOptions, startParley, type TestParley } from "../support/parley.ts";
import { forKeys, goodBodyOf, nameOf, ownPath, probe, uploadHeadersOf } from "../support/route-walk.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const STRICT = { prefer: "handling=strict" };
const strictly = (method: string, path: string, options: CallOptions = {}) =>
  parley.call(method, path, { ...options, headers: { ...STRICT, ...options.headers } });
/** Query parameters without which a route refuses a request. */
const REQUIRED: Record<string, string> = { "GET /search": "?q=words" };
const WEBHOOK = { name: "Orders", url: "http://127.0.0.1:9/hook", events: ["message.created"] };

describe("a request with names that its route does not know", () => {
  it("is accepted, and its response warns with the nearest known name", async () => {
    const reply = await parley.call("POST", "/webhooks", { body: { ...WEBHOOK, orderd: true } });
    expect(reply.status).toBe(201);
    expect(reply.body.data.ordered).toBe(false);
    expect(reply.body.warnings).toEqual([
      { field: "orderd", message: "orderd is not a known field and was ignored. Did you mean ordered?" },
    ]);
    expect(reply.headers.get("preference-applied")).toBeNull();
  });

  it("has no warnings where every name is known, free objects and all forms of headers included", async () => {
    const forms = [{ "X-A": "1" }, [{ "X-A": "1" }], [["X-A", "1"]], [{ name: "X-A", value: "1" }]];
    for (const headers of [...forms, [{ key: "X-A", value: "1" }]]) {
      const reply = await strictly("POST", "/webhooks", { body: { ...WEBHOOK, headers } });
      expect(reply.status, reply.text).toBe(201);
      expect(reply.body).not.toHaveProperty("warnings");
      expect(reply.headers.get("preference-applied")).toBe("handling=strict");
    }
    const attributes = { plan: { any: ["thing", { at: "all" }] } };
    const contact = await strictly("POST", "/contacts", { body: { name: "Ada", attributes } });
    expect(contact.status).toBe(201);
    expect((await strictly("GET", "/events?per_page=1")).status).toBe(200);
    expect((await strictly("GET", "/contacts?per_page=1&page=1&updated_since=2026-01-01")).status).toBe(200);
  });

  it("is warned about a name inside another field by its dotted path", async () => {
    const body = {
      contact: { nmae: "Ada", attributes: { nmae: 1 } },
      message: { body: "hi", attachments: [{ url: "https://a.example/x", nmae: "x" }] },
    };
    const reply = await parley.call("POST", "/conversations", { body });
    expect(reply.status).toBe(201);
    expect(reply.body.warnings).toEqual([
      { field: "contact.nmae", message: "contact.nmae is not a known field and was ignored. Did you mean name?" },
      {
        field: "message.attachments[0].nmae",
        message: "message.attachments[0].nmae is not a known field and was ignored. Did you mean name?",
      },
    ]);
    const refused = await strictly("POST", "/conversations", { body });
    expect(refused.status).toBe(422);
    expect(refused.body.error.details).toEqual({
      contact: ["contact.nmae is not a known field. Did you mean name?"],
      message: ["message.attachments[0].nmae is not a known field. Did you mean name?"],
    });
  });

  it("is warned about a name inside a value whose own name is free", async () => {
    const body = { name: "Shop", allowed_origins: ["https://shop.example"], texts: { de: { titel: "Hallo" } } };
    const reply = await parley.call("POST", "/widgets", { body });
    expect(reply.body.warnings).toEqual([
      { field: "texts.de.titel", message: "texts.de.titel is not a known field and was ignored. Did you mean title?" },
    ]);
    const refused = await strictly("POST", "/widgets", { body });
    expect(refused.body.error.details).toEqual({ texts: ["texts.de.titel is not a known field. Did you mean title?"] });
  });

  it("is warned about query parameters, also on routes without any and on lists that are JSON in SQL", async () => {
    for (const path of ["/webhooks?serach=x", "/api-keys?serach=x"]) {
      const { status, body } = await parley.call("GET", path);
      expect(status).toBe(200);
      expect(body.warnings).toEqual([
        { field: "serach", message: "serach is not a known query parameter and was ignored. Did you mean search?" },
      ]);
    }
    const { body } = await parley.call("GET", "/me?verbose=1");
    expect(body.warnings).toEqual([
      { field: "verbose", message: "verbose is not a known query parameter and was ignored." },
    ]);
  });

  it("learns where a name belongs that was given in the wrong part of the request", async () => {
    const { body: created } = await parley.call("POST", "/webhooks", { body: WEBHOOK });
    const path = `/webhooks/${created.data.id}/test`;
    const tested = await parley.call("POST", path, { body: { event_type: "contact.created" } });
    expect(tested.status).toBe(201);
    expect(tested.body.warnings).toEqual([
      { field: "event_type", message: "event_type is not a field but a query parameter and was ignored." },
    ]);
    expect((await strictly("POST", path, { body: {} })).status).toBe(201);
    expect((await strictly("POST", path, { rawBody: "anything" })).status).toBe(201);
  });

  it("may be a record that was read before: what cannot be set is called read-only", async () => {
    const { body: made } = await parley.call("POST", "/conversations", { body: { subject: "Order" } });
    const { body: read } = await parley.call("GET", `/conversations/${made.data.id}`);
    const path = `/conversations/${made.data.id}`;
    const reply = await parley.call("PATCH", path, { body: { ...read.data, subject: "Orders" } });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.data.subject).toBe("Orders");
    const messages = Object.fromEntries(
      reply.body.warnings.map(({ field, message }: { field: string; message: string }) => [field, message]),
    );
    expect(messages).toMatchObject({
      id: "id is read-only and was ignored.",
      assignee: "assignee is read-only and was ignored. Did you mean assignee_id?",
    });
    expect(messages).not.toHaveProperty("subject");
    const refused = await strictly("PATCH", path, { body: { subject: "Other", created_at: read.data.created_at } });
    expect(refused.status).toBe(422);
    expect(refused.body.error.details).toEqual({ created_at: ["created_at is read-only."] });
  });
});

describe("a request with Prefer: handling=strict", () => {
  it("gets a 422 with every unknown name next to every wrong value, and changes nothing", async () => {
    const search = "Strictly unknown";
    const body = { ...WEBHOOK, name: search, retry_count: "3", orderd: true };
    const reply = await strictly("POST", "/webhooks?dry=1", { body });
    expect(reply.status).toBe(422);
    expect(reply.headers.get("preference-applied")).toBe("handling=strict");
    expect(reply.body).not.toHaveProperty("warnings");
    expect(reply.body.error.details).toEqual({
      retry_count: ["retry_count must be an integer."],
      orderd: ["orderd is not a known field. Did you mean ordered?"],
      dry: ["dry is not a known query parameter."],
    });
    const { body: list } = await parley.call("GET", `/webhooks?search=${encodeURIComponent(search)}`);
    expect(list.data).toEqual([]);
  });

  it.each([
    ["handling=strict", 422],
    ['return=minimal, Handling="strict"; wait=1', 422],
    ["HANDLING = STRICT", 422],
    ["handling=lenient", 200],
    ["handling=lenient, handling=strict", 200],
    ["respond-async", 200],
  ])("is read as RFC 7240 writes it: %s", async (prefer, status) => {
    expect((await parley.call("GET", "/me?x=1", { headers: { prefer } })).status).toBe(status);
  });

  /** A cursor belongs to its workspace. */
  const cursorBody = async (key: string) => ({
    cursor: (await parley.call("GET", "/events", { key })).body.meta.next_cursor,
  });

  it("works on every route: known names are accepted, and one unknown query parameter is a 422", async () => {
    for (const spec of parley.app.server.routes.filter(forKeys)) {
      const { key } = await parley.createWorkspace();
      const path = await ownPath(parley.url, spec, key);
      const body = spec.upload ? "bytes" : path.endsWith("/ack") ? await cursorBody(key) : goodBodyOf(spec);
      const call = (target: string) =>
        probe(parley.url, spec, target, key, {
          ...(body ? { body } : {}),
          headers: { ...STRICT, ...uploadHeadersOf(spec) },
        });
      const refused = await call(`${path}${path.includes("?") ? "&" : "?"}zzzz=1`);
      expect(refused.status, nameOf(spec)).toBe(422);
      expect(refused.body.error.details, nameOf(spec)).toHaveProperty("zzzz");
      const { status, text } = await call(path + (REQUIRED[nameOf(spec)] ?? ""));
      expect(status, `${nameOf(spec)}: ${text}`).toBeLessThan(300);
    }
  });

  it("gets 401, 403 and 404 before the 422", async () => {
    const limited = await parley.createKey({ type: "limited", abilities: ["contacts:read"] });
    const body = { name: "x", unknown: 1 };
    expect((await strictly("PATCH", "/contacts/1", { key: null, body })).status).toBe(401);
    expect((await strictly("PATCH", "/contacts/1", { key: limited.key, body })).status).toBe(403);
    expect((await strictly("PATCH", "/contacts/999999", { body })).status).toBe(404);
  });

  it("does not undo what a repeat under an Idempotency-Key has already done", async () => {
    const options = { body: { name: "Ada", nmae: "x" }, headers: { "idempotency-key": "strict-1" } };
    const first = await parley.call("POST", "/contacts", options);
    const again = await parley.call("POST", "/contacts", options);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(again.body.warnings).toHaveLength(1);
    const strict = await strictly("POST", "/contacts", options);
    expect(strict.status).toBe(201);
    expect(strict.body).toEqual(first.body);
    expect(strict.headers.get("preference-applied")).toBeNull();
    const refused = await strictly("POST", "/contacts", { ...options, headers: { "idempotency-key": "strict-2" } });
    expect(refused.status).toBe(422);
    const corrected = { body: { name: "Ada" }, headers: { "idempotency-key": "strict-2" } };
    expect((await strictly("POST", "/contacts", corrected)).status).toBe(201);
  });
});

describe("unknown names", () => {
  it("are in the request's log line, by name only and without what may be a secret", async () => {
    const secret = "parley_full_0123456789abcdefghijklmnopqrstuvwxyz";
    const reply = await parley.call("POST", `/contacts?${secret}=1`, { body: { nmae: "a value", contact: { x: 1 } } });
    const id = reply.headers.get("x-request-id");
    const lines = parley.logs().split("\n").filter(Boolean);
    const line = lines.map((text) => JSON.parse(text)).find((entry) => entry.request_id === id);
    expect(line.unknown_fields).toEqual(["nmae", "contact", "[redacted]"]);
    expect(JSON.stringify(line)).not.toContain("a value");
    const plain = await parley.call("GET", "/me");
    const other = parley
      .logs()
      .split("\n")
      .filter(Boolean)
      .map((text) => JSON.parse(text));
    const found = other.find((entry) => entry.request_id === plain.headers.get("x-request-id"));
    expect(found).not.toHaveProperty("unknown_fields");
  });

  it("are bounded in number and length, whatever a body holds", async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field_${i}`, i]));
    const { status, body } = await parley.call("POST", "/contacts", {
      body: { ...many, [`x${"y".repeat(5_000)}`]: 1 },
    });
    expect(status).toBe(201);
    expect(body.warnings).toHaveLength(50);
    const long = await parley.call("POST", "/contacts", { body: { [`x${"y".repeat(5_000)}`]: 1 } });
    expect(long.body.warnings[0].field.length).toBeLessThan(110);
  });

  it("may be __proto__ or constructor, like any other", async () => {
    const rawBody = '{"__proto__":{"name":"x"},"constructor":1}';
    const headers = { "content-type": "application/json" };
    const warned = await parley.call("POST", "/contacts", { rawBody, headers });
    expect(warned.status).toBe(201);
    expect(warned.body.warnings.map(({ field }: { field: string }) => field)).toEqual(["__proto__", "constructor"]);
    const refused = await strictly("POST", "/contacts", { rawBody, headers });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.error.details)).toEqual(["__proto__", "constructor"]);
  });
});
