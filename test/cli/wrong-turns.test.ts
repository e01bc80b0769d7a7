import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explain } from "../../src/cli/explain.ts";
import { ensureBuilt, hostedCommand, parleyCommand, spawnParley } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { SECRET_KEY, startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

/** What a developer runs into in the first hour: a terminal of 80 columns, a wrong address, a typing error. */

const PROGRAM = resolve(import.meta.dirname, "../../bin/parley.mjs");

let server: TestParley;
let empty: TestDatabase;
let directory: string;
let website: Server;
let websiteUrl: string;
let settings: Record<string, string>;

beforeAll(async () => {
  await ensureBuilt();
  server = await startParley();
  empty = await createTestDatabase({ empty: true });
  directory = mkdtempSync(join(tmpdir(), "parley-turns-"));
  website = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>\n\n<p>Hello</p>\n\n");
  }).listen(0, "127.0.0.1");
  await until("the website listens", () => website.listening);
  websiteUrl = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
  settings = { PARLEY_URL: server.url, PARLEY_KEY: server.key, PARLEY_DATA_DIR: directory };
});
afterAll(async () => {
  website?.close();
  await server?.close();
  await empty?.drop();
  rmSync(directory, { recursive: true, force: true });
});

describe("a server", () => {
  it("whose metrics port is in use names the setting of that port", async () => {
    const { code, stderr } = await parleyCommand(["serve"], {
      DATABASE_URL: server.database.url,
      PARLEY_DATA_DIR: directory,
      PARLEY_SECRET_KEY: SECRET_KEY,
      HOST: "127.0.0.1",
      PORT: "0",
      PARLEY_METRICS_PORT: new URL(websiteUrl).port,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/PARLEY_METRICS_PORT is \d+, where another program listens; set it to a free port\./);
    expect(stderr).not.toMatch(/\bset PORT\b/);
  });

  it("reads in a sentence which ports it may use, where the system refuses one", () => {
    const refused = Object.assign(new Error("listen EACCES"), { code: "EACCES", syscall: "listen", port: 80 });
    expect(explain(refused)).toContain("Port 80 is reserved for root, like every port below 1024. Set PORT to 1024");
  });

  it("that may not use its port says which ports it may use", async ({ skip }) => {
    skip(process.getuid?.() === 0, "root may use every port");
    const own = { DATABASE_URL: server.database.url, PARLEY_DATA_DIR: directory, PARLEY_SECRET_KEY: SECRET_KEY };
    const { code, stderr } = await parleyCommand(["serve"], { ...own, HOST: "127.0.0.1", PORT: "80" });
    expect(code).toBe(1);
    expect(stderr).toContain("Port 80 is reserved for root, like every port below 1024. Set PORT to 1024 or above");
  });
});

describe("a database", () => {
  it("where nothing listens is named by its setting, with the way without it", async () => {
    const nowhere = { DATABASE_URL: "postgres://parley@127.0.0.1:1/parley", PARLEY_DATA_DIR: directory };
    const { code, stderr } = await hostedCommand(["keys", "list"], nowhere);
    expect(code).toBe(1);
    expect(stderr).toMatch(/ECONNREFUSED 127\.0\.0\.1:1\. Check the host and the port in DATABASE_URL, and that/);
    expect(stderr).toContain("without DATABASE_URL Parley runs a PostgreSQL of its own");
  });

  it("whose role may not create tables is explained with the right that it lacks", async () => {
    const others = await createTestDatabase({ empty: true });
    try {
      await others.asAdmin(`alter database ${others.name} owner to current_user`);
      const own = { DATABASE_URL: others.url, PARLEY_DATA_DIR: directory };
      const { code, stderr } = await parleyCommand(["migrate"], own);
      expect(code).toBe(1);
      expect(stderr).toMatch(/The role in DATABASE_URL lacks a right: permission denied .*CREATE in its schema public/);
    } finally {
      await others.drop();
    }
  });
});

describe("a command for a server", () => {
  it("ends with an error, and never says ready, at the address of another program", async () => {
    const elsewhere = { ...settings, PARLEY_URL: websiteUrl };
    const [listener, tail, triggered] = await Promise.all([
      hostedCommand(["listen"], elsewhere),
      hostedCommand(["events", "tail"], elsewhere),
      hostedCommand(["trigger", "message.created"], elsewhere),
    ]);
    for (const { code, stderr } of [listener, tail, triggered]) {
      expect(code, stderr).toBe(1);
      expect(stderr).toContain("This is not a response of the Parley API (HTTP 200, text/html)");
      expect(stderr).not.toContain("Ready");
    }
  });

  it("prints every invalid field with the nearest name, and with --json one object on one line", async () => {
    const [listener, asJson, triggered, queried] = await Promise.all([
      hostedCommand(["listen", "--events", "mesage.created"], settings),
      hostedCommand(["listen", "--events", "mesage.created", "--json"], settings),
      hostedCommand(["trigger", "conversation.created", "--set", "status=opne"], settings),
      hostedCommand(["api", "GET", "/contacts?limit=1", "--query", "search=a"], settings),
    ]);
    expect(listener.stderr).toContain("message.created");
    expect(asJson).toMatchObject({ code: 1, stderr: "" });
    const [line = "", ...rest] = asJson.stdout.trim().split("\n");
    expect(JSON.parse(line)).toMatchObject({ type: "error", message: expect.stringContaining("message.created") });
    expect(rest).toEqual([]);
    expect(triggered.stderr).toMatch(/status .*open/);
    expect(queried, queried.stdout).toMatchObject({ code: 0 });
  });

  it("creates no database in a directory where no server has run, and says what to do", async () => {
    const nowhere = join(directory, "nowhere");
    const { code, stderr } = await parleyCommand(["trigger", "message.created"], { PARLEY_DATA_DIR: nowhere });
    expect(code).toBe(1);
    expect(stderr).toContain(`No server has run here: there is no ${nowhere}`);
    expect(existsSync(nowhere)).toBe(false);
  });

  it("creates no database where there is no installation, and says how to name one", async () => {
    const nowhere = join(directory, "nowhere");
    const commands = [["workspaces", "list"], ["keys", "create"], ["secret-key", "replace-lost"], ["worker"]];
    // One after the other: where the first one creates a database after all, no worker is left running on it.
    for (const args of commands) {
      const { code, stdout, stderr } = await parleyCommand(args, { PARLEY_DATA_DIR: nowhere });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(`There is no installation of Parley in ${nowhere}`);
      expect(stderr).toContain("set PARLEY_DATA_DIR");
    }
    expect(existsSync(nowhere)).toBe(false);
  });

  it.skipIf(process.platform !== "linux").each([
    ["its own database", {}],
    ["DATABASE_URL", { DATABASE_URL: "of the test" }],
  ])("ends with a sentence where the data directory cannot be created, with %s", async (_name, given) => {
    const url = "DATABASE_URL" in given ? { DATABASE_URL: empty.url } : {};
    const { code, stderr } = await parleyCommand(["migrate"], { ...url, PARLEY_DATA_DIR: "/proc/parley" });
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/parley: The (?:data directory|key that seals secrets) .*\/proc\/parley.*ENOENT/);
    expect(stderr).toContain("set PARLEY_DATA_DIR to");
  });

  it.skipIf(process.platform !== "linux")(
    "ends with a sentence where the data directory exists and nothing can be written to it",
    async () => {
      const closed = join(directory, "closed");
      mkdirSync(closed, { mode: 0o555 });
      chmodSync(directory, 0o755);
      // Modes do not stop root; a read-only file system does.
      const isRoot = process.geteuid?.() === 0;
      if (isRoot) execFileSync("mount", ["-t", "tmpfs", "-o", "ro,mode=755", "parley-read-only", closed]);
      try {
        const { code, stderr } = await parleyCommand(["migrate"], { PARLEY_DATA_DIR: closed });
        expect(code, stderr).toBe(1);
        expect(stderr).toMatch(/parley: The data directory .*closed is not writable: .*set PARLEY_DATA_DIR to/);
        expect(stderr).not.toContain("mkdir");
      } finally {
        if (isRoot) execFileSync("umount", [closed]);
      }
    },
  );

  it("ends with a sentence where the way to the data directory is closed to its user", async ({ skip }) => {
    skip(process.geteuid?.() === 0, "root may enter every directory");
    const locked = join(directory, "locked");
    mkdirSync(locked, { mode: 0o000 });
    const { code, stderr } = await parleyCommand(["migrate"], { PARLEY_DATA_DIR: join(locked, "data") });
    expect(code, stderr).toBe(1);
    // From Node 24 on, a directory that may not be entered is not removed either.
    chmodSync(locked, 0o755);
    expect(stderr).toMatch(/parley: This user may not enter the data directory .*locked\/data/);
    expect(stderr).toContain("set PARLEY_DATA_DIR to");
  });

  it.skipIf(process.platform !== "linux")(
    "ends with a sentence where it cannot keep what it remembers of a server elsewhere",
    async () => {
      const { code, stderr } = await parleyCommand(["listen"], { ...settings, PARLEY_DATA_DIR: "/proc/parley" });
      expect(code, stderr).toBe(1);
      expect(stderr).toMatch(/parley: The directory \/proc\/parley\/cli\/listen cannot be created: ENOENT/);
      expect(stderr).toContain("Set PARLEY_DATA_DIR to");
    },
  );

  it("remembers a server elsewhere for the person, in whichever directory it is run", async () => {
    const { PARLEY_DATA_DIR: _none, ...others } = settings;
    const state = join(directory, "state");
    const { stdout } = await parleyCommand(["listen", "--print-secret"], { ...others, XDG_STATE_HOME: state });
    expect(stdout).toMatch(/^whsec_/);
    expect(existsSync(join(state, "parley/listen"))).toBe(true);
  });

  it("ends quietly when nobody reads its output any more", async () => {
    const child = spawnParley(["events", "tail", "--since", "1d", "--json"], settings);
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdout?.destroy();
    const ended = new Promise((done) => child.once("exit", done));
    await until("it follows the events", () => /Ready/.test(stderr) || child.exitCode !== null, { timeoutMs: 30_000 });
    for (let count = 0; child.exitCode === null && count < 20; count++)
      await server.call("POST", "/contacts", { body: { name: "A" } });
    expect(await ended).toBe(0);
    expect(stderr).not.toContain("EPIPE");
  });
});

describe("parley workspaces move", () => {
  it("moves nothing and names the option when the map of the proxy or the other database cannot be used", async () => {
    const own = {
      DATABASE_URL: server.database.url,
      PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more",
      PARLEY_DATA_DIR: directory,
    };
    const move = (...args: string[]) => parleyCommand(["workspaces", "move", "1", ...args], own);
    const [unwritable, unreachable] = await Promise.all([
      move("--to", empty.url, "--proxy-map", join(directory, "missing", "moved.map")),
      move("--to", "postgres://parley:hush@127.0.0.1:1/cell7"),
    ]);
    expect(unwritable).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--proxy-map cannot be written: ENOENT/),
    });
    expect(unreachable).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(--to\) cannot be used: connect ECONN/),
    });
    expect(unreachable.stderr).not.toContain("hush");
  });
});

describe("parley listen on a terminal", () => {
  it("keeps the lines of its receiver apart from its own last line, and ends with q", async ({ skip }) => {
    // It gives a program a terminal; the one of macOS takes other options.
    skip(process.platform !== "linux", "the test uses the script command of Linux");
    const receiver = "process.stdout.write('the receiver runs\\\\nand says more\\\\n'); setInterval(() => {}, 1000)";
    const command = `stty cols 80; ${process.execPath} ${PROGRAM} listen --forward-to 9 -- ${process.execPath} -e "${receiver}"`;
    const child = spawn("script", ["-qec", command, "/dev/null"], { env: { ...process.env, ...settings } });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const ended = new Promise((done) => child.once("exit", done));
    const hasAll = () => output.includes("and says more") && output.includes("Ready: events of");
    await until("it is ready and the receiver runs", hasAll, { timeoutMs: 30_000 });
    child.stdin.write("q");
    expect(await ended, output).toBe(0);
    const shown = output.replaceAll("\r", "").split("\n");
    const cleared = "\u001b[2K";
    for (const text of [
      "the receiver runs",
      "and says more",
      `Ready: events of ${server.url} go to http://localhost:9/`,
    ])
      expect(
        shown.map((line) => line.slice(line.lastIndexOf(cleared) + cleared.length)),
        output,
      ).toContain(text);
  });
});
