import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteSpec } from "../../src/http/pipeline/route.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost, scale } from "../support/proof.ts";
import { forKeys, goodBodyOf, nameOf, ownPath, type Probe, probe } from "../support/route-walk.ts";

/** A body takes no longer than this to be refused, whatever is in it. */
const RESPONSE_MS_MAX = 5_000;
/** And no response is as long as what was sent: 64 KiB of text is the longest field there is. */
const RESPONSE_CHARS_MAX = 100_000;

let parley: TestParley;
let writes: readonly RouteSpec[];
/** Each route with a resource of its own, so that what is refused is the body. */
const paths = new Map<RouteSpec, string>();

beforeAll(async () => {
  parley = await startParley({ PARLEY_RETRY_SCHEDULE: "3600" });
  writes = parley.app.server.routes.filter((spec) => forKeys(spec) && spec.method !== "GET");
  for (const spec of writes) paths.set(spec, await ownPath(parley.url, spec, parley.key));
});
afterAll(() => parley.close());

async function send(spec: RouteSpec, body: string | Buffer): Promise<Probe> {
  const startedAt = performance.now();
  const reply = await probe(parley.url, spec, paths.get(spec) ?? "", parley.key, { body });
  expect(performance.now() - startedAt, nameOf(spec)).toBeLessThan(atMost(RESPONSE_MS_MAX));
  return reply;
}

function isRefused(spec: RouteSpec, reply: Probe, status: number, code: string): void {
  expect(reply.status, `${nameOf(spec)}: ${reply.text.slice(0, 300)}`).toBe(status);
  expect(reply.body, nameOf(spec)).toMatchObject({ success: false, error: { code, message: expect.any(String) } });
}

const readsBody = (spec: RouteSpec): boolean => spec.body !== undefined && !spec.bodyIgnorable;

const deep = (open: string, close: string) =>
  open.repeat(scale(20_000, 100_000)) + close.repeat(scale(20_000, 100_000));
const MALFORMED: Record<string, string | Buffer> = {
  "deeply nested lists": `{"x":${deep("[", "]")}}`,
  "deeply nested objects": `{"x":${deep('{"x":', "}")}}`.replace(":}", ":1}"),
  "lists without an end": "[".repeat(scale(50_000, 500_000)),
  "nested a level too deep": `{"x":${"[".repeat(64)}${"]".repeat(64)}}`,
  "bytes that are not UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  "an overlong form of a slash": Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
  "UTF-16": Buffer.from('{"name":"n"}', "utf16le"),
  "half a surrogate pair in an unknown field": '{"unknown":"\\ud800"}',
  "a NUL in an unknown field": '{"unknown":"a\\u0000b"}',
  "a NUL in a name": '{"a\\u0000b":1}',
  "a list": "[]",
  "a number": "1",
  "two objects": "{}{}",
  "an unfinished object": '{"name":',
};

/** Some fit some fields; the long ones find patterns and loops whose time grows with the square of the length. */
const WRONG = [
  ...scale([{ a: 1 }, -1], [{ a: 1 }, -1, [[1]], 1.5, 1e300, true, "\u202e\u0007"]),
  ...scale(["T"], ["T", ":", "@", " "]).map((char) => `${char.repeat(scale(100_000, 900_000))}z`),
  Array(scale(20_000, 500_000)).fill(0),
  { attachments: Array(scale(20_000, 500_000)).fill(0), body: "x" },
];

/** The parser is the same for all routes: in the short form each of them gets a quarter of what is malformed, in turns. */
const inTurns = (specs: RouteSpec[], turn: number): RouteSpec[] =>
  scale(
    specs.filter((_spec, index) => index % 4 === turn % 4),
    specs,
  );

/** In the short form a field with the schema of another route's, as those of create and update have, is tried once. */
const tried = new Set<string>();
function fieldsOf(spec: RouteSpec): string[] {
  const fields = Object.entries(spec.body?.properties ?? {});
  const isNew = ([name, schema]: [string, unknown]) => {
    const field = JSON.stringify([name, schema]);
    return !tried.has(field) && tried.add(field);
  };
  return scale(fields.filter(isNew), fields).map(([name]) => name);
}

describe("every route that takes a body", () => {
  it("refuses one over the limit with 413", async () => {
    const large = `{"x":"${"x".repeat(1_048_576)}"}`;
    for (const spec of writes.filter(readsBody)) isRefused(spec, await send(spec, large), 413, "PAYLOAD_TOO_LARGE");
  });

  it.each(Object.entries(MALFORMED))("refuses %s with 422 on body", async (what, body) => {
    for (const spec of inTurns(writes.filter(readsBody), Object.keys(MALFORMED).indexOf(what))) {
      const reply = await send(spec, body);
      isRefused(spec, reply, 422, "VALIDATION_ERROR");
      expect(Object.keys(reply.body.error.details), nameOf(spec)).toEqual(["body"]);
    }
  });

  it.each(["\\ud800", "a\\u0000b"])(
    "refuses the text %s in every field at once, and names each of them",
    async (text) => {
      for (const spec of writes.filter(readsBody)) {
        const names = Object.keys(spec.body?.properties ?? {});
        for (const value of [`"${text}"`, `["${text}"]`, `{"x":"${text}"}`, `[{"${text}":1}]`]) {
          const reply = await send(spec, `{${names.map((name) => `"${name}":${value}`).join(",")}}`);
          isRefused(spec, reply, 422, "VALIDATION_ERROR");
          expect(Object.keys(reply.body.error.details).sort(), nameOf(spec)).toEqual(names.sort());
        }
      }
    },
  );

  it("reads the last of repeated names, and never both", async () => {
    for (const spec of writes.filter(readsBody)) {
      const good = JSON.stringify(goodBodyOf(spec)).slice(1, -1);
      const wrong = Object.keys(goodBodyOf(spec) ?? {})
        .map((name) => `${JSON.stringify(name)}:{"wrong":true}`)
        .join(",");
      isRefused(spec, await send(spec, `{${good},${wrong}}`), 422, "VALIDATION_ERROR");
      const reply = await send(spec, `{${wrong},${good}}`);
      expect(reply.status, `${nameOf(spec)}: ${reply.text}`).toBe(spec.success.status);
    }
  });

  it("takes nothing from __proto__, constructor and prototype", async () => {
    for (const spec of writes.filter(readsBody)) {
      const good = JSON.stringify(goodBodyOf(spec)).slice(1, -1);
      const poison = `"__proto__":{"polluted":1,"is_active":false},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}`;
      const reply = await send(spec, `{${poison},${good}}`);
      expect(reply.status, `${nameOf(spec)}: ${reply.text}`).toBe(spec.success.status);
      expect(reply.text).not.toContain("polluted");
      // The required fields hidden there are still missing.
      const hidden = await send(spec, `{"__proto__":{${good}}}`);
      if ((spec.body as { required?: string[] }).required?.length) isRefused(spec, hidden, 422, "VALIDATION_ERROR");
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("refuses a field of a wrong type or a huge size, names it, and responds quickly", async () => {
    for (const spec of writes.filter(readsBody))
      for (const name of fieldsOf(spec))
        for (const value of WRONG) {
          const reply = await send(spec, JSON.stringify({ ...goodBodyOf(spec), [name]: value }));
          const place = `${nameOf(spec)} ${name}=${JSON.stringify(value).slice(0, 40)}: ${reply.text.slice(0, 300)}`;
          expect([spec.success.status, 422, 409], place).toContain(reply.status);
          if (reply.status === 422) expect(Object.keys(reply.body.error.details), place).toEqual([name]);
          expect(reply.text.length, place).toBeLessThan(RESPONSE_CHARS_MAX);
        }
  });
});

it("every list in a body has a largest length, past which it is not looked into", () => {
  interface AnySchema {
    type?: string | string[];
    maxItems?: number;
    items?: AnySchema;
    properties?: Record<string, AnySchema>;
  }
  const unbounded = ({ type, maxItems, items, properties = {} }: AnySchema, place: string): string[] => [
    ...([type].flat().includes("array") && maxItems === undefined ? [place] : []),
    ...(items ? unbounded(items, `${place}[]`) : []),
    ...Object.entries(properties).flatMap(([name, inner]) => unbounded(inner, `${place}.${name}`)),
  ];
  const { routes, dashboardRoutes } = parley.app.server;
  const bodies = [...routes, ...dashboardRoutes].filter(({ body }) => body);
  expect(bodies.flatMap((spec) => unbounded(spec.body as AnySchema, nameOf(spec)))).toEqual([]);
});

describe("every route that needs no body", () => {
  it("ignores what comes, however odd", async () => {
    const odd = [...scale([], ["", "{}"]), "[1", "\u0000", `{"x":${deep("[", "]")}}`, Buffer.from([0xff, 0xfe])];
    for (const spec of writes.filter((route) => !readsBody(route) && !route.upload))
      for (const body of odd) {
        // A fresh one each time: some of these routes end what they are called for.
        paths.set(spec, await ownPath(parley.url, spec, parley.key));
        const reply = await send(spec, body);
        expect(reply.status, `${nameOf(spec)}: ${reply.text.slice(0, 300)}`).toBe(spec.success.status);
      }
  });
});

it("the server still serves requests after all of it, and has logged no internal error", async () => {
  expect((await parley.call("GET", "/me")).status).toBe(200);
  const levels = parley
    .logs()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ level, status }) => level >= 50 || status >= 500);
  expect(levels).toEqual([]);
});
