import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";
import { root } from "../tidy/source-text.ts";
import { blockMarked, readPage } from "./markdown.ts";

/**
 * The README's commands and the walk of docs/start.md, as a newcomer pastes them, each into its own shell. Only
 * the two ports and the database are other ones, so that nothing of this machine is in the way.
 */

interface Shell {
  child: ChildProcess;
  output(): string;
  /** Pastes a block and waits until the shell is through with it. Returns what was said meanwhile. */
  paste(block: string): Promise<string>;
}

let database: TestDatabase;
let dataDir: string;
let ports: { api: number; receiver: number };
let server: Shell;
let listener: Shell;
let shell: Shell;
/** What has been set up so far, to be undone in reverse. */
const undo: (() => unknown)[] = [];

beforeAll(async () => {
  await ensureBuilt();
  database = await createTestDatabase({ empty: true });
  undo.push(() => database.drop());
  dataDir = mkdtempSync(join(tmpdir(), "parley-data-"));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  ports = { api: await freePort(), receiver: await freePort() };
  server = openShell();
  undo.push(() => endGroup(server.child));
  listener = openShell();
  undo.push(() => endGroup(listener.child));
  shell = openShell();
  undo.push(() => endGroup(shell.child));
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

describe("the README's three commands", () => {
  it("make a triggered event arrive at a local receiver within a second, verified", async () => {
    server.child.stdin?.write(block("README.md", "start"));
    await until("the server is ready", () => /Parley is ready at http:\/\/127\.0\.0\.1:\d+/.test(server.output()), {
      timeoutMs: 90_000,
    });
    await until("the link to the first account is shown", () => /\/setup\?token=\S+/.test(server.output()));
    listener.child.stdin?.write(block("README.md", "listen"));
    await until("the listener is ready", () => listener.output().includes("Ready: "), { timeoutMs: 60_000 });
    await shell.paste(block("README.md", "trigger"));
    const triggeredAt = performance.now();
    const verified = await until("the event is verified", () => /verified (\S+) (evt_\w+)/.exec(listener.output()));
    expect(verified[1]).toMatch(/^(contact|conversation|message)\.created$/);
    await until("the message arrives", () => listener.output().includes("verified message.created evt_"));
    expect(performance.now() - triggeredAt).toBeLessThan(atMost(1_000));
    expect(listener.output()).not.toContain("refused");
    await endGroup(listener.child);
    await until("the receiver is gone", async () => !(await listens(ports.receiver)));
  });
});

describe("the five-minute start", () => {
  it("continues to a webhook, a verified delivery and its log", async () => {
    const page = "docs/start.md";
    const me = responseIn(await shell.paste(block(page, "key")));
    expect(me.data.api_key).toMatchObject({ name: "first", type: "full", is_active: true });

    const webhook = responseIn(await shell.paste(block(page, "webhook")));
    expect(webhook).toMatchObject({ success: true, message: "Webhook created successfully." });
    expect(webhook.data.secret).toMatch(/^whsec_/);

    await shell.paste(block(page, "receiver"));
    await until("the receiver listens", () => listens(ports.receiver));

    const conversation = responseIn(await shell.paste(block(page, "conversation")));
    expect(conversation.data.contact).toMatchObject({ external_id: "customer-1042" });
    const verified = await until("the delivery is verified", () => /verified (\S+) (\S+)/.exec(shell.output()));
    expect(verified[1]).toBe("message.created");
    expect(shell.output()).not.toContain("refused");

    const log = await until("the log has it", async () => responseIn(await shell.paste(block(page, "logs"))).data[0]);
    expect(log).toMatchObject({
      event_id: verified[2],
      event_type: "message.created",
      status: "success",
      response_code: 200,
      attempt: 1,
      error_message: null,
    });

    await shell.paste("kill %1");
    await until("the receiver is gone", async () => !(await listens(ports.receiver)));
  });
});

const block = (page: string, name: string): string =>
  blockMarked(readPage(page), `run: ${name}`)
    .replaceAll("--forward-to 9000", `--forward-to ${ports.receiver}`)
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${ports.api}`)
    .replaceAll("127.0.0.1:9000", `127.0.0.1:${ports.receiver}`);

/** The JSON that a block printed, among whatever else was said. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
function responseIn(said: string): any {
  const json = /\{"success".*\}/.exec(said)?.[0];
  if (!json) throw new Error(`no response in: ${said}`);
  return JSON.parse(json);
}

function openShell(): Shell {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PARLEY_|HOST$|PORT$|DATABASE_URL$|npm_|NODE_OPTIONS|VITEST|NODE_ENV)/i.test(name),
  );
  const child = spawn("bash", ["--norc"], {
    cwd: root,
    env: {
      ...Object.fromEntries(inherited),
      PORT: String(ports.api),
      RECEIVER_PORT: String(ports.receiver),
      DATABASE_URL: database.url,
      PARLEY_DATA_DIR: dataDir,
      // As docs/start.md says for its webhook; `parley listen` needs it no more than a webhook to a public address.
      PARLEY_ALLOWED_CIDRS: "127.0.0.0/8,::1/128",
    },
    stdio: "pipe",
    // Its own process group, so that what it started ends with it.
    detached: true,
  });
  let output = "";
  let pasted = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  return {
    child,
    output: () => output,
    async paste(text) {
      const from = output.length;
      const mark = `--- through ${++pasted} ---`;
      child.stdin.write(`${text}\necho; echo "${mark}"\n`);
      await until(`the shell is through with: ${text}`, () => output.includes(mark, from), { timeoutMs: 60_000 });
      return output.slice(from);
    },
  };
}

async function endGroup({ pid }: ChildProcess): Promise<void> {
  const group = -(pid as number);
  if (!signal(group, "SIGTERM")) return;
  await until("the shell and what it started have ended", () => !signal(group, 0), { timeoutMs: 30_000 }).catch(() =>
    signal(group, "SIGKILL"),
  );
}

/** False: nobody is left to signal. */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, name);
  } catch {
    return false;
  }
}

/** Only connects: the receiver is to see nothing but deliveries. */
async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
