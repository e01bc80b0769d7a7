import { existsSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { KEY_TYPES, SCOPE_CATALOGUE, SCOPES, scopesOfType } from "../../src/auth/scopes.ts";
import { SETTINGS } from "../../src/config/index.ts";
import { ERROR_CATALOGUE } from "../../src/core/errors.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../src/events/catalogue.ts";
import { eventRoutes } from "../../src/http/routes/v1/events.ts";
import { DEFAULT_TIERS } from "../../src/rate-limit/limiter.ts";
import { root } from "../tidy/source-text.ts";
import { bare, readPage, section, tableUnder } from "./markdown.ts";

describe("docs/errors.md", () => {
  const rows = tableUnder(readPage("docs/errors.md"), "Errors");

  it("is the catalogue of errors", () => {
    expect(rows).toEqual(
      Object.entries(ERROR_CATALOGUE).map(([code, { status, when }]) => [String(status), code, when]),
    );
  });

  it("has every error that the first version of the API had", () => {
    expect(rows.map(([status, code]) => [status, code])).toEqual(
      expect.arrayContaining([
        ["401", "UNAUTHORIZED"],
        ["403", "FORBIDDEN"],
        ["404", "NOT_FOUND"],
        ["422", "VALIDATION_ERROR"],
        ["429", "RATE_LIMIT_EXCEEDED"],
      ]),
    );
  });
});

describe("docs/configuration.md", () => {
  it("is the table of settings, with their defaults", () => {
    expect(tableUnder(readPage("docs/configuration.md"), "Configuration")).toEqual(
      Object.entries(SETTINGS).map(([name, { fallback, about, ...rest }]) => [
        `\`${name}\``,
        fallback ? `\`${fallback}\`` : "none",
        about + ("secret" in rest ? " Never printed." : ""),
      ]),
    );
  });
});

describe("docs/api-keys.md", () => {
  const page = readPage("docs/api-keys.md");

  it("has every scope, what it allows, and which types may hold it", () => {
    expect(tableUnder(page, "Types and scopes")).toEqual(
      SCOPES.map((scope) => [
        `\`${scope}\``,
        SCOPE_CATALOGUE[scope],
        ...KEY_TYPES.map((type) => (scopesOfType(type).includes(scope) ? "yes" : "–")),
      ]),
    );
    expect(section(page, "Types and scopes")).toContain(KEY_TYPES.map((type) => `| \`${type}\` `).join(""));
  });

  it("has the tiers", () => {
    expect(tableUnder(page, "Rate limits")).toEqual(
      Object.entries(DEFAULT_TIERS).map(([name, limit]) => [
        `\`${name}\``,
        String(limit?.requests ?? "no limit"),
        String(limit?.windowSeconds ?? "–"),
      ]),
    );
  });
});

describe("docs/events.md", () => {
  const page = readPage("docs/events.md");
  const ajv = addFormats.default(new Ajv({ strict: false }));

  it("has the catalogue", () => {
    expect(tableUnder(page, "The catalogue")).toEqual(
      EVENT_TYPES.map((name) => [`\`${name}\``, EVENT_CATALOGUE[name].about]),
    );
  });

  it("has the examples that are served", async () => {
    const route = eventRoutes.find(({ path }) => path === "/event-types");
    const response = (await route?.handler({} as never, {} as never)) as { data: { name: string; example: object }[] };
    const printed = response.data.map(({ name }) => ({ name, example: exampleOf(name) }));
    expect(printed).toEqual(response.data.map(({ name, example }) => ({ name, example })));
  });

  it.each(EVENT_TYPES)("has an example of %s that its schema takes", (name) => {
    const validate = ajv.compile(EVENT_CATALOGUE[name].data);
    expect(validate(exampleOf(name).data), JSON.stringify(validate.errors)).toBe(true);
  });

  function exampleOf(name: string): { data: unknown } {
    const json = /```json\n([\s\S]*?)```/.exec(section(page, name))?.[1];
    return JSON.parse(json ?? "null");
  }
});

describe("docs/ARCHITECTURE.md", () => {
  const page = readPage("docs/ARCHITECTURE.md");

  it("has the import table that the tidy test holds", () => {
    const layers = literalIn("test/tidy/imports.test.ts", "LAYERS") as Record<
      string,
      { may: string[]; because: string }
    >;
    expect(tableUnder(page, "Who may import whom")).toEqual(
      Object.entries(layers).map(([name, { may, because }]) => [
        `\`${name}\``,
        may.map((layer) => `\`${layer}\``).join(", ") || "nothing",
        because,
      ]),
    );
  });

  it("leads from a message's request to its log row through at most 20 files, all of which exist", () => {
    const path = tableUnder(page, "A message, from its request to its log row");
    const files = path.map(([, file]) => bare(file));
    const asides = path.flatMap(([, , , cell]) => namesIn(cell));
    expect(path.map(([step]) => Number(step))).toEqual(files.map((_file, index) => index + 1));
    expect(files.length).toBeLessThanOrEqual(20);
    expect(new Set([...files, ...asides]).size).toBe(files.length + asides.length);
    expect([...files, ...asides].filter((file) => !existsSync(join(root, "src", file)))).toEqual([]);
    expect(files.filter((file) => readPage(`src/${file}`).includes("insert into delivery_attempts"))).toEqual([
      "queue/settle.ts",
    ]);
  });

  it("lists every table that has no workspace_id, or whose primary key does not begin with it", () => {
    const tables = [...readPage("docs/schema.sql").matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)^\)/gm)];
    expect(tables.length).toBeGreaterThan(50);
    const isWithout = (body: string) => !/^ {2}workspace_id /m.test(body);
    const hasOtherKey = (body: string) => !isWithout(body) && !body.includes("PRIMARY KEY (workspace_id");
    const named = (isMeant: (body: string) => boolean) =>
      tables.filter(([, , body = ""]) => isMeant(body)).map(([, name = ""]) => name);
    const rows = tableUnder(page, "What the schema rests on").map(([cell = ""]) => cell);
    const listed = (start: string) => rows.filter((cell) => cell.startsWith(start)).flatMap((cell) => namesIn(cell));
    expect(
      listed("without `workspace_id`")
        .filter((name) => name !== "workspace_id")
        .sort(),
    ).toEqual(named(isWithout));
    expect(listed("with another primary key").sort()).toEqual(named(hasOtherKey));
  });

  const namesIn = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
});

describe("docs/delivery.md", () => {
  const page = readPage("docs/delivery.md");
  const edges = literalIn("test/delivery/state-machine.test.ts", "EDGES") as [string, string, string][];

  it("has the edges that are tested, as a table", () => {
    expect(tableUnder(page, "States", "by").map((row) => row.slice(0, 3))).toEqual(edges);
  });

  it("has the same edges as a drawing", () => {
    const drawn = [...section(page, "States").matchAll(/^ {2}(\S+) --> (\S+): (.+)$/gm)];
    expect(drawn.map(([, from, to, by]) => [by, from === "[*]" ? "(nothing)" : from, to])).toEqual(edges);
  });

  it("says what each state means", () => {
    const states = new Set(edges.flatMap(([, from, to]) => [from, to]).filter((state) => state !== "(nothing)"));
    const documented = tableUnder(page, "States", "state").map(([state]) => bare(state));
    expect([...documented].sort()).toEqual([...states].sort());
  });
});

/** The literal of a constant in a test file, which cannot be imported without running its tests. */
function literalIn(path: string, name: string): unknown {
  const text = new RegExp(`^const ${name}\\b[^=]*= ([[{][\\s\\S]*?\\n[\\]}])`, "m").exec(readPage(path))?.[1];
  if (text === undefined) throw new Error(`${path} has no constant ${name}.`);
  return new Function(`return ${text}`)();
}
