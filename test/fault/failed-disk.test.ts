import { afterAll, beforeAll, expect, it } from "vitest";
import { parleyCommand } from "../support/cli.ts";
import { createEmbeddedHome, type EmbeddedHome } from "../support/embedded-home.ts";
import { type FailingDisk, openFailingDisk, whyNoFailingDisk } from "../support/failing-disk.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { until } from "../support/wait.ts";

const DISK_BYTES = 400 * 1_048_576;

const obstacle = whyNoFailingDisk();
let disk: FailingDisk;
let home: EmbeddedHome;
let server: ParleyProcess;
beforeAll(async () => {
  if (obstacle !== null) return;
  disk = openFailingDisk(DISK_BYTES);
  home = createEmbeddedHome(disk.path);
  server = await startProcess("serve", home);
});
afterAll(async () => {
  if (obstacle !== null) return;
  await server?.end("SIGKILL");
  home?.killPostmaster();
  disk?.close();
});

it("a failed disk is a 503 from the first write on, and readiness and doctor name it", {
  timeout: 300_000,
}, async ({ skip }) => {
  skip(obstacle !== null, `no file system can be made here: ${obstacle}`);
  const write = () => server.call("POST", "/contacts", { body: { name: "A" } });
  expect((await write()).status).toBe(201);
  disk.fail();
  const refused: number[] = [];
  for (let n = 0; n < 5; n++) refused.push((await write()).status);
  expect(refused).toEqual([503, 503, 503, 503, 503]);
  const ready = await until(
    "readiness names it",
    async () => {
      const response = await fetch(`${server.url}/health/ready`);
      return response.status === 503 && (await response.text());
    },
    { timeoutMs: 60_000 },
  );
  expect(ready).toMatch(/read-only|the disk reports errors/);
  const settings = { PARLEY_DATA_DIR: home.dataDir, PORT: new URL(server.url).port };
  const { stdout } = await parleyCommand(["doctor"], settings);
  expect(stdout).not.toContain("another data directory");
  expect(stdout).toMatch(
    /is not ready: The database cannot write: (its file system is read-only|the disk reports errors)/,
  );
  expect(stdout).toMatch(/The disk of .* has a problem|The file system of .* is read-only/);
});

it("a start on a failed disk ends with a sentence about the disk, and so does a command", {
  timeout: 300_000,
}, async ({ skip }) => {
  skip(obstacle !== null, `no file system can be made here: ${obstacle}`);
  disk.fail();
  await server.end("SIGKILL");
  home.killPostmaster();
  for (const command of [["serve"], ["keys", "list"]]) {
    const { code, stderr } = await parleyCommand(command, { PARLEY_DATA_DIR: home.dataDir, PORT: "0" });
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/parley: The disk of .* has a problem\. The database cannot write: /);
    expect(stderr).not.toContain("fsync");
  }
});
