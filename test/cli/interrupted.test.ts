import { once } from "node:events";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ensureBuilt, parleyCommand, spawnParley } from "../support/cli.ts";
import { createEmbeddedHome, type EmbeddedHome } from "../support/embedded-home.ts";
import { until } from "../support/wait.ts";

const homes: EmbeddedHome[] = [];
let home: EmbeddedHome;
beforeAll(ensureBuilt);
beforeEach(() => {
  home = createEmbeddedHome();
  homes.push(home);
});
afterAll(async () => {
  for (const each of homes) {
    each.killPostmaster("SIGQUIT");
    await until("PostgreSQL has ended", () => each.postmasterPid() === null, { timeoutMs: 30_000 });
    rmSync(each.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
});

function start(...args: string[]) {
  const child = spawnParley(args, { PORT: "0", PARLEY_DATA_DIR: home.dataDir });
  const output = { text: "" };
  child.stderr?.on("data", (chunk) => {
    output.text += chunk;
  });
  return { child, output, ended: once(child, "exit") };
}

const databaseRuns = () => home.postmasterPid() !== null;

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("a command that gets %s stops the database that it has started", async (signal, code) => {
  const { child, ended } = start("demo");
  await until("the database runs", databaseRuns, { timeoutMs: 30_000 });
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(databaseRuns()).toBe(false);
});

it("a restore that gets a signal stops the database that it has started", async () => {
  const { child, ended } = start("restore", "-");
  await until("the database runs", databaseRuns, { timeoutMs: 30_000 });
  child.kill("SIGTERM");
  expect(await ended).toEqual([143, null]);
  expect(databaseRuns()).toBe(false);
});

it("a server that gets a signal during its first start stops the database", async () => {
  const { child, output, ended } = start("serve");
  await until("the database runs", databaseRuns, { timeoutMs: 30_000 });
  expect(output.text).not.toContain("Parley is ready");
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  expect(databaseRuns()).toBe(false);
});

it("a command whose reader has ended does its work and stops the database", async () => {
  expect((await parleyCommand(["migrate"], { PARLEY_DATA_DIR: home.dataDir })).code).toBe(0);
  const { child, output, ended } = start("workspaces", "list");
  child.stdout?.destroy();
  expect(await ended).toEqual([0, null]);
  expect(output.text).not.toContain("EPIPE");
  expect(databaseRuns()).toBe(false);
});
