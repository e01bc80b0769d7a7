import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RouteSpec } from "../../src/http/pipeline/route.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { scale, seeded } from "../support/proof.ts";
import { encoded, fitting, shaped, text } from "../support/random-input.ts";
import { fill, parametersOf } from "../support/route-fixtures.ts";
import {
  forKeys,
  goodBodyOf,
  hasParameters,
  nameOf,
  ownPath,
  type Probe,
  probe,
  uploadHeadersOf,
} from "../support/route-walk.ts";

let parley: TestParley;
let routes: readonly RouteSpec[];
/** By `METHOD /path`, the statuses that the published description promises. */
const documented = new Map<string, Set<number>>();

beforeAll(async () => {
  parley = await startParley({ PARLEY_RETRY_SCHEDULE: "3600" });
  routes = parley.app.server.routes.filter(forKeys);
  const { paths } = (await parley.call("GET", "/openapi.json", { key: null })).body;
  for (const [path, operations] of Object.entries<Record<string, { responses: object }>>(paths))
    for (const [method, { responses }] of Object.entries(operations))
      documented.set(
        `${method.toUpperCase()} ${path.replace("/api/v1", "")}`,
        new Set(Object.keys(responses).map(Number)),
      );
});
afterAll(() => parley.close());

const { seed } = seeded("random requests");
const RUNS = { seed, numRuns: scale(3, 100) };

function isDocumented(spec: RouteSpec, sent: unknown, { status, body, text }: Probe): void {
  const place = `${nameOf(spec)} with ${JSON.stringify(sent)?.slice(0, 1_000)} got ${status}: ${text.slice(0, 500)}`;
  expect(status, place).toBeLessThan(500);
  expect(documented.get(nameOf(spec)), nameOf(spec)).toBeDefined();
  expect([...(documented.get(nameOf(spec)) ?? [])], place).toContain(status);
  if (status < 300) expect(body, place).toMatchObject({ success: true, data: expect.anything() });
  else
    expect(body, place).toMatchObject({
      success: false,
      error: { code: expect.any(String), message: expect.any(String) },
    });
}

it(
  "every route responds to random bodies as documented, and none with a fault of its own",
  async () => {
    for (const spec of routes.filter(({ method }) => method !== "GET")) {
      // What is made first is changed again and again; routes that end it get 404 from then on, which is documented too.
      const path = await ownPath(parley.url, spec, parley.key);
      const body = fc.oneof(
        fc.record(shaped(spec.body?.properties ?? {}), { requiredKeys: [] }).map((fields) => ({
          ...goodBodyOf(spec),
          ...fields,
        })),
        fc.record(shaped(spec.body?.properties ?? {}), { requiredKeys: [] }),
        fc.dictionary(fc.string(), fc.jsonValue()),
      );
      const property = fc.asyncProperty(body, async (sent) =>
        isDocumented(
          spec,
          sent,
          await probe(parley.url, spec, path, parley.key, { body: sent, headers: uploadHeadersOf(spec) }),
        ),
      );
      await fc.assert(property, RUNS);
    }
  },
  scale(60_000, 300_000),
);

it(
  "every route responds to random queries as documented",
  async () => {
    for (const spec of routes.filter(({ method }) => method === "GET")) {
      const path = await ownPath(parley.url, spec, parley.key);
      const names = [...Object.keys(spec.query?.properties ?? {}), "page", "cursor", "unknown"];
      const fittingValue = (name: string) =>
        spec.query?.properties[name] ? fitting(spec.query.properties[name]).map(String) : text;
      const pair = fc
        .constantFrom(...names)
        .chain((name) => fc.tuple(fc.constant(name), fc.oneof(fittingValue(name), text)));
      const property = fc.asyncProperty(fc.array(pair, { maxLength: 6 }), async (pairs) => {
        const query = pairs.map((parts) => parts.map(encoded).join("="));
        isDocumented(spec, pairs, await probe(parley.url, spec, `${path}?${query.join("&")}`, parley.key));
      });
      await fc.assert(property, RUNS);
    }
  },
  scale(60_000, 300_000),
);

it(
  "every route responds to random ids as to unknown ones",
  async () => {
    const id = text.filter((name) => !/^[1-9]\d{0,14}$/.test(name) && encoded(name) !== "" && !/^\.{1,2}$/.test(name));
    for (const spec of routes.filter(hasParameters)) {
      const property = fc.asyncProperty(fc.array(id, { minLength: 3, maxLength: 3 }), async (ids) => {
        const names = parametersOf(spec.path);
        const path = fill(spec.path, (name) => encoded(ids[names.indexOf(name)] ?? ""));
        const reply = await probe(parley.url, spec, path, parley.key, { body: goodBodyOf(spec) ?? {} });
        expect(reply.status, `${nameOf(spec)} at ${path}: ${reply.text}`).toBe(404);
      });
      await fc.assert(property, RUNS);
    }
  },
  scale(60_000, 300_000),
);

it(
  "no random header makes a fault",
  async () => {
    const value = fc.string({ unit: fc.constantFrom(..."abcXYZ019 \t\"'(),/:;<=>?@[]{}*é%".split("")), maxLength: 60 });
    const headers = fc.dictionary(
      fc.constantFrom(
        "accept",
        "content-type",
        "idempotency-key",
        "last-event-id",
        "x-forwarded-for",
        "forwarded",
        "range",
      ),
      value.map((content) => content.trim()),
    );
    const some = routes.filter(({ path }) => ["/contacts", "/events", "/events/stream", "/me"].includes(path));
    for (const spec of some) {
      const property = fc.asyncProperty(headers, async (sent) => {
        const reply = await probe(parley.url, spec, spec.path, parley.key, { body: {}, headers: sent });
        expect(reply.status, `${nameOf(spec)} with ${JSON.stringify(sent)}: ${reply.text}`).toBeLessThan(500);
      });
      await fc.assert(property, { ...RUNS, numRuns: scale(8, 200) });
    }
  },
  scale(60_000, 300_000),
);
