import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, parleyCommand } from "../support/cli.ts";
import { createEmbeddedHome, type EmbeddedHome } from "../support/embedded-home.ts";
import { callApi } from "../support/parley.ts";
import { startProcess } from "../support/parley-process.ts";
import { full } from "../support/proof.ts";

const canMount = full && process.platform === "linux" && process.geteuid?.() === 0;
if (full && !canMount) process.stderr.write("disk-full: skipped, only root can mount a small disk\n");

let folder: string;
let home: EmbeddedHome;
beforeAll(async () => {
  if (!canMount) return;
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), "parley-small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m,mode=0755", "tmpfs", folder]);
  home = createEmbeddedHome(folder);
}, 120_000);
afterAll(() => {
  if (!folder) return;
  execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!canMount)("an installation whose disk is full", () => {
  it("is explained by doctor and by commands, and continues by itself once there is space", {
    timeout: 120_000,
  }, async () => {
    const server = await startProcess("serve", home, { PARLEY_SECRET_KEY: "" });
    const filler = join(folder, "filler");
    const settings = { PARLEY_DATA_DIR: home.dataDir, PORT: "0" };
    try {
      const files = () => cachesOf(home.dataDir).filter((file) => existsSync(file));
      // Each file that is removed leaves space, and a new session might use it at once.
      do {
        for (const file of files()) rmSync(file);
        fill(filler);
      } while (files().length > 0);
      const listed = await parleyCommand(["keys", "list"], settings);
      expect(listed).toMatchObject({ code: 1, stderr: expect.stringMatching(/The disk of .* is full .*Free space/s) });
      const { stdout } = await parleyCommand(["doctor"], settings);
      expect(stdout).toContain("Only 0 MiB are free on the disk of");
      expect(stdout).toContain("delete nothing in the data directory");
      expect(stdout).not.toMatch(/left behind|kill -/);
      rmSync(filler);
      const reply = await callApi(server.url, "POST", "/contacts", { body: { name: "After" } });
      expect(reply.status, reply.text).toBe(201);
    } finally {
      await server.end("SIGTERM");
    }
  });
});

/** Until the last byte. */
function fill(file: string): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(2 ** 20), { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** What PostgreSQL itself removes after a change of its catalogue: the next session has to write them again. */
function cachesOf(dataDir: string): string[] {
  const cluster = join(dataDir, "postgres");
  const folders = [
    join(cluster, "global"),
    ...readdirSync(join(cluster, "base")).map((name) => join(cluster, "base", name)),
  ];
  return folders.map((folder) => join(folder, "pg_internal.init"));
}
