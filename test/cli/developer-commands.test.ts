import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Parley } from "@parley/client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { localUrl } from "../../src/cli/server-address.ts";
import { readConfig } from "../../src/config/index.ts";
import { ensureBuilt, hostedCommand, spawnParley } from "../support/cli.ts";
import { freePort } from "../support/free-port.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";
import { root } from "../tidy/source-text.ts";

let server: TestParley;
let parley: Parley;
let directory: string;
let settings: Record<string, string>;

beforeAll(async () => {
  await ensureBuilt();
  server = await startParley();
  parley = new Parley({ url: server.url, key: server.key });
  directory = mkdtempSync(join(tmpdir(), "parley-commands-"));
  settings = { PARLEY_URL: server.url, PARLEY_KEY: server.key, PARLEY_DATA_DIR: directory };
});
afterAll(async () => {
  await server?.close();
  rmSync(directory, { recursive: true, force: true });
});
afterEach(() => vi.unstubAllEnvs());

/** In a shell, with a limit: `timeout` ends with 124 what does not end by itself. */
function shell(script: string): Promise<{ code: number | null; stdout: string }> {
  const child = spawn("bash", ["--norc", "-c", `set -o pipefail\n${script}`], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  return new Promise((done) => child.once("close", (code) => done({ code, stdout })));
}

/** Node shows no colours where one of these says so. */
const WITH_COLOURS = "-u NO_COLOR -u NODE_DISABLE_COLORS -u CI";

describe("a command of the API", () => {
  it("says which server it talks to, and leaves its output to the response", async () => {
    const contact = await parley.contacts.create({ name: "Ada" });
    const [event] = await parley.events.list({ order: "desc" }).take(1);
    const [triggered, called, got, listed] = await Promise.all([
      hostedCommand(["trigger", "contact.created"], settings),
      hostedCommand(["api", "GET", `/contacts/${contact.id}`], settings),
      hostedCommand(["events", "get", event?.id ?? ""], settings),
      hostedCommand(["events", "list", "--json", "--limit", "1"], settings),
    ]);
    expect(triggered.stdout).toContain(` on ${server.url}.`);
    for (const { stderr, stdout } of [called, got, listed]) {
      expect(stderr).toContain(`Server: ${server.url}\n`);
      expect(() => JSON.parse(stdout)).not.toThrow();
    }
  });

  it("api sends a file that is named with @", async () => {
    const file = join(directory, "contact.json");
    writeFileSync(file, '{"name":"From a file"}');
    const { stdout } = await hostedCommand(["api", "POST", "/contacts", "--data", `@${file}`], settings);
    expect(JSON.parse(stdout).data).toMatchObject({ name: "From a file" });
    const missing = await hostedCommand(["api", "POST", "/contacts", "--data", `@${file}.not`], settings);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain(`--data cannot read the file ${file}.not`);
  });

  it("api refuses a misspelt field, with the one that was meant, and creates nothing", async () => {
    const data = '{"name":"Misspelt","emial":"a@example.com"}';
    const { code, stdout } = await hostedCommand(["api", "POST", "/contacts", "--data", data], settings);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error.details.emial?.join()).toContain("email");
    expect((await parley.contacts.list({ search: "Misspelt" })).data).toEqual([]);
  });

  it("events list prints the newest first, and events tail --no-follow ends after the past ones", async () => {
    const names = ["first", "second"];
    for (const name of names) await parley.contacts.create({ name });
    const args = ["--events", "contact.created", "--json"];
    const [listed, tailed, refused] = await Promise.all([
      hostedCommand(["events", "list", "--limit", "2", ...args], settings),
      hostedCommand(["events", "tail", "--since", "1h", "--no-follow", ...args], settings),
      hostedCommand(["events", "tail", "--no-follow"], settings),
    ]);
    const namesIn = (text: string) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).data.name);
    expect(namesIn(listed.stdout)).toEqual([...names].reverse());
    expect(tailed.code).toBe(0);
    expect(namesIn(tailed.stdout).slice(-2)).toEqual(names);
    expect(refused.stderr).toContain("say with --since which ones");
  });

  it.runIf(process.platform === "linux")("events tail ends when its reader has read enough", async () => {
    const program = `timeout 200 ${process.execPath} bin/parley.mjs events tail --since 1h --json`;
    const { code, stdout } = await shell(`${program} | head -1`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty("type");
  });

  it("webhooks and logs show what the API has", async () => {
    const url = "http://127.0.0.1:9/hook";
    const webhook = await parley.webhooks.create({ name: "Orders", url, events: ["contact.*"] });
    const tested = await hostedCommand(["webhooks", "test", String(webhook.id)], settings);
    expect(tested.code).toBe(1);
    expect(JSON.parse(tested.stdout)).toMatchObject({ success: false });
    const [list, logs, get] = await Promise.all([
      hostedCommand(["webhooks", "list"], settings),
      hostedCommand(["logs", String(webhook.id), "--status", "failed", "--json"], settings),
      hostedCommand(["webhooks", "get", webhook.uuid], settings),
    ]);
    expect(list.stdout).toMatch(/^ID +NAME +ACTIVE/);
    expect(list.stdout).toContain(url);
    expect(JSON.parse(logs.stdout.split("\n")[0] ?? "")).toMatchObject({
      event_type: "webhook.test",
      status: "failed",
    });
    expect(JSON.parse(get.stdout)).toMatchObject({ name: "Orders", health: { breaker: "closed" } });
  });

  it.runIf(process.platform === "linux")("prints headings in bold on a terminal that has colours", async () => {
    await parley.webhooks.create({ name: "Bold", url: "http://127.0.0.1:9/bold", events: ["contact.*"] });
    const shown = (colours: string) =>
      shell(
        `env ${colours} TERM=xterm-256color script -qec "${process.execPath} bin/parley.mjs webhooks list" /dev/null`,
      );
    const [bold, plain] = await Promise.all([shown(WITH_COLOURS), shown("NO_COLOR=1")]);
    expect(bold.stdout).toContain("\u001b[1mID ");
    expect(plain.stdout).toMatch(/^ID +NAME/m);
    expect(plain.stdout).not.toContain("\u001b[");
  });

  it("talks to the server of PARLEY_URL, whatever PORT says and whichever was started last", async () => {
    writeFileSync(join(directory, "server-address"), "http://127.0.0.1:1111");
    const { code, stderr } = await hostedCommand(["api", "GET", "/me"], { ...settings, PORT: "2222" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Server: ${server.url}\n` });
  });

  it("uses the server of PORT where that is given, instead of the one that was started last", () => {
    writeFileSync(join(directory, "server-address"), "http://127.0.0.1:1111");
    vi.stubEnv("PORT", "");
    expect(localUrl(readConfig({ PARLEY_DATA_DIR: directory }))).toBe("http://127.0.0.1:1111");
    vi.stubEnv("PORT", "0");
    expect(localUrl(readConfig({ PARLEY_DATA_DIR: directory }))).toBe("http://127.0.0.1:1111");
    vi.stubEnv("PORT", "2222");
    expect(localUrl(readConfig({ PARLEY_DATA_DIR: directory }))).toBe("http://127.0.0.1:2222");
  });
});

describe("parley on the path", () => {
  it("is put there by npm from the checkout, without a network, and runs from any directory", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-path-"));
    const install = `npm install --global --prefix ${folder} --offline --no-audit --no-fund ${root}`;
    const { code, stdout } = await shell(`${install} >&2 && cd / && ${folder}/bin/parley api GET /me`);
    expect(code, stdout).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it("is found by npx in the checkout, which fetches nothing", async () => {
    const { code, stdout } = await shell("npx --offline --no-install parley api GET /me");
    expect(code, stdout).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
  });
});

describe("parley completion", () => {
  it("completes commands, their subcommands and options in bash", async () => {
    const complete = (...words: string[]) =>
      `COMP_WORDS=(parley ${words.join(" ")}); COMP_CWORD=${words.length}; _parley_completion; echo "\${COMPREPLY[*]}"`;
    const { stdout } = await shell(
      [
        `source <(${process.execPath} bin/parley.mjs completion bash)`,
        complete("tri"),
        complete("keys", "ro"),
        complete("events", "tail", "--no"),
        complete("events", "list", "--url", "x", "--li"),
      ].join("\n"),
    );
    expect(stdout.trim().split("\n")).toEqual(["trigger", "rotate", "--no-follow", "--limit"]);
  });

  it("prints a script for zsh and fish, and refuses other shells", async () => {
    const [zsh, fish, other] = await Promise.all(
      ["zsh", "fish", "tcsh"].map((name) => hostedCommand(["completion", name])),
    );
    expect(zsh?.stdout).toContain("bashcompinit");
    expect(fish?.stdout).toMatch(/complete -c parley -n '__parley_at \\'keys\\'' -f -a rotate/);
    expect(other?.code).toBe(1);
  });
});

describe("parley listen with a receiver that it starts", () => {
  it("gives it the port of --forward-to, so that events arrive", async () => {
    const port = await freePort();
    const child = spawnParley(
      ["listen", "--forward-to", String(port), "--", process.execPath, "examples/receiver.mjs"],
      {
        ...settings,
        RECEIVER_PORT: "1",
      },
    );
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        said += chunk;
      });
    await until("it is ready", () => said.includes("Ready"), { timeoutMs: 30_000 });
    await parley.contacts.create({ name: "For the receiver" });
    await until("the receiver has verified it", () => said.includes("verified contact.created"), { timeoutMs: 20_000 });
    child.kill("SIGTERM");
  });

  it.runIf(process.platform === "linux")("prints what failed in red on a terminal that has colours", async () => {
    const refusing = createServer((_request, response) => response.writeHead(500).end()).listen(0, "127.0.0.1");
    await until("the receiver listens", () => refusing.listening);
    const { port } = refusing.address() as AddressInfo;
    const listen = `${process.execPath} bin/parley.mjs listen --forward-to ${port} < /dev/null`;
    const env = { ...process.env, ...settings, TERM: "xterm-256color" };
    const child = spawn("script", ["-qec", `env ${WITH_COLOURS} ${listen}`, "/dev/null"], { cwd: root, env });
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    await until("it is ready", () => said.includes("Ready"), { timeoutMs: 30_000 });
    await parley.contacts.create({ name: "Red" });
    await until("the failure is there", () => said.includes("HTTP 500"), { timeoutMs: 20_000 });
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    refusing.close();
    await ended;
    const line = said.split("\n").find((one) => one.includes("HTTP 500"));
    expect(line?.startsWith("\u001b[31m"), line).toBe(true);
  });

  it("says what to look for where nothing listens on that port", async () => {
    const port = await freePort();
    const child = spawnParley(["listen", "--forward-to", String(port)], settings);
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    await until("it is ready", () => said.includes("Ready"), { timeoutMs: 30_000 });
    await parley.contacts.create({ name: "For nobody" });
    await until("the hint", () => said.includes(`Nothing listens on port ${port}`), { timeoutMs: 20_000 });
    expect(said).toContain("PORT and RECEIVER_PORT");
    child.kill("SIGTERM");
  });
});
