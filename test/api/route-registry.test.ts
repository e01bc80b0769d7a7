import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteSpec } from "../../src/http/pipeline/route.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { FIXTURE_MAKERS, fill, makeFor, parametersOf } from "../support/route-fixtures.ts";
import { forKeys, hasParameters, nameOf, type Probe, probe, withUnknownIds } from "../support/route-walk.ts";

/** Below /api/v1 without being in the registry. */
const OUTSIDE_THE_REGISTRY = ["GET /api/v1/openapi.json"];

let parley: TestParley;
let routes: readonly RouteSpec[];
beforeAll(async () => {
  parley = await startParley();
  routes = parley.app.server.routes;
});
afterAll(() => parley.close());

const isMissing = (what: string, reply: Probe) => {
  expect(reply.status, `${what}: ${reply.text}`).toBe(404);
  expect(reply.body, what).toMatchObject({ success: false, error: { code: "NOT_FOUND" } });
};

describe("the registry of routes", () => {
  it("holds every route below /api/v1", () => {
    const known = new Set([...routes.map((spec) => `${spec.method} /api/v1${spec.path}`), ...OUTSIDE_THE_REGISTRY]);
    const served = servedRoutes(parley.app.server.fastify.printRoutes({ commonPrefix: false }));
    expect(served.length).toBeGreaterThan(5);
    expect(served.filter((name) => name.includes(" /api/") && !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !served.includes(name))).toEqual([]);
  });

  it("has a fixture maker for every path parameter", () => {
    const names = new Set(routes.flatMap((spec) => parametersOf(spec.path)));
    const missing = [...names].filter((name) => !FIXTURE_MAKERS[name]);
    expect(missing, "add makers to test/support/route-fixtures.ts").toEqual([]);
  });

  it("cannot get a path parameter without a fixture for it", async () => {
    const path = "/things/{thing_nobody_knows}";
    await expect(makeFor(path, parley.url, parley.key)).rejects.toThrow(/No fixture maker for \{thing_nobody_knows\}/);
  });

  it("has a parameter in its path for each name", () => {
    for (const spec of routes) if (spec.name) expect(parametersOf(spec.path), nameOf(spec)).toContain(spec.name);
  });
});

describe("every route with a resource in its path", () => {
  it("responds with 404 to values that are not ids", async () => {
    for (const spec of routes.filter(forKeys).filter(hasParameters))
      for (const id of ["text", "-1", "0", "1.5", "99999999999999999999", "00000000-0000-0000-0000-000000000000"]) {
        const path = fill(spec.path, () => id);
        isMissing(`${nameOf(spec)} with ${id}`, await probe(parley.url, spec, path, parley.key));
      }
  });

  it("responds with 404 before 422: an invalid body for ids nobody has", async () => {
    for (const spec of routes.filter(forKeys).filter(hasParameters)) {
      if (!spec.body) continue;
      const body = Object.fromEntries(Object.keys(spec.body.properties).map((name) => [name, { wrong: true }]));
      isMissing(nameOf(spec), await probe(parley.url, spec, withUnknownIds(spec), parley.key, { body }));
    }
  });
});

/** Fastify prints its routes as a tree, four characters a level. */
function servedRoutes(tree: string): string[] {
  const prefixes: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/u.exec(line);
    if (!match) return [];
    const [, indent = "", part = "", methods = ""] = match;
    const depth = indent.length / 4;
    const url = (depth > 0 ? (prefixes[depth - 1] ?? "") : "") + part;
    prefixes[depth] = url;
    const path = url.replace(/:(\w+)/g, "{$1}");
    return methods
      .split(", ")
      .filter((method) => method !== "" && method !== "HEAD")
      .map((method) => `${method} ${path}`);
  });
}
