import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parleyCommand } from "../support/cli.ts";
import { createEmbeddedHome, type EmbeddedHome } from "../support/embedded-home.ts";
import { startProcess } from "../support/parley-process.ts";
import { full } from "../support/proof.ts";
import { until } from "../support/wait.ts";

let home: EmbeddedHome;
let folder: string;
beforeAll(() => {
  home = createEmbeddedHome();
  folder = mkdtempSync(join(tmpdir(), "parley-privileges-"));
});
afterAll(async () => {
  home.killPostmaster("SIGQUIT");
  await until("PostgreSQL has ended", () => home.postmasterPid() === null, { timeoutMs: 30_000 });
  for (const path of [home.dataDir, folder]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

const uidOf = (pid: number): number => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

describe.skipIf(!full || process.geteuid?.() !== 0)("a server that root starts", () => {
  it("does not keep serving as root where its backup directory cannot be used", { timeout: 120_000 }, async () => {
    writeFileSync(join(folder, "file"), "");
    for (const directory of [join(folder, "file", "backups"), "/proc/parley"]) {
      const settings = { PORT: "0", PARLEY_DATA_DIR: home.dataDir, PARLEY_BACKUP_DIR: directory };
      const { code, stderr } = await parleyCommand(["serve"], settings);
      expect(code, stderr).toBe(1);
      expect(stderr).toMatch(/parley: PARLEY_BACKUP_DIR cannot be used: E(?:NOTDIR|NOENT)/);
      expect(stderr).not.toContain("Parley is ready");
    }
  });

  it("does not give a directory of others to its account, nor continue where it cannot write", {
    timeout: 120_000,
  }, async () => {
    chmodSync(folder, 0o755);
    const shared = join(folder, "shared");
    mkdirSync(shared);
    writeFileSync(join(shared, "dpkg.status.0"), "");
    const closed = join(folder, "closed");
    mkdirSync(join(closed, "backups"), { recursive: true });
    chmodSync(closed, 0o700);
    for (const directory of [shared, join(closed, "backups")]) {
      const settings = { PORT: "0", PARLEY_DATA_DIR: home.dataDir, PARLEY_BACKUP_DIR: directory };
      const { code, stderr } = await parleyCommand(["serve"], settings);
      expect(code, stderr).toBe(1);
      expect(stderr).toMatch(/parley: PARLEY_BACKUP_DIR cannot be used: EACCES.* Give it to the account/);
    }
    expect(statSync(shared).uid).toBe(0);
  });

  it.each([
    ["an empty directory", "empty"],
    ["the directories that it creates", "new/deep"],
  ])(
    "gives %s for backups to the account that it continues as, and writes there",
    {
      timeout: 120_000,
    },
    async (_what, path) => {
      const directory = join(folder, path);
      if (path === "empty") mkdirSync(directory, { mode: 0o700 });
      // Otherwise the account could not get there.
      chmodSync(folder, 0o755);
      const server = await startProcess("serve", home, { PARLEY_SECRET_KEY: "", PARLEY_BACKUP_DIR: directory });
      try {
        expect(server.output()).toContain("root is no longer needed");
        const account = uidOf(server.child.pid ?? 0);
        expect(account).not.toBe(0);
        expect(statSync(directory).uid).toBe(account);
        const isWritten = () => readdirSync(directory).some((name) => name.endsWith(".backup"));
        await until("the first backup is written", isWritten, { timeoutMs: 60_000 });
      } finally {
        await server.end("SIGTERM");
      }
    },
  );
});
