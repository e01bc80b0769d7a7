import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY_TYPES, SCOPES, type Scope, scopesOfType } from "../../src/auth/scopes.ts";
import type { RouteSpec } from "../../src/http/route.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { FIXTURE_MAKERS, fill, makeFor, parametersOf } from "../support/route-fixtures.ts";

/** Below /api/v1 without being in the registry. */
const OUTSIDE_THE_REGISTRY = ["GET /api/v1/openapi.json"];
const UNKNOWN_ID = 999_999_999;

let parley: TestParley;
let routes: readonly RouteSpec[];
/** Secrets by what is wrong with them. */
const bad: Record<string, string | null> = {};
const typed: Record<string, string> = {};
/** A limited key with every scope but one, by that one. */
const lacking = new Map<Scope, string>();

beforeAll(async () => {
  parley = await startParley({ PARLEY_AUTH_FAILURES_PER_MINUTE: "1000000" });
  routes = parley.app.server.routes;
  const make = (input: object) => parley.createKey({ rate_limit_tier: "unlimited", ...input });
  const patched = async (body: object) => {
    const made = await make({});
    await parley.call("PATCH", `/api-keys/${made.id}`, { body });
    return made.key;
  };
  const revoked = await make({});
  await parley.call("DELETE", `/api-keys/${revoked.id}`);
  bad["no key"] = null;
  bad["a garbage key"] = "garbage";
  bad["a mistyped key"] = revoked.key.slice(0, -1) + (revoked.key.endsWith("A") ? "B" : "A");
  bad["a revoked key"] = revoked.key;
  bad["a paused key"] = await patched({ is_active: false });
  bad["an expired key"] = await patched({ expires_at: "2020-01-01T00:00:00Z" });
  bad["a key from a wrong address"] = (await make({ allowed_ips: ["203.0.113.1"] })).key;
  for (const type of KEY_TYPES)
    typed[type] = (await make({ type, abilities: type === "limited" ? SCOPES : ["*"] })).key;
  for (const scope of SCOPES) {
    const abilities = SCOPES.filter((other) => other !== scope);
    lacking.set(scope, (await make({ type: "limited", abilities })).key);
  }
});
afterAll(() => parley.close());

interface Probe {
  status: number;
  body: { success?: boolean; error?: { code: string } } | null;
  text: string;
}

/** A stream is left after its headers. */
async function probe(spec: RouteSpec, path: string, key: string | null, body?: object): Promise<Probe> {
  const leave = new AbortController();
  const response = await fetch(`${parley.url}/api/v1${path}`, {
    method: spec.method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: leave.signal,
  });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    leave.abort();
    return { status: response.status, body: { success: true }, text: "" };
  }
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text };
}

const nameOf = (spec: RouteSpec): string => `${spec.method} ${spec.path}`;
const withUnknownIds = (spec: RouteSpec): string => fill(spec.path, () => UNKNOWN_ID);

const CODES: Record<number, string> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND" };
const refusedWith = (status: number, what: string, reply: Probe) => {
  expect(reply.status, `${what}: ${reply.text}`).toBe(status);
  expect(reply.body, what).toMatchObject({ success: false, error: { code: CODES[status] } });
};

/** What a key that is let in gets for ids nobody has and an empty body. */
const letIn = (spec: RouteSpec, what: string, reply: Probe) => {
  if (parametersOf(spec.path).length > 0) refusedWith(404, what, reply);
  else if (spec.method === "GET") expect(reply.status, `${what}: ${reply.text}`).toBe(spec.success.status);
  else expect([spec.success.status, 422], `${what}: ${reply.text}`).toContain(reply.status);
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

  it("cannot grow by a path parameter that nobody made a fixture for", async () => {
    const path = "/things/{thing_nobody_knows}";
    await expect(makeFor(path, parley.url, parley.key)).rejects.toThrow(/No fixture maker for \{thing_nobody_knows\}/);
  });

  it("declares the parameters that its paths have", () => {
    for (const spec of routes) expect([...(spec.params ?? [])], nameOf(spec)).toEqual(parametersOf(spec.path));
  });

  it("asks for a key everywhere except where the contract says none is needed", () => {
    expect(routes.filter((spec) => spec.access === "public").map(nameOf)).toEqual([]);
  });

  it("lets any valid key in only where the contract says so", () => {
    const open = routes.filter((spec) => spec.access === "any").map(nameOf);
    expect(open.filter((name) => !["GET /me", "GET /event-types"].includes(name))).toEqual([]);
  });
});

describe("every route", () => {
  it.each(["no key", "a garbage key", "a mistyped key", "a revoked key", "a paused key", "an expired key"])(
    "answers %s with 401",
    async (what) => {
      for (const spec of routes)
        refusedWith(401, `${nameOf(spec)} with ${what}`, await probe(spec, withUnknownIds(spec), bad[what] as string));
    },
  );

  it("answers a key from a wrong address with 403", async () => {
    const key = bad["a key from a wrong address"] as string;
    for (const spec of routes) refusedWith(403, nameOf(spec), await probe(spec, withUnknownIds(spec), key));
  });

  it.each(KEY_TYPES)(
    "lets a %s key with all its abilities in where its type may go, and nowhere else",
    async (type) => {
      for (const spec of routes) {
        const reply = await probe(spec, withUnknownIds(spec), typed[type] as string);
        const what = `${nameOf(spec)} with a ${type} key`;
        if (spec.access === "any" || scopesOfType(type).includes(spec.access as Scope)) letIn(spec, what, reply);
        else refusedWith(403, what, reply);
      }
    },
  );

  it("answers a key with every scope but the needed one with 403, and the scope alone is enough", async () => {
    const only = new Map<string, string>();
    for (const scope of SCOPES)
      only.set(
        scope,
        (await parley.createKey({ type: "limited", abilities: [scope], rate_limit_tier: "unlimited" })).key,
      );
    for (const spec of routes) {
      if (spec.access === "any" || spec.access === "public") continue;
      const path = withUnknownIds(spec);
      refusedWith(
        403,
        `${nameOf(spec)} without ${spec.access}`,
        await probe(spec, path, lacking.get(spec.access) ?? ""),
      );
      letIn(spec, `${nameOf(spec)} with ${spec.access} alone`, await probe(spec, path, only.get(spec.access) ?? ""));
    }
  });

  it("answers ids that are no ids with 404", async () => {
    for (const spec of routes) {
      if (parametersOf(spec.path).length === 0) continue;
      for (const id of ["text", "-1", "0", "1.5", "99999999999999999999", "00000000-0000-0000-0000-000000000000"])
        refusedWith(
          404,
          `${nameOf(spec)} with ${id}`,
          await probe(
            spec,
            fill(spec.path, () => id),
            parley.key,
          ),
        );
    }
  });

  it("answers 404 before 422: an invalid body for ids nobody has", async () => {
    for (const spec of routes) {
      if (parametersOf(spec.path).length === 0 || !spec.body) continue;
      const wrong = Object.fromEntries(Object.keys(spec.body.properties).map((name) => [name, { wrong: true }]));
      refusedWith(404, nameOf(spec), await probe(spec, withUnknownIds(spec), parley.key, wrong));
    }
  });

  it("answers another workspace's ids exactly as unknown ones", async () => {
    const other = await parley.createWorkspace();
    for (const spec of routes) {
      const names = parametersOf(spec.path);
      if (names.length === 0) continue;
      const foreign = await makeFor(spec.path, parley.url, other.key);
      const unknown = await probe(spec, withUnknownIds(spec), parley.key);
      const reply = await probe(
        spec,
        fill(spec.path, (name) => foreign[name] ?? ""),
        parley.key,
      );
      refusedWith(404, `${nameOf(spec)} of another workspace`, reply);
      expect(reply.text, nameOf(spec)).toBe(unknown.text);
      if (names.length < 2) continue;

      // The foreign one inside a resource of one's own.
      const own = await makeFor(spec.path, parley.url, parley.key);
      const inner = names.at(-1) as string;
      const mixed = fill(spec.path, (name) => (name === inner ? foreign[name] : own[name]) ?? "");
      const nowhere = fill(spec.path, (name) => (name === inner ? UNKNOWN_ID : own[name]) ?? "");
      const inside = await probe(spec, mixed, parley.key);
      refusedWith(404, `${nameOf(spec)} of another workspace within one's own`, inside);
      expect(inside.text, nameOf(spec)).toBe((await probe(spec, nowhere, parley.key)).text);
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
