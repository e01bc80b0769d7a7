import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleClient } from "../support/bundle.ts";
import { ensureBuilt } from "../support/cli.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { root } from "../tidy/source-text.ts";

const { run } = (await import(new URL("../../scripts/lib/run.mjs", import.meta.url).href)) as {
  run: (
    command: string,
    args: string[],
    options?: { cwd?: string },
  ) => Promise<{ code: number; stdout: string; output: string }>;
};

const COMPRESSED_BYTES_MAX = 12_288;

/** Uses the event's data by its type; the lines that are marked must not compile. */
const TYPED = `
import { Parley, unwrapWebhook, NotFoundError } from "@parley/client";

export async function receive(body: string, headers: Record<string, string>): Promise<string> {
  const event = await unwrapWebhook(body, headers, "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz");
  switch (event.type) {
    case "message.created": {
      const text: string = event.data.body;
      // @ts-expect-error a message has no such field
      event.data.no_such_field;
      return text;
    }
    case "contact.created":
      return event.data.name ?? "";
    case "unknown":
      return event.name;
    default:
      return event.type;
  }
}

const parley = new Parley({ url: "http://127.0.0.1:1", key: "k", maxRetries: 0 });
// @ts-expect-error the status is one of four words
parley.conversations.list({ status: 7 });
// @ts-expect-error a message says something
parley.messages.create(1);
// @ts-expect-error a note says something, too
parley.messages.create(1, { private: true });
const url = "https://a.example";
// @ts-expect-error there is no such event
parley.webhooks.create({ name: "w", url, events: ["mesage.created"] });
// @ts-expect-error there is no such group
parley.consumers.put("billing", { start: "now", types: ["mesages.*"] });
// @ts-expect-error the value of a header is text
parley.webhooks.create({ name: "w", url, events: ["*"], headers: { "X-Team": 7 } });
// @ts-expect-error there is no such text
parley.widgets.create({ name: "w", allowed_origins: [url], texts: { de: { titel: "Hallo" } } });
// @ts-expect-error only text begins with something
parley.webhooks.create({ name: "w", url, events: ["*"], filter: { data: { subject: { $startsWith: 7 } } } });
// @ts-expect-error a list of values has no objects
parley.consumers.put("billing", { start: "now", filter: { data: { priority: { $in: [{ a: 1 }] } } } });
// @ts-expect-error there is no such filter
parley.views.create({ name: "v", filters: { asignee_id: "me" } });
export async function correct(): Promise<string> {
  const filter = { $or: [{ data: { direction: "in", labels: ["vip", "gold"] } }, { $not: { data: { id: { $gt: 9 } } } }] };
  const filtered = await parley.webhooks.create({ name: "w", url, events: ["*"], filter });
  await parley.webhooks.update(filtered.id, { filter: filtered.filter });
  const view = await parley.views.create({ name: "v", filters: { status: ["open", "pending"], unread: true } });
  const isUnread: boolean = view.filters.unread === true;
  await parley.views.update(view.id, { filters: { ...view.filters, unread: !isUnread } });
  const { id, events } = await parley.webhooks.create({ name: "w", url, events: ["message.*"], headers: { "X-Team": "a" } });
  await parley.webhooks.update(id, { events, headers: [{ key: "X-Team", value: "b" }] });
  await parley.messages.create(1, { attachments: [{ file_id: 1 }] });
  await parley.messages.create(1, { body: "Hello", private: true });
  const widget = await parley.widgets.create({ name: "w", allowed_origins: [url], texts: { de: { title: "Hallo" } } });
  return widget.texts["de"]?.title ?? "";
}
export const isMissing = (error: unknown): boolean => error instanceof NotFoundError;
export const subject = async (): Promise<string | null> => (await parley.conversations.create({ subject: "s" })).subject;
`;

const PROJECTS = {
  esm: { type: "module" },
  cjs: { type: "commonjs" },
};

let directory: string;
let tarball: string;
let server: TestParley;

beforeAll(async () => {
  await ensureBuilt();
  directory = mkdtempSync(join(tmpdir(), "parley-client-"));
  // As client/README.md says, with --json to learn the name.
  const pack = ["pack", "-w", "client", "--pack-destination", directory, "--json"];
  const { code, stdout, output } = await run("npm", pack, { cwd: root });
  expect(code, output).toBe(0);
  tarball = join(directory, JSON.parse(stdout)[0].filename);
  server = await startParley();
});
afterAll(async () => {
  await server?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** An empty project with nothing but the packed client. */
async function emptyProject(name: keyof typeof PROJECTS): Promise<string> {
  const project = join(directory, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true, ...PROJECTS[name] }));
  const { code, output } = await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], {
    cwd: project,
  });
  expect(code, output).toBe(0);
  cpSync(join(root, "test/support/client-exercise.mjs"), join(project, "exercise.mjs"));
  return project;
}

describe("the packed client", () => {
  it("installs in empty projects, and ES modules and CommonJS can use it", async () => {
    const load = { esm: 'await import("@parley/client")', cjs: 'require("@parley/client")' };
    for (const name of ["esm", "cjs"] as const) {
      const project = await emptyProject(name);
      const program = `(async () => {
        const { exerciseClient } = await import("./exercise.mjs");
        console.log(await exerciseClient(${load[name]}, ${JSON.stringify({ url: server.url, key: server.key })}));
      })();`;
      writeFileSync(join(project, "main.js"), program);
      const { stdout, output } = await run(process.execPath, ["main.js"], { cwd: project });
      expect(stdout.trim(), output).toBe("ok");
    }
  });

  it("is installed by the file name that client/README.md gives", () => {
    expect(readFileSync(join(root, "client/README.md"), "utf8")).toContain(`npm install /tmp/${basename(tarball)}\n`);
  });

  it("compiles under strict TypeScript with node16 and bundler resolution, its events typed by their names", async () => {
    const resolutions = [
      ["esm", "node16", "node16"],
      ["cjs", "node16", "node16"],
      ["esm", "esnext", "bundler"],
    ] as const;
    for (const [name, module, moduleResolution] of resolutions) {
      const project = join(directory, name);
      writeFileSync(join(project, "typed.ts"), TYPED);
      const flags = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", ""];
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const { code, output } = await run(
        process.execPath,
        [tsc, ...flags, "--module", module, "--moduleResolution", moduleResolution, "typed.ts"],
        { cwd: project },
      );
      expect(code, `${name} ${moduleResolution}: ${output}`).toBe(0);
    }
  });

  it("passes publint and are-the-types-wrong", async () => {
    const { messages } = await publint({ pkgDir: join(root, "client"), level: "warning", strict: true });
    expect(messages).toEqual([]);
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    expect(checked.types && "problems" in checked ? checked.problems : checked).toEqual([]);
  });

  it(`is at most ${COMPRESSED_BYTES_MAX} bytes, minified and compressed, and has no dependencies`, async () => {
    const { code, imports } = await bundleClient("esm");
    const bytes = brotliCompressSync(code).length;
    expect(bytes).toBeLessThanOrEqual(COMPRESSED_BYTES_MAX);
    expect(bytes).toBeGreaterThan(1_000);
    expect(imports).toEqual([]);
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "client/package.json"), "utf8"));
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });
});
