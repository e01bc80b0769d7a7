import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parleyCommand } from "../support/cli.ts";
import { createEmbeddedHome, type EmbeddedHome } from "../support/embedded-home.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";

let home: EmbeddedHome;
let server: ParleyProcess;
beforeAll(async () => {
  home = createEmbeddedHome();
  server = await startProcess("serve", home, { PARLEY_SECRET_KEY: "" });
});
afterAll(async () => {
  await server?.end("SIGTERM");
  rmSync(home.dataDir, { recursive: true, force: true, maxRetries: 5 });
});

it("a command finds the server of its directory, whatever port that has", async () => {
  const { code, stdout, stderr } = await parleyCommand(["api", "GET", "/me"], { PARLEY_DATA_DIR: home.dataDir });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ success: true });
});

it("a server starts although its address cannot be written for the commands", async () => {
  const other = createEmbeddedHome();
  mkdirSync(join(other.dataDir, "server-address"));
  const started = await startProcess("serve", other, { PARLEY_SECRET_KEY: "" });
  await started.end("SIGTERM");
  rmSync(other.dataDir, { recursive: true, force: true, maxRetries: 5 });
});
