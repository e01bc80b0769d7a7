import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ERROR_CLASSES, EVENT_NAMES, Parley, ParleyError } from "@parley/client";
import { describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../src/events/catalogue.ts";
import { root } from "../tidy/source-text.ts";

const description = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8")) as {
  paths: Record<string, Record<string, unknown>>;
  components: { responses: Record<string, unknown> };
};

interface Operation {
  summary: string;
  description: string;
  "x-people-only"?: boolean;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Calls every method there is and notes the request it makes. */
async function requestsOfEveryMethod(): Promise<Map<string, string>> {
  const requests = new Map<string, string>();
  let current = "";
  const parley = new Parley({
    url: "http://parley.test",
    key: "k",
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      requests.set(current, `${init?.method} ${pathname}`);
      // A stream would connect again after any other response, and a consumer read on.
      if (/\/stream$|\/consumers\/ID\/events$/.test(pathname))
        return new Response('{"error":{"code":"UNAUTHORIZED"}}', { status: 401 });
      return new Response(JSON.stringify({ success: true, data: [], meta: { has_more: false } }));
    },
  });
  for (const [resource, methods] of Object.entries(parley)) {
    const entries: [string, unknown][] = typeof methods === "function" ? [["", methods]] : Object.entries(methods);
    for (const [name, method] of entries) {
      current = `${resource}.${name}`;
      const result = (method as (...args: unknown[]) => unknown)("ID", "ID", {}, {});
      if (typeof (result as AsyncGenerator).next === "function")
        await (result as AsyncGenerator).next().catch(() => {});
      else await result;
    }
  }
  return requests;
}

describe("the client", () => {
  it("has exactly one method for every operation of the API description", async () => {
    const requests = [...(await requestsOfEveryMethod()).values()].sort();
    const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "ID")}`),
    );
    expect(requests).toEqual(operations.sort());
  });

  it("says in the editor and in its README what each method does and which scope it needs", () => {
    const source = readFileSync(join(root, "client/src/parley.ts"), "utf8");
    const readme = readFileSync(join(root, "client/README.md"), "utf8");
    const methods = [
      ...source.matchAll(/\/\*\* (.*) \*\/\n\s+(\w+): (?:call|query|text|body|list)\("(\w+) (\/[^"]*)"\)/g),
    ];
    expect(methods).toHaveLength(source.match(/: (?:call|query|text|body|list)\("/g)?.length ?? 0);
    for (const [, said = "", name = "", verb = "", path = ""] of methods) {
      const operation = description.paths[`/api/v1${path}`]?.[verb.toLowerCase()] as Operation;
      const scope = /Required scope: (`[^`]+`)/.exec(operation.description)?.[1];
      const isForPeople = operation["x-people-only"] === true;
      const who = isForPeople ? " Only for people who are signed in; a key receives a 403." : ` Scope: ${scope}.`;
      expect(said, `${verb} ${path}`).toBe(`${operation.summary}.${isForPeople || scope ? who : ""}`);
      expect(readme).toMatch(
        new RegExp(
          `\\| \`(?:\\w+\\.)?${name}\` \\| ${escaped(operation.summary)} \\| ${isForPeople ? "people only" : (scope ?? "any")} \\|`,
        ),
      );
    }
  });

  it("has an error class of its own for every error code", () => {
    const codes = Object.keys(description.components.responses);
    const classes = codes.map((code) => ERROR_CLASSES[code]);
    expect(classes).not.toContain(undefined);
    expect(new Set(classes).size).toBe(codes.length);
    expect(classes.every((one) => one?.prototype instanceof ParleyError)).toBe(true);
  });

  it("knows every event of the catalogue", () => {
    expect([...EVENT_NAMES].sort()).toEqual([...EVENT_TYPES].sort());
  });
});
