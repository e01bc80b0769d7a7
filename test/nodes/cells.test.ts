import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { ensureBuilt, parleyCommand, spawnParley } from "../support/cli.ts";
import { debianPackage } from "../support/debian.ts";
import { freePort } from "../support/free-port.ts";
import { createAudience, keepWriting, openLedger } from "../support/ledger.ts";
import { type CallOptions, callApi, startParley, TEST_KEY, type TestParley } from "../support/parley.ts";
import { full, scale } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const CELL = 7;
const SECRET = "a-secret-key-for-tests-of-32-characters-or-more";
const haproxyPackage = full ? await debianPackage("haproxy") : null;
const nginxPackage = full ? await debianPackage("nginx-light") : null;

let folder: string;
let first: TestParley;
let second: TestParley;
let receiver: Receiver;
const proxies: { name: string; url: string; child: ChildProcess }[] = [];
/** The key of a workspace that was created in the second cell. */
let secondKey: string;
const map = () => join(folder, "moved.map");
const socket = () => join(folder, "admin.sock");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-cells-"));
  receiver = await startReceiver();
  first = await startParley({
    PARLEY_CELL: "0",
    PARLEY_PUBLIC_URL: "http://c0.parley.example.com",
    PARLEY_RETRY_SCHEDULE: "1",
  });
  second = await startParley({
    PARLEY_CELL: String(CELL),
    PARLEY_PUBLIC_URL: "http://c7.parley.example.com",
    PARLEY_BOOTSTRAP_API_KEY: "another-bootstrap-key-of-more-than-32-characters",
    PARLEY_RETRY_SCHEDULE: "1",
  });
  secondKey = (await second.createKey({ rate_limit_tier: "unlimited" }, { key: second.key })).key;
  writeFileSync(map(), "");
  if (haproxyPackage?.home) proxies.push(await startHaproxy(haproxyPackage));
  if (nginxPackage?.home) proxies.push(await startNginx(nginxPackage));
}, 60_000);
afterAll(async () => {
  for (const { child } of proxies) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
  await first?.close();
  await second?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (name: string) => readFileSync(new URL(`../../deploy/cells/${name}`, import.meta.url), "utf8");
const hostOf = (parley: TestParley) => new URL(parley.url).host;

/** The settings that we ship, for these nodes. */
const shipped = (name: string, port: number): string =>
  read(name)
    .replaceAll("c0-serve-1:8080", hostOf(first))
    .replaceAll("c7-serve-1:8080", hostOf(second))
    .replace("bind :8080", `bind 127.0.0.1:${port}`)
    .replace("listen 8080", `listen 127.0.0.1:${port}`)
    .replace("/etc/haproxy/moved.map", map())
    .replace("/run/haproxy/admin.sock", socket());

interface Program {
  home: string;
  env: Record<string, string>;
}

async function startHaproxy({ home, env }: Program) {
  const port = await freePort();
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, shipped("haproxy.cfg", port));
  const program = join(home, "usr/sbin/haproxy");
  await valid(program, ["-c", "-f", file], env);
  return started("HAProxy", port, spawn(program, ["-f", file, "-db"], { env: { ...process.env, ...env } }));
}

async function startNginx({ home, env }: Program) {
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${shipped("nginx.conf", port)}\n}\n`,
  );
  const program = join(home, "usr/sbin/nginx");
  const flags = ["-e", `${folder}/error.log`, "-c", file];
  await valid(program, ["-t", ...flags], env);
  return started("nginx", port, spawn(program, flags, { env: { ...process.env, ...env } }));
}

async function valid(program: string, args: string[], env: Record<string, string>): Promise<void> {
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code, output).toBe(0);
}

async function started(name: string, port: number, child: ChildProcess) {
  const url = `http://127.0.0.1:${port}`;
  await until(`${name} leads to a cell`, async () => (await fetch(`${url}/health/ready`).catch(() => null))?.ok);
  return { name, url, child };
}

/** A command of HAProxy's own socket. */
const tellHaproxy = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = "";
    const client = connect(socket(), () => client.end(`${command}\n`));
    client.on("data", (chunk) => {
      said += chunk;
    });
    client.on("close", () => resolve(said));
    client.on("error", reject);
  });

/** With a Host header of its own, which fetch does not send. */
const signInAt = (url: string, host: string): Promise<{ status: number | undefined; cookie: string | undefined }> =>
  new Promise((resolve, reject) => {
    const headers = { host, origin: `http://${host}`, "content-type": "application/json" };
    const sent = request(`${url}/dashboard-api/sign-in`, { method: "POST", headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, cookie: response.headers["set-cookie"]?.[0] });
    });
    sent.on("error", reject);
    sent.end(JSON.stringify({ email: "olive@example.com", password: PASSWORD }));
  });

const moving = () => ["workspaces", "move", "1", "--to", second.database.url, "--proxy-map", map(), "--json"];
const settings = () => ({
  DATABASE_URL: first.database.url,
  PARLEY_SECRET_KEY: SECRET,
  PARLEY_DATA_DIR: join(folder, "data"),
});

/** Resolves once the process has said this on stderr. */
async function killAt(words: string): Promise<void> {
  const child = spawnParley(moving(), settings());
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await until(`the mover says ${words}`, () => said.includes(words), { timeoutMs: 60_000, everyMs: 1 });
  child.kill("SIGKILL");
  await ended;
}

const needsProxies = full ? [haproxyPackage?.missing, nginxPackage?.missing].filter(Boolean).join(", ") : "short form";

describe("a proxy in front of two cells", () => {
  it.skipIf(needsProxies !== "")(
    "leads keys, sessions and host names to their cell, by HAProxy and nginx",
    async () => {
      const browser = await setUp(second, {}, "http://c7.parley.example.com");
      expect(browser.token).toMatch(/^c7\./);
      for (const { name, url } of proxies) {
        const me = (key: string) => callApi(url, "GET", "/me", { key });
        const cellOf = async (key: string) => Number((await me(key)).body.data.workspace.id) >= 2 ** 40;
        expect([await cellOf(TEST_KEY), await cellOf(secondKey)], name).toEqual([false, true]);
        expect((await me(secondKey.replace("_c7_", "_c9_"))).status, name).toBe(401);
        const session = openBrowser({ url }, browser.token);
        const reply = await session.call("GET", "/session");
        expect([reply.status, reply.body?.data?.user?.email], name).toEqual([200, "olive@example.com"]);
        const { status, cookie } = await signInAt(url, "c7.parley.example.com");
        expect([status, cookie], name).toEqual([200, expect.stringMatching(/^parley_session=c7\./)]);
        expect((await signInAt(url, "c0.parley.example.com")).status, name).toBe(401);
      }
    },
  );
});

describe("a workspace under load that moves to another cell, its mover killed on the way", () => {
  it("loses nothing that was acknowledged, and its events can be read on from the same cursor", async () => {
    await ensureBuilt();
    // Behind a proxy the client knows one address; without, it follows the cell that it is named.
    let base = first.url;
    const call = async (method: string, path: string, options?: CallOptions) => {
      const reply = await callApi(proxies[0]?.url ?? base, method, path, options);
      if (reply.status === 421 && reply.headers.get("x-parley-cell") === String(CELL)) base = second.url;
      return reply;
    };
    const audience = await createAudience(call, receiver, 2);
    const ledger = openLedger(audience, call);
    const readOn = async (cursor: string): Promise<{ uuids: string[]; cursor: string }> => {
      const uuids: string[] = [];
      for (let from = cursor; ; ) {
        const { status, body, text } = await call("GET", `/events?type=message.created&limit=100&cursor=${from}`);
        // HAProxy takes a cell off its list while this process is busy with the judgement and misses its checks.
        if (status === 421 || (status === 503 && proxies.length > 0)) continue;
        expect(status, text).toBe(200);
        uuids.push(...body.data.map((event: { data: { uuid: string } }) => event.data.uuid));
        from = body.meta.next_cursor;
        if (!body.meta.has_more) return { uuids, cursor: from };
      }
    };
    const load = keepWriting(ledger, scale(4, 16));
    await until("there is load", () => ledger.acknowledged.size > scale(100, 500), { timeoutMs: 60_000 });
    const before = await readOn("");
    await killAt("Copying");
    const during = await readOn(before.cursor);
    const { code, stdout, stderr } = await parleyCommand(moving(), settings());
    expect(code, stderr + stdout).toBe(0);
    const moved = JSON.parse(stdout);
    expect(moved.cell).toBe(CELL);
    for (const line of readFileSync(map(), "utf8").trim().split("\n"))
      if (haproxyPackage?.home) await tellHaproxy(`add map ${map()} ${line}`);
    expect(readFileSync(map(), "utf8")).toContain(createHash("sha256").update(TEST_KEY).digest("hex"));
    const arrived = ledger.acknowledged.size;
    await until("writes continue", () => ledger.acknowledged.size > arrived + 50, { timeoutMs: 30_000 });
    await load.stop();
    const verdict = await ledger.judge(second.database);
    const after = await readOn(during.cursor);
    const seen = [...before.uuids, ...during.uuids, ...after.uuids];
    expect(new Set(seen)).toEqual(ledger.acknowledged);
    expect(seen.length, "no event is read twice").toBe(ledger.acknowledged.size);
    const refused = ledger.written.filter(({ reply }) => reply?.status !== 201);
    expect(new Set(refused.map(({ reply }) => reply?.status))).toSatisfy((all: Set<number>) =>
      [...all].every((status) => [421, 503].includes(status)),
    );
    process.stderr.write(
      `cells: acknowledged ${verdict.acknowledged}, lost 0, duplicates ${verdict.duplicates}, refused ${refused.length}\n`,
    );
    // nginx follows the 421 of the old cell by itself.
    for (const { url } of proxies) expect((await callApi(url, "GET", "/me")).status).toBe(200);
  }, 240_000);
});
