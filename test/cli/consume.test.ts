import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, parleyCommand, spawnParley } from "../support/cli.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

let server: TestParley;
let directory: string;
beforeAll(async () => {
  await ensureBuilt();
  server = await startParley();
  directory = mkdtempSync(join(tmpdir(), "parley-consume-"));
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const settings = () => ({ PARLEY_URL: server.url, PARLEY_KEY: server.key, PARLEY_DATA_DIR: directory });
const create = (name: string) => server.call("POST", "/contacts", { body: { name } });
const lag = async (name: string): Promise<number> =>
  (await server.call("GET", `/consumers/${name}`)).body.data.lag.events;
const CONTACTS = ["--create", "now", "--events", "contact.created"];

describe("parley consume", () => {
  it("gives each batch to the command as lines of JSON, and acknowledges it when that exits with 0", async () => {
    const file = join(directory, "lines");
    const run = (...args: string[]) =>
      parleyCommand(
        ["consume", "lines", "--once", ...args, "--", "sh", "-c", `cat >> ${file}; echo batch`],
        settings(),
      );
    expect(await run(...CONTACTS)).toMatchObject({ code: 0, stdout: "" });
    for (const name of ["one", "two\nlines", "three"]) await create(name);
    expect(await run("--limit", "2")).toMatchObject({ code: 0, stdout: "batch\nbatch\n" });
    const events = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(events.map((line) => JSON.parse(line).data.name)).toEqual(["one", "two\nlines", "three"]);
    expect(await lag("lines")).toBe(0);
  });

  it("does not acknowledge what the command failed for, and ends with its exit code where it runs once", async () => {
    await parleyCommand(["consume", "failing", "--once", ...CONTACTS, "--", "true"], settings());
    await create("kept");
    const failed = await parleyCommand(["consume", "failing", "--once", "--", "sh", "-c", "exit 7"], settings());
    expect(failed.code).toBe(7);
    expect(failed.stderr).toContain("exited with 7");
    expect(await lag("failing")).toBe(1);
    const missing = await parleyCommand(["consume", "failing", "--once", "--", "no-such-command"], settings());
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("could not be started") });
    expect(await lag("failing")).toBe(1);
  });

  it("runs until it is stopped, and repeats a batch until the command succeeds", async () => {
    const flag = join(directory, "failed-once");
    const child = spawnParley(
      ["consume", "long", ...CONTACTS, "--", "sh", "-c", `cat; test -e ${flag} || { touch ${flag}; exit 1; }`],
      settings(),
    );
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
    });
    await until("it exists", async () => (await server.call("GET", "/consumers/long")).status === 200, {
      timeoutMs: 20_000,
    });
    await create("repeated");
    await until("it came twice", () => output.match(/"repeated"/g)?.length === 2, { timeoutMs: 20_000 });
    await until("it is acknowledged", async () => (await lag("long")) === 0);
    child.kill("SIGTERM");
    const code = await new Promise((done) => child.once("exit", done));
    expect(code).toBe(0);
  });

  it("says that there is no such consumer", async () => {
    const reply = await parleyCommand(["consume", "nobody", "--", "true"], settings());
    expect(reply).toMatchObject({ code: 1, stderr: expect.stringMatching(/consumer/i) });
  });
});
