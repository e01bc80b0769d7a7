import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { type MadeIds, makeFor, makeMessageFor } from "../support/route-fixtures.ts";
import { readPage } from "./markdown.ts";

interface Reference {
  referencePages: (api: object) => { title: string; markdown: string }[];
}

const { referencePages } = (await import(new URL("../../site/src/reference.mjs", import.meta.url).href)) as Reference;
const pages = referencePages(JSON.parse(readPage("openapi.json")));

interface Example {
  method: string;
  path: string;
  command: string;
}

/** Every curl of the reference, with the operation that it stands under. */
const examples: Example[] = pages.flatMap(({ markdown }) =>
  markdown
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, method = "", path = ""] = /^`([A-Z]+) \/api\/v1(\S+)`$/m.exec(section) ?? [];
      const command = /```sh\n([\s\S]*?)```/.exec(section)?.[1];
      return command === undefined ? [] : [{ method, path, command }];
    }),
);

let parley: TestParley;
let directory: string;
beforeAll(async () => {
  parley = await startParley();
  directory = mkdtempSync(join(tmpdir(), "parley-reference-"));
  writeFileSync(join(directory, "photo.png"), "not really a photo");
  writeFileSync(join(directory, "mail.eml"), "From: zoe@example.com\r\nSubject: Lamp\r\n\r\nIt does not burn.\r\n");
});
afterAll(async () => {
  await parley.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("the examples of the API reference", () => {
  it.each(examples)("run as they are: $method $path", async ({ path, command }) => {
    const { key } = await parley.createWorkspace();
    const known = await makeMessageFor(path, parley.url, key);
    const made: MadeIds = await makeFor(path, parley.url, key, known);
    // Only the ids are those of records that exist here: in the order of the path.
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => String(made[name]));
    const withIds = command.replace(/\/(42|billing|evt_\w+)\b/g, (text) => `/${ids.shift() ?? text.slice(1)}`);
    const adapted = withIds.replace(EXAMPLE_CURSOR, await cursorOf(key));
    const { status, output } = await run(adapted, key);
    expect(status, `${command}\n${output}\nGive the schema of the body or the parameter \`examples\`.`).toMatch(/^2/);
    if (/^\{"success"/.test(output)) expect(JSON.parse(output)).not.toHaveProperty("warnings");
  });

  it("leave out what only signed-in people can call, and are there for all the rest", () => {
    const shown = examples.map(({ method, path }) => `${method} ${path}`);
    const expected = parley.app.server.routes.filter((spec) => !spec.peopleOnly && spec.access !== "public");
    expect(shown.sort()).toEqual(expected.map((spec) => `${spec.method} ${spec.path}`).sort());
  });

  it("show no warnings and no placeholder that says nothing", () => {
    for (const { title, markdown } of pages) {
      expect(markdown, title).not.toContain('"warnings"');
      expect(markdown, title).not.toMatch(/"text"(?!:)/);
    }
  });
});

describe("the tables of the API reference", () => {
  it("show the limits of numbers, texts and lists", () => {
    const webhooks = pages.find(({ title }) => title === "Webhooks")?.markdown;
    expect(webhooks).toContain("| `retry_count` | optional | integer, 0 to 10 |");
    expect(webhooks).toContain("| `timeout_seconds` | optional | integer, 5 to 60 |");
    expect(webhooks).toContain("| `name` | required | string, 1 to 255 characters |");
    expect(webhooks).toContain("| `events` | required | list of string, at most 64 characters, 1 to 100 items |");
    expect(webhooks).toContain("| `per_page` | query | integer, 1 to 100 |");
  });
});

const EXAMPLE_CURSOR = "AQAAAAAAAAAqzBfhRj6w";

/** A cursor belongs to its workspace. */
const cursorOf = async (key: string): Promise<string> =>
  (await parley.call("GET", "/events", { key })).body.meta.next_cursor;

/** A stream is left after a second: its status has come by then. */
function run(command: string, key: string): Promise<{ status: string; output: string }> {
  const quiet = command.replace(/^curl /, "curl -s --max-time $SECONDS_MAX -w '\\n%{http_code}' ");
  const child = spawn("bash", ["--norc", "-c", quiet], {
    cwd: directory,
    env: {
      ...process.env,
      PARLEY_URL: parley.url,
      PARLEY_KEY: key,
      SECONDS_MAX: String(atMost(command.includes("curl -N") ? 1 : 20)),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  return new Promise((resolve) =>
    child.once("close", () => {
      const lines = said.trimEnd().split("\n");
      resolve({ status: lines.at(-1) ?? "", output: lines.slice(0, -1).join("\n") });
    }),
  );
}
