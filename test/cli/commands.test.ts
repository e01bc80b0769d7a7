import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, hostedCommand, parleyCommand, spawnParley } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { callApi } from "../support/parley.ts";
import { until } from "../support/wait.ts";

const runFile = promisify(execFile);

let database: TestDatabase;
let settings: Record<string, string>;
beforeAll(async () => {
  await ensureBuilt();
  database = await createTestDatabase({ empty: true });
  settings = { DATABASE_URL: database.url, PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more" };
});
afterAll(() => database.drop());

describe("parley --help", () => {
  it.each([
    [["--help"], ["serve", "migrate", "workspaces", "keys", "doctor"]],
    [
      ["keys", "--help"],
      ["create", "list", "rotate", "revoke"],
    ],
    [
      ["keys", "create", "--help"],
      ["--name", "--type", "--abilities", "--workspace", "--json", "--quiet"],
    ],
    [
      ["keys", "rotate", "--help"],
      ["--overlap", "--json"],
    ],
    [
      ["serve", "--help"],
      ["--port", "--host"],
    ],
    [["migrate", "--help"], ["--json"]],
    [["doctor", "--help"], ["--json"]],
    [["workspaces", "create", "--help"], ["--json"]],
    [
      ["users", "create", "--help"],
      ["what they sign in with (required)", "what people call them (required)"],
    ],
    [["workspaces", "delete", "--help"], ["the exact name of the workspace (required)"]],
  ])("of %j names what there is, exit code 0", async (args, words) => {
    const { code, stdout } = await hostedCommand(args);
    expect(code).toBe(0);
    for (const word of words) expect(stdout).toContain(word);
  });

  it.each(["trigger", "api", "keys rotate"])(
    "of %s shows a default at most once, and no empty one",
    async (command) => {
      const { stdout } = await hostedCommand([...command.split(" "), "--help"]);
      expect(stdout).not.toContain("{}");
      expect(stdout).not.toContain("by default");
    },
  );

  it.each([[["nonsense"]], [["serve", "--nonsense"]], [["keys", "rotate"]]])(
    "is pointed to when %j is not a valid command, with exit code 1",
    async (args) => {
      const { code, stderr } = await hostedCommand(args, settings);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: .*\n.*add --help/s);
    },
  );
});

describe("with the parley commands,", () => {
  it("doctor says what to do, changes nothing, and finds no problem once it is done", async () => {
    const before = await hostedCommand(["doctor", "--json"], settings);
    expect(before.code).toBe(1);
    const report = JSON.parse(before.stdout);
    expect(report.ok).toBe(false);
    expect(report.findings.find((finding: { toDo?: string }) => finding.toDo).toDo).toContain("parley.mjs migrate");
    expect(await database.query("select 1 from information_schema.tables where table_schema = 'public'")).toEqual([]);

    const migrated = await hostedCommand(["migrate", "--json"], settings);
    expect(migrated.code, migrated.stderr).toBe(0);
    expect(JSON.parse(migrated.stdout).schema_version).toBeGreaterThan(0);
    const again = await hostedCommand(["migrate"], settings);
    expect(again.stdout).toMatch(/up to date/);

    const after = await hostedCommand(["doctor"], settings);
    expect(after.code, after.stdout).toBe(0);
    expect(after.stdout).toContain("No problems found.");
    expect(after.stdout).not.toContain("a-secret-key-for-tests");
  });

  it("doctor reports that the database is unavailable", async () => {
    const { code, stdout } = await hostedCommand(["doctor"], {
      ...settings,
      DATABASE_URL: "postgres://127.0.0.1:9/none",
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/database is unavailable: .*ECONNREFUSED/);
  });

  it.each([[["migrate"]], [["keys", "list"]], [["serve", "--port", "0"]]])(
    "%j without a database ends with exit code 1 and a sentence",
    async (args) => {
      const { code, stderr } = await parleyCommand(args, { ...settings, DATABASE_URL: "postgres://127.0.0.1:9/none" });
      expect(code).toBe(1);
      expect(stderr).toMatch(/parley: .*database/i);
      expect(stderr).not.toMatch(/\n\s+at /);
    },
  );

  it("settings that are wrong are all reported, with exit code 1", async () => {
    const { code, stderr } = await parleyCommand(["serve"], { ...settings, PORT: "x", PARLEY_LOG_LEVEL: "x" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/PORT must[\s\S]*PARLEY_LOG_LEVEL must/);
  });

  it("openapi prints the description", async () => {
    const { code, stdout } = await hostedCommand(["openapi"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).openapi).toBe("3.1.0");
  });
});

describe("parley serve", () => {
  it("serves, says where, and SIGTERM lets it end by itself with exit code 0", async () => {
    const child = spawnParley(["serve", "--port", "0"], settings);
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    const ended = new Promise((done) => child.once("close", done));
    const url = await until("it says where it is", () => /ready at (\S+)/.exec(said)?.[1], { timeoutMs: 20_000 });
    const hint = /curl -H "Authorization: Bearer .*keys create/;
    await until("it says how to create the first key", () => hint.test(said), { timeoutMs: 20_000 });
    expect((await callApi(url, "GET", "//health/ready", { key: null })).status).toBe(200);
    // As pasted into a terminal in another directory that has the settings which it names.
    expect(said).toContain("(with the same DATABASE_URL and PARLEY_SECRET_KEY)");
    const [pasted = ""] = /curl -H .*/.exec(said) ?? [];
    const printed = await runFile("bash", ["-c", pasted], { cwd: tmpdir(), env: { ...process.env, ...settings } });
    expect(JSON.parse(printed.stdout)).toMatchObject({ success: true });

    const { stdout } = await hostedCommand(["keys", "create", "--name", "second", "--quiet"], settings);
    const key = stdout.trim();
    expect((await callApi(url, "GET", "/me", { key })).status).toBe(200);
    // The program is a bundle, and a bundler may leave out what it takes for useless: here the attempt to decode.
    const undecodable = await callApi(url, "GET", "/contacts/%E0", { key });
    expect(undecodable.text).toBe((await callApi(url, "GET", "/contacts/999999", { key })).text);

    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("prints a command for the first key that finds the key file of a server on DATABASE_URL", async () => {
    const fresh = await createTestDatabase({ empty: true });
    const directory = mkdtempSync(join(tmpdir(), "parley-banner-"));
    // Started as root, the server continues as another user.
    chmodSync(directory, 0o755);
    const child = spawnParley(["serve", "--port", "0"], { DATABASE_URL: fresh.url, PARLEY_DATA_DIR: directory });
    try {
      let said = "";
      child.stderr?.on("data", (chunk) => {
        said += chunk;
      });
      const pasted = await until("it prints the command", () => /curl -H .*\/me$/m.exec(said)?.[0], {
        timeoutMs: 60_000,
      });
      expect(said).toContain("(with the same DATABASE_URL)");
      const { PARLEY_DATA_DIR: _none, PARLEY_SECRET_KEY: _neither, ...env } = process.env;
      const printed = await runFile("bash", ["-c", pasted], {
        cwd: tmpdir(),
        env: { ...env, DATABASE_URL: fresh.url },
      });
      expect(JSON.parse(printed.stdout)).toMatchObject({ success: true });
    } finally {
      const ended = new Promise((done) => child.once("close", done));
      child.kill("SIGTERM");
      await ended;
      await fresh.drop();
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it("a port in use ends with exit code 1 and a message that says what to do", async () => {
    const { createServer } = await import("node:net");
    const blocker = createServer();
    await new Promise<void>((done) => blocker.listen(0, "127.0.0.1", done));
    const { port } = blocker.address() as { port: number };
    const { code, stderr } = await parleyCommand(["serve"], { ...settings, PORT: String(port) });
    blocker.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/set PORT to a free one/);
  });
});
