import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERROR_CATALOGUE } from "../../src/core/errors.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../src/events/catalogue.ts";
import { describeApi } from "../../src/http/docs/openapi.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
// biome-ignore lint/suspicious/noExplicitAny: a JSON document that the test takes apart
let api: any;
beforeAll(async () => {
  parley = await startParley();
  const reply = await parley.call("GET", "/openapi.json", { key: null });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  api = reply.body;
});
afterAll(() => parley.close());

const METHODS = ["get", "post", "put", "patch", "delete"];
// biome-ignore lint/suspicious/noExplicitAny: an operation of that JSON document
const operations = (): { path: string; method: string; operation: any }[] =>
  Object.entries<Record<string, unknown>>(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

function refsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    name === "$ref" && typeof item === "string" ? [item] : refsIn(item),
  );
}

const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    // biome-ignore lint/suspicious/noExplicitAny: walks the document
    .reduce((node: any, step) => node?.[step], api);

describe("openapi.json", () => {
  it("is sent once to a client that keeps it: its version is a 304 without a body", async () => {
    const { headers } = await parley.call("GET", "/openapi.json", { key: null });
    const version = String(headers.get("etag"));
    expect(version).toMatch(/^"[\w-]{27}"$/);
    const known = await parley.call("GET", "/openapi.json", { key: null, headers: { "if-none-match": version } });
    expect([known.status, known.text]).toEqual([304, ""]);
    const other = await parley.call("GET", "/openapi.json", { key: null, headers: { "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
  });

  it("is OpenAPI 3.1 with the parts that the specification requires", () => {
    expect(api.openapi).toMatch(/^3\.1\.\d+$/);
    expect(api.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    expect(Object.keys(api.paths).length).toBeGreaterThan(0);
    for (const { path, method, operation } of operations()) {
      const what = `${method} ${path}`;
      expect(path, what).toMatch(/^\/api\/v1\//);
      expect(METHODS, what).toContain(method);
      expect(Object.keys(operation.responses).length, what).toBeGreaterThan(0);
      for (const [status, response] of Object.entries<Record<string, unknown>>(operation.responses)) {
        expect(status, what).toMatch(/^[1-5]\d\d$/);
        expect(typeof (response.description ?? response.$ref), what).toBe("string");
      }
    }
  });

  it("gives every operation an id of its own, a summary and a tag that is declared", () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = api.tags.map((tag: { name: string }) => tag.name);
    for (const { operation } of operations()) {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z0-9]+$/);
      expect(operation.summary.length).toBeGreaterThan(0);
      for (const tag of operation.tags) expect(tags).toContain(tag);
    }
  });

  it("names operations like the methods of a client", () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...["listConversations", "createMessage", "testWebhook", "rotateApiKey", "getWebhookSecret"],
        ...["rotateWebhookSecret", "listWebhookLogs", "redeliverWebhookLog", "streamEvents", "getMe"],
      ]),
    );
    for (const id of ids) expect(id).toMatch(/^(?!post|patch)[a-z]+([A-Z]|$)/);
  });

  it("describes every event as a webhook with a typed body, and Event as a union discriminated by type", () => {
    const { Event } = api.components.schemas;
    expect(Event.discriminator.propertyName).toBe("type");
    expect(Object.keys(Event.discriminator.mapping)).toEqual(EVENT_TYPES);
    expect(Object.keys(api.webhooks)).toEqual(EVENT_TYPES);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "openapi.json", ...api, paths: undefined });
    const example = {
      id: "evt_1",
      timestamp: "2026-07-14T10:00:00+00:00",
      actor: { type: "user", id: 1, name: "Ada" },
    };
    const isEvent = ajv.compile({ $ref: "openapi.json#/components/schemas/Event" });
    for (const type of EVENT_TYPES) {
      const { schema } = api.webhooks[type].post.requestBody.content["application/json"];
      expect(schema.$ref).toBe(Event.discriminator.mapping[type]);
      const isThisEvent = ajv.compile({ $ref: `openapi.json${schema.$ref}` });
      const body = { ...example, type, data: EVENT_CATALOGUE[type].example };
      expect(isThisEvent(body), `${type}: ${JSON.stringify(isThisEvent.errors)}`).toBe(true);
      expect(isEvent(body), type).toBe(true);
      expect(isThisEvent({ ...body, type: "message.lost" }), type).toBe(false);
    }
  });

  it("names the server it was read from, or the public address where one is set", () => {
    expect(api.servers).toEqual([{ url: "/", description: expect.any(String) }]);
    expect(describeApi([], { publicUrl: "https://chat.example.com" }).servers).toEqual([
      { url: "https://chat.example.com", description: expect.any(String) },
    ]);
  });

  it("declares each parameter of a path once, required, and no other", () => {
    for (const { path, operation } of operations()) {
      const inPath = operation.parameters.filter((parameter: { in: string }) => parameter.in === "path");
      expect(inPath.map((parameter: { name: string }) => parameter.name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      for (const parameter of operation.parameters) {
        expect(["path", "query", "header"]).toContain(parameter.in);
        expect(typeof parameter.schema).toBe("object");
        if (parameter.in === "path") expect(parameter.required).toBe(true);
      }
      const places = operation.parameters.map((item: { in: string; name: string }) => `${item.in} ${item.name}`);
      expect(new Set(places).size).toBe(places.length);
    }
  });

  it("describes the headers of rate limits, of resuming a stream and of repeating a POST", () => {
    const headersOf = (path: string, method: string) => api.paths[`/api/v1${path}`][method].responses;
    expect(Object.keys(headersOf("/me", "get")["200"].headers)).toContain("X-RateLimit-Remaining");
    expect(Object.keys(api.components.responses.RATE_LIMIT_EXCEEDED.headers)).toContain("Retry-After");
    const parameter = (path: string, method: string, name: string) =>
      api.paths[`/api/v1${path}`][method].parameters.find((one: { name: string }) => one.name === name);
    expect(parameter("/events/stream", "get", "Last-Event-ID")).toMatchObject({ in: "header" });
    for (const path of [
      "/contacts/{contact}",
      "/conversations/{conversation}",
      "/webhooks/{webhook}",
      "/api-keys/{key}",
      "/conversations/{conversation}/messages/{message}",
      "/conversations/{conversation}/drafts/{draft}",
      "/saved-replies/{saved_reply}",
      "/views/{view}",
    ])
      expect(parameter(path, "patch", "If-Match").description).toContain("412");
    expect(parameter("/contacts", "post", "Idempotency-Key").description).toContain("same response");
    for (const path of ["/api-keys", "/api-keys/{key}/rotate"])
      expect(parameter(path, "post", "Idempotency-Key").description).toContain("409");
  });

  it("has no reference that leads nowhere", () => {
    for (const ref of refsIn(api)) {
      expect(ref).toMatch(/^#\/components\//);
      expect(resolve(ref), ref).toBeDefined();
    }
  });

  it("holds schemas that are valid JSON Schema 2020-12", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "openapi.json", ...api, paths: undefined });
    const check = (schema: unknown, what: string) => {
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/'));
      expect(() => ajv.compile(absolute), what).not.toThrow();
    };
    for (const [name, schema] of Object.entries(api.components.schemas)) check(schema, name);
    for (const { path, operation } of operations())
      for (const part of [operation.requestBody, ...Object.values(operation.responses)])
        for (const content of Object.values((part as { content?: Record<string, { schema: unknown }> })?.content ?? {}))
          check(content.schema, path);
  });

  it("describes every route that is served, and nothing else", () => {
    const served = parley.app.server.routes.map((spec) => `${spec.method.toLowerCase()} /api/v1${spec.path}`);
    expect(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual([...served].sort());
  });

  it("says which scope each operation needs", () => {
    for (const spec of parley.app.server.routes) {
      const operation = api.paths[`/api/v1${spec.path}`][spec.method.toLowerCase()];
      expect(operation["x-required-scope"]).toBe(
        spec.access === "any" || spec.access === "public" ? undefined : spec.access,
      );
    }
    expect(api.security).toEqual([{ apiKey: [] }]);
    expect(api.components.securitySchemes.apiKey).toMatchObject({ type: "http", scheme: "bearer" });
  });

  it("names the errors that listing keys may return, and each of the catalogue once", () => {
    const { responses } = api.paths["/api/v1/api-keys"].get;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "401", "403", "422", "429"]));
    expect(Object.keys(api.components.responses).sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort());
  });

  it("describes responses as they really are", async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "openapi.json", ...api, paths: undefined });
    await parley.createKey({ description: "d" });
    for (const [path, query] of [
      ["/api-keys", ""],
      ["/api-keys", "?per_page=1"],
      ["/me", ""],
      ["/audit-logs", ""],
    ]) {
      const { schema } = api.paths[`/api/v1${path}`].get.responses["200"].content["application/json"];
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')));
      const { body } = await parley.call("GET", `${path}${query}`);
      expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  it("is what the committed openapi.json and the parley command are made from", async () => {
    const { describeWholeApi } = await import("../../src/app/app.ts");
    expect(JSON.parse(JSON.stringify(describeWholeApi()))).toEqual(api);
  });
});
