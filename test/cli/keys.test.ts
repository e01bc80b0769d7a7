import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostedCommand, parleyCommand } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

const SECRET = /^parley_(full|limited|webhook|bot)_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/;

let parley: TestParley;
let settings: Record<string, string>;
beforeAll(async () => {
  parley = await startParley();
  settings = {
    DATABASE_URL: parley.database.url,
    PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more",
  };
});
afterAll(() => parley.close());

const run = (...args: string[]) => hostedCommand(args, settings);
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
/** Exit code 1, nothing on stdout, and a sentence instead of a stack on stderr. */
const refused = async (args: string[], sentence: RegExp, more = settings) => {
  const { code, stdout, stderr } = await hostedCommand(args, more);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toMatch(/\n\s+at |TypeError|undefined/);
};
const use = async (key: string): Promise<number> => (await parley.call("GET", "/me", { key })).status;

describe("parley keys, while the server runs", () => {
  it("create --quiet prints the secret alone, and it works at once", async () => {
    const { code, stdout } = await run("keys", "create", "--name", "first", "--quiet");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S+\n$/);
    expect(stdout.trim()).toMatch(SECRET);
    expect(await use(stdout.trim())).toBe(200);
  });

  it("create prints a sentence and the secret; every option arrives", async () => {
    const made = await json(
      ...["keys", "create", "--name", " scripted ", "--description", "d", "--type", "limited", "--tier", "low"],
      ...["--abilities", "messages:read, audit:read", "--expires", "2099-01-01T00:00:00Z"],
      ...["--allowed-ips", "127.0.0.1,10.0.0.0/8"],
    );
    expect(made).toMatchObject({
      name: "scripted",
      description: "d",
      type: "limited",
      abilities: ["messages:read", "audit:read"],
      rate_limit_tier: "low",
      expires_at: "2099-01-01T00:00:00+00:00",
      allowed_ips: ["127.0.0.1/32", "10.0.0.0/8"],
    });
    expect(await use(made.key)).toBe(200);
    const { stdout } = await run("keys", "create", "--name", "plain");
    expect(stdout).toMatch(/Created key \d+, plain \(full\).*shown this once/);
  });

  it("list shows what the API shows, newest first, and no secret", async () => {
    const { body } = await parley.call("GET", "/api-keys");
    expect(await json("keys", "list")).toEqual(body.data);
    const { stdout } = await run("keys", "list");
    expect(stdout.split("\n")[0]).toMatch(/^ID\s+NAME\s+TYPE/);
    expect(stdout).toContain("scripted");
    expect(stdout).not.toMatch(/parley_full_/);
  });

  it("rotate ends the old secret on the running server within 1 s, --overlap keeps it", async () => {
    const made = await parley.createKey();
    expect(await use(made.key)).toBe(200);
    const rotated = await json("keys", "rotate", String(made.id), "--overlap", "60");
    expect([await use(made.key), await use(rotated.key)]).toEqual([200, 200]);
    const { stdout } = await run("keys", "rotate", made.uuid, "--quiet");
    await until("the old secrets end", async () => (await use(rotated.key)) === 401, { timeoutMs: 1_000 });
    expect(await use(stdout.trim())).toBe(200);
  });

  it("rotate says until when the old secret works", async () => {
    const made = await parley.createKey();
    const atOnce = await run("keys", "rotate", String(made.id));
    expect(atOnce.stdout).toContain("The old secret no longer works.");
    const later = await run("keys", "rotate", String(made.id), "--overlap", "3600");
    const until = /The old secret works until (\S+)\. /.exec(later.stdout)?.[1] ?? "";
    expect(Math.abs(Date.parse(until) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    // What is stored, and not what this machine's clock makes of it.
    const { body } = await parley.call("GET", `/api-keys/${made.id}`);
    expect(until).toBe(body.data.old_secret_expires_at);
  });

  it("revoke refuses the key on the running server within 1 s", async () => {
    const made = await parley.createKey();
    expect(await use(made.key)).toBe(200);
    const { code, stdout } = await run("keys", "revoke", String(made.id));
    expect(code).toBe(0);
    expect(stdout).toContain(`Revoked key ${made.id}`);
    await until("the key is refused", async () => (await use(made.key)) === 401, { timeoutMs: 1_000 });
    expect((await json("keys", "revoke", String(made.id))).revoked_at).toMatch(/\+00:00$/);
    const { body } = await parley.call("GET", `/audit-logs?resource_id=${made.id}&action=api_key.revoked`);
    expect(body.data[0]).toMatchObject({ actor: { type: "system", name: "parley command" }, ip: null });
  });

  it.each([
    ["a blank name", ["create", "--name", " "], /name/],
    ["an unknown ability", ["create", "--name", "n", "--abilities", "nope"], /abilities\[0\].*not a known ability/],
    ["a limited key without abilities", ["create", "--name", "n", "--type", "limited"], /abilities/],
    ["an unknown type", ["create", "--name", "n", "--type", "admin"], /full, limited, webhook, bot/],
    ["an unknown tier", ["create", "--name", "n", "--tier", "gold"], /rate_limit_tier must be one of/],
    ["an address that is none", ["create", "--name", "n", "--allowed-ips", "example.com"], /allowed_ips\[0\]/],
    ["an expiry that is none", ["create", "--name", "n", "--expires", "soon"], /--expires must be/],
    ["an expiry in the past", ["create", "--name", "n", "--expires", "2020-01-01"], /future/],
    ["a blank name", ["create", "--name", " "], /name/],
    ["an unknown key", ["revoke", "999999"], /API key does not exist/],
    ["text as key", ["rotate", "text"], /API key does not exist/],
    ["an overlap that is none", ["rotate", "1", "--overlap", "x"], /--overlap must be/],
    ["an unknown workspace", ["list", "--workspace", "999"], /workspace 999 does not exist/],
    ["an unknown command", ["frobnicate"], /unknown command/],
  ])("refuses %s with exit code 1 and a sentence", async (_what, args, sentence) => {
    await refused(["keys", ...args], sentence);
  });

  it("asks which workspace when there are several", async () => {
    const workspace = await json("workspaces", "create", "Second");
    expect(workspace).toMatchObject({ id: expect.any(Number), name: "Second", uuid: expect.any(String) });
    await refused(["keys", "create", "--name", "n"], /2 workspaces.*--workspace/);
    const made = await json("keys", "create", "--name", "theirs", "--workspace", workspace.uuid);
    const { body } = await parley.call("GET", "/me", { key: made.key });
    expect(body.data.workspace).toMatchObject({ id: workspace.id, name: "Second" });
    const { stdout } = await run("workspaces", "list");
    expect(stdout).toMatch(/Default[\s\S]*Second/);
  });
});

describe("parley keys, before the server ever ran", () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createTestDatabase({ empty: true });
  });
  afterAll(() => empty.drop());

  it("create migrates, creates the first workspace and its key, and the server accepts it", async () => {
    const { code, stdout, stderr } = await parleyCommand(["keys", "create", "--name", "early", "--quiet"], {
      ...settings,
      DATABASE_URL: empty.url,
    });
    expect(code, stderr).toBe(0);
    const server = await startParley({}, empty);
    const { body } = await server.call("GET", "/me", { key: stdout.trim() });
    expect(body.data).toMatchObject({ api_key: { name: "early" }, workspace: { name: "Default" } });
    await server.close();
  });
});
