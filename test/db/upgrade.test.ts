import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { type CliResult, parleyCommand, spawnParley } from "../support/cli.ts";
import { createTestDatabase } from "../support/database.ts";
import { full } from "../support/proof.ts";
import { until } from "../support/wait.ts";

const system15 = existsSync("/usr/lib/postgresql/15/bin/postgres");
const logger = createLogger("silent");

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "parley-upgrade-"));
  // As root the server runs under another user, who needs access.
  chmodSync(directory, 0o755);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A command on an embedded database, or on the one of `DATABASE_URL`. */
async function parley(args: string[], settings: Record<string, string>): Promise<CliResult> {
  const result = await parleyCommand(args, settings);
  expect(result.code, result.stderr + result.stdout).toBe(0);
  return result;
}

const namesIn = async (settings: Record<string, string>): Promise<string[]> =>
  JSON.parse((await parley(["workspaces", "list", "--json"], settings)).stdout).map(
    ({ name }: { name: string }) => name,
  );

describe("parley upgrade", () => {
  it("refuses a database of your own and a directory without one, with the reason", async () => {
    const own = await parleyCommand(["upgrade"], { DATABASE_URL: "postgres://127.0.0.1:1/none" });
    expect([own.code, own.stderr]).toEqual([1, expect.stringContaining("which Parley does not upgrade")]);
    const empty = await parleyCommand(["upgrade"], { PARLEY_DATA_DIR: join(directory, "none") });
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining("there is nothing to upgrade")]);
  });

  it("says clearly that the old PostgreSQL is missing, and changes nothing", async () => {
    const dataDir = join(directory, "ancient");
    const cluster = join(dataDir, "postgres");
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, "PG_VERSION"), "9\n");
    writeFileSync(join(cluster, "parley-cluster.json"), '{"format":2,"major":9,"source":"system"}');
    const { code, stderr } = await parleyCommand(["upgrade"], { PARLEY_DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([1, expect.stringContaining("no PostgreSQL 9 is installed to open it")]);
    expect(readFileSync(join(cluster, "PG_VERSION"), "utf8")).toBe("9\n");
  });

  it.skipIf(!full || !system15)(
    "carries the database to the new major version, keeps the old one, and survives a break of the swap",
    async () => {
      const dataDir = join(directory, "fifteen");
      const old = await startEmbedded({ dataDir, mode: "own", logger, binaries: "system" });
      expect(old.version).toMatch(/^15\./);
      await old.close();
      const settings = { PARLEY_DATA_DIR: dataDir };
      await parley(["workspaces", "create", "Before the upgrade"], settings);
      // Killed while it copies: both servers are left running.
      const killed = spawnParley(["upgrade"], settings);
      await until("the new server runs", () => existsSync(join(dataDir, "upgrade", "postgres", "postmaster.pid")), {
        timeoutMs: 60_000,
      });
      killed.kill("SIGKILL");
      const { stdout } = await parley(["upgrade", "--json"], settings);
      const { upgraded, from, to, rows, kept } = JSON.parse(stdout);
      expect([upgraded, from, to > 15, rows > 0]).toEqual([true, 15, true, true]);
      expect(existsSync(join(kept, "PG_VERSION"))).toBe(true);
      expect(await namesIn(settings)).toContain("Before the upgrade");
      const server = await startEmbedded({ dataDir, mode: "attach-or-start", logger });
      expect(Number.parseInt(server.version, 10)).toBe(to);
      await server.close();
      expect(JSON.parse((await parley(["upgrade", "--json"], settings)).stdout)).toEqual({ upgraded: false });
      // As after a power failure between the two renames.
      mkdirSync(join(dataDir, "upgrade"));
      writeFileSync(join(dataDir, "upgrade", "complete"), "");
      renameSync(join(dataDir, "postgres"), join(dataDir, "upgrade", "postgres"));
      expect(await namesIn(settings)).toContain("Before the upgrade");
    },
    180_000,
  );
});

describe.skipIf(!full)("a backup", () => {
  it("goes from the embedded database to DATABASE_URL and back, with the key that opens its secrets", async () => {
    const passphrase = { PARLEY_BACKUP_PASSPHRASE: "a passphrase of some length" };
    const first = { PARLEY_DATA_DIR: join(directory, "first"), ...passphrase };
    const file = join(directory, "first.backup");
    await parley(["migrate"], first);
    await parley(["workspaces", "create", "Carried over"], first);
    await parley(["backup", file, "--with-secret-key"], first);
    const database = await createTestDatabase({ empty: true });
    const secretKey = readFileSync(join(first.PARLEY_DATA_DIR, "secret.key"), "utf8").trim();
    const own = {
      DATABASE_URL: database.url,
      PARLEY_SECRET_KEY: secretKey,
      PARLEY_DATA_DIR: join(directory, "own"),
      ...passphrase,
    };
    await parley(["restore", file], own);
    expect(await namesIn(own)).toContain("Carried over");
    await parley(["workspaces", "create", "Added there"], own);
    const back = join(directory, "back.backup");
    await parley(["backup", back, "--with-secret-key"], own);
    const second = { PARLEY_DATA_DIR: join(directory, "second"), ...passphrase };
    await parley(["restore", back], second);
    expect(await namesIn(second)).toEqual(expect.arrayContaining(["Carried over", "Added there"]));
    expect(readFileSync(join(second.PARLEY_DATA_DIR, "secret.key"), "utf8").trim()).toBe(secretKey);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query("select secret_key_id from installation");
    expect(rows[0].secret_key_id).not.toBeNull();
    await client.end();
    await database.drop();
  });
});
