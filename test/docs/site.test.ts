import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { ERROR_CATALOGUE } from "../../src/core/errors.ts";
import { EVENT_TYPES } from "../../src/events/catalogue.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { ensureBuilt } from "../support/cli.ts";
import { root } from "../tidy/source-text.ts";
import { readPage, tableUnder, withoutCode } from "./markdown.ts";

interface Operation {
  method: string;
  path: string;
  operation: { operationId: string; summary: string };
  request: { schema: object; example: unknown } | null;
  response: { status: string; schema: object | null; example: unknown };
}

const { operationsOf } = (await import(new URL("../../site/src/reference.mjs", import.meta.url).href)) as {
  operationsOf: (api: object) => Operation[];
};

const api = JSON.parse(readPage("openapi.json")) as { components: { schemas: object } };
const site = join(root, "site/dist");
let files: string[];

beforeAll(async () => {
  await ensureBuilt();
  files = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((file) => /\.(html|md|txt)$/.test(file));
});

const read = (file: string): string => readFileSync(join(site, file), "utf8");
const pagesOf = (): string[] => files.filter((file) => file.endsWith(".html"));

/** `/docs/webhooks` → the file of the build that is served there. */
function fileAt(address: string): string | null {
  const path = address.replace(/^\/docs\/?/, "") || "index";
  return [path, `${path}.html`].find((name) => existsSync(join(site, name)) && !name.endsWith("/")) ?? null;
}

describe("the documentation site", () => {
  it("has no link that leads nowhere, within pages and between them", () => {
    const broken: string[] = [];
    for (const page of pagesOf()) {
      for (const [, href = ""] of read(page).matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^(https?:|mailto:)/.test(href) || href === "/api/v1/openapi.json") continue;
        const [address = "", hash] = href.split("#");
        const target = address === "" ? page : address.startsWith("/docs") ? fileAt(address) : null;
        const isThere = target !== null && (hash === undefined || read(target).includes(`id="${hash}"`));
        if (!isThere) broken.push(`${page}: ${href}`);
      }
    }
    expect(pagesOf().length).toBeGreaterThan(30);
    expect(broken).toEqual([]);
  });

  it("documents every operation of the API with a request and a response", () => {
    const text = pagesOf()
      .filter((page) => posix.dirname(page) === "api")
      .map(read)
      .join("\n");
    for (const { method, path, operation } of operationsOf(api)) {
      expect(text).toContain(`<code>${method} ${path}</code>`);
      expect(text).toContain(`<code>${operation.operationId}</code>`);
    }
  });

  it("shows only examples that the API's own schemas admit", () => {
    const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
    addFormats.default(ajv);
    const wrong: string[] = [];
    for (const { method, path, request, response } of operationsOf(api)) {
      for (const [kind, part] of Object.entries({ request, response })) {
        if (!part?.schema) continue;
        const schema = { ...(part.schema as object), components: api.components };
        if (!ajv.validate(schema, part.example)) wrong.push(`${kind} of ${method} ${path}: ${ajv.errorsText()}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("has every error and every event", () => {
    const errors = read("errors.html");
    for (const code of Object.keys(ERROR_CATALOGUE)) expect(errors).toContain(code);
    const events = read("events.html");
    for (const name of EVENT_TYPES) expect(events).toContain(name);
  });

  it("lists every tool that assistants are offered", () => {
    const rows = tableUnder(readPage("docs/guides/assistants.md"), "What is offered");
    const named = rows.flatMap(([tools = ""]) => [...tools.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(named.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  });

  it("gives every page as Markdown, and llms.txt lists pages that exist", () => {
    for (const page of pagesOf()) expect(files).toContain(page.replace(/\.html$/, ".md"));
    const listed = [...read("llms.txt").matchAll(/\]\(\/docs\/([^)]+)\)/g)].map(([, file = ""]) => file);
    expect(listed.length).toBeGreaterThan(20);
    for (const file of listed) expect(files).toContain(file);
  });

  it("leads from the Markdown of a page to the Markdown of others, and to nothing that is not served", () => {
    const broken: string[] = [];
    for (const page of files.filter((file) => file.endsWith(".md"))) {
      for (const [, link = ""] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?:|mailto:|#)/.test(link) || link === "/api/v1/openapi.json") continue;
        const [address = ""] = link.split("#");
        if (!address.startsWith("/docs/") || !files.includes(address.slice("/docs/".length)))
          broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("writes no script and no style into its pages, and loads nothing from elsewhere", () => {
    for (const page of pagesOf()) {
      const text = read(page);
      expect(text, page).not.toMatch(/<script(?! src="\/docs\/)|<style|\sstyle="|\son\w+="|javascript:/i);
      expect(text, page).not.toMatch(/<(?:link|script|img)[^>]*(?:href|src)="(?:https?:)?\/\//i);
      expect(text, page).not.toContain("[object Object]");
    }
  });
});
