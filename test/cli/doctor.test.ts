import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, hostedCommand, parleyCommand } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startMailServer } from "../support/mail-server.ts";
import { startParley } from "../support/parley.ts";

interface Finding {
  what: string;
  toDo?: string;
}

let scratch: string;
let taken: Server;
let port: number;
let database: TestDatabase;
let settings: Record<string, string>;
beforeAll(async () => {
  await ensureBuilt();
  scratch = mkdtempSync(join(tmpdir(), "parley-doctor-"));
  chmodSync(scratch, 0o755);
  taken = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
  port = (taken.address() as { port: number }).port;
  database = await createTestDatabase();
  settings = { DATABASE_URL: database.url, PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more" };
});
afterAll(async () => {
  taken.close();
  await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

async function problems(env: Record<string, string>): Promise<Finding[]> {
  const run = env.DATABASE_URL ? hostedCommand : parleyCommand;
  const { code, stdout } = await run(["doctor", "--json"], env);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  const found = findings.filter(({ toDo }) => toDo);
  expect(ok).toBe(found.length === 0);
  expect(code).toBe(ok ? 0 : 1);
  return found;
}

const base = (): Record<string, string> => ({ ...settings, PORT: "0", PARLEY_DATA_DIR: join(scratch, "data") });

describe("parley doctor", () => {
  it("says whether the egress proxy accepts connections, without its credentials", async () => {
    const through = (to: number) => ({ ...base(), PARLEY_EGRESS_PROXY: `http://me:very-secret@127.0.0.1:${to}` });
    expect(await problems(through(port))).toEqual([]);
    const [found, ...others] = await problems(through(1));
    expect(others).toEqual([]);
    expect(found?.what).toBe("The egress proxy 127.0.0.1:1 cannot be reached: connection refused");
    expect(JSON.stringify(found)).not.toContain("very-secret");
  });

  it("finds a port in use, a misspelt setting, no public URL behind a proxy, and nothing if all is right", async () => {
    const found = await problems({
      ...base(),
      PORT: String(port),
      PARLEY_PUBLIC_URI: "https://chat.example.com",
      PARLEY_TRUSTED_PROXIES: "10.0.0.1",
    });
    expect(found.map(({ what }) => what)).toEqual([
      "PARLEY_PUBLIC_URI is not a setting of Parley and has no effect. Did you mean PARLEY_PUBLIC_URL?",
      expect.stringContaining("PARLEY_TRUSTED_PROXIES is set and PARLEY_PUBLIC_URL is not"),
      `Another program listens on 127.0.0.1:${port}.`,
    ]);
    expect(await problems(base())).toEqual([]);
  });

  it("suggests for a misspelt setting the one that was meant, and nothing for a name that is near to none", async () => {
    const names = {
      PARLEY_DATABASE_URL: "DATABASE_URL",
      PARLEY_PORT: "PORT",
      PARLEY_HOST: "HOST",
      PARLEY_FOO: null,
      PARLEY_BAKUP_DIR: "PARLEY_BACKUP_DIR",
    };
    const given = Object.fromEntries(Object.keys(names).map((name) => [name, "x"]));
    const found = (await problems({ ...base(), ...given })).filter(({ what }) => what.includes("is not a setting"));
    expect(found.map(({ what, toDo }) => [what.split(" ")[0], toDo])).toEqual(
      Object.entries(names).map(([name, meant]) => [
        name,
        meant ? `Rename it to ${meant}, or remove it.` : "Remove it, or see docs/configuration.md.",
      ]),
    );
  });

  it("does not take an installation with another data directory for this one", async () => {
    const other = await startParley();
    const address = new URL(other.url);
    const found = await problems({ ...base(), DATABASE_URL: "", PORT: address.port });
    await other.close();
    expect(found.map(({ what }) => what)).toEqual([`Parley with another data directory listens on ${address.host}.`]);
  });

  it("says once, and without a false reason, that a file is where a directory of the data has to be", async () => {
    const file = join(scratch, "a-file");
    writeFileSync(file, "");
    const said = { what: `${file} is a file.`, toDo: "Set PARLEY_DATA_DIR to a directory." };
    expect(await problems({ PORT: "0", PARLEY_DATA_DIR: join(file, "data") })).toEqual([said]);
  });

  it("reports wrong settings and an unavailable database as findings instead of failing", async () => {
    const wrong = await problems({ ...base(), PORT: "many", PARLEY_LOG_LEVEL: "loud" });
    expect(wrong.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^PORT must be an integer/),
      expect.stringMatching(/^PARLEY_LOG_LEVEL must be one of/),
    ]);
    const away = await problems({ ...base(), DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
    expect(away.map(({ what }) => what)).toEqual([expect.stringMatching(/^The database is unavailable: /)]);
  });

  it("finds a changed migration, with which the next start would be refused", async () => {
    const other = await createTestDatabase();
    await other.query("update schema_migrations set checksum = 'other' where version = 5");
    const env = { ...base(), DATABASE_URL: other.url };
    const refused = await hostedCommand(["workspaces", "list"], env);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("was changed after it had been applied"),
    });
    expect(await problems(env)).toEqual([
      {
        what: expect.stringMatching(/^Migration 000005_\w+ was changed after it had been applied\.$/),
        toDo: expect.any(String),
      },
    ]);
    await other.drop();
  });

  it("finds a public URL that no path can be appended to", async () => {
    for (const url of ["https://chat.example.com/?x=1", "https://chat.example.com/#x", "https://user@chat.example.com"])
      expect((await problems({ ...base(), PARLEY_PUBLIC_URL: url })).map(({ what }) => what)).toEqual([
        "PARLEY_PUBLIC_URL must be an http or https URL without user name, query and fragment.",
      ]);
  });

  it("finds a cell and a secret key with which the next start would be refused", async () => {
    expect((await hostedCommand(["workspaces", "list"], settings)).code).toBe(0);
    const other = { ...base(), PARLEY_CELL: "3", PARLEY_SECRET_KEY: "another-key-for-tests-of-32-characters-or-more" };
    expect(await problems(other)).toEqual([
      { what: "PARLEY_CELL is 3, but the database was set up as cell 0", toDo: expect.stringContaining("set it to 0") },
      { what: "The secret key does not open what is sealed", toDo: expect.stringContaining("sealed with another key") },
    ]);
    const [missing] = await problems({ ...base(), PARLEY_SECRET_KEY: "" });
    expect(missing?.toDo).toMatch(/^There is no secret\.key in .* Copy that file back/);
    const refused = await hostedCommand(["workspaces", "list"], { ...base(), PARLEY_SECRET_KEY: "" });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no secret.key in") });
    const withoutKey = { ...base(), PARLEY_SECRET_KEY: "" };
    const dryRun = await hostedCommand(["secret-key", "replace-lost"], withoutKey);
    expect(dryRun).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was changed") });
    const backup = await parleyCommand(["backup", join(scratch, "as-it-is.backup")], withoutKey);
    expect(backup).toMatchObject({ code: 0, stdout: expect.stringContaining("It does not hold the secret key") });
    expect(existsSync(join(scratch, "data", "secret.key")), "a key that opens nothing was generated").toBe(false);
  });

  it("finds that the secret key of a stopped embedded database is missing", async () => {
    const dataDir = join(scratch, "restored");
    mkdirSync(join(dataDir, "postgres"), { recursive: true });
    writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "18\n");
    writeFileSync(join(dataDir, "postgres", "parley-cluster.json"), '{ "format": 2 }');
    const stopped = { PORT: "0", PARLEY_DATA_DIR: dataDir };
    expect((await problems(stopped)).map(({ what }) => what)).toContain(
      `There is a database in ${dataDir} and no secret.key, and PARLEY_SECRET_KEY is not set.`,
    );
    writeFileSync(join(dataDir, "secret.key"), "a-secret-key-for-tests-of-32-characters-or-more");
    expect((await problems(stopped)).filter(({ what }) => /secret/.test(what))).toEqual([]);
  });

  it("connects to the mail server, and says what is missing or wrong about it without its password", async () => {
    const mail = await startMailServer();
    const smtp = {
      ...base(),
      PARLEY_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      PARLEY_SMTP_TLS: "dangerous-off",
      PARLEY_MAIL_FROM: "alerts@example.com",
      PARLEY_PUBLIC_URL: "https://chat.example.com",
    };
    expect(await problems(smtp)).toEqual([]);
    await mail.close();
    const down = await problems({ ...smtp, PARLEY_SMTP_URL: `smtp://user:hush@127.0.0.1:${mail.port}` });
    expect(down.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^The mail server 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/),
    ]);
    expect(JSON.stringify(down)).not.toContain("hush");
    const half = await problems({ ...smtp, PARLEY_MAIL_FROM: "" });
    expect(half.map(({ what }) => what)).toEqual([
      "PARLEY_SMTP_URL is set and PARLEY_MAIL_FROM is not: both are needed to send e-mail.",
    ]);
  });

  it.skipIf(process.geteuid?.() === 0)(
    "finds a data directory that is not writable (root can write anywhere)",
    async () => {
      const closed = join(scratch, "closed");
      mkdirSync(closed, { mode: 0o500 });
      const found = await problems({ ...base(), PARLEY_DATA_DIR: join(closed, "data") });
      expect(found.map(({ what }) => what)).toContainEqual(expect.stringContaining("is not writable"));
    },
  );
});

describe("the command line", () => {
  it("prints its version", async () => {
    const { code, stdout } = await parleyCommand(["--version"]);
    expect({ code, version: stdout.trim() }).toEqual({ code: 0, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  it("prints errors as JSON under --json: wrong usage, refused commands and the API's own", async () => {
    const server = await startParley();
    for (const [args, code] of [
      [["workspaces", "rename", "1", "--json"], "USAGE"],
      [["workspaces", "rename", "999", "New name", "--json"], "NOT_FOUND"],
      [["keys", "create", "--abilities", "nonsense", "--json"], "VALIDATION_ERROR"],
      [["trigger", "message.created", "--key", "wrong", "--url", server.url, "--json"], "UNAUTHORIZED"],
    ] as const) {
      const result = await hostedCommand([...args], settings);
      expect(result.code, args.join(" ")).toBe(1);
      expect(JSON.parse(result.stdout), args.join(" ")).toEqual({
        success: false,
        error: { code, message: expect.any(String) },
      });
    }
    await server.close();
  });

  it("renames a workspace, and deletes one with everything in it only after its exact name", async () => {
    const create = async (name: string): Promise<{ id: number }> =>
      JSON.parse((await hostedCommand(["workspaces", "create", name, "--json"], settings)).stdout);
    const kept = await create("Kept");
    const old = await create("Old");
    for (const { id } of [kept, old])
      await hostedCommand(["keys", "create", "--workspace", String(id), "--quiet"], settings);
    const renamed = await hostedCommand(["workspaces", "rename", String(old.id), "Older", "--json"], settings);
    expect(JSON.parse(renamed.stdout)).toMatchObject({ id: old.id, name: "Older" });

    const refused = await hostedCommand(["workspaces", "delete", String(old.id), "--confirm", "Old"], settings);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("exact name, Older") });
    const deleted = await hostedCommand(["workspaces", "delete", String(old.id), "--confirm", "Older"], settings);
    expect(deleted.code).toBe(0);
    const rows = await database.query<{ workspace_id: string; tables: string[] }>(
      `select workspace_id::int, array_agg(distinct name order by name) as tables
       from (select workspace_id, 'api_keys' as name from api_keys
             union all select workspace_id, 'audit_logs' from audit_logs
             union all select workspace_id, 'events' from events) rows
       where workspace_id = any($1) group by 1`,
      [[kept.id, old.id]],
    );
    expect(rows).toEqual([{ workspace_id: kept.id, tables: ["api_keys", "audit_logs", "events"] }]);
    const [gone] = await database.query("select 1 from workspaces where id = $1", [old.id]);
    expect(gone).toBeUndefined();
  });
});
