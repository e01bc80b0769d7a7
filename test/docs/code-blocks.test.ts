import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Parley, signWebhook } from "@parley/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ensureBuilt } from "../support/cli.ts";
import { freePort } from "../support/free-port.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { root } from "../tidy/source-text.ts";
import { NOT_HERE } from "./code-blocks-elsewhere.ts";
import { type CodeBlock, codeBlocksOf } from "./markdown.ts";

/**
 * The code blocks of the documentation, run unchanged against one server: JavaScript and TypeScript with the built
 * client, commands in a shell. A block that is not run here is listed with the test that runs it, or with why nothing can.
 */

/** Not code: output, drawings and examples of bodies, which other tests compare with the schemas. */
const NOT_CODE = new Set(["", "json", "mermaid"]);

const PAGES = [
  "README.md",
  "client/README.md",
  "examples/bot/README.md",
  ...["docs", "docs/guides"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}/${file}`),
  ),
];
const blocks = PAGES.flatMap(codeBlocksOf).filter(({ language }) => !NOT_CODE.has(language));

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = JSON.stringify({ id: "evt_1", type: "message.created", data: { body: "Hello" } });

let server: TestParley;
let parley: Parley;
let directory: string;
let receiver: Receiver;
let ports: { bot: number; receiver: number };
let shells: Map<string, Promise<string>>;
const children: ChildProcess[] = [];

// biome-ignore lint/suspicious/noExplicitAny: what a block exports is known to its own case alone
type Module = any;

/** What each JavaScript and TypeScript block exports, used as its page says. */
const MODULES: Record<string, (module: Module) => Promise<void>> = {
  "client/README.md › @parley/client › ts": async () => {
    const [conversation] = await parley.conversations.list({ search: "Where is my order?" }).take(1);
    expect(conversation?.contact).toMatchObject({ external_id: "customer-1042" });
    expect(conversation?.last_message).toMatchObject({ body: "It is on its way." });
  },
  "client/README.md › Events as they happen › ts": async ({ follow }) => {
    const [first] = (await parley.events.list({ limit: 1 })).data;
    const position = { cursor: (await parley.events.list({ limit: 1 })).nextCursor };
    const before = position.cursor;
    void follow(parley, position).catch(() => {});
    await parley.conversations.create({ message: { body: "For the stream" } });
    await until("the stream has moved on", () => position.cursor !== before);
    expect(first).toBeDefined();
  },
  "client/README.md › Consumers › ts": async ({ consume }) => {
    const stop = new AbortController();
    const consuming = consume(parley, stop.signal);
    await until("the consumer exists", () => parley.consumers.get("billing").catch(() => null));
    const { cursor } = await parley.consumers.get("billing");
    await parley.conversations.create({ message: { body: "For the consumer" } });
    await until("it is acknowledged", async () => (await parley.consumers.get("billing")).cursor !== cursor);
    stop.abort();
    await consuming;
  },
  "client/README.md › Webhooks › ts": async ({ receive }) => {
    const headers = await signWebhook("evt_1", BODY, SECRET);
    expect(await receive(Buffer.from(BODY), headers)).toBe("Hello");
  },
  "docs/webhooks.md › Verifying › js": async ({ default: verify }) => {
    expect(verify({ secret: SECRET, body: BODY, headers: await signWebhook("evt_1", BODY, SECRET) })).toEqual(
      JSON.parse(BODY),
    );
  },
  "docs/guides/chatwoot.md › Moving contacts › js": async ({ importContacts }) => {
    const contacts = [{ id: 71, name: "Bea", email: "bea@example.com", custom_attributes: { plan: "pro" } }];
    for (const _run of [1, 2]) await importContacts({ url: server.url, key: server.key }, contacts);
    const found = await parley.contacts.list({ external_id: "chatwoot-71" }).take(5);
    expect(found).toMatchObject([{ name: "Bea", attributes: { plan: "pro" } }]);
  },
  "docs/guides/exactly-once.md › The reader › js": async ({ bill }) => {
    const [tables] = codeBlocksOf("docs/guides/exactly-once.md");
    for (const statement of (tables?.code ?? "").split(";"))
      if (statement.trim()) await server.database.query(statement);
    await parley.consumers.put("billing", { start: "now", types: ["message.created"] });
    await parley.consumers.reset("billing", { start: "now" });
    const stop = new AbortController();
    const billing = bill({ url: server.url, key: server.key, database: server.database.url, signal: stop.signal });
    await parley.conversations.create({ message: { body: "To be billed", direction: "in" } });
    await until("it is billed", async () => (await server.database.query("select 1 from invoice_lines")).length > 0);
    stop.abort();
    await billing;
    const [stored] = await server.database.query<{ cursor: string }>("select cursor from parley_position");
    expect((await parley.consumers.get("billing")).cursor).toBe(stored?.cursor);
  },
  "docs/guides/ordering.md › Reading by cursor › js": async ({ follow }) => {
    let saved: string | null = null;
    const handled: string[] = [];
    const options = {
      url: server.url,
      key: server.key,
      load: async () => (await parley.events.list({ limit: 1 })).nextCursor,
      save: async (cursor: string) => {
        saved = cursor;
      },
      handle: async (event: { type: string }) => void handled.push(event.type),
    };
    void follow(options).catch(() => {});
    await parley.contacts.create({ name: "For the cursor" });
    await until("the cursor is saved", () => saved !== null && handled.length > 0);
  },
  "docs/guides/receivers.md › The same event twice › js": async ({ receive }) => {
    const headers = await signWebhook("evt_1", BODY, SECRET);
    const handled: string[] = [];
    const options = { secret: SECRET, handle: async ({ id }: { id: string }) => void handled.push(id) };
    expect(await receive(BODY, headers, options)).toBe("handled");
    expect(await receive(BODY, headers, options)).toBe("repeated");
    expect(handled).toEqual(["evt_1"]);
  },
  "docs/guides/rotating.md › A webhook's signing secret › js": async ({ receive }) => {
    const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const headers = await signWebhook("evt_1", BODY, SECRET);
    expect(await receive(BODY, headers, [other, SECRET])).toMatchObject({ id: "evt_1" });
    await expect(receive(BODY, headers, [other])).rejects.toThrow("No signature matches");
  },
  "docs/guides/verify-signatures.md › Node › js": async ({ receive }) => {
    expect(await receive(BODY, await signWebhook("evt_1", BODY, SECRET))).toMatchObject({ id: "evt_1" });
  },
};

/** Two lines of a larger program: what they use is given to them, and what they end with is returned. */
const FRAGMENTS: Record<string, { given: string[]; result: string }> = {
  "docs/webhooks.md › Verifying › js": { given: ["secret", "body", "headers"], result: "event" },
};

interface Shell {
  /** Only what differs on this machine. */
  replace?: (code: string) => string;
  /** The blocks of one walk are run one after the other in one shell. */
  walk?: string;
  /** It runs until it is stopped: when this has been printed. */
  until?: (output: string) => boolean;
  /** What has been printed, or done, when it is through. */
  check: (output: string) => unknown;
}

const LISTEN = "docs/guides/local-development.md › Local development › sh";
const BOT = "docs/guides/bot.md › The example › sh";

const bodyIn = (output: string) => JSON.parse(/\{"success".*\}/.exec(output)?.[0] ?? "{}");
const dataIn = (output: string) => bodyIn(output).data;
/** The response that a page shows after its command. */
const shownIn = (page: string, index: number) =>
  JSON.parse(codeBlocksOf(page).filter(({ language }) => language === "json")[index]?.code ?? "{}");

const SHELLS: Record<string, Shell> = {
  [LISTEN]: {
    replace: (code) =>
      `${code
        .replaceAll("3000", new URL(receiver.url()).port)
        .replaceAll("9000", String(ports.receiver))
        .replace(/^(node .*)$/gm, "$1 </dev/null &")}wait`,
    until: (output) => output.match(/^Ready: events of/gm)?.length === 4,
    check: (output) => expect(output.match(/^Ready: events of/gm), output).toHaveLength(4),
  },
  "docs/guides/local-development.md › Signing › sh": {
    replace: (code) => `${code}echo "$WEBHOOK_SECRET"`,
    check: (output) => expect(output).toMatch(/^whsec_/m),
  },
  "docs/guides/local-development.md › Causing events › sh": {
    check: async (output) => {
      expect(output).toMatch(/Triggered message\.created[\s\S]*Triggered conversation\.status_changed/);
      expect(await parley.conversations.list({ status: "resolved", label: "test" }).take(1)).toHaveLength(1);
    },
  },
  "docs/guides/local-development.md › Causing events › sh 2": {
    walk: "docs/guides/local-development.md › Causing events › sh",
    check: (output) => {
      expect(output).toContain('"type":"message.created"');
      expect(output.match(/^Server: /gm)).toHaveLength(4);
    },
  },
  "docs/guides/local-development.md › Completion › sh": {
    replace: (code) => `${code}complete -p parley`,
    check: (output) => expect(output).toContain("_parley_completion"),
  },
  "docs/guides/assistants.md › On your machine › sh": {
    check: (output) => expect(output).toMatch(/^parley_limited_\w+$/m),
  },
  "docs/guides/exactly-once.md › A consumer › sh": {
    check: (output) => expect(dataIn(output)).toMatchObject({ name: "billing", types: ["message.created"] }),
  },
  "docs/guides/exactly-once.md › Without a program of your own › sh": {
    replace: (code) => code.replace("events.ndjson", join(directory, "events.ndjson")),
    check: () => expect(existsSync(join(directory, "events.ndjson"))).toBe(true),
  },
  "docs/guides/ordering.md › An ordered webhook › sh": {
    check: (output) => expect(dataIn(output)).toMatchObject({ name: "Archive", ordered: true }),
  },
  "docs/guides/rotating.md › An API key › sh": {
    check: (output) => expect(output).toMatch(/^parley_limited_\w+$/m),
  },
  [BOT]: {
    walk: BOT,
    replace: (code) => `${code}echo "$WEBHOOK_SECRET"\n`,
    check: (output) => expect(output).toMatch(/^whsec_/m),
  },
  [`${BOT} 2`]: {
    walk: BOT,
    replace: (code) => `${code}echo "$BOT_KEY"\n`,
    check: (output) => expect(output).toMatch(/^parley_bot_/m),
  },
  [`${BOT} 3`]: {
    walk: BOT,
    replace: (code) => `BOT_PORT=${ports.bot} ${code.trim()} &\n`,
    check: (output) => expect(output).toContain("the bot listens"),
  },
  [`${BOT} 4`]: {
    walk: BOT,
    until: (output) => output.includes("Triggered") && output.includes("proposed a reply"),
    check: (output) => expect(output).toMatch(/^proposed a reply to message \d+$/m),
  },
  "docs/api-keys.md › Rotating › sh": {
    check: (output) => expect(dataIn(output)).toMatchObject({ key: expect.stringMatching(/^parley_limited_/) }),
  },
  "docs/conversations.md › Files › sh": {
    check: (output) => expect(dataIn(output)).toMatchObject({ name: "photo.png", content_type: "image/png" }),
  },
  "docs/events.md › Reading by cursor › sh": {
    check: (output) => expect(dataIn(output)).toBeInstanceOf(Array),
  },
  "docs/events.md › Consumers › sh": {
    check: (output) => expect(output).toMatch(/"name":"billing"[\s\S]*"next_cursor"/),
  },
  "docs/events.md › Streaming › sh": {
    until: (output) => /^(:|id:)/m.test(output),
    check: (output) => expect(output).toMatch(/^(:|id:)/m),
  },
  "docs/strict-requests.md › Unknown fields and strict requests › sh": {
    check: (output) => expect(bodyIn(output).warnings).toEqual(shownIn("docs/strict-requests.md", 0).warnings),
  },
  "docs/strict-requests.md › Prefer: handling=strict › sh": {
    check: (output) => expect(bodyIn(output)).toEqual(shownIn("docs/strict-requests.md", 1)),
  },
  "docs/webhooks.md › Creating › sh": {
    check: (output) =>
      expect(dataIn(output)).toMatchObject({ name: "Orders", secret: expect.stringMatching(/^whsec_/) }),
  },
  "docs/webhooks.md › Preview › sh": {
    check: (output) => expect(dataIn(output)).toMatchObject({ examined: expect.any(Number), complete: true }),
  },
  "docs/guides/web-chat.md › 2. Create a widget › sh": {
    check: (output) => expect(dataIn(output)).toMatchObject({ public_id: expect.stringMatching(/^wid_/) }),
  },
  "docs/widgets.md › Creating › sh": {
    check: (output) => expect(dataIn(output)).toMatchObject({ name: "Shop", secret: expect.stringMatching(/^wis_/) }),
  },
};

beforeAll(async () => {
  await ensureBuilt();
  directory = mkdtempSync(join(tmpdir(), "parley-blocks-"));
  server = await startParley({ PARLEY_RETRY_SCHEDULE: "0.2" });
  parley = new Parley({ url: server.url, key: server.key });
  receiver = await startReceiver();
  ports = { bot: await freePort(), receiver: await freePort() };
  await parley.contacts.create({ name: "For parley consume" });
  writeFileSync(join(directory, "photo.png"), "not really a photo");
  const limited = { type: "limited" as const, abilities: ["contacts:read" as const] };
  const [first, second] = [
    await parley.apiKeys.create({ name: "1", ...limited }),
    await parley.apiKeys.create({ name: "2", ...limited }),
  ];
  const adapt = (code: string): string =>
    code
      .replaceAll("http://127.0.0.1:8080", server.url)
      .replaceAll("127.0.0.1:9100", `127.0.0.1:${ports.bot}`)
      .replace("keys rotate 2", `keys rotate ${first.id}`)
      .replace("api-keys/2/", `api-keys/${second.id}/`)
      .replace("@photo.png", `@${join(directory, "photo.png")}`);
  // All at once: each of them mostly waits, and the tests below wait for their own.
  shells = new Map();
  for (const walk of new Set(Object.entries(SHELLS).map(([name, shell]) => shell.walk ?? name))) {
    const steps = Object.entries(SHELLS).filter(([name, shell]) => (shell.walk ?? name) === walk);
    const script = steps.map(([name, { replace = String }]) => replace(adapt(codeOf(name)))).join("");
    shells.set(walk, runScript(script, steps.find(([, shell]) => shell.until)?.[1].until));
  }
  vi.stubEnv("WEBHOOK_SECRET", SECRET);
  vi.stubEnv("PARLEY_KEY", server.key);
  await writeModules(adapt);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const child of children) endGroup(child);
  await receiver?.close();
  await server?.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("the code blocks of the documentation", () => {
  it("are all run, here or in another test, or are listed with the reason why they cannot be", () => {
    const listed = [...Object.keys(NOT_HERE), ...Object.keys(MODULES), ...Object.keys(SHELLS)];
    expect(blocks.map(({ name }) => name).sort()).toEqual(listed.sort());
  });

  it.each(Object.keys(MODULES))("run unchanged: %s", async (name) => {
    await MODULES[name]?.(await import(pathToFileURL(fileOf(name)).href));
  });

  it.each(Object.keys(SHELLS))("run in a shell: %s", async (name) => {
    const { walk = name, check } = SHELLS[name] as Shell;
    await check((await shells.get(walk)) ?? "");
  });

  it("configure an assistant so that it can start the tools", async () => {
    const config = codeBlocksOf("docs/guides/assistants.md").find(({ language }) => language === "json")?.code ?? "";
    const { command, args, env } = JSON.parse(config).mcpServers.parley;
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const child = spawn(
      command,
      (args as string[]).map((part) => part.replace("/path/to/parley", root)),
      {
        cwd: directory,
        env: { ...process.env, ...env, PARLEY_URL: server.url, PARLEY_KEY: server.key },
        stdio: ["pipe", "pipe", "ignore"],
      },
    );
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`);
    await until("the server introduces itself", () => output.includes('"serverInfo"'), { timeoutMs: 20_000 });
    child.stdin.end();
  });
});

const codeOf = (name: string): string => {
  const block = blocks.find((one) => one.name === name) as CodeBlock | undefined;
  if (!block) throw new Error(`There is no code block "${name}".`);
  return block.code;
};

const fileOf = (name: string): string => join(directory, "out", `${name.replace(/\W+/g, "-")}.mjs`);

/** TypeScript is checked and compiled as a reader's strict project would do it. */
async function writeModules(adapt: (code: string) => string): Promise<void> {
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  mkdirSync(join(directory, "out"));
  const sources: string[] = [];
  for (const name of Object.keys(MODULES)) {
    const code = wrapped(name, adapt(codeOf(name)));
    if (!name.endsWith("› ts")) {
      writeFileSync(fileOf(name), code);
      continue;
    }
    const source = fileOf(name).replace("/out/", "/").replace(/mjs$/, "mts");
    writeFileSync(source, code);
    sources.push(source);
  }
  const flags = ["--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "--outDir", "out"];
  // Not by npx: npm prints notices of its own.
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const output = await runScript(["node", compiler, ...flags, ...sources].join(" "), undefined, directory);
  expect(output.trim()).toBe("");
}

function wrapped(name: string, code: string): string {
  const fragment = FRAGMENTS[name];
  if (!fragment) return code;
  const lines = code.split("\n");
  const imports = lines.filter((line) => line.startsWith("import "));
  const rest = lines.filter((line) => !line.startsWith("import "));
  const { given, result } = fragment;
  return [...imports, `export default ({ ${given} }) => {`, ...rest, `return ${result}; };`].join("\n");
}

/** What a script prints until it ends, or until it has printed enough. */
function runScript(script: string, isThrough?: (output: string) => boolean, cwd = root): Promise<string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PARLEY_|HOST$|PORT$|DATABASE_URL$|npm_|NODE_OPTIONS|VITEST|NODE_ENV)/i.test(name),
  );
  const child = spawn("bash", ["--norc", "-c", script], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      PORT: new URL(server.url).port,
      DATABASE_URL: server.database.url,
      PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more",
      PARLEY_DATA_DIR: join(directory, "data"),
      PARLEY_KEY: server.key,
      RECEIVER_PORT: String(ports.receiver),
    },
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group, so that what it started ends with it.
    detached: true,
  });
  children.push(child);
  // Apart, because the progress of curl would be in the middle of its response.
  const said = { stdout: "", stderr: "" };
  return new Promise((resolve) => {
    const end = () => {
      endGroup(child);
      resolve(`${said.stdout}\n${said.stderr}`);
    };
    for (const name of ["stdout", "stderr"] as const)
      child[name].on("data", (chunk) => {
        said[name] += chunk;
        if (isThrough?.(`${said.stdout}\n${said.stderr}`)) end();
      });
    // What it has left running in the background keeps its output open.
    child.once("close", end);
    setTimeout(end, atMost(50_000)).unref();
  });
}

function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), "SIGTERM");
  } catch {
    // It has ended already.
  }
}
