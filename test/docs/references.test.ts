import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiRoutes, type RouteOptions } from "../../src/http/routes/v1/index.ts";
import { hostedCommand } from "../support/cli.ts";
import { root } from "../tidy/source-text.ts";
import { anchorsOf, bare, blockMarked, codeBlocksOf, readPage, tableUnder, withoutCode } from "./markdown.ts";

const pages = [
  ...readdirSync(root).filter((file) => file.endsWith(".md")),
  "client/README.md",
  "examples/bot/README.md",
  ...["docs", "docs/decisions", "docs/guides"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}/${file}`),
  ),
];

describe("links", () => {
  it.each(pages)("of %s lead somewhere", (path) => {
    const links = [...withoutCode(readPage(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(path, link))).toEqual([]);
  });

  it("lead to every decision, in order", () => {
    const records = readdirSync(join(root, "docs/decisions")).filter((file) => /^\d{4}-/.test(file));
    const listed = [...readPage("docs/decisions/README.md").matchAll(/^\| \[(\d{4})\]\((\S+)\)/gm)];
    expect(listed.map(([, , file]) => file)).toEqual(records.sort());
    expect(listed.map(([, number]) => Number(number))).toEqual(records.map((_file, index) => index + 1));
    expect(listed.every(([, number, file]) => file?.startsWith(`${number}-`))).toBe(true);
  });

  it("lead from the README to every page", () => {
    const readme = readPage("README.md");
    for (const page of pages.filter((path) => /^docs\/[^/]+$/.test(path))) expect(readme).toContain(`](${page}`);
  });

  function leadsSomewhere(from: string, link: string): boolean {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? from : join(dirname(from), file);
    if (!existsSync(join(root, target))) return false;
    return anchor === undefined || anchorsOf(readPage(target)).includes(anchor);
  }
});

describe("operations", () => {
  const METHOD_AND_PATH = /`(GET|POST|PATCH|DELETE) (\/api\/v1\/[^`?\s]*)`/g;
  const inTables = ["api-keys", "webhooks", "events", "conversations", "widgets", "email"].flatMap((name) =>
    tableUnder(readPage(`docs/${name}.md`), "Operations").map((row) => ({ page: name, row })),
  );
  const routes = apiRoutes({} as RouteOptions).map((spec) => ({ ...spec, name: `${spec.method} /api/v1${spec.path}` }));

  it("that the pages list are those of the API, with their scopes and statuses", () => {
    expect(inTables.map(({ row }) => bare(row[0])).sort()).toEqual(routes.map(({ name }) => name).sort());
    for (const { page, row } of inTables) {
      const spec = routes.find(({ name }) => name === bare(row[0]));
      expect(row.at(-1), bare(row[0])).toMatch(new RegExp(`^${spec?.success.status}\\b`));
      const scope = page === "webhooks" ? "webhooks:manage" : bare(row[1]).replace("any key", "any");
      expect(scope, bare(row[0])).toBe(spec?.access);
    }
  });

  it.each(pages)("that %s names exist", (path) => {
    const known = new Set([...routes.map(({ name }) => name), "GET /api/v1/openapi.json"]);
    const named = [...readPage(path).matchAll(METHOD_AND_PATH)].map(([, method, route]) => `${method} ${route}`);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("commands", () => {
  it("that the pages name exist, and docs/operations.md names all", async () => {
    const known = await commands();
    const named = pages.flatMap((path) =>
      [...readPage(path).matchAll(/node bin\/parley\.mjs ([a-z-]+(?: [a-z-]+)?)/g)].map(([, words = ""]) => words),
    );
    const unknown = named.filter((words) => !known.includes(words) && !known.includes(words.split(" ")[0] ?? ""));
    expect(unknown).toEqual([]);
    const listed = tableUnder(readPage("docs/operations.md"), "Deploying").map(([command]) =>
      bare(command).replace("node bin/parley.mjs ", ""),
    );
    expect(listed).toEqual(known);
  });

  it("of npm that the pages name exist", () => {
    const { scripts } = JSON.parse(readPage("package.json")) as { scripts: Record<string, string> };
    const named = pages.flatMap((path) =>
      [...readPage(path).matchAll(/npm run ([a-z-]+)/g)].map(([, name = ""]) => name),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  /** Of each command that has commands of its own, those: `keys create`. */
  async function commands(): Promise<string[]> {
    const names = namesIn((await hostedCommand(["--help"])).stdout);
    const found = await Promise.all(
      names.map(async (name) => {
        const inner = namesIn((await hostedCommand([name, "--help"])).stdout);
        return inner.length > 0 ? inner.map((word) => `${name} ${word}`) : [name];
      }),
    );
    return found.flat();
  }

  function namesIn(help: string): string[] {
    const list = /\nCommands:\n([\s\S]*)/.exec(help)?.[1] ?? "";
    return [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = ""]) => name).filter((name) => name !== "help");
  }
});

describe("examples", () => {
  it.each([
    ["README.md", "examples/receiver.mjs"],
    ["docs/start.md", "examples/receiver.mjs"],
    ["docs/guides/bot.md", "examples/bot/bot.mjs"],
  ])("are the same in %s as in %s", (page, file) => {
    expect(blockMarked(readPage(page), `file: ${file}`)).toBe(readPage(file));
  });

  it("of the five-minute start are the README's three commands", () => {
    const commands = (page: string): string[] =>
      codeBlocksOf(page)
        .filter(({ language, code }) => language === "sh" && /^(npm start|node bin\/parley)/.test(code))
        .map(({ code }) => code);
    expect(commands("docs/start.md").slice(0, 3)).toEqual(commands("README.md"));
  });
});
