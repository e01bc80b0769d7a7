import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, parleyCommand } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { root } from "../tidy/source-text.ts";

const KEY = "the-secret-key-of-the-original-installation";
const passphrase = { PARLEY_BACKUP_PASSPHRASE: "a passphrase of twelve or more" };

let folder: string;
let backup: string;
let source: TestDatabase;
let target: TestDatabase;
beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), "parley-restore-"));
  backup = join(folder, "parley.backup");
  source = await createTestDatabase();
  target = await createTestDatabase({ empty: true });
  await source.query(`insert into workspaces (uuid, name) values (gen_random_uuid(), 'a')`);
  await source.query(
    `insert into mailboxes (workspace_id, uuid, name, address)
     select id, gen_random_uuid(), 'a', 'a@shop.example' from workspaces limit 1`,
  );
  const settings = { DATABASE_URL: source.url, PARLEY_SECRET_KEY: KEY, ...passphrase };
  const { code, stderr } = await parleyCommand(["backup", backup, "--with-secret-key"], settings);
  expect(code, stderr).toBe(0);
});
afterAll(async () => {
  await source?.drop();
  await target?.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe("parley restore with a passphrase", () => {
  it("refuses a data directory with another secret key before it restores, and works once that is gone", async () => {
    const dataDir = join(folder, "data");
    const keyFile = join(dataDir, "secret.key");
    mkdirSync(dataDir);
    writeFileSync(keyFile, "another-secret-key-of-32-characters-or-more\n");
    const settings = { DATABASE_URL: target.url, PARLEY_DATA_DIR: dataDir, ...passphrase };
    const refused = await parleyCommand(["restore", backup], settings);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("holds another key than the backup") });
    expect(readFileSync(keyFile, "utf8")).toContain("another-secret-key");
    rmSync(keyFile);
    const restored = await parleyCommand(["restore", backup], settings);
    expect(restored, restored.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("secret.key in the") });
    expect(existsSync(keyFile) && readFileSync(keyFile, "utf8").trim()).toBe(KEY);
    expect(restored.stdout + restored.stderr).toContain("Paused 1 mailboxes");
    expect(await target.query("select paused from mailboxes")).toEqual([{ paused: true }]);
  });
});

describe("parley restore of a backup that is damaged", () => {
  it("refuses it and leaves an empty database empty", async () => {
    const cut = join(folder, "cut.backup");
    const bytes = readFileSync(backup);
    writeFileSync(cut, bytes.subarray(0, bytes.length - 100));
    const empty = await createTestDatabase({ empty: true });
    const settings = { DATABASE_URL: empty.url, PARLEY_DATA_DIR: join(folder, "cut") };
    expect(await parleyCommand(["restore", cut], settings)).toMatchObject({ code: 1 });
    const left = await empty.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace
       union all
       select typname from pg_type where typnamespace = 'public'::regnamespace and typtype = 'd'`,
    );
    expect(left).toEqual([]);
    expect(await parleyCommand(["restore", backup], settings)).toMatchObject({ code: 0 });
    await empty.drop();
  });
});

describe("parley backup to a full disk", () => {
  it.skipIf(!existsSync("/dev/full"))("ends with one sentence and an exit code", async () => {
    const command = `exec "${process.execPath}" bin/parley.mjs backup - > /dev/full`;
    const child = spawn("sh", ["-c", command], { cwd: root, env: { ...process.env, DATABASE_URL: source.url } });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, "close");
    expect([code, said.trim()]).toEqual([1, "parley: The output cannot be written: the disk is full."]);
  });
});

describe("parley restore without the passphrase of a backup that holds the secret key", () => {
  it("names the setting that opens the key before it restores, and says at the end what to do", async () => {
    const [plain, asJson] = await Promise.all(
      [[], ["--json"]].map(async (flags, index) => {
        const empty = await createTestDatabase({ empty: true });
        const settings = { DATABASE_URL: empty.url, PARLEY_DATA_DIR: join(folder, `no-passphrase-${index}`) };
        const result = await parleyCommand(["restore", backup, ...flags], settings);
        await empty.drop();
        return result;
      }),
    );
    const toDo = /restore again, into an empty database, with PARLEY_BACKUP_PASSPHRASE set\. .*PARLEY_SECRET_KEY/;
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringMatching(toDo) });
    expect(plain?.stderr).toMatch(/^The backup holds its secret key, sealed; PARLEY_BACKUP_PASSPHRASE/);
    expect(JSON.parse(asJson?.stdout ?? "")).toMatchObject({ secret_key_note: expect.stringMatching(toDo) });
  });

  it("says nothing about the key where the key itself is set", async () => {
    const empty = await createTestDatabase({ empty: true });
    const settings = { DATABASE_URL: empty.url, PARLEY_DATA_DIR: join(folder, "own-key"), PARLEY_SECRET_KEY: KEY };
    const { stdout, stderr } = await parleyCommand(["restore", backup, "--json"], settings);
    await empty.drop();
    expect(JSON.parse(stdout)).toMatchObject({ secret_key_note: null });
    expect(stderr).not.toContain("PARLEY_BACKUP_PASSPHRASE");
  });
});
